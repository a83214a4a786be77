#include "core/spec/field.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/spec/field_json.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

const std::array<std::pair<std::string_view, int>, 9> kByteUnits{{{"KiB", 10},
                                                                  {"MiB", 20},
                                                                  {"GiB", 30},
                                                                  {"TiB", 40},
                                                                  {"K", 10},
                                                                  {"M", 20},
                                                                  {"G", 30},
                                                                  {"T", 40},
                                                                  {"B", 0}}};

std::optional<std::int64_t> bytesFromText(std::string_view text) {
    for (const auto& [suffix, shift] : kByteUnits) {
        if (!text.ends_with(suffix)) continue;
        const auto number = parseDouble(text.substr(0, text.size() - suffix.size()));
        if (!number) return std::nullopt;
        const double bytes = std::ldexp(*number, shift);
        if (!(bytes >= 0 && bytes < 0x1p62)) return std::nullopt;
        return static_cast<std::int64_t>(bytes);
    }
    return parseInt(text);
}

std::optional<bool> flagFromText(std::string_view text) {
    for (const std::string_view yes : {"true", "yes", "on", "1"})
        if (text == yes) return true;
    for (const std::string_view no : {"false", "no", "off", "0"})
        if (text == no) return false;
    return std::nullopt;
}

std::optional<FieldValue> numberFromText(const SpecField& field, std::string_view text) {
    if (field.takesInfinity && (text == "inf" || text == "infinity" || text == ".inf"))
        return std::numeric_limits<double>::infinity();
    const auto number = parseDouble(text);
    return number ? std::optional<FieldValue>(*number) : std::nullopt;
}

std::optional<FieldValue> integerFromText(const SpecField& field, std::string_view text) {
    const auto number = field.unit == "bytes" ? bytesFromText(text) : parseInt(text);
    return number ? std::optional<FieldValue>(*number) : std::nullopt;
}

std::string mustBe(const SpecField& field, const std::string& got, const std::string& bound = {}) {
    return "must be " + field.range + bound + ", got " + got;
}

/// What a range leaves out that a number is too large for: the highest of a count, and infinity.
std::string upperBound(const SpecField& field, const FieldValue& value) {
    if (const auto* count = std::get_if<std::int64_t>(&value))
        return field.type == FieldType::Integer && static_cast<double>(*count) > field.high
                   ? " and <= " + std::to_string(static_cast<std::int64_t>(field.high))
                   : std::string();
    const auto* number = std::get_if<double>(&value);
    const bool isOpenAbove = field.range.starts_with('>');
    return number && std::isinf(*number) && *number > 0 && isOpenAbove ? " and finite"
                                                                       : std::string();
}

bool isText(const FieldValue& value) {
    return std::holds_alternative<std::string>(value);
}

bool isEmptyText(const FieldValue& value) {
    return isText(value) && std::get<std::string>(value).empty();
}

/// True for a text, or a list without empty ones; for nothing only where that is allowed.
bool textsFit(const SpecField& field, const FieldValue& value) {
    const bool mayBeNone = field.low <= 0;
    if (isText(value)) return mayBeNone || !isEmptyText(value);
    const auto* list = std::get_if<FieldList>(&value);
    return list != nullptr && (mayBeNone || !list->empty()) &&
           std::ranges::all_of(*list,
                               [](const FieldValue& v) { return isText(v) && !isEmptyText(v); });
}

/// A list of texts that is written as JSON; nothing if the text is none.
std::optional<FieldValue> textsFromJson(std::string_view text) {
    const Json list = Json::parse(text, nullptr, false);
    if (!list.is_array()) return std::nullopt;
    std::vector<std::string> texts;
    for (const Json& entry : list) {
        if (!entry.is_string()) return std::nullopt;
        texts.push_back(entry.get<std::string>());
    }
    return valueOfTexts(texts);
}

bool numberFits(const SpecField& field, double value) {
    if (std::isnan(value)) return false;
    if (std::isinf(value)) return value > 0 && field.takesInfinity;
    return (field.lowIsOpen ? value > field.low : value >= field.low) && value <= field.high;
}

}  // namespace

