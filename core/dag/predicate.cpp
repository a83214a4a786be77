#include "core/dag/predicate.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "core/base/text.h"
#include "core/filter/read_filter.h"

namespace orrery {

struct Predicate::Program {
    /// One instruction of a predicate. A program has one truth value at hand, which comparisons and
    /// tests set; jumps skip the right side of an "and" or "or" that the left side decides.
    struct Instruction {
        enum class Op : std::uint8_t {
            Compare,      ///< left with right, by `sign`
            Inside,       ///< variable left in [x1, x2] and variable right in [y1, y2]
            Truth,        ///< bit left.value of what is known elsewhere
            Constant,     ///< left.value
            Not,          ///< turns the truth value over
            JumpIfFalse,  ///< to instruction `target`
            JumpIfTrue,
        };
        struct Operand {
            enum class Kind : std::uint8_t { Number, Step, Variable };
            Kind kind = Kind::Number;
            std::int32_t value = 0;  ///< the number, or the index of the variable
        };
        Op op = Op::Compare;
        FilterSign sign = FilterSign::Equal;
        Operand left{}, right{};
        std::int32_t x1 = 0, y1 = 0, x2 = 0, y2 = 0;
        std::int32_t target = 0;
    };
    std::vector<Instruction> instructions;
    bool namesStep = false;
};

namespace {

using Instruction = Predicate::Program::Instruction;
using Op = Instruction::Op;
using Operand = Instruction::Operand;

constexpr int kStep = -1;  ///< id of its field; those of variables are their indices
constexpr std::size_t kMaxTruths = 64;

/// Turns a tree into a program, appending instructions as it goes.
class PredicateCompiler {
public:
    PredicateCompiler(const World& world, const FilterFields& fields,
                      std::vector<FilterNode>& compared)
        : m_world(world), m_fields(fields), m_compared(compared) {}

    Predicate::Program compile(const FilterNode& root) {
        add(root);
        return std::move(m_program);
    }

private:
    void push(const Instruction& instruction) { m_program.instructions.push_back(instruction); }

    void add(const FilterNode& node) {
        switch (node.kind) {
            case FilterNode::Kind::And:
                return addChain(node, Op::JumpIfFalse);
            case FilterNode::Kind::Or:
                return addChain(node, Op::JumpIfTrue);
            case FilterNode::Kind::Not:
                add(node.parts.front());
                return push({.op = Op::Not});
            case FilterNode::Kind::Compare:
                return addComparison(node);
            default:
                push({.op = Op::Constant, .left = {Operand::Kind::Number, node.truth ? 1 : 0}});
        }
    }
    /// Skips the rest once `jump` holds.
    void addChain(const FilterNode& node, Op jump) {
        std::vector<std::size_t> jumps;
        for (const FilterNode& part : node.parts) {
            if (&part != &node.parts.front()) {
                jumps.push_back(m_program.instructions.size());
                push({.op = jump});
            }
            add(part);
        }
        for (const std::size_t at : jumps)
            m_program.instructions[at].target =
                static_cast<std::int32_t>(m_program.instructions.size());
    }
    void addComparison(const FilterNode& node) {
        const FilterType type = fieldOf(node.left).type;
        if (type == FilterType::Condition) return addPlace(node.left);
        if (type == FilterType::Real) return addTruth(node);
        push({.sign = node.sign, .left = operand(node.left), .right = operand(node.right)});
    }
    Operand operand(const FilterOperand& side) {
        if (side.field < 0) return {Operand::Kind::Number, static_cast<std::int32_t>(*side.number)};
        const int id = fieldOf(side).id;
        if (id != kStep) return {Operand::Kind::Variable, id};
        m_program.namesStep = true;
        return {Operand::Kind::Step, 0};
    }
    void addTruth(const FilterNode& node) {
        if (m_compared.size() == kMaxTruths)
            throw FilterError(node.column, "more than " + std::to_string(kMaxTruths) +
                                               " comparisons of values; leave some out");
        push({.op = Op::Truth,
              .left = {Operand::Kind::Number, static_cast<std::int32_t>(m_compared.size())}});
        m_compared.push_back(node);
    }

