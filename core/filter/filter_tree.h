#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace orrery {

/// What is wrong with a filter's text; as a whole "column 12: unknown name "stpe"; ...".
class FilterError : public Error {
public:
    FilterError(int column, const std::string& problem);

    /// From 1, in characters; those beyond U+FFFF count twice, as Qt counts and terminals show
    /// them.
    int column() const { return m_column; }
    const std::string& problem() const { return m_problem; }

private:
    int m_column;
    std::string m_problem;
};

enum class FilterSign : std::uint8_t {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Contains,  ///< ~ of texts; of numbers as Equal
    Is,        ///< : what the field takes for "is"; of numbers as Equal
};

inline bool isOrder(FilterSign sign) {
    return sign >= FilterSign::Less && sign <= FilterSign::GreaterEqual;
}

/// A side of a comparison.
struct FilterOperand {
    std::string text;  ///< as written, without quotes; of a field its name in the table
    int column = 1;
    bool isQuoted = false;
    std::optional<double> number = {};  ///< of "3", "1.5k", "inf"; of a truth 1 or 0
    int field = -1;                     ///< index into FilterFields; -1: a value
    /// Of a field with arguments, those; each without blanks around it.
    std::vector<FilterOperand> arguments = {};
    int end = 1;  ///< the column of the ")" behind the arguments
};

/// A condition that was read, with the places of its text.
struct FilterNode {
    enum class Kind : std::uint8_t {
        And,       ///< all of two parts or more
        Or,        ///< any of them
        Not,       ///< its one part does not hold
        Compare,   ///< `left`, a field, against `right`; a truth alone is compared with "!= 0"
        Word,      ///< `left` alone is looked for in texts
        Constant,  ///< `truth`
    };
    Kind kind = Kind::Constant;
    std::vector<FilterNode> parts;
    FilterOperand left, right;
    FilterSign sign = FilterSign::Equal;
    bool truth = false;
    int leaf = -1;            ///< of Compare and Word: how many stand before it
    int column = 1, end = 1;  ///< the characters that it takes up, without parentheses around it
};

/// @param leaf  called with a Compare or Word; whether it holds
template <class Leaf>
bool filterHolds(const FilterNode& node, const Leaf& leaf) {
    const auto holds = [&](const FilterNode& part) { return filterHolds(part, leaf); };
    switch (node.kind) {
        case FilterNode::Kind::And:
            return std::all_of(node.parts.begin(), node.parts.end(), holds);
        case FilterNode::Kind::Or:
            return std::any_of(node.parts.begin(), node.parts.end(), holds);
        case FilterNode::Kind::Not:
            return !holds(node.parts.front());
        case FilterNode::Kind::Constant:
            return node.truth;
        default:
            return leaf(node);
    }
}

/// Calls visit(node) for every Compare and Word in the order of the text.
template <class Visit>
void visitLeaves(const FilterNode& node, const Visit& visit) {
    for (const FilterNode& part : node.parts) visitLeaves(part, visit);
    if (node.leaf >= 0) visit(node);
}

template <class Number>
bool compares(Number a, FilterSign sign, Number b) {
    switch (sign) {
        case FilterSign::NotEqual:
            return a != b;
        case FilterSign::Less:
            return a < b;
        case FilterSign::LessEqual:
            return a <= b;
        case FilterSign::Greater:
            return a > b;
        case FilterSign::GreaterEqual:
            return a >= b;
        default:
            return a == b;
    }
}

}  // namespace orrery
