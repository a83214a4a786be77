#include "core/spec/field.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/spec/field_check.h"
#include "core/spec/field_json.h"
#include "core/spec/schedule.h"

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

}  // namespace

bool SpecField::isNamed(std::string_view text) const {
    return name == text || std::ranges::find(aliases, text) != aliases.end();
}

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
        case FieldType::Schedule:
            if (auto number = numberFromText(field, text)) return number;
            return Schedule::parse(text) ? std::optional(FieldValue(std::string(text)))
                                         : std::nullopt;
        case FieldType::Section:
            if (text == "none") return FieldValue(false);
            if (const auto flag = flagFromText(text)) return FieldValue(*flag);
            return std::nullopt;
        case FieldType::List:
        case FieldType::Json: {
            const Json json = Json::parse(text, nullptr, false);
            if (json.is_discarded()) {
                const bool takesText =
                    field.type == FieldType::Json || field.element == FieldType::Text;
                return takesText ? std::optional(FieldValue(std::string(text))) : std::nullopt;
            }
            return valueOfTree(field, treeOf(json));
        }
        case FieldType::Rules:
            break;
    }
    return std::nullopt;
}

std::optional<FieldValue> valueOfTree(const SpecField& field, const FieldValue& tree) {
    if (field.type == FieldType::Json) return tree;
    if (field.type == FieldType::List) {
        const bool isOneText =
            field.element == FieldType::Text && std::holds_alternative<std::string>(tree);
        if (isOneText) return tree;
        const auto* list = std::get_if<FieldList>(&tree);
        if (list == nullptr) return std::nullopt;
        SpecField element = field;
        element.type = field.element;
        element.isOptional = false;
        FieldList values;
        for (const FieldValue& each : *list) {
            const auto value = valueOfTree(element, each);
            if (!value) return std::nullopt;
            values.push_back(*value);
        }
        return FieldValue(std::move(values));
    }
    if (field.isOptional && std::holds_alternative<std::monostate>(tree)) return tree;
    const bool wantsNumber = field.type == FieldType::Number || field.type == FieldType::Schedule;
    if (const auto* whole = std::get_if<std::int64_t>(&tree); whole != nullptr && wantsNumber)
        return FieldValue(static_cast<double>(*whole));
    if (const auto* text = std::get_if<std::string>(&tree)) return parseFieldText(field, *text);
    return tree;
}

FieldValue fieldFromText(const SpecField& field, std::string_view text) {
    const auto value = parseFieldText(field, text);
    if (!value)
        throw Error(field.name + " must be " + field.range + ", got '" + escaped(text, 80) + "'",
                    Error::Kind::BadInput);
    if (const auto problem = checkField(field, *value, text))
        throw Error(field.name + " " + *problem, Error::Kind::BadInput);
    return *value;
}

std::string fieldText(const FieldValue& value) {
    const bool isTree =
        std::holds_alternative<FieldList>(value) || std::holds_alternative<FieldMap>(value);
    return isTree ? jsonOf(value).dump(-1, ' ', false, Json::error_handler_t::replace)
                  : scalarText(value);
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
