#include "widgets/dag/state_query.h"

#include <QStringList>
#include <algorithm>

#include "core/base/text.h"

namespace orrery {

namespace {

std::string nameOf(const World& world, const HumanGoals& human) {
    return world.agents()[static_cast<std::size_t>(human.agent)].name;
}

/// The fields of states and, as ids a ValueKind, those of a solution.
FilterFields queryFields(const World& world, bool withSolution) {
    FilterFields fields = stateFields(world);
    if (!withSolution) return fields;
    const auto add = [&](ValueKind kind, const char* arguments,
                         const std::vector<std::string>& completions) {
        const ValueKindFacts& facts = factsOf(kind);
        fields.add({.name = facts.name,
                    .type = FilterType::Real,
                    .id = static_cast<int>(kind),
                    .example = facts.name + std::string(arguments) + " < -4",
                    .hasArguments = facts.hasHuman,
                    .completions = completions});
    };
    std::vector<std::string> powers, abilities;
    for (const HumanGoals& human : world.goals()) {
        powers.push_back("X_h(" + nameOf(world, human) + ")");
        abilities.push_back("V_h_e(" + nameOf(world, human) + ", ");
    }
    add(ValueKind::V_r, "", {});
    add(ValueKind::U_r, "", {});
    add(ValueKind::X_h, "(human0)", powers);
    add(ValueKind::V_h_e, "(human0, 0)", abilities);
    return fields;
}

/// Index into World::goals() of a human by name.
int humanOf(const World& world, const FilterOperand& name) {
    std::vector<std::string> names;
    for (const HumanGoals& human : world.goals()) {
        names.push_back(nameOf(world, human));
        if (names.back() == name.text) return static_cast<int>(names.size()) - 1;
    }
    throw FilterError(name.column, "\"" + escaped(name.text, 60) + "\" is no human; write " +
                                       joined(names, " or "));
}

ValueOf quantityOf(const World& world, const FilterField& field, const FilterOperand& asked) {
    ValueOf quantity{static_cast<ValueKind>(field.id)};
    if (!field.hasArguments) return quantity;
    const bool isAbility = factsOf(quantity.kind).hasGoal;
    const auto& given = asked.arguments;
    if (given.empty())
        throw FilterError(asked.column, isAbility
                                            ? "V_h_e needs its human and goal; write "
                                              "\"V_h_e(human0, 0) > 0.5\""
                                            : "X_h needs its human; write \"X_h(human0) > 0.5\"");
    quantity.human = humanOf(world, given[0]);
    const auto numGoals = std::ssize(world.goals()[static_cast<std::size_t>(quantity.human)].goals);
    const auto goal = given.size() == 2 ? parseInt(given[1].text) : std::nullopt;
    if (isAbility && (!goal || *goal < 0 || *goal >= numGoals))
        throw FilterError(asked.column, "V_h_e of " + given[0].text + " takes a goal from 0 to " +
                                            std::to_string(numGoals - 1));
    if (isAbility) quantity.goal = static_cast<int>(*goal);
    if (!isAbility && given.size() > 1)
        throw FilterError(given[1].column, "X_h takes a human alone");
    return quantity;
}

}  // namespace

StateQuery::StateQuery(const World& world, std::shared_ptr<const Solution> solution,
                       const QString& text)
    : StateQuery(world, std::move(solution), text, queryFields(world, true), {}) {}

StateQuery::StateQuery(const World& world, std::shared_ptr<const Solution> solution,
                       const QString& text, const FilterFields& fields,
                       std::vector<FilterNode> compared)
    : m_solution(std::move(solution)), m_predicate(world, text.toStdString(), fields, compared) {
    for (const FilterNode& node : compared) {
        const FilterField& field = fields.list[static_cast<std::size_t>(node.left.field)];
        if (!m_solution || m_solution->spec().phase1Only)
            throw FilterError(node.column,
                              field.name +
                                  " is known only once both phases are solved; solve the world "
                                  "first");
        m_comparisons.push_back(
            {quantityOf(world, field, node.left), node.sign, *node.right.number});
    }
}

std::shared_ptr<const StateMarks> StateQuery::run(const StateGraph& graph, int threads,
                                                  std::stop_token stop) const {
    if (m_comparisons.empty()) return markStates(graph, m_predicate, threads, std::move(stop));
    return markStates(graph, m_predicate, threads, std::move(stop), [&](State state) {
        std::uint64_t truths = 0;
        for (std::size_t k = 0; k < m_comparisons.size(); ++k) {
            const Comparison& asked = m_comparisons[k];
            const double value = storedValueOf(*m_solution, state, asked.quantity);
            if (compares(value, asked.sign, asked.limit)) truths |= std::uint64_t{1} << k;
        }
        return truths;
    });
}

QStringList queryWords(const World& world, const Solution* solution) {
    QStringList words;
    const bool isSolved = solution != nullptr && !solution->spec().phase1Only;
    for (const std::string& word : queryFields(world, isSolved).words())
        words << QString::fromStdString(word);
    words.removeDuplicates();
    return words;
}

}  // namespace orrery
