#include "widgets/bridge/plan_session.h"

#include <algorithm>

#include "widgets/bridge/change_text.h"
#include "widgets/common/agent_letters.h"

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
    m_loaded = loaded;
    m_letters = agentLetters(world());
    m_solution.reset();
    m_rng = Rng(0);
    m_profile = 0;
    m_walk.assign(1, Moment{itemOf(0, world().initialConfiguration())});
    m_walkIndex = 0;
    m_isMoving = true;
    m_selection->reset();
    m_isMoving = false;
    refreshState();
    Q_EMIT worldChanged();
    Q_EMIT solutionChanged();
    select(state());
    if (!world().goals().empty()) m_selection->setCurrent({HumanItem{0}, GoalItem{0, 0}});
    Q_EMIT stateChanged();
    Q_EMIT jointActionChanged();
}

void PlanSession::attach(std::shared_ptr<const Solution> solution, const QString& runId) {
    m_solution = std::move(solution);
    m_loaded.world = m_solution->graph().worldPointer();
    for (Moment& moment : m_walk)
        moment.state = itemOf(moment.state.step, std::move(moment.state.words));
    refreshState();
    Q_EMIT solutionChanged();
    if (!runId.isEmpty()) m_selection->setCurrent({RunItem{runId}, state()});
    Q_EMIT stateChanged();
}

std::optional<State> PlanSession::graphState() const {
    if (!m_solution || state().index < 0) return std::nullopt;
    return State{state().step, static_cast<ConfigIndex>(state().index)};
}

std::vector<int> PlanSession::actions() const {
    return world().profileActions(m_profile);
}

void PlanSession::setAction(int agent, int action) {
    std::vector<int> chosen = actions();
    chosen[static_cast<std::size_t>(agent)] = action;
    m_selection->setCurrent(JointActionItem{world().profileIndex(chosen)});
}

void PlanSession::follow(std::size_t row) {
    const SuccessorRow chosen = m_successors.at(row);
    moveTo(chosen.state, m_profile, chosen.probability);
}

void PlanSession::step() {
    if (m_successors.empty()) return;
    std::vector<double> probabilities;
    for (const SuccessorRow& row : m_successors) probabilities.push_back(row.probability);
    follow(drawn(probabilities));
}

void PlanSession::followPolicy() {
    if (!m_values || m_values->terminal) return;
    std::vector<int> chosen(static_cast<std::size_t>(world().numAgents()), 0);
    const RobotProfiles robots = robotProfiles(world());
    if (!m_values->pi_r.empty()) {
        const std::vector<int>& actions = robots.actions[drawn(m_values->pi_r)];
        for (std::size_t i = 0; i < actions.size(); ++i)
            chosen[static_cast<std::size_t>(robots.robots[i])] = actions[i];
    }
    for (std::size_t h = 0; h < world().goals().size(); ++h)
        chosen[static_cast<std::size_t>(world().goals()[h].agent)] =
            static_cast<int>(drawn(m_values->marginal[h]));
    m_selection->setCurrent(JointActionItem{world().profileIndex(chosen)});
    step();
}

void PlanSession::stepBack() {
    if (m_walkIndex > 0) showMoment(m_walkIndex - 1);
}

void PlanSession::restart() {
    m_walk.assign(1, Moment{itemOf(0, world().initialConfiguration())});
    m_walkIndex = 0;
    m_rng = Rng(0);
    select(state());
    refreshState();
    Q_EMIT stateChanged();
}

void PlanSession::showMoment(std::size_t index) {
    if (index >= m_walk.size() || index == m_walkIndex) return;
    m_walkIndex = index;
    select(state());
    refreshState();
    Q_EMIT stateChanged();
}

void PlanSession::showLevel(int step) {
    if (!m_solution) return;
    const StateGraph& graph = m_solution->graph();
    if (step < 0 || step >= graph.numLevels() || graph.levelSize(step) == 0) return;
    const auto words = graph.configuration(graph.levelMember(step, 0));
    m_selection->setCurrent(
        {LevelItem{step}, StepItem{step}, itemOf(step, std::vector(words.begin(), words.end()))});
}

