#include "tests/support/plain_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/dag/predicate.h"

namespace orrery {

namespace {

double rateOf(const std::optional<double>& gamma, const std::optional<double>& rho) {
    if (rho) return *rho;
    return *gamma == 1.0 ? 0.0 : -std::log(*gamma);
}

std::vector<double> softmax(const std::vector<double>& exponents) {
    const double top = *std::ranges::max_element(exponents);
    std::vector<double> result;
    double sum = 0;
    for (const double x : exponents) {
        result.push_back(std::exp(x - top));
        sum += result.back();
    }
    for (double& p : result) p /= sum;
    return result;
}

std::vector<double> uniformOverBest(const std::vector<double>& values) {
    const double top = *std::ranges::max_element(values);
    const auto count = static_cast<double>(std::ranges::count(values, top));
    std::vector<double> result;
    result.reserve(values.size());
    for (const double x : values) result.push_back(x == top ? 1.0 / count : 0.0);
    return result;
}

}  // namespace

PlainSolver::PlainSolver(const World& world, const SolveSpec& spec, Beliefs beliefs)
    : m_world(world),
      m_spec(spec),
      m_beliefs(std::move(beliefs)),
      m_humanRate(rateOf(spec.gamma_h, spec.rho_h)),
      m_robotRate(rateOf(spec.gamma_r, spec.rho_r)),
      m_humans(world.humans()),
      m_robots(world.robots()) {
    for (int agent = 0; agent < world.numAgents(); ++agent)
        if (world.agents()[agent].role != AgentRole::Human) m_nonHumans.push_back(agent);
    exploreAll();
    for (auto state = m_values.rbegin(); state != m_values.rend(); ++state)
        solveState(state->first.first, state->first.second, state->second);
}

void PlainSolver::exploreAll() {
    std::set<Configuration> level{m_world.initialConfiguration()};
    for (int step = 0; step <= m_world.maxSteps(); ++step) {
        std::set<Configuration> next;
        for (const Configuration& key : level) {
            m_values[{step, key}] = {};
            if (step == m_world.maxSteps()) continue;
            for (ActionProfileIndex profile = 0; profile < m_world.numProfiles(); ++profile)
                for (const Outcome& outcome : m_world.outcomes(key, step, profile))
                    next.insert(outcome.successor);
        }
        level = std::move(next);
    }
}

void PlainSolver::solveState(int step, const Configuration& key, StateValues& out) {
    out.terminal = step == m_world.maxSteps();
    for (const HumanGoals& own : m_world.goals()) {
        out.v_h.emplace_back(own.goals.size(), 0.0);
        out.v_h_e.emplace_back(own.goals.size(), 0.0);
    }
    if (out.terminal) {
        if (!m_spec.phase1Only) out.v_r = m_spec.terminal_v_r;
        out.x_h.assign(m_humans.size(), 0.0);
        return;
    }
    solvePhase1(step, key, out);
    if (!m_spec.phase1Only) solvePhase2(step, key, out);
}

std::vector<std::vector<int>> PlainSolver::jointActions(const std::vector<int>& agents) const {
    std::vector<std::vector<int>> joint = {{}};
    for (const int agent : agents) {
        std::vector<std::vector<int>> longer;
        for (const std::vector<int>& head : joint)
            for (int action = 0; action < m_world.numActions(agent); ++action) {
                longer.push_back(head);
                longer.back().push_back(action);
            }
        joint = std::move(longer);
    }
    return joint;
}

std::vector<int> PlainSolver::othersOf(int human) const {
    std::vector<int> others;
    for (int h = 0; h < static_cast<int>(m_humans.size()); ++h)
        if (h != human) others.push_back(m_humans[h]);
    return others;
}

bool PlainSolver::holdsIn(const std::string& when, int step, const Configuration& key) const {
    std::vector<int> values(m_world.variables().size());
    m_world.valuate(key, values);
    return Predicate(m_world, when).holds(step, values);
}

double PlainSolver::goalExpectation(int step, const Configuration& key,
                                    const std::vector<int>& actions, int human, int goal,
                                    bool phase1) const {
    const ActionProfileIndex profile = m_world.profileIndex(actions);
    const double discount = std::exp(-m_humanRate * m_world.duration(profile));
    double sum = 0;
    for (const Outcome& outcome : m_world.outcomes(key, step, profile)) {
        const bool attained = (m_world.attainedGoals(outcome.successor, human) >> goal & 1U) != 0;
        const StateValues& next = m_values.at({step + 1, outcome.successor});
        const double later = phase1 ? next.v_h[human][goal] : next.v_h_e[human][goal];
        sum += outcome.probability * (attained ? 1.0 : discount * later);
    }
    return sum;
}

std::vector<double> PlainSolver::belief(int step, const Configuration& key, int human,
                                        int action) const {
    if (m_beliefs) return m_beliefs(step, key, human, action);
    const std::vector<int> others = othersOf(human);
    const auto joint = jointActions(others);
    const AgentInfo& self = m_world.agents()[m_humans[human]];
    for (const BelievedOthersRule& rule : m_spec.believedOthers) {
        if (!rule.human.empty() && rule.human != self.name) continue;
        if (!rule.ownAction.empty() && rule.ownAction != self.actions[action]) continue;
        if (!holdsIn(rule.when, step, key)) continue;
        std::vector<double> result;
        for (const std::vector<int>& actions : joint) {
            double p = rule.profiles.empty() ? 1.0 : 0.0;
            for (const auto& listed : rule.profiles) {
                bool same = true;
                for (std::size_t k = 0; k < others.size(); ++k)
                    same = same &&
                           m_world.agents()[others[k]].actions[actions[k]] == listed.actions[k];
                if (same) p += listed.probability;
            }
            for (std::size_t k = 0; k < others.size() && rule.profiles.empty(); ++k) {
                double single = 1.0 / m_world.numActions(others[k]);
                for (const auto& given : rule.agents)
                    if (given.agent == m_world.agents()[others[k]].name)
                        single = given.probability[actions[k]];
                p *= single;
            }
            result.push_back(p);
        }
        return result;
    }
    return std::vector<double>(joint.size(), 1.0 / static_cast<double>(joint.size()));
}

double PlainSolver::actionValue(int step, const Configuration& key, int human, int goal,
                                int action) const {
    const std::vector<int> others = othersOf(human);
    const auto joint = jointActions(others);
    const std::vector<double> beliefs = belief(step, key, human, action);
    std::vector<int> actions(static_cast<std::size_t>(m_world.numAgents()), 0);
    actions[m_humans[human]] = action;
    double value = 0;
    for (std::size_t k = 0; k < joint.size(); ++k) {
        for (std::size_t i = 0; i < others.size(); ++i) actions[others[i]] = joint[k][i];
        double best = std::numeric_limits<double>::quiet_NaN();
        for (const std::vector<int>& robotActions : jointActions(m_nonHumans)) {
            for (std::size_t i = 0; i < m_nonHumans.size(); ++i)
                actions[m_nonHumans[i]] = robotActions[i];
            const double e = goalExpectation(step, key, actions, human, goal, true);
            if (std::isnan(best) || (m_spec.optimistic ? e > best : e < best)) best = e;
        }
        if (beliefs[k] != 0.0) value += beliefs[k] * best;
    }
    return value;
}

std::vector<double> PlainSolver::habit(int step, const Configuration& key, int human) const {
    const AgentInfo& self = m_world.agents()[m_humans[human]];
    for (const HabitRule& rule : m_spec.habits)
        if ((rule.human.empty() || rule.human == self.name) && holdsIn(rule.when, step, key))
            return rule.probability;
    return std::vector<double>(self.actions.size(), 1.0 / static_cast<double>(self.actions.size()));
}

void PlainSolver::solvePhase1(int step, const Configuration& key, StateValues& out) {
    for (int h = 0; h < static_cast<int>(m_humans.size()); ++h) {
        const HumanGoals& own = m_world.goals()[h];
        const auto numActions = static_cast<std::size_t>(m_world.numActions(m_humans[h]));
        std::vector<double> marginal(numActions, 0.0);
        out.pi_h.emplace_back();
        for (int g = 0; g < static_cast<int>(own.goals.size()); ++g) {
            std::vector<double> pi(numActions, 0.0);
            if ((m_world.attainedGoals(key, h) >> g & 1U) != 0) {
                pi[0] = 1.0;
            } else {
                std::vector<double> q;
                for (std::size_t a = 0; a < numActions; ++a)
                    q.push_back(actionValue(step, key, h, g, static_cast<int>(a)));
                std::vector<double> exponents;
                exponents.reserve(q.size());
                for (const double x : q) exponents.push_back(m_spec.beta_h * x);
                pi = std::isinf(m_spec.beta_h) ? uniformOverBest(q) : softmax(exponents);
                const std::vector<double> usual = habit(step, key, h);
                for (std::size_t a = 0; a < numActions; ++a) {
                    pi[a] = m_spec.nu * usual[a] + (1.0 - m_spec.nu) * pi[a];
                    out.v_h[h][g] += pi[a] * q[a];
                }
            }
            for (std::size_t a = 0; a < numActions; ++a) marginal[a] += own.weights[g] * pi[a];
            out.pi_h[h].push_back(pi);
        }
        double sum = 0;
        for (const double p : marginal) sum += p;
        for (double& p : marginal) p /= sum;
        out.marginal.push_back(marginal);
    }
}

void PlainSolver::solvePhase2(int step, const Configuration& key, StateValues& out) {
    const auto robotJoint = jointActions(m_robots);
    const auto humanJoint = jointActions(m_humans);
    const auto numHumans = static_cast<int>(m_humans.size());
    std::vector<int> actions(static_cast<std::size_t>(m_world.numAgents()), 0);
    /// Sum over the humans' profiles of their probability times f(actions); human h follows pi.
    const auto overHumans = [&](std::size_t r, int special, const std::vector<double>& pi,
                                auto&& f) {
        double sum = 0;
        for (const std::vector<int>& chosen : humanJoint) {
            double mu = 1;
            for (int h = 0; h < numHumans; ++h)
                mu *= h == special ? pi[chosen[h]] : out.marginal[h][chosen[h]];
            if (mu == 0.0) continue;
            for (int h = 0; h < numHumans; ++h) actions[m_humans[h]] = chosen[h];
            for (std::size_t i = 0; i < m_robots.size(); ++i)
                actions[m_robots[i]] = robotJoint[r][i];
            sum += mu * f();
        }
        return sum;
    };
    const auto duration = [&] { return m_world.duration(m_world.profileIndex(actions)); };
    for (std::size_t r = 0; r < robotJoint.size(); ++r)
        out.q_r.push_back(overHumans(r, -1, {}, [&] {
            double later = 0;
            for (const Outcome& o : m_world.outcomes(key, step, m_world.profileIndex(actions)))
                later += o.probability * m_values.at({step + 1, o.successor}).v_r;
            return std::exp(-m_robotRate * duration()) * later;
        }));
    std::vector<double> exponents;
    for (const double q : out.q_r) exponents.push_back(-m_spec.beta_r * std::log(-q));
    out.pi_r = std::isinf(m_spec.beta_r) ? uniformOverBest(out.q_r) : softmax(exponents);

    double mean = 0;
    for (int h = 0; h < numHumans; ++h) {
        const HumanGoals& own = m_world.goals()[h];
        double x = 0;
        for (int g = 0; g < static_cast<int>(own.goals.size()); ++g) {
            for (std::size_t r = 0; r < robotJoint.size(); ++r)
                out.v_h_e[h][g] += out.pi_r[r] * overHumans(r, h, out.pi_h[h][g], [&] {
                                       return goalExpectation(step, key, actions, h, g, false);
                                   });
            x += own.weights[g] * std::pow(out.v_h_e[h][g], m_spec.zeta);
        }
        if (m_spec.x_h_floor) x = std::max(x, *m_spec.x_h_floor);
        out.x_h.push_back(x);
        mean += std::pow(x, -m_spec.xi) / numHumans;
    }
    out.u_r = -std::pow(mean, m_spec.eta);
    double weight = 0;
    for (std::size_t r = 0; r < robotJoint.size(); ++r) {
        weight += out.pi_r[r] * overHumans(r, -1, {}, [&] {
                      return m_robotRate == 0.0
                                 ? 1.0
                                 : -std::expm1(-m_robotRate * duration()) / m_robotRate;
                  });
        out.v_r += out.pi_r[r] * out.q_r[r];
    }
    out.v_r += weight * out.u_r;
}

}  // namespace orrery
