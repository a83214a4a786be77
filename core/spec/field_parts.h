#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/spec/field.h"

namespace orrery {

/// Ranges that numbers of a spec have.
enum class NumberLimit {
    AboveZero,
    ZeroOrMore,
    AboveZeroOrInf,
    ZeroOrMoreOrInf,
    UnitOpenAtZero,  ///< (0, 1]
    Unit,            ///< [0, 1]
    UnitOpenAtOne,   ///< [0, 1)
    BelowZero,
};

inline constexpr double kMostSteps = 1e12;  ///< of a field that counts steps

/// Fields by their type, with the range in words and numbers; a table binds them to members.
SpecField textField(std::string name, std::string label, bool isRequired, std::string meaning);
SpecField textsField(std::string name, std::string label, bool isRequired, std::string meaning);
SpecField flagField(std::string name, std::string label, bool isExpert, std::string meaning);
/// A whole number in [low, high]; expert.
SpecField countField(std::string name, std::string label, std::string unit, double low, double high,
                     std::string meaning);
SpecField numberField(std::string name, std::string label, NumberLimit limit, std::string meaning);
/// Expert.
SpecField choiceField(std::string name, std::string label, std::vector<std::string> choices,
                      std::string meaning);

/// Elements as the field would be one: a number in a range, a text, a choice. Expert.
/// @param most  0: any number
SpecField listField(SpecField element, int fewest, int most);
SpecField jsonField(std::string name, std::string label, std::string meaning);
/// A number that may follow the steps.
SpecField scheduleField(std::string name, std::string label, NumberLimit limit,
                        std::string meaning);

inline SpecField plain(SpecField field) {
    field.isExpert = false;
    return field;
}

/// Marks of a field: see SpecField.
inline SpecField structural(SpecField field) {
    field.isStructural = true;
    return field;
}

inline SpecField symbol(SpecField field) {
    field.isSymbol = true;
    return field;
}

inline SpecField alsoNamed(std::vector<std::string> aliases, SpecField field) {
    field.aliases = std::move(aliases);
    return field;
}

inline SpecField quiet(SpecField field) {
    field.isQuiet = true;
    return field;
}

inline SpecField live(SpecField field, std::string shortLabel, Slider slider) {
    field.isLive = true;
    field.shortLabel = std::move(shortLabel);
    field.slider = slider;
    return field;
}

inline SpecField expert(SpecField field) {
    field.isExpert = true;
    return field;
}

inline FieldTest fieldIs(std::string field, std::vector<std::string> texts) {
    return {.field = std::move(field), .texts = std::move(texts)};
}

inline FieldTest fieldIsNot(std::string field, std::vector<std::string> texts) {
    return {.field = std::move(field), .texts = std::move(texts), .isNot = true};
}

/// The field has no effect unless one of the tests holds.
inline SpecField needs(std::vector<FieldTest> anyOf, std::string reason, SpecField field) {
    field.needs.push_back({.anyOf = std::move(anyOf), .reason = std::move(reason)});
    return field;
}

/// The field belongs to what is only there where one of the tests holds.
inline SpecField partOf(std::vector<FieldTest> anyOf, std::string reason, SpecField field) {
    field = needs(std::move(anyOf), std::move(reason), std::move(field));
    field.needs.back().isPart = true;
    return field;
}

}  // namespace orrery