    /// agent.at(x,y) or agent.in(x1,y1,x2,y2)
    void addPlace(const FilterOperand& place) {
        const std::size_t point = place.text.rfind('.');
        const std::size_t wanted = place.text.substr(point) == ".at" ? 2 : 4;
        const std::string takes =
            wanted == 2 ? "at(x,y) takes two numbers" : "in(x1,y1,x2,y2) takes four numbers";
        std::vector<std::int32_t> cell;
        for (const FilterOperand& part : place.arguments) {
            if (cell.size() == wanted)
                throw FilterError(part.column, takes + "; leave \"" + part.text + "\" out");
            const auto number = parseInt(part.text);
            if (!number)
                throw FilterError(part.column, "expected a whole number, not \"" +
                                                   escaped(part.text, 60) + "\": " + takes);
            cell.push_back(
                static_cast<std::int32_t>(std::clamp<std::int64_t>(*number, -1, 1 << 30)));
            if (cell.size() % 2 == 0)
                checkCell(*(cell.end() - 2), cell.back(), place.arguments[cell.size() - 2].column);
        }
        if (cell.size() != wanted)
            throw FilterError(place.end, "expected \",\" before \")\"; " + takes);
        const std::string subject = place.text.substr(0, point);
        const auto variable = [&](const char* axis) {
            return Operand{
                Operand::Kind::Variable,
                m_fields.list[static_cast<std::size_t>(m_fields.find(subject + axis))].id};
        };
        Instruction inside{.op = Op::Inside, .left = variable(".x"), .right = variable(".y")};
        std::tie(inside.x1, inside.x2) = std::minmax({cell[0], cell[wanted - 2]});
        std::tie(inside.y1, inside.y2) = std::minmax({cell[1], cell[wanted - 1]});
        push(inside);
    }
    void checkCell(std::int32_t x, std::int32_t y, int column) const {
        if (x < 0 || y < 0 || x >= m_world.width() || y >= m_world.height())
            throw FilterError(
                column, "the cell " + std::to_string(x) + "," + std::to_string(y) +
                            " is outside the world of " + std::to_string(m_world.width()) + " x " +
                            std::to_string(m_world.height()) + " cells, counted from 0");
    }

    const FilterField& fieldOf(const FilterOperand& side) const {
        return m_fields.list[static_cast<std::size_t>(side.field)];
    }

    const World& m_world;
    const FilterFields& m_fields;
    std::vector<FilterNode>& m_compared;
    Predicate::Program m_program;
};

}  // namespace

FilterFields stateFields(const World& world) {
    FilterFields fields;
    fields.example = "step < 4";
    fields.callHint = "\".at(x,y)\" and \".in(x1,y1,x2,y2)\" do";
    const std::span<const Variable> variables = world.variables();
    std::unordered_set<std::string_view> names;
    for (const Variable& variable : variables) names.insert(variable.name);
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const auto& [name, low, high] = variables[i];
        const std::string subject = name.substr(0, name.rfind('.'));
        const bool isPlace = name.ends_with(".x") && names.contains(subject + ".y");
        for (const char* test : {".at", ".in"})
            if (isPlace)
                fields.add({.name = subject + test,
                            .type = FilterType::Condition,
                            .hasArguments = true,
                            .completions = {subject + test + "("}});
        const std::string from = std::to_string(low);
        fields.add({.name = name,
                    .type = FilterType::Whole,
                    .id = static_cast<int>(i),
                    .example = name + " = " + from,
                    .meaning = "a number from " + from + " to " + std::to_string(high),
                    .isTruth = low == 0 && high == 1});
    }
    fields.add({.name = "step", .type = FilterType::Whole, .id = kStep, .example = "step < 4"});
    if (!variables.empty()) fields.hint = "names look like \"" + variables.front().name + "\"";
    return fields;
}

Predicate::Predicate(const World& world, std::string_view text) {
    std::vector<FilterNode> none;
    *this = Predicate(world, text, stateFields(world), none);
}

Predicate::Predicate(const World& world, std::string_view text, const FilterFields& fields,
                     std::vector<FilterNode>& compared)
    : m_text(text) {
    const auto tree = readFilter(text, fields);
    if (!tree) throw FilterError(1, "the predicate is empty; write for example \"step < 4\"");
    m_program =
        std::make_shared<const Program>(PredicateCompiler(world, fields, compared).compile(*tree));
}

bool Predicate::namesStep() const {
    return m_program->namesStep;
}

bool Predicate::holds(int step, std::span<const int> values, std::uint64_t truths) const {
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
            case Op::Compare:
                truth = compares(read(now.left), now.sign, read(now.right));
                break;
            case Op::Inside: {
                const int x = values[now.left.value];
                const int y = values[now.right.value];
                truth = x >= now.x1 && x <= now.x2 && y >= now.y1 && y <= now.y2;
                break;
            }
            case Op::Truth:
                truth = (truths >> now.left.value & 1U) != 0;
                break;
            case Op::Constant:
                truth = now.left.value != 0;
                break;
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
