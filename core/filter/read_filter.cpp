#include "core/filter/read_filter.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/filter/filter_tokens.h"

namespace orrery {

namespace {

using Kind = FilterToken::Kind;
using NodeKind = FilterNode::Kind;

constexpr int kMaxDepth = 200;

/// "a < b" is "b > a": the order of FilterSign.
FilterSign mirrored(FilterSign sign) {
    constexpr int kLess = static_cast<int>(FilterSign::Less);
    return isOrder(sign) ? static_cast<FilterSign>(((static_cast<int>(sign) - kLess) ^ 2) + kLess)
                         : sign;
}

/// Recursive descent over the tokens.
class FilterParser {
public:
    FilterParser(std::string_view text, const FilterFields& fields)
        : m_text(text), m_tokens(filterTokens(text)), m_fields(fields) {
        if (m_fields.findsWords) return;
        for (std::size_t i = 0; i < m_tokens.size(); ++i) {
            const bool isValue = i > 0 && m_tokens[i - 1].kind == Kind::Sign;
            if (m_tokens[i].kind == Kind::Word && !isValue && !isNameOrNumber(m_tokens[i].text))
                m_fields.failUnknown(m_tokens[i].text, m_tokens[i].column);
        }
    }

    std::optional<FilterNode> parse() {
        if (now().kind == Kind::End) return std::nullopt;
        FilterNode root = parseOr();
        if (now().kind == Kind::Close) fail(now().column, "this \")\" closes nothing");
        return root;
    }

private:
    [[noreturn]] static void fail(int column, const std::string& text) {
        throw FilterError(column, text);
    }
    static std::string quoted(std::string_view text) { return "\"" + escaped(text, 60) + "\""; }
    static std::string shown(const FilterToken& token) {
        return token.kind == Kind::End ? "the end" : quoted(token.text);
    }
    const FilterToken& now() const { return m_tokens[m_at]; }
    const FilterToken& take() { return m_tokens[m_at++]; }  // never called on End
    bool accept(Kind kind) {
        if (now().kind != kind) return false;
        ++m_at;
        return true;
    }
    const FilterField& fieldOf(const FilterOperand& side) const {
        return m_fields.list[static_cast<std::size_t>(side.field)];
    }

    static FilterNode joined(NodeKind kind, std::vector<FilterNode> parts) {
        if (parts.size() == 1 && kind != NodeKind::Not) return std::move(parts.front());
        FilterNode node;
        node.kind = kind;
        node.column = parts.front().column;
        node.end = parts.back().end;
        node.parts = std::move(parts);
        return node;
    }
    FilterNode parseOr() {
        std::vector<FilterNode> parts;
        do parts.push_back(parseAnd());
        while (accept(Kind::Or));
        return joined(NodeKind::Or, std::move(parts));
    }
    FilterNode parseAnd() {
        std::vector<FilterNode> parts;
        do {
            if (!parts.empty()) accept(Kind::And);
            parts.push_back(parseNot());
        } while (now().kind != Kind::End && now().kind != Kind::Close && now().kind != Kind::Or);
        return joined(NodeKind::And, std::move(parts));
    }
    FilterNode parseNot() {
        bool negated = false;
        while (accept(Kind::Not)) negated = !negated;
        FilterNode node = now().kind == Kind::Open ? parseGroup() : parseLeaf();
        if (!negated) return node;
        std::vector<FilterNode> parts;
        parts.push_back(std::move(node));
        return joined(NodeKind::Not, std::move(parts));
    }
    FilterNode parseGroup() {
        const int column = take().column;
        if (++m_depth > kMaxDepth)
            fail(column,
                 "more than " + std::to_string(kMaxDepth) + " parentheses inside each other");
        FilterNode node = parseOr();
        if (!accept(Kind::Close)) failOpen(column);
        --m_depth;
        return node;
    }
    [[noreturn]] void failOpen(int column) const {
        fail(now().column, "expected \")\" before " + shown(now()) +
                               "; it would close the \"(\" in column " + std::to_string(column));
    }

