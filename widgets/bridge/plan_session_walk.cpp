#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/dag/state_graph.h"
#include "core/solve/solution.h"
#include "core/world/world.h"
#include "widgets/bridge/plan_session.h"

// The walk of a session: steps that people or policies choose, and the way back.

namespace orrery {

int restingAction(const AgentInfo& agent) {
    for (const char* name : {"still", "pass"})
        if (const auto at = std::ranges::find(agent.actions, name); at != agent.actions.end())
            return static_cast<int>(at - agent.actions.begin());
    return 0;
}

void PlanSession::followAs(std::size_t row, PlayedBy by) {
    if (follows()) return m_common->followAs(row, by);
    if (m_isFrozen) return select(m_successors.at(row).state);
    const SuccessorRow chosen = m_successors.at(row);
    moveTo({chosen.state, m_profile, chosen.probability, by,
            by == PlayedBy::Person && m_successors.size() > 1});
}

bool PlanSession::followTo(const StateItem& next) {
    if (follows()) return m_common->followTo(next);
    const auto rowOf = [&] { return std::ranges::find(m_successors, next, &SuccessorRow::state); };
    if (rowOf() == m_successors.end()) {
        const bool isNext = next.index >= 0 && next.step == state().step + 1 && !isTerminal();
        const auto action = isNext && graphState()
                                ? likeliestActionTo(static_cast<ConfigIndex>(next.index))
                                : std::nullopt;
        if (!action) return false;
        m_selection->setCurrent(JointActionItem{*action});
        if (rowOf() == m_successors.end()) return false;
    }
    follow(static_cast<std::size_t>(rowOf() - m_successors.begin()));
    return true;
}

/// Of the joint actions under which `next` may follow, the one by which it is reached most often if
/// all follow their policies.
std::optional<std::uint32_t> PlanSession::likeliestActionTo(ConfigIndex next) const {
    const State from = *graphState();
    const StateGraph& graph = m_solution->graph();
    const ConfigRows rows = graph.rows(from.config);
    std::optional<std::uint32_t> best;
    double most = -1;
    std::uint32_t entry = 0;
    for (std::uint32_t profile = 0; entry < rows.numEntries; ++profile) {
        const std::uint32_t end = entry + (rows.count ? rows.count[profile] : 1);
        const bool leads =
            std::find(rows.successor + entry, rows.successor + end, next) != rows.successor + end;
        entry = end;
        if (!leads) continue;
        double probability = 0;
        for (const Successor& s : m_solution->successors(from, profile))
            if (s.state.config == next) probability += s.probability;
        const double weight = probability * policyProbability(profile);
        if (weight <= most) continue;
        most = weight;
        best = profile;
    }
    return best;
}

/// Of a joint action in the current state; 1 for each without values.
double PlanSession::policyProbability(std::uint32_t profile) const {
    if (!m_values || m_values->terminal) return 1;
    const std::vector<int> actions = world().profileActions(profile);
    double probability = 1;
    for (std::size_t h = 0; h < m_values->marginal.size(); ++h)
        probability *= m_values->marginal[h][static_cast<std::size_t>(
            actions[static_cast<std::size_t>(world().goals()[h].agent)])];
    if (m_values->pi_r.empty()) return probability;
    const RobotProfiles robots = robotProfiles(world());
    for (std::size_t r = 0; r < robots.actions.size(); ++r) {
        bool isSame = true;
        for (std::size_t k = 0; k < robots.robots.size(); ++k)
            isSame = isSame &&
                     robots.actions[r][k] == actions[static_cast<std::size_t>(robots.robots[k])];
        if (isSame) return probability * m_values->pi_r[r];
    }
    return probability;
}

void PlanSession::stepAs(PlayedBy by) {
    if (follows()) return m_common->stepAs(by);
    if (refuses()) return;
    if (m_successors.empty()) return;
    std::vector<double> probabilities;
    for (const SuccessorRow& row : m_successors) probabilities.push_back(row.probability);
    const SuccessorRow chosen = m_successors[drawn(probabilities)];
    moveTo({chosen.state, m_profile, chosen.probability, by, false});
}

std::vector<int> PlanSession::drawnActions(const std::vector<bool>& isDriven) {
    if (follows()) return m_common->drawnActions(isDriven);
    const auto isFree = [&](int agent) { return !isDriven[static_cast<std::size_t>(agent)]; };
    std::vector<int> chosen = actions();
    for (int agent = 0; agent < world().numAgents(); ++agent)
        if (isFree(agent))
            chosen[static_cast<std::size_t>(agent)] =
                restingAction(world().agents()[static_cast<std::size_t>(agent)]);
    if (!m_values || m_values->terminal) return chosen;
    const RobotProfiles robots = robotProfiles(world());
    if (!m_values->pi_r.empty() && std::ranges::any_of(robots.robots, isFree)) {
        std::vector<double> given = m_values->pi_r;
        double sum = 0;
        for (std::size_t r = 0; r < given.size(); ++r) {
            for (std::size_t i = 0; i < robots.robots.size(); ++i)
                if (const int robot = robots.robots[i];
                    !isFree(robot) &&
                    robots.actions[r][i] != chosen[static_cast<std::size_t>(robot)])
                    given[r] = 0;
            sum += given[r];
        }
        for (double& probability : given) probability = sum > 0 ? probability / sum : 0;
        const std::vector<int>& joint = robots.actions[drawn(given)];
        for (std::size_t i = 0; i < joint.size(); ++i)
            if (isFree(robots.robots[i]))
                chosen[static_cast<std::size_t>(robots.robots[i])] = joint[i];
    }
    for (std::size_t h = 0; h < world().goals().size(); ++h)
        if (const int agent = world().goals()[h].agent; isFree(agent))
            chosen[static_cast<std::size_t>(agent)] =
                static_cast<int>(drawn(m_values->marginal[h]));
    return chosen;
}

void PlanSession::followPolicy() {
    if (follows()) return m_common->followPolicy();
    if (refuses()) return;
    if (!m_values || m_values->terminal) return;
    setActions(drawnActions(std::vector<bool>(static_cast<std::size_t>(world().numAgents()))));
    stepAs(PlayedBy::Policy);
}

void PlanSession::stepBack() {
    if (follows()) return m_common->stepBack();
    if (refuses()) return;
    if (m_walkIndex > 0) showMoment(m_walkIndex - 1);
}

void PlanSession::restart() {
    if (follows()) return m_common->restart();
    if (refuses()) return;
    setTrial(std::nullopt);
    m_walk.assign(1, Moment{itemOf(0, world().initialConfiguration())});
    m_walkIndex = 0;
    m_rng = Rng(0);
    refreshState();
    tellState();
}

void PlanSession::showStart() {
    if (walk().front().state.step > 0)
        restart();
    else
        showMoment(0);
}

void PlanSession::showMoment(std::size_t index) {
    if (follows()) return m_common->showMoment(index);
    if (m_isFrozen && index < m_walk.size()) return select(m_walk[index].state);
    if (index >= m_walk.size() || index == m_walkIndex) return;
    setTrial(std::nullopt);
    m_walkIndex = index;
    refreshState();
    tellState();
}

void PlanSession::showLevel(int step) {
    if (follows()) return m_common->showLevel(step);
    if (!m_solution) return;
    const StateGraph& graph = m_solution->graph();
    if (step < 0 || step >= graph.numLevels() || graph.levelSize(step) == 0) return;
    const auto words = graph.configuration(graph.levelMember(step, 0));
    m_selection->setCurrent(
        {LevelItem{step}, StepItem{step}, itemOf(step, std::vector(words.begin(), words.end()))});
}

void PlanSession::moveTo(Moment moment) {
    setTrial(std::nullopt);
    m_walk.resize(m_walkIndex + 1);
    m_walk.push_back(std::move(moment));
    ++m_walkIndex;
    refreshState();
    tellState();
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
