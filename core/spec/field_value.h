#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace orrery {

struct FieldValue;
using FieldList = std::vector<FieldValue>;
/// Members in the order in which they are written.
using FieldMap = std::vector<std::pair<std::string, FieldValue>>;

/// The value of one field, as a tree of plain values; monostate where an optional one is not set.
struct FieldValue
    : std::variant<std::monostate, bool, std::int64_t, double, std::string, FieldList, FieldMap> {
    using variant::variant;

    const variant& tree() const { return *this; }
    friend bool operator==(const FieldValue& a, const FieldValue& b) {
        return a.tree() == b.tree();
    }
};

/// A list of texts as a value: a single one, or none, as a text.
FieldValue valueOfTexts(const std::vector<std::string>& texts);

/// The texts of such a value; what is no text is left out.
std::vector<std::string> textsOf(const FieldValue& value);

/// A value as files write it: "0.5", "inf", "true", "none"; of a list or map the word alone.
std::string scalarText(const FieldValue& value);

}  // namespace orrery
