#include "core/dag/predicate.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/text.h"
#include "core/dag/predicate_program.h"
#include "core/dag/predicate_tokens.h"

namespace orrery {

namespace {

using Instruction = PredicateInstruction;
using Op = Instruction::Op;
using Operand = Instruction::Operand;

constexpr int kMaxDepth = 200;

/// Recursive descent over the tokens; appends instructions as it goes.
class Parser {
public:
    Parser(const World& world, std::string_view text)
        : m_world(world), m_tokens(tokenizePredicate(text)) {
        const std::span<const Variable> variables = world.variables();
        for (std::size_t i = 0; i < variables.size(); ++i)
            m_index.emplace(variables[i].name, static_cast<std::int32_t>(i));
    }

    std::vector<Instruction> parse() {
        if (now().kind == TokenKind::End)
            failPredicate(1, "the predicate is empty; write for example \"step < 4\"");
        parseOr();
        if (now().kind == TokenKind::Close)
            failPredicate(now().column, "this \")\" closes nothing");
        if (now().kind != TokenKind::End)
            failPredicate(now().column,
                          "expected \"and\", \"or\" or the end before " + shown(now()));
        return std::move(m_program);
    }

private:
    const Token& now() const { return m_tokens[m_at]; }
    const Token& take() { return m_tokens[m_at++]; }  // never called on End
    bool accept(TokenKind kind) {
        if (now().kind != kind) return false;
        ++m_at;
        return true;
    }
    static std::string shown(const Token& token) {
        if (token.kind == TokenKind::End) return "the end";
        return "\"" + escaped(token.text, 60) + "\"";
    }

    /// Parses `side` { sign `side` }, skipping the rest once `jump` holds.
    void parseChain(TokenKind sign, Op jump, void (Parser::*side)()) {
        (this->*side)();
        std::vector<std::size_t> jumps;
        while (accept(sign)) {
            jumps.push_back(m_program.size());
            m_program.push_back({.op = jump});
            (this->*side)();
        }
        for (const std::size_t at : jumps)
            m_program[at].target = static_cast<std::int32_t>(m_program.size());
    }
    void parseOr() { parseChain(TokenKind::Or, Op::JumpIfTrue, &Parser::parseAnd); }
    void parseAnd() { parseChain(TokenKind::And, Op::JumpIfFalse, &Parser::parseNot); }

    void parseNot() {
        bool negated = false;
        while (accept(TokenKind::Not)) negated = !negated;
        parsePrimary();
        if (negated) m_program.push_back({.op = Op::Not});
    }

    void parsePrimary() {
        if (now().kind == TokenKind::Open) {
            const int column = take().column;
            if (++m_depth > kMaxDepth)
                failPredicate(column, "more than " + std::to_string(kMaxDepth) +
                                          " parentheses inside each other");
            parseOr();
            if (!accept(TokenKind::Close))
                failPredicate(now().column, "expected \")\" before " + shown(now()) +
                                                "; it would close the \"(\" in column " +
                                                std::to_string(column));
            --m_depth;
            return;
        }
        if (now().kind == TokenKind::Name && m_tokens[m_at + 1].kind == TokenKind::Open)
            parsePlace();
        else
            parseComparison();
    }

    static std::optional<Op> comparisonOf(TokenKind kind) {
        switch (kind) {
            case TokenKind::Equal:
                return Op::Equal;
            case TokenKind::NotEqual:
                return Op::NotEqual;
            case TokenKind::Less:
                return Op::Less;
            case TokenKind::LessEqual:
                return Op::LessEqual;
            case TokenKind::Greater:
                return Op::Greater;
            case TokenKind::GreaterEqual:
                return Op::GreaterEqual;
            default:
                return std::nullopt;
        }
    }

    void parseComparison() {
        const Token first = now();
        const Operand left = parseOperand();
        const auto op = comparisonOf(now().kind);
        if (!op) {
            m_program.push_back(truthOf(first, left));
            return;
        }
        take();
        m_program.push_back({.op = *op, .left = left, .right = parseOperand()});
        if (comparisonOf(now().kind))
            failPredicate(now().column, "a comparison has two sides; write \"a < b and b < c\"");
    }

    Operand parseOperand() {
        const Token& token = now();
        switch (token.kind) {
            case TokenKind::Number:
                take();
                return {Operand::Kind::Number, token.number};
            case TokenKind::True:
                take();
                return {Operand::Kind::Number, 1};
            case TokenKind::False:
                take();
                return {Operand::Kind::Number, 0};
            case TokenKind::Step:
                take();
                return {Operand::Kind::Step, 0};
            case TokenKind::Name:
                take();
                return {Operand::Kind::Variable, variable(token)};
            default:
                failPredicate(
                    token.column,
                    "expected a variable, \"step\", a number or \"(\" before " + shown(token));
        }
    }

    /// An operand that stands alone is a truth value.
    Instruction truthOf(const Token& token, const Operand& operand) const {
        if (operand.kind == Operand::Kind::Variable) {
            const Variable& variable = m_world.variables()[operand.value];
            if (variable.low != 0 || variable.high != 1)
                failPredicate(token.column, "\"" + variable.name + "\" is a number from " +
                                                std::to_string(variable.low) + " to " +
                                                std::to_string(variable.high) +
                                                "; compare it, as in \"" + variable.name + " = " +
                                                std::to_string(variable.low) + "\"");
        } else if (token.kind != TokenKind::True && token.kind != TokenKind::False) {
            failPredicate(token.column,
                          shown(token) + " is a number; compare it, as in \"step < 4\"");
        }
        return {.op = Op::NotEqual, .left = operand, .right = {}};
    }

