#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/text.h"

namespace orrery {

/// A JSON string that is a YAML string, too: nothing in it that cleanText refuses.
std::string jsonText(const std::string& text);
std::string truthText(bool value);
std::string wholeText(int value);

/// "[a, b]"
template <class Values, class ToText>
std::string flowText(const Values& values, ToText toText) {
    std::string text;
    for (const auto& value : values) text += (text.empty() ? "" : ", ") + toText(value);
    return "[" + text + "]";
}

/// A key with its value, ready to be written in either format.
struct WorldField {
    enum class Shape : std::uint8_t {
        Value,  ///< `value` is JSON text on one line
        Block,  ///< `items` are lines of text
        List,   ///< `items` are JSON texts, one a line
        Map,    ///< `members`
    };
    std::string key;
    Shape shape = Shape::Value;
    std::string value = {};
    std::vector<std::string> items = {};
    std::vector<WorldField> members = {};
};

/// Collects what a spec says, for its file.
class WorldFields {
public:
    void add(WorldField field) { m_fields.push_back(std::move(field)); }
    void value(const char* key, std::string text) { add({.key = key, .value = std::move(text)}); }
    /// The map's rows: as a block of text, or as a list where a row could not be read back from a
    /// block.
    void map(std::vector<std::string> rows);
    template <class Value>
    void unlessDefault(const char* key, Value value, Value standard) {
        if (value == standard) return;
        if constexpr (std::is_same_v<Value, bool>)
            this->value(key, truthText(value));
        else if constexpr (std::is_same_v<Value, double>)
            this->value(key, formatDouble(value));
        else
            this->value(key, std::to_string(value));
    }

    std::vector<WorldField>& fields() { return m_fields; }

private:
    std::vector<WorldField> m_fields;
};

}  // namespace orrery
