#include "widgets/common/selection_address.h"

namespace orrery {

namespace {

/// Writes what an item names into the member of its kind.
class AddressWriter {
public:
    explicit AddressWriter(Address& address) : m_address(address) {}
    void operator()(const RunItem& item) { m_address.runs.push_back(item.id.toStdString()); }
    void operator()(const StateItem& item) {
        m_address.states.push_back(
            {item.step, item.index, item.index >= 0 ? std::vector<std::uint64_t>() : item.words});
    }
    void operator()(const StepItem& item) { m_address.steps.push_back(item.step); }
    void operator()(const LevelItem& item) { m_address.levels.push_back(item.step); }
    void operator()(const JointActionItem& item) { m_address.actions.push_back(item.profile); }
    void operator()(const AgentItem& item) { m_address.agents.push_back(item.agent); }
    void operator()(const HumanItem& item) { m_address.humans.push_back(item.human); }
    void operator()(const GoalItem& item) { m_address.goals.push_back({item.human, item.goal}); }
    void operator()(const CellItem& item) { m_address.cells.push_back({item.x, item.y}); }
    void operator()(const EnvItem& item) { m_address.envs.push_back(item.env); }
    void operator()(const EntityItem& item) {
        m_address.entities.push_back({item.env, item.entity});
    }

private:
    Address& m_address;
};

}  // namespace

Address addressOf(const Selection& selection) {
    Address address;
    if (const auto* run = selection.current<RunItem>()) address.run = run->id.toStdString();
    if (const auto* step = selection.current<StepItem>()) address.step = step->step;
    if (const auto* state = selection.current<StateItem>()) {
        address.step = state->step;
        address.stateIndex = state->index;
        if (state->index < 0) address.words = state->words;
    }
    if (const auto* level = selection.current<LevelItem>(); level && level->step != address.step)
        address.level = level->step;
    if (const auto* action = selection.current<JointActionItem>()) address.action = action->profile;
    if (const auto* agent = selection.current<AgentItem>()) address.agent = agent->agent;
    const auto* goal = selection.current<GoalItem>();
    if (goal) address.goal = {goal->human, goal->goal};
    if (const auto* human = selection.current<HumanItem>();
        human && (!goal || goal->human != human->human))
        address.human = human->human;
    if (const auto* cell = selection.current<CellItem>()) address.cell = {cell->x, cell->y};
    const auto* entity = selection.current<EntityItem>();
    if (entity) address.entity = {entity->env, entity->entity};
    if (const auto* env = selection.current<EnvItem>(); env && (!entity || entity->env != env->env))
        address.env = env->env;
    AddressWriter writer(address);
    for (std::size_t kind = 0; kind < kNumSelectionKinds; ++kind) {
        // A search is told by its question, not by the first of what it found.
        if (static_cast<SelectionKind>(kind) == SelectionKind::State && selection.stateMarks() &&
            !selection.stateMarksText().isEmpty()) {
            address.where = selection.stateMarksText().toStdString();
            continue;
        }
        for (const SelectionItem& item : selection.set(static_cast<SelectionKind>(kind)))
            std::visit(writer, item);
    }
    return address;
}

QString Selection::address() const {
    return QString::fromStdString(addressText(addressOf(*this)));
}

std::optional<Address> parseAddress(const QString& text) {
    return parseAddress(std::string_view(text.toStdString()));
}

AddressedItems itemsOf(const Address& address) {
    AddressedItems items;
    if (address.level) items.current.emplace_back(LevelItem{*address.level});
    if (address.action) items.current.emplace_back(JointActionItem{*address.action});
    if (address.agent) items.current.emplace_back(AgentItem{*address.agent});
    if (address.goal) {
        items.current.emplace_back(GoalItem{(*address.goal)[0], (*address.goal)[1]});
        items.current.emplace_back(HumanItem{address.human.value_or((*address.goal)[0])});
    } else if (address.human) {
        items.current.emplace_back(HumanItem{*address.human});
    }
    if (address.cell) items.current.emplace_back(CellItem{(*address.cell)[0], (*address.cell)[1]});
    if (address.entity) {
        items.current.emplace_back(EntityItem{(*address.entity)[0], (*address.entity)[1]});
        items.current.emplace_back(EnvItem{address.env.value_or((*address.entity)[0])});
    } else if (address.env) {
        items.current.emplace_back(EnvItem{*address.env});
    }
    const auto add = [&](const SelectionItem& item) { items.sets[item.index()].push_back(item); };
    for (const std::string& run : address.runs) add(RunItem{QString::fromStdString(run)});
    for (const Address::State& state : address.states)
        add(StateItem{state.step, state.words, state.index});
    for (const int step : address.steps) add(StepItem{step});
    for (const int level : address.levels) add(LevelItem{level});
    for (const std::uint32_t action : address.actions) add(JointActionItem{action});
    for (const int agent : address.agents) add(AgentItem{agent});
    for (const int human : address.humans) add(HumanItem{human});
    for (const Address::Pair& goal : address.goals) add(GoalItem{goal[0], goal[1]});
    for (const Address::Pair& cell : address.cells) add(CellItem{cell[0], cell[1]});
    for (const int env : address.envs) add(EnvItem{env});
    for (const Address::Pair& entity : address.entities) add(EntityItem{entity[0], entity[1]});
    return items;
}

}  // namespace orrery
