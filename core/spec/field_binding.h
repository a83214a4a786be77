#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/spec/field_value.h"
#include "core/spec/schedule.h"

/// How members of a struct become field values, and back.
namespace orrery::detail {

template <typename Value>
struct IsOptional : std::false_type {};
template <typename Value>
struct IsOptional<std::optional<Value>> : std::true_type {};

template <typename Value>
struct IsVector : std::false_type {};
template <typename Value>
struct IsVector<std::vector<Value>> : std::true_type {};

template <typename Value>
FieldValue toFieldValue(const std::vector<std::string>& choices, const Value& value) {
    if constexpr (IsOptional<Value>::value)
        return value ? toFieldValue(choices, *value) : FieldValue();
    else if constexpr (std::is_enum_v<Value>)  // one that is no choice is no value of the field
        return static_cast<std::size_t>(value) < choices.size()
                   ? choices[static_cast<std::size_t>(value)]
                   : std::string();
    else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>)
        return static_cast<std::int64_t>(value);
    else if constexpr (std::is_same_v<Value, std::vector<std::string>>)
        return valueOfTexts(value);
    else if constexpr (IsVector<Value>::value) {
        FieldList list;
        for (const typename Value::value_type each : value)
            list.push_back(toFieldValue(choices, each));
        return list;
    } else if constexpr (std::is_same_v<Value, Schedule>) {
        return value.isConstant() && value == Schedule(value.points().front().value)
                   ? FieldValue(value.points().front().value)
                   : FieldValue(value.text());
    } else {
        return value;
    }
}

/// @param given  of the member's kind: what checkField accepts
template <typename Value>
void fromFieldValue(const std::vector<std::string>& choices, const FieldValue& given,
                    Value& value) {
    if constexpr (IsOptional<Value>::value) {
        if (std::holds_alternative<std::monostate>(given))
            value.reset();
        else
            fromFieldValue(choices, given, value.emplace());
    } else if constexpr (std::is_enum_v<Value>) {
        const auto found = std::ranges::find(choices, std::get<std::string>(given));
        if (found != choices.end()) value = static_cast<Value>(found - choices.begin());
    } else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
        value = static_cast<Value>(std::get<std::int64_t>(given));
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
        value = textsOf(given);
    } else if constexpr (IsVector<Value>::value) {
        value.clear();
        for (const FieldValue& each : std::get<FieldList>(given)) {
            typename Value::value_type element{};
            fromFieldValue(choices, each, element);
            value.push_back(element);
        }
    } else if constexpr (std::is_same_v<Value, Schedule>) {
        const auto* number = std::get_if<double>(&given);
        value = number != nullptr ? Schedule(*number)
                                  : Schedule::parse(std::get<std::string>(given)).value();
    } else if constexpr (std::is_same_v<Value, FieldValue>) {
        value = given;
    } else {
        value = std::get<Value>(given);
    }
}

}  // namespace orrery::detail