    FilterNode parseLeaf() {
        const FilterToken& token = now();
        if (token.kind != Kind::Word && token.kind != Kind::Quoted)
            fail(token.column, "expected a condition such as \"" + m_fields.example + "\" before " +
                                   shown(token));
        FilterNode node;
        node.column = token.column;
        node.left = parseOperand();
        node.leaf = m_leaves++;
        if (now().kind == Kind::Sign)
            compare(node);
        else
            standAlone(node);
        node.end = m_tokens[m_at - 1].end;
        if (node.kind == NodeKind::Constant) node.leaf = -1, --m_leaves;
        return node;
    }
    FilterOperand parseOperand() {
        const FilterToken& token = take();
        FilterOperand side{std::string(token.text), token.column, token.kind == Kind::Quoted,
                           filterNumber(token.text)};
        if (side.isQuoted || now().kind != Kind::Open) return side;
        const int field = m_fields.find(side.text);
        if (field >= 0 && m_fields.list[static_cast<std::size_t>(field)].hasArguments) {
            parseArguments(side);
        } else if (!m_fields.findsWords && now().begin == token.past && !truthOf(side)) {
            if (field < 0) m_fields.failUnknown(side.text, side.column);
            fail(now().column, quoted(side.text) + " takes no arguments" +
                                   (m_fields.callHint.empty() ? "" : "; " + m_fields.callHint));
        }
        return side;
    }
    /// What stands between the "(" and the ")", parted by commas.
    void parseArguments(FilterOperand& side) {
        const FilterToken& open = take();
        while (now().kind != Kind::Close && now().kind != Kind::End) ++m_at;
        if (now().kind == Kind::End) failOpen(open.column);
        const FilterToken& close = take();
        std::string_view rest = m_text.substr(open.past, close.begin - open.past);
        int column = open.end;
        while (true) {
            const std::string_view part = rest.substr(0, rest.find(','));
            const auto begin = std::min(part.find_first_not_of(" \t\n\r"), part.size());
            const auto last = part.find_last_not_of(" \t\n\r");
            const std::string text(part.substr(begin, last + 1 - begin));
            side.arguments.push_back(
                {text, column + characters(part.substr(0, begin)), false, filterNumber(text)});
            if (part.size() == rest.size()) break;
            column += characters(part) + 1;
            rest.remove_prefix(part.size() + 1);
        }
        side.end = close.column;
    }

    static std::optional<bool> truthOf(const FilterOperand& side) {
        const std::string word = inLowerCase(side.text);
        if (side.isQuoted || (word != "true" && word != "false")) return std::nullopt;
        return word == "true";
    }
    /// A side that is a field becomes one.
    bool findField(FilterOperand& side) const {
        side.field = m_fields.find(side.text);
        if (side.field >= 0) side.text = fieldOf(side).name;
        return side.field >= 0;
    }
    static void setConstant(FilterNode& node, bool truth) {
        node.kind = NodeKind::Constant;
        node.truth = truth;
    }

    void standAlone(FilterNode& node) const {
        FilterOperand& left = node.left;
        if (m_fields.findsWords) {
            node.kind = NodeKind::Word;
            return;
        }
        if (const auto truth = truthOf(left)) return setConstant(node, *truth);
        if (left.number)
            fail(left.column, quoted(left.text) + " is a number; compare it, as in \"" +
                                  m_fields.example + "\"");
        if (left.isQuoted)
            fail(left.column, "a text in quotes stands behind a comparison, as \"" +
                                  m_fields.example + "\" has a value");
        if (!findField(left)) m_fields.failUnknown(left.text, left.column);
        const FilterField& field = fieldOf(left);
        if (field.type == FilterType::Text || field.type == FilterType::Mixed)
            fail(left.column, "a comparison for " + field.name +
                                  " is missing; write for example \"" + field.example + "\"");
        if (field.type != FilterType::Truth && field.type != FilterType::Condition &&
            !field.isTruth)
            fail(left.column, quoted(field.name) + " is " + field.meaning +
                                  "; compare it, as in \"" + field.example + "\"");
        node.kind = NodeKind::Compare;
        node.sign = FilterSign::NotEqual;
        node.right = {"0", left.column, false, 0.0};
    }

