#include "widgets/bridge/plan_session.h"

#include <algorithm>
#include <utility>

#include "widgets/bridge/change_text.h"
#include "widgets/common/agent_letters.h"
#include "widgets/common/selection_address.h"

namespace orrery {

namespace {

std::span<const std::uint64_t> wordsOf(const StateItem& state) {
    return state.words;
}

}  // namespace

PlanSession::PlanSession(Selection* selection, QObject* parent)
    : QObject(parent), m_selection(selection), m_walk(1) {
    connect(selection, &Selection::currentChanged, this, &PlanSession::selectionChanged);
}

void PlanSession::open(const LoadedWorld& loaded) {
    m_selection->hold();
    m_aside = {};
    showWorld(loaded);
    selectFirst();
    tellWorld();
}

/// In its initial state, with nothing selected. The selection is held by the caller.
void PlanSession::showWorld(const LoadedWorld& loaded) {
    setTrial(std::nullopt);
    m_loaded = loaded;
    m_letters = agentLetters(world());
    m_solution.reset();
    m_ofRun.reset();
    m_runId.clear();
    m_rng = Rng(0);
    m_profile = 0;
    m_walk.assign(1, Moment{itemOf(0, world().initialConfiguration())});
    m_walkIndex = 0;
    m_selection->reset();
    refreshState();
}

void PlanSession::selectFirst() {
    std::vector<SelectionItem> items{state(), StepItem{state().step}, LevelItem{state().step}};
    if (!m_runId.isEmpty()) items.emplace_back(RunItem{m_runId});
    if (!world().goals().empty() && !world().goals()[0].goals.empty()) {
        items.emplace_back(HumanItem{0});
        items.emplace_back(GoalItem{0, 0});
    }
    m_selection->setCurrent(items);
}

/// Tells of all that showWorld() and what followed it changed.
void PlanSession::tellWorld() {
    Q_EMIT worldChanged();
    tellSolution();
    Q_EMIT jointActionChanged();
}

void PlanSession::tellSolution() {
    Q_EMIT solutionChanged();
    Q_EMIT stateChanged();
    m_selection->tellHeld();
}

void PlanSession::replaceWorld(const LoadedWorld& loaded) {
    m_selection->hold();
    if (m_solution) m_aside = {runSolution(), m_runId, m_walk, m_walkIndex};
    const bool comesBack =
        m_aside.solution && m_aside.solution->world().contentHash() == loaded.world->contentHash();
    showWorld(loaded);
    if (comesBack) {
        m_solution = m_aside.solution;
        m_runId = m_aside.runId;
        m_loaded.world = m_solution->graph().worldPointer();
        m_walk = m_aside.walk;
        m_walkIndex = m_aside.walkIndex;
        refreshState();
    }
    selectFirst();
    tellWorld();
}

void PlanSession::rename(const std::string& name, const std::string& text, const QString& title) {
    m_loaded.name = name;
    m_loaded.text = text;
    m_loaded.title = title;
    Q_EMIT renamed();
}

void PlanSession::attach(std::shared_ptr<const Solution> solution, const QString& runId) {
    m_selection->hold();
    setTrial(std::nullopt);
    const bool isSameGraph = m_solution && m_solution->graphPointer() == solution->graphPointer();
    m_aside = {};
    m_solution = std::move(solution);
    m_ofRun.reset();
    m_runId = runId;
    m_loaded.world = m_solution->graph().worldPointer();
    for (Moment& moment : m_walk)
        moment.state = itemOf(moment.state.step, std::move(moment.state.words));
    if (!isSameGraph) m_selection->forgetStateSets();
    if (!runId.isEmpty()) m_selection->setCurrent({RunItem{runId}, state()});
    refreshState();
    tellSolution();
}

void PlanSession::showVariant(std::shared_ptr<const Solution> variant) {
    Q_ASSERT(m_solution && variant->graphPointer() == m_solution->graphPointer());
    if (!m_ofRun) m_ofRun = m_solution;
    replaceValues(std::move(variant));
}

void PlanSession::forgetRun() {
    m_aside.runId.clear();
    if (m_runId.isEmpty()) return;
    m_runId.clear();
    Q_EMIT solutionChanged();
}

void PlanSession::endVariant() {
    if (m_ofRun) replaceValues(std::exchange(m_ofRun, nullptr));
}

void PlanSession::replaceValues(std::shared_ptr<const Solution> solution) {
    setTrial(std::nullopt);
    m_solution = std::move(solution);
    refreshState();
    Q_EMIT solutionChanged();
    Q_EMIT stateChanged();
}

std::optional<State> PlanSession::graphState() const {
    if (!solution() || state().index < 0) return std::nullopt;
    return State{state().step, static_cast<ConfigIndex>(state().index)};
}

std::vector<int> PlanSession::actions() const {
    return world().profileActions(profile());
}

void PlanSession::setAction(int agent, int action) {
    std::vector<int> chosen = actions();
    chosen[static_cast<std::size_t>(agent)] = action;
    setActions(chosen);
}

void PlanSession::setActions(std::span<const int> chosen) {
    // A world may have more joint actions than an index holds; it can be looked at only.
    if (world().hasProfileIndex(chosen))
        m_selection->setCurrent(JointActionItem{world().profileIndex(chosen)});
}

std::optional<StateItem> PlanSession::stateNamed(int step, std::int64_t index,
                                                 const std::vector<std::uint64_t>& words) const {
    if (step < 0 || step > world().maxSteps()) return std::nullopt;
    if (index >= 0) {
        if (!m_solution || index >= m_solution->graph().numConfigs()) return std::nullopt;
        const auto config = static_cast<ConfigIndex>(index);
        if (!m_solution->graph().inLevel(step, config)) return std::nullopt;
        const auto found = m_solution->graph().configuration(config);
        return StateItem{step, std::vector(found.begin(), found.end()), index};
    }
    // Words that were typed by hand need not be a configuration: only known ones are taken.
    StateItem item = itemOf(step, words);
    const bool isInWalk = std::ranges::find(m_walk, item, &Moment::state) != m_walk.end();
    if (!isInWalk && item.index < 0) return std::nullopt;
    return item;
}

bool PlanSession::isReachable(const SelectionItem& item) const {
    const auto isGoalOf = [this](int human, int goal) {
        const auto& humans = world().goals();
        if (human >= std::ssize(humans)) return false;
        return goal < std::ssize(humans[static_cast<std::size_t>(human)].goals);
    };
    if (const auto* action = std::get_if<JointActionItem>(&item))
        return action->profile < world().profileCount();
    if (const auto* agent = std::get_if<AgentItem>(&item))
        return agent->agent < world().numAgents();
    if (const auto* human = std::get_if<HumanItem>(&item))
        return human->human < std::ssize(world().goals());
    if (const auto* goal = std::get_if<GoalItem>(&item)) return isGoalOf(goal->human, goal->goal);
    if (const auto* cell = std::get_if<CellItem>(&item))
        return cell->x < world().width() && cell->y < world().height();
    if (const auto* step = std::get_if<StepItem>(&item)) return step->step <= world().maxSteps();
    if (const auto* level = std::get_if<LevelItem>(&item)) return level->step <= world().maxSteps();
    return true;
}

bool PlanSession::goTo(const Address& address) {
    if (follows()) return m_common->goTo(address);
    if (!isOpen()) return false;
    std::optional<StateItem> place;
    if (address.hasState()) {
        place = stateNamed(address.step, address.stateIndex, address.words);
        if (!place) return false;
    } else if (address.step >= 0) {
        const auto known = std::ranges::find(
            m_walk, address.step, [](const Moment& moment) { return moment.state.step; });
        if (known != m_walk.end())
            place = known->state;
        else if (m_solution && address.step <= world().maxSteps() &&
                 m_solution->graph().levelSize(address.step) > 0)
            place = stateNamed(address.step, m_solution->graph().levelMember(address.step, 0), {});
        if (!place) return false;
    }
    AddressedItems items = itemsOf(address);
    const auto isKnown = [this](const SelectionItem& item) { return isReachable(item); };
    if (!std::ranges::all_of(items.current, isKnown)) return false;
    for (auto& set : items.sets)
        for (SelectionItem& item : set) {
            if (!isKnown(item)) return false;
            auto* state = std::get_if<StateItem>(&item);
            if (!state) continue;
            const auto named = stateNamed(state->step, state->index, state->words);
            if (!named) return false;
            *state = *named;
        }
    if (place) {
        if (!address.level) items.current.emplace_back(LevelItem{place->step});
        items.current.emplace_back(StepItem{place->step});
        items.current.insert(items.current.begin(), *place);
    }
    if (!items.current.empty()) m_selection->setCurrent(items.current);
    for (std::size_t kind = 0; kind < kNumSelectionKinds; ++kind)
        if (!items.sets[kind].empty())
            m_selection->setSet(static_cast<SelectionKind>(kind), std::move(items.sets[kind]));
    return true;
}

StateItem PlanSession::itemOf(int step, std::vector<std::uint64_t> words) const {
    StateItem item{step, std::move(words), -1};
    if (m_solution)
        if (const auto config = m_solution->graph().find(item.words, step);
            config && m_solution->graph().inLevel(step, *config))
            item.index = *config;
    return item;
}

void PlanSession::select(const StateItem& state) {
    m_selection->setCurrent({state, StepItem{state.step}, LevelItem{state.step}});
}

/// The walk led to another state.
void PlanSession::tellState() {
    m_selection->hold();
    select(state());
    Q_EMIT stateChanged();
    m_selection->tellHeld();
}

void PlanSession::selectionChanged(SelectionKind kind) {
    if (follows() || !isOpen()) return;
    if (kind == SelectionKind::JointAction) {
        const auto* action = m_selection->current<JointActionItem>();
        const std::uint32_t profile = action ? action->profile : 0;
        if (std::exchange(m_profile, profile) == profile) return;
        refreshSuccessors();
        Q_EMIT jointActionChanged();
    }
    if (kind == SelectionKind::State) {
        const auto* picked = m_selection->current<StateItem>();
        if (m_isFrozen || !picked || *picked == state()) return;
        setTrial(std::nullopt);
        const auto known = std::ranges::find(m_walk, *picked, &Moment::state);
        if (known == m_walk.end()) {
            m_walk.assign(1, Moment{itemOf(picked->step, picked->words)});
            m_walkIndex = 0;
        } else {
            m_walkIndex = static_cast<std::size_t>(known - m_walk.begin());
        }
        refreshState();
        // A pick from a view of another run numbers states differently.
        if (picked->index != state().index) select(state());
        Q_EMIT stateChanged();
    }
}

void PlanSession::refreshState() {
    const auto inGraph = graphState();
    m_values.reset();
    if (inGraph) m_values = m_solution->values(*inGraph);
    refreshSuccessors();
}

void PlanSession::refreshSuccessors() {
    m_successors = successorsUnder(m_profile);
}

void PlanSession::setTrial(std::optional<std::uint32_t> profile) {
    if (follows()) return m_common->setTrial(profile);
    if (!profile && !m_trial) return;
    m_trial = profile;
    m_trialSuccessors = profile ? successorsUnder(*profile) : std::vector<SuccessorRow>();
    Q_EMIT trialChanged();
}

std::vector<SuccessorRow> PlanSession::successorsUnder(std::uint32_t profile) const {
    std::vector<SuccessorRow> rows;
    if (isTerminal()) return rows;
    for (Outcome& outcome : world().outcomes(wordsOf(state()), state().step, profile)) {
        SuccessorRow row;
        row.probability = outcome.probability;
        row.text = changeText(world(), m_letters, wordsOf(state()), outcome.successor);
        row.state = itemOf(state().step + 1, std::move(outcome.successor));
        if (m_solution && row.state.index >= 0)
            row.v_r = m_solution->v_r({row.state.step, static_cast<ConfigIndex>(row.state.index)});
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace orrery