std::optional<FieldValue> parseFieldText(const SpecField& field, std::string_view text) {
    if (field.isOptional && text == "none") return FieldValue{};
    switch (field.type) {
        case FieldType::Texts:
            if (text.starts_with('[')) return textsFromJson(text);
            return FieldValue(std::string(text));
        case FieldType::Text:
        case FieldType::Choice:
            return FieldValue(std::string(text));
        case FieldType::Flag:
            if (const auto flag = flagFromText(text)) return FieldValue(*flag);
            return std::nullopt;
        case FieldType::Integer:
            return integerFromText(field, text);
        case FieldType::Number:
            return numberFromText(field, text);
        case FieldType::Rules:
            break;
    }
    return std::nullopt;
}

std::optional<std::string> checkField(const SpecField& field, const FieldValue& value) {
    if (std::holds_alternative<std::monostate>(value))
        return field.isOptional ? std::nullopt : std::optional(mustBe(field, "nothing"));
    const std::string got = fieldText(value);
    bool fits = false;
    switch (field.type) {
        case FieldType::Text:
            fits = isText(value) && !(field.low > 0 && isEmptyText(value));
            break;
        case FieldType::Flag:
            fits = std::holds_alternative<bool>(value);
            break;
        case FieldType::Integer:
            fits = std::holds_alternative<std::int64_t>(value) &&
                   numberFits(field, static_cast<double>(std::get<std::int64_t>(value)));
            break;
        case FieldType::Number:
            fits =
                std::holds_alternative<double>(value) && numberFits(field, std::get<double>(value));
            break;
        case FieldType::Choice:
            fits = std::holds_alternative<std::string>(value) &&
                   std::ranges::count(field.choices, std::get<std::string>(value)) > 0;
            break;
        case FieldType::Rules:
            fits = std::holds_alternative<FieldList>(value);
            break;
        case FieldType::Texts:
            fits = textsFit(field, value);
            break;
    }
    if (fits) return std::nullopt;
    return mustBe(field, got.empty() ? "an empty text" : "'" + escaped(got, 80) + "'",
                  upperBound(field, value));
}

FieldValue fieldFromText(const SpecField& field, std::string_view text) {
    const auto value = parseFieldText(field, text);
    if (!value)
        throw Error(field.name + " must be " + field.range + ", got '" + escaped(text, 80) + "'",
                    Error::Kind::BadInput);
    if (const auto problem = checkField(field, *value))
        throw Error(field.name + " " + *problem, Error::Kind::BadInput);
    return *value;
}

std::string fieldText(const FieldValue& value) {
    struct Writer {
        std::string operator()(std::monostate) const { return "none"; }
        std::string operator()(bool flag) const { return flag ? "true" : "false"; }
        std::string operator()(std::int64_t number) const { return std::to_string(number); }
        std::string operator()(double number) const { return formatDouble(number); }
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(const FieldList& list) const { return tree(list); }
        std::string operator()(const FieldMap& map) const { return tree(map); }
        static std::string tree(const FieldValue& value) {
            return jsonOf(value).dump(-1, ' ', false, Json::error_handler_t::replace);
        }
    };
    return std::visit(Writer{}, value.tree());
}

std::string shortFieldText(const FieldValue& value) {
    const double* number = std::get_if<double>(&value);
    if (number == nullptr || !std::isfinite(*number)) return fieldText(value);
    const double size = std::abs(*number);
    const bool isPlain = size == 0 || (size >= 1e-4 && size < 1e7);
    std::array<char, 40> text{};
    const auto result =
        std::to_chars(text.data(), text.data() + text.size(), *number,
                      isPlain ? std::chars_format::fixed : std::chars_format::scientific);
    std::string shown(text.data(), result.ptr);
    const std::size_t exponent = shown.find('e');  // of two digits at least: "1e-05"
    if (exponent != std::string::npos && shown[exponent + 2] == '0') shown.erase(exponent + 2, 1);
    std::erase(shown, '+');
    return shown;
}

}  // namespace orrery