    void compare(FilterNode& node) {
        const FilterToken& sign = take();
        node.kind = NodeKind::Compare;
        node.sign = sign.sign;
        // A word such as "or" is a value where texts are looked for.
        const bool isWord = now().kind == Kind::Word || now().kind == Kind::Quoted ||
                            (m_fields.findsWords && isKeyword(now()));
        if (!isWord)
            fail(now().column, "a value for " + escaped(node.left.text, 60) +
                                   " is missing before " + shown(now()));
        node.right = parseOperand();
        if (now().kind == Kind::Sign)
            fail(now().column, "a comparison has two sides; write \"a < b and b < c\"");
        for (FilterOperand* side : {&node.left, &node.right})
            if (const auto truth = truthOf(*side); truth && !m_fields.findsWords)
                side->number = *truth ? 1 : 0;
        if (!findField(node.left)) {
            if (!node.left.number) m_fields.failUnknown(node.left.text, node.left.column);
            if (node.right.isQuoted || !findField(node.right)) return compareNumbers(node);
            std::swap(node.left, node.right);
            node.sign = mirrored(node.sign);
        }
        checkSides(node, sign);
    }
    static bool isKeyword(const FilterToken& token) {
        return (token.kind == Kind::And || token.kind == Kind::Or || token.kind == Kind::Not) &&
               isNameOrNumber(token.text);
    }
    void compareNumbers(FilterNode& node) const {
        if (!node.right.number) m_fields.failUnknown(node.right.text, node.right.column);
        setConstant(node, compares(*node.left.number, node.sign, *node.right.number));
    }

    /// Whether the field may be compared so, and with that.
    void checkSides(FilterNode& node, const FilterToken& sign) const {
        const FilterField& field = fieldOf(node.left);
        FilterOperand& value = node.right;
        const auto needsNumber = [&] {
            fail(value.column, field.name + " needs a number here, not " + quoted(value.text));
        };
        switch (field.type) {
            case FilterType::Number:
                if (!value.number && !findSameField(value, field)) needsNumber();
                break;
            case FilterType::Mixed:
                if (!value.number && !findSameField(value, field) && isOrder(node.sign))
                    needsNumber();
                break;
            case FilterType::Whole:
                checkWhole(value, field);
                break;
            case FilterType::Real:
                if (!isOrder(node.sign))
                    fail(sign.column, "numbers like " + field.name + " are compared by < <= > >=");
                if (!value.number) needsNumber();
                break;
            case FilterType::Text:
                if (isOrder(node.sign))
                    fail(sign.column, field.name + " is no number; use = != ~ or :");
                break;
            case FilterType::Truth:
                checkTruth(node, field, sign);
                break;
            case FilterType::Condition:
                fail(sign.column, quoted(field.name) + " holds or does not; leave \"" +
                                      std::string(sign.text) + "\" out");
        }
    }
    bool findSameField(FilterOperand& value, const FilterField& field) const {
        const int other = value.isQuoted ? -1 : m_fields.find(value.text);
        return other >= 0 && m_fields.list[static_cast<std::size_t>(other)].type == field.type &&
               findField(value);
    }
    void checkWhole(FilterOperand& value, const FilterField& field) const {
        if (!value.number) {
            if (findSameField(value, field)) return;
            if (m_fields.find(value.text) < 0) m_fields.failUnknown(value.text, value.column);
            fail(value.column, quoted(value.text) + " is no whole number");
        }
        if (*value.number != std::floor(*value.number))
            fail(value.column, "only whole numbers can be compared");
        if (*value.number > std::numeric_limits<std::int32_t>::max() ||
            *value.number < std::numeric_limits<std::int32_t>::min())
            fail(value.column, "the number " + escaped(value.text, 30) + " is too large");
    }
    static void checkTruth(FilterNode& node, const FilterField& field, const FilterToken& sign) {
        if (isOrder(node.sign)) fail(sign.column, "use = or != with " + field.name);
        const std::string word = inLowerCase(node.right.text);
        if (word == "yes" || word == "true" || word == "1")
            node.right.number = 1;
        else if (word == "no" || word == "false" || word == "0")
            node.right.number = 0;
        else
            fail(node.right.column, field.name + " is yes or no");
    }

    std::string_view m_text;
    std::vector<FilterToken> m_tokens;
    const FilterFields& m_fields;
    std::size_t m_at = 0;
    int m_depth = 0;
    int m_leaves = 0;
};

}  // namespace

FilterError::FilterError(int column, const std::string& problem)
    : Error(
          "column " + std::to_string(column) + ": " + problem + (problem.ends_with('?') ? "" : "."),
          Kind::BadInput),
      m_column(column),
      m_problem(problem) {}

std::optional<FilterNode> readFilter(std::string_view text, const FilterFields& fields) {
    return FilterParser(text, fields).parse();
}

}  // namespace orrery
