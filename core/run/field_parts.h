#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/run/spec_field.h"

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

/// The parts of a field that do not depend on where its value is kept; boundTo adds that.
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

/// The spec's job, or a fresh one where the spec has another job: fields then show their defaults.
template <typename Part>
const Part& partOf(const RunSpec& spec) {
    if constexpr (std::is_same_v<Part, RunSpec>) {
        return spec;
    } else {
        static const Part kFresh;
        const Part* part = std::get_if<Part>(&spec.job);
        return part == nullptr ? kFresh : *part;
    }
}

template <typename Part>
Part& partOf(RunSpec& spec) {
    if constexpr (std::is_same_v<Part, RunSpec>)
        return spec;
    else
        return std::get<Part>(spec.job);
}

namespace detail {

template <typename Value>
struct IsOptional : std::false_type {};
template <typename Value>
struct IsOptional<std::optional<Value>> : std::true_type {};

template <typename Value>
FieldValue toFieldValue(const SpecField& field, const Value& value) {
    if constexpr (IsOptional<Value>::value)
        return value ? toFieldValue(field, *value) : FieldValue();
    else if constexpr (std::is_enum_v<Value>)
        return field.choices.at(static_cast<std::size_t>(value));
    else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>)
        return static_cast<std::int64_t>(value);
    else if constexpr (std::is_same_v<Value, std::vector<std::string>>)
        return textsValue(value);
    else
        return value;
}

template <typename Value>
void fromFieldValue(const SpecField& field, const FieldValue& given, Value& value) {
    if constexpr (IsOptional<Value>::value) {
        if (std::holds_alternative<std::monostate>(given))
            value.reset();
        else
            fromFieldValue(field, given, value.emplace());
    } else if constexpr (std::is_enum_v<Value>) {
        const auto& name = std::get<std::string>(given);
        for (std::size_t i = 0; i < field.choices.size(); ++i)
            if (field.choices[i] == name) value = static_cast<Value>(i);
    } else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
        value = static_cast<Value>(std::get<std::int64_t>(given));
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
        value = textsOf(std::get<std::string>(given));
    } else {
        value = std::get<Value>(given);
    }
}

}  // namespace detail

/// Binds a field to the member that `reach` returns a reference to: of the job `Part`, or of the
/// RunSpec itself. An enum counts through the field's choices; an optional member makes the field
/// optional.
template <typename Part, typename Reach>
SpecField boundTo(SpecField field, Reach reach) {
    using Value = std::remove_cvref_t<decltype(reach(std::declval<Part&>()))>;
    if constexpr (detail::IsOptional<Value>::value) {
        field.isOptional = true;
        field.range += " or none";
    }
    // The functions know of the field what reading a value needs: the names of its choices.
    SpecField known;
    known.choices = field.choices;
    field.get = [known, reach](const RunSpec& spec) -> FieldValue {
        Part copy = partOf<Part>(spec);
        return detail::toFieldValue(known, reach(copy));
    };
    field.set = [known, reach](RunSpec& spec, const FieldValue& value) {
        detail::fromFieldValue(known, value, reach(partOf<Part>(spec)));
    };
    return field;
}

}  // namespace orrery
