#include "core/files/value_reader.h"

#include <algorithm>
#include <type_traits>

#include "core/base/text.h"

namespace orrery {

namespace {

std::string shown(const YamlNode& node) {
    if (node.kind != YamlNode::Kind::Scalar) return kindName(node.kind);
    return quotedValue(node.text) + (node.isQuoted ? " in quotes" : "");
}

template <class Number>
std::string range(Number low, Number high) {
    const auto text = [](Number value) {
        if constexpr (std::is_integral_v<Number>)
            return std::to_string(value);
        else
            return formatDouble(value);
    };
    return " from " + text(low) + " to " + text(high);
}

bool isPlain(const YamlNode& node) {
    return node.kind == YamlNode::Kind::Scalar && !node.isQuoted;
}

/// Whether plain text looks like a number, so that the range and not the kind is wrong.
bool looksNumeric(const std::string& text) {
    return text.find_first_not_of("+-.0123456789eE") == std::string::npos &&
           text.find_first_of("0123456789") != std::string::npos;
}

std::string lowered(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

}  // namespace

std::optional<std::int64_t> ValueReader::integer(const YamlNode& node, std::string_view name,
                                                 std::int64_t low, std::int64_t high) {
    if (isPlain(node)) {
        const std::optional<std::int64_t> value = parseInt(node.text);
        if (value && *value >= low && *value <= high) return value;
    }
    wrong(node, name, "a whole number" + range(low, high),
          isPlain(node) && looksNumeric(node.text) ? "E113" : "E115");
    return std::nullopt;
}

std::optional<double> ValueReader::number(const YamlNode& node, std::string_view name, double low,
                                          double high) {
    if (isPlain(node)) {
        const std::optional<double> value = parseDouble(node.text);
        if (value && *value >= low && *value <= high) return value;
    }
    wrong(node, name, "a number" + range(low, high),
          isPlain(node) && looksNumeric(node.text) ? "E113" : "E115");
    return std::nullopt;
}

std::optional<bool> ValueReader::truth(const YamlNode& node, std::string_view name) {
    if (isPlain(node)) {
        const std::string word = lowered(node.text);
        if (word == "true" || word == "yes" || word == "on") return true;
        if (word == "false" || word == "no" || word == "off") return false;
    }
    wrong(node, name, "true or false");
    return std::nullopt;
}

std::optional<std::string> ValueReader::text(const YamlNode& node, std::string_view name) {
    if (!expect(node, name, YamlNode::Kind::Scalar)) return std::nullopt;
    return node.text;
}

std::optional<std::size_t> ValueReader::choice(const YamlNode& node, std::string_view name,
                                               std::span<const std::string> names) {
    if (!expect(node, name, YamlNode::Kind::Scalar)) return std::nullopt;
    const auto found = std::ranges::find(names, node.text);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    const std::optional<std::string> near = closestName(node.text, names);
    m_out.error(node.place(), "E116",
                "'" + std::string(name) + "' cannot be " + quotedValue(node.text) + ", only " +
                    commaList(names),
                near ? "did you mean '" + *near + "'?" : "");
    return std::nullopt;
}

bool ValueReader::expect(const YamlNode& node, std::string_view name, YamlNode::Kind kind) {
    if (node.kind == kind) return true;
    wrong(node, name, kindName(kind));
    return false;
}

void ValueReader::wrong(const YamlNode& node, std::string_view name, const std::string& wanted,
                        const char* code) {
    m_out.error(node.place(), code,
                "'" + std::string(name) + "' must be " + wanted + ", got " + shown(node));
}

}  // namespace orrery
