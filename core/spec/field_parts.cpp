#include "core/spec/field_parts.h"

#include <limits>

namespace orrery {

namespace {

constexpr double kHighest = std::numeric_limits<double>::max();

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
    return text;
}

}  // namespace

SpecField textField(std::string name, std::string label, bool isRequired, std::string meaning) {
    return {.name = std::move(name),
            .type = FieldType::Text,
            .label = std::move(label),
            .range = isRequired ? "a text, not empty" : "a text",
            .low = isRequired ? 1.0 : 0.0,
            .meaning = std::move(meaning)};
}

SpecField textsField(std::string name, std::string label, bool isRequired, std::string meaning) {
    return {.name = std::move(name),
            .type = FieldType::Texts,
            .label = std::move(label),
            .range = isRequired ? "a text or a list of texts, not empty" : "a list of texts",
            .low = isRequired ? 1.0 : 0.0,
            .meaning = std::move(meaning)};
}

SpecField flagField(std::string name, std::string label, bool isExpert, std::string meaning) {
    return {.name = std::move(name),
            .type = FieldType::Flag,
            .label = std::move(label),
            .range = "true or false",
            .isExpert = isExpert,
            .meaning = std::move(meaning)};
}

SpecField countField(std::string name, std::string label, std::string unit, double low, double high,
                     std::string meaning) {
    return {.name = std::move(name),
            .type = FieldType::Integer,
            .label = std::move(label),
            .unit = std::move(unit),
            .range = "a whole number >= " + std::to_string(static_cast<std::int64_t>(low)),
            .low = low,
            .high = high,
            .isExpert = true,
            .meaning = std::move(meaning)};
}

SpecField numberField(std::string name, std::string label, NumberLimit limit, std::string meaning) {
    using enum NumberLimit;
    SpecField field{.name = std::move(name),
                    .type = FieldType::Number,
                    .label = std::move(label),
                    .high = kHighest,
                    .meaning = std::move(meaning)};
    if (limit == BelowZero) {
        field.low = -kHighest;
        field.high = -std::numeric_limits<double>::denorm_min();
        field.range = "< 0";
        return field;
    }
    field.lowIsOpen = limit == AboveZero || limit == AboveZeroOrInf || limit == UnitOpenAtZero;
    field.takesInfinity = limit == AboveZeroOrInf || limit == ZeroOrMoreOrInf;
    const bool isUnit = limit == UnitOpenAtZero || limit == Unit || limit == UnitOpenAtOne;
    if (isUnit) field.high = limit == UnitOpenAtOne ? 1 - 0x1p-53 : 1;
    field.range = isUnit ? (field.lowIsOpen          ? "in (0, 1]"
                            : limit == UnitOpenAtOne ? "in [0, 1)"
                                                     : "in [0, 1]")
                         : (field.lowIsOpen ? "> 0" : ">= 0");
    if (field.takesInfinity) field.range += " or inf";
    return field;
}

SpecField choiceField(std::string name, std::string label, std::vector<std::string> choices,
                      std::string meaning) {
    std::string range = listed(choices);
    return {.name = std::move(name),
            .type = FieldType::Choice,
            .label = std::move(label),
            .range = std::move(range),
            .isExpert = true,
            .choices = std::move(choices),
            .meaning = std::move(meaning)};
}

SpecField listField(SpecField element, int fewest, int most) {
    element.element = element.type;
    element.type = FieldType::List;
    element.fewest = fewest;
    element.most = most;
    const std::string count = fewest == most ? std::to_string(most) + " "
                              : most > 0
                                  ? std::to_string(fewest) + " to " + std::to_string(most) + " "
                              : fewest > 0 ? "at least " + std::to_string(fewest) + " "
                                           : "";
    element.range = "a list of " + count + "values, each " + element.range;
    element.isExpert = true;
    return element;
}

SpecField jsonField(std::string name, std::string label, std::string meaning) {
    return {.name = std::move(name),
            .type = FieldType::Json,
            .label = std::move(label),
            .range = "any JSON value",
            .isOptional = true,  // null is one
            .isExpert = true,
            .meaning = std::move(meaning)};
}

SpecField scheduleField(std::string name, std::string label, NumberLimit limit,
                        std::string meaning) {
    SpecField field = numberField(std::move(name), std::move(label), limit, std::move(meaning));
    field.type = FieldType::Schedule;
    field.range += ", or a schedule: lin(a, b), cos(a, b), step: y@x lin y@x";
    return field;
}

}  // namespace orrery
