#include "app/cli/option_table.h"

#include <sstream>
#include <type_traits>
#include <utility>

#include "core/base/text.h"

namespace orrery {
namespace {

template <typename Place>
using ValueOf = std::remove_pointer_t<std::decay_t<Place>>;

template <typename Value>
constexpr const char* typeWord() {
    if constexpr (std::is_same_v<Value, double>)
        return "FLOAT";
    else if constexpr (std::is_same_v<Value, int> || std::is_same_v<Value, std::int64_t>)
        return "INT";
    else if constexpr (std::is_same_v<Value, std::uint64_t> ||
                       std::is_same_v<Value, std::optional<std::uint64_t>>)
        return "UINT";
    else
        return "TEXT";
}

/// The value as people type it; lists and what may be absent have none.
std::string textOf(const OptionPlace& place) {
    std::ostringstream out;
    std::visit(
        [&out](const auto& value) {
            using Value = ValueOf<decltype(value)>;
            if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>)
                out << *value;
        },
        place);
    return out.str();
}

/// ":INT in [1 - 9]"
std::string rangeText(const VerbOption& option) {
    const NumberRange& range = *option.rules.range;
    if (*range.name != '\0') return std::string(":") + range.name;
    std::ostringstream out;
    std::visit(
        [&](const auto& place) {
            using Value = ValueOf<decltype(place)>;
            if constexpr (std::is_arithmetic_v<Value>)
                out << ":" << typeWord<Value>() << " in [" << static_cast<Value>(range.least)
                    << " - " << static_cast<Value>(range.most) << "]";
        },
        option.place);
    return out.str();
}

}  // namespace

VerbOption makeOption(std::string names, OptionPlace place, std::string meaning,
                      OptionRules rules) {
    std::string byDefault = rules.showsDefault ? textOf(place) : "";
    return {.names = std::move(names),
            .place = place,
            .meaning = std::move(meaning),
            .rules = std::move(rules),
            .byDefault = std::move(byDefault)};
}

VerbOption helpOption() {
    return {.names = "-h,--help",
            .place = std::monostate(),
            .meaning = "Print this help message and exit"};
}

std::string valueText(const VerbOption& option) {
    if (std::holds_alternative<std::monostate>(option.place) ||
        std::holds_alternative<bool*>(option.place))
        return "";
    std::string text = option.rules.takes;
    if (text.empty())
        text = std::visit([](const auto& place) { return typeWord<ValueOf<decltype(place)>>(); },
                          option.place);
    if (option.rules.range) text += rangeText(option);
    if (!option.rules.choices.empty()) text += ":{" + joined(option.rules.choices, ",") + "}";
    return text;
}

std::vector<std::string> longNames(const VerbOption& option) {
    std::vector<std::string> names;
    std::istringstream parts(option.names);
    for (std::string name; std::getline(parts, name, ',');)
        if (name.starts_with("--")) names.push_back(name);
    return names;
}

}  // namespace orrery