    std::int32_t variable(const Token& token) const {
        const auto found = m_index.find(std::string(token.text));
        if (found == m_index.end()) failUnknown(token);
        return found->second;
    }

    /// agent.at(x,y) or agent.in(x1,y1,x2,y2); any subject with variables .x and .y will do.
    void parsePlace() {
        const Token name = take();
        const std::size_t point = name.text.rfind('.');
        const std::string_view test =
            point == std::string_view::npos ? std::string_view{} : name.text.substr(point + 1);
        if (test != "at" && test != "in") {
            if (m_index.contains(std::string(name.text)))
                failPredicate(now().column, "\"" + escaped(name.text, 60) +
                                                "\" takes no arguments; \".at(x,y)\" and "
                                                "\".in(x1,y1,x2,y2)\" do");
            failUnknown(name);
        }
        const std::string subject(name.text.substr(0, point));
        const auto x = m_index.find(subject + ".x");
        const auto y = m_index.find(subject + ".y");
        if (x == m_index.end() || y == m_index.end()) failUnknown(name);
        take();  // "("
        const bool isCell = test == "at";
        const auto [x1, y1] = parseCell();
        auto [x2, y2] = std::pair{x1, y1};
        if (!isCell) {
            expectComma();
            std::tie(x2, y2) = parseCell();
        }
        if (!accept(TokenKind::Close))
            failPredicate(now().column, std::string("expected \")\": ") +
                                            (isCell ? "at(x,y) takes two numbers"
                                                    : "in(x1,y1,x2,y2) takes four numbers"));
        Instruction inside{.op = Op::Inside};
        inside.left = {Operand::Kind::Variable, x->second};
        inside.right = {Operand::Kind::Variable, y->second};
        std::tie(inside.x1, inside.x2) = std::minmax({x1, x2});
        std::tie(inside.y1, inside.y2) = std::minmax({y1, y2});
        m_program.push_back(inside);
    }

    void expectComma() {
        if (!accept(TokenKind::Comma))
            failPredicate(now().column, "expected \",\" before " + shown(now()) +
                                            "; at(x,y) takes two numbers, in(x1,y1,x2,y2) four");
    }

    std::int32_t parseCoordinate() {
        if (now().kind != TokenKind::Number)
            failPredicate(now().column, "expected a whole number before " + shown(now()));
        return take().number;
    }

    std::pair<std::int32_t, std::int32_t> parseCell() {
        const int column = now().column;
        const std::int32_t x = parseCoordinate();
        expectComma();
        const std::int32_t y = parseCoordinate();
        if (x < 0 || y < 0 || x >= m_world.width() || y >= m_world.height())
            failPredicate(column, "the cell " + std::to_string(x) + "," + std::to_string(y) +
                                      " is outside the world of " +
                                      std::to_string(m_world.width()) + " x " +
                                      std::to_string(m_world.height()) + " cells, counted from 0");
        return {x, y};
    }

    [[noreturn]] void failUnknown(const Token& token) const {
        std::vector<std::string> names;
        for (const Variable& variable : m_world.variables()) {
            names.push_back(variable.name);
            if (!variable.name.ends_with(".x")) continue;
            const std::string subject = variable.name.substr(0, variable.name.size() - 2);
            names.push_back(subject + ".at");
            names.push_back(subject + ".in");
        }
        for (const char* word : {"step", "and", "or", "not", "true", "false"})
            names.emplace_back(word);
        std::string text = "unknown name \"" + escaped(token.text, 60) + "\"";
        if (const auto nearest = closestName(token.text.substr(0, 200), names))
            text += "; did you mean \"" + *nearest + "\"?";
        else if (!m_world.variables().empty())
            text += "; names look like \"" + m_world.variables().front().name + "\"";
        failPredicate(token.column, text);
    }

    const World& m_world;
    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::unordered_map<std::string, std::int32_t> m_index;  ///< of each variable
    std::vector<Instruction> m_program;
};

}  // namespace

Predicate::Predicate(const World& world, std::string_view text)
    : m_text(text),
      m_program(std::make_shared<const Program>(Program{Parser(world, text).parse()})) {}

bool Predicate::holds(int step, std::span<const int> values) const {
    const auto read = [step, values](const Operand& operand) {
        switch (operand.kind) {
            case Operand::Kind::Number:
                return operand.value;
            case Operand::Kind::Step:
                return step;
            case Operand::Kind::Variable:
                break;
        }
        return values[operand.value];
    };
    bool truth = false;
    const std::vector<Instruction>& program = m_program->instructions;
    const std::size_t size = program.size();
    for (std::size_t at = 0; at < size; ++at) {
        const Instruction& now = program[at];
        switch (now.op) {
            case Op::Equal:
                truth = read(now.left) == read(now.right);
                break;
            case Op::NotEqual:
                truth = read(now.left) != read(now.right);
                break;
            case Op::Less:
                truth = read(now.left) < read(now.right);
                break;
            case Op::LessEqual:
                truth = read(now.left) <= read(now.right);
                break;
            case Op::Greater:
                truth = read(now.left) > read(now.right);
                break;
            case Op::GreaterEqual:
                truth = read(now.left) >= read(now.right);
                break;
            case Op::Inside: {
                const int x = values[now.left.value];
                const int y = values[now.right.value];
                truth = x >= now.x1 && x <= now.x2 && y >= now.y1 && y <= now.y2;
                break;
            }
            case Op::Not:
                truth = !truth;
                break;
            case Op::JumpIfFalse:
                if (!truth) at = static_cast<std::size_t>(now.target) - 1;
                break;
            case Op::JumpIfTrue:
                if (truth) at = static_cast<std::size_t>(now.target) - 1;
                break;
        }
    }
    return truth;
}

}  // namespace orrery