bool PlanSession::goTo(const SelectionAddress& address) {
    if (!isOpen() || address.step < 0 || address.step > world().maxSteps()) return false;
    std::vector<std::uint64_t> words = address.words;
    if (address.stateIndex >= 0) {
        if (!m_solution || address.stateIndex >= m_solution->graph().numConfigs()) return false;
        const auto config = static_cast<ConfigIndex>(address.stateIndex);
        if (!m_solution->graph().inLevel(address.step, config)) return false;
        const auto found = m_solution->graph().configuration(config);
        words.assign(found.begin(), found.end());
    }
    // Words that were typed by hand need not be a configuration: only known ones are taken.
    const StateItem item = itemOf(address.step, std::move(words));
    const bool isInWalk = std::ranges::find(m_walk, item, &Moment::state) != m_walk.end();
    if (!isInWalk && item.index < 0) return false;
    m_selection->setCurrent({item, StepItem{item.step}, LevelItem{item.step}});
    return true;
}

StateItem PlanSession::itemOf(int step, std::vector<std::uint64_t> words) const {
    StateItem item{step, std::move(words), -1};
    if (m_solution)
        if (const auto config = m_solution->graph().find(item.words)) item.index = *config;
    return item;
}

void PlanSession::moveTo(StateItem state, std::uint32_t profile, double probability) {
    m_walk.resize(m_walkIndex + 1);
    m_walk.push_back({std::move(state), profile, probability});
    ++m_walkIndex;
    select(this->state());
    refreshState();
    Q_EMIT stateChanged();
}

/// Writes the state into the selection without hearing it as somebody else's pick.
void PlanSession::select(const StateItem& state) {
    m_isMoving = true;
    m_selection->setCurrent({state, StepItem{state.step}, LevelItem{state.step}});
    m_isMoving = false;
}

void PlanSession::selectionChanged(SelectionKind kind) {
    if (m_isMoving || !isOpen()) return;
    if (kind == SelectionKind::JointAction) {
        const auto* action = m_selection->current<JointActionItem>();
        m_profile = action ? action->profile : 0;
        refreshSuccessors();
        Q_EMIT jointActionChanged();
    }
    if (kind == SelectionKind::State) {
        const auto* picked = m_selection->current<StateItem>();
        if (!picked || *picked == state()) return;
        const auto known = std::ranges::find(m_walk, *picked, &Moment::state);
        if (known == m_walk.end()) {
            m_walk.assign(1, Moment{itemOf(picked->step, picked->words)});
            m_walkIndex = 0;
        } else {
            m_walkIndex = static_cast<std::size_t>(known - m_walk.begin());
        }
        refreshState();
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
    m_successors.clear();
    if (isTerminal()) return;
    for (Outcome& outcome : world().outcomes(wordsOf(state()), state().step, m_profile)) {
        SuccessorRow row;
        row.probability = outcome.probability;
        row.text = changeText(world(), m_letters, wordsOf(state()), outcome.successor);
        row.state = itemOf(state().step + 1, std::move(outcome.successor));
        if (m_solution && row.state.index >= 0)
            row.v_r = m_solution->v_r({row.state.step, static_cast<ConfigIndex>(row.state.index)});
        m_successors.push_back(std::move(row));
    }
}

std::size_t PlanSession::drawn(const std::vector<double>& probabilities) {
    double rest = m_rng.uniform();
    for (std::size_t i = 0; i + 1 < probabilities.size(); ++i) {
        rest -= probabilities[i];
        if (rest < 0) return i;
    }
    // Rounding may leave a little over: the last one that can happen at all.
    std::size_t last = probabilities.size() - 1;
    while (last > 0 && probabilities[last] <= 0) --last;
    return last;
}

}  // namespace orrery
