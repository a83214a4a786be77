#include "tests/support/brute_force_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"

namespace orrery::reference {
namespace {

double rateOf(std::optional<double> gamma, std::optional<double> rho) {
    if (gamma && rho)
        throw Error("Both gamma and rho are given: leave one of them out.", Error::Kind::BadInput);
    if (rho) return *rho;
    return !gamma || *gamma == 1.0 ? 0.0 : -std::log(*gamma);
}

int profileIndex(const RefWorld& world, const std::vector<int>& ids) {
    int index = 0;
    for (int i = world.numAgents() - 1; i >= 0; --i)
        index = index * static_cast<int>(world.actions[i].size()) + ids[i];
    return index;
}

double durationOf(const RefProblem& problem, const std::vector<int>& ids) {
    const auto nonzero = ids.size() - std::count(ids.begin(), ids.end(), 0);
    return 1.0 + problem.durationPerNonzeroAction * static_cast<double>(nonzero);
}

std::vector<int> nonHumans(const RefWorld& world, const RefProblem& problem) {
    std::vector<int> agents;
    for (int i = 0; i < world.numAgents(); ++i)
        if (std::find(problem.humans.begin(), problem.humans.end(), i) == problem.humans.end())
            agents.push_back(i);
    return agents;
}

void assign(std::vector<int>& ids, const std::vector<int>& agents, const std::vector<int>& values) {
    for (std::size_t k = 0; k < agents.size(); ++k) ids[agents[k]] = values[k];
}

std::vector<Belief> uniformBeliefs(const RefWorld& world, const std::vector<int>& others) {
    const std::vector<std::vector<int>> joint = jointActions(world, others);
    std::vector<Belief> beliefs;
    for (const std::vector<int>& values : joint) {
        Belief belief{1.0 / static_cast<double>(joint.size()),
                      std::vector<int>(world.numAgents(), -1)};
        assign(belief.actions, others, values);
        beliefs.push_back(belief);
    }
    return beliefs;
}

/// Boltzmann distribution of the values; uniform over the exact best for an infinite beta.
Distribution softmax(const std::vector<double>& values, double beta) {
    const double best = *std::max_element(values.begin(), values.end());
    Distribution pi;
    for (const double value : values)
        pi.push_back(std::isinf(beta) ? (value == best ? 1.0 : 0.0)
                                      : std::exp(beta * (value - best)));
    double sum = 0.0;
    for (const double p : pi) sum += p;
    for (double& p : pi) p /= sum;
    return pi;
}

/// What phase 1 needs at one state.
struct Phase1State {
    const RefWorld& world;
    const RefGraph& graph;
    const RefProblem& problem;
    const RefPhase1& done;  ///< values of all later states
    std::size_t state;
    double rho_h;

    double expectation(std::size_t h, std::size_t g, const std::vector<int>& ids) const {
        const double discount = std::exp(-rho_h * durationOf(problem, ids));
        double sum = 0.0;
        for (const auto& [p, next] : graph.rows[state][profileIndex(world, ids)]) {
            const Cell at = graph.states[next].agents[problem.humans[h]].at;
            const bool isAttained = problem.humanGoals[h].goals[g].holds(at);
            sum += p * (isAttained ? 1.0 : discount * done.v[next][h][g]);
        }
        return sum;
    }

    double actionValue(std::size_t h, std::size_t g, int action) const {
        const int self = problem.humans[h];
        std::vector<int> others;
        for (const int other : problem.humans)
            if (other != self) others.push_back(other);
        const std::vector<int> robots = nonHumans(world, problem);
        const std::vector<Belief> beliefs = problem.beliefs
                                                ? problem.beliefs(graph.states[state], self, action)
                                                : uniformBeliefs(world, others);
        double value = 0.0;
        for (const Belief& belief : beliefs) {
            std::vector<int> ids = belief.actions;
            ids[self] = action;
            double extreme = std::numeric_limits<double>::quiet_NaN();
            for (const std::vector<int>& robotActions : jointActions(world, robots)) {
                assign(ids, robots, robotActions);
                const double e = expectation(h, g, ids);
                if (std::isnan(extreme) || (problem.optimistic ? e > extreme : e < extreme))
                    extreme = e;
            }
            value += belief.probability * extreme;
        }
        return value;
    }
};

Distribution goalMarginal(const std::vector<Distribution>& perGoal,
                          const std::vector<double>& weights) {
    Distribution marginal(perGoal.front().size(), 0.0);
    double sum = 0.0;
    for (std::size_t g = 0; g < perGoal.size(); ++g)
        for (std::size_t a = 0; a < marginal.size(); ++a) marginal[a] += weights[g] * perGoal[g][a];
    for (const double p : marginal) sum += p;
    for (double& p : marginal) p /= sum;
    return marginal;
}

/// What phase 2 needs at one state.
struct Phase2State {
    const RefWorld& world;
    const RefGraph& graph;
    const RefProblem& problem;
    const RefPhase1& prior;
    const RefPhase2& done;
    std::size_t state;
    double rho_h, rho_r;

    /// Sum over human profiles of mu times the expectation of f(next, duration); `own` replaces
    /// the marginal of human `h`, if h >= 0.
    template <class F>
    double overHumans(const std::vector<int>& robotActions, int h, const Distribution& own,
                      F f) const {
        double sum = 0.0;
        for (const std::vector<int>& humanActions : jointActions(world, problem.humans)) {
            double mu = 1.0;
            for (std::size_t k = 0; k < problem.humans.size(); ++k)
                mu *= static_cast<int>(k) == h ? own[humanActions[k]]
                                               : prior.marginal[state][k][humanActions[k]];
            if (mu == 0.0) continue;
            std::vector<int> ids(world.numAgents(), 0);
            assign(ids, problem.humans, humanActions);
            assign(ids, problem.robots, robotActions);
            const double duration = durationOf(problem, ids);
            for (const auto& [p, next] : graph.rows[state][profileIndex(world, ids)])
                sum += mu * p * f(next, duration);
        }
        return sum;
    }

    double robotValue(const std::vector<int>& robotActions) const {
        return overHumans(robotActions, -1, {}, [&](int next, double duration) {
            return std::exp(-rho_r * duration) * done.v_r[next];
        });
    }

    double goalAbility(const std::vector<std::vector<int>>& robotActions, const Distribution& pi_r,
                       std::size_t h, std::size_t g) const {
        double sum = 0.0;
        for (std::size_t a = 0; a < robotActions.size(); ++a)
            sum += pi_r[a] *
                   overHumans(robotActions[a], static_cast<int>(h), prior.pi_h[state][h][g],
                              [&](int next, double duration) {
                                  const Cell at = graph.states[next].agents[problem.humans[h]].at;
                                  if (problem.humanGoals[h].goals[g].holds(at)) return 1.0;
                                  return std::exp(-rho_h * duration) * done.v_h_e[next][h][g];
                              });
        return sum;
    }

    /// How much a reward rate of 1 counts during this step.
    double weightOfStep(const std::vector<std::vector<int>>& robotActions,
                        const Distribution& pi_r) const {
        if (rho_r == 0.0) return 1.0;
        double sum = 0.0;
        for (std::size_t a = 0; a < robotActions.size(); ++a)
            sum += pi_r[a] * overHumans(robotActions[a], -1, {}, [&](int, double duration) {
                       return -std::expm1(-rho_r * duration) / rho_r;
                   });
        return sum;
    }
};

/// pi_r proportional to (-Q_r)^(-beta_r).
Distribution robotPolicyOf(const std::vector<double>& q_r, double beta_r) {
    if (std::isinf(beta_r)) return softmax(q_r, beta_r);
    std::vector<double> logits;
    for (const double q : q_r) logits.push_back(-beta_r * std::log(-q));
    return softmax(logits, 1.0);
}

void solveState(const Phase2State& at, RefPhase2& out) {
    const RefProblem& problem = at.problem;
    const std::size_t s = at.state;
    const std::vector<std::vector<int>> robotActions = jointActions(at.world, problem.robots);
    for (const std::vector<int>& actions : robotActions)
        out.q_r[s].push_back(at.robotValue(actions));
    out.pi_r[s] = robotPolicyOf(out.q_r[s], problem.beta_r);
    double meanOfInverses = 0.0;
    for (std::size_t h = 0; h < problem.humans.size(); ++h) {
        const RefHumanGoals& goals = problem.humanGoals[h];
        double x_h = 0.0;
        for (std::size_t g = 0; g < goals.goals.size(); ++g) {
            out.v_h_e[s][h][g] = at.goalAbility(robotActions, out.pi_r[s], h, g);
            x_h += goals.weights[g] * std::pow(out.v_h_e[s][h][g], problem.zeta);
        }
        if (!(x_h > 0.0))
            throw Error("X_h of agent " + std::to_string(problem.humans[h]) + " is 0 in state " +
                        canonicalText(at.graph.states[s]) + ": give it a goal within reach.");
        out.x_h[s].push_back(x_h);
        meanOfInverses += std::pow(x_h, -problem.xi) / static_cast<double>(problem.humans.size());
    }
    out.u_r[s] = -std::pow(meanOfInverses, problem.eta);
    out.v_r[s] = at.weightOfStep(robotActions, out.pi_r[s]) * out.u_r[s];
    for (std::size_t a = 0; a < robotActions.size(); ++a)
        out.v_r[s] += out.pi_r[s][a] * out.q_r[s][a];
}

}  // namespace

std::vector<std::vector<int>> jointActions(const RefWorld& world, const std::vector<int>& agents) {
    std::vector<std::vector<int>> joint = {{}};
    for (const int agent : agents) {
        std::vector<std::vector<int>> longer;
        for (const std::vector<int>& head : joint)
            for (int a = 0; a < static_cast<int>(world.actions[agent].size()); ++a) {
                longer.push_back(head);
                longer.back().push_back(a);
            }
        joint = longer;
    }
    return joint;
}

Beliefs independentBeliefs(const RefWorld& world, std::vector<std::vector<double>> distribution) {
    return [&world, distribution](const RefState&, int agent, int) {
        std::vector<int> others;
        for (int i = 0; i < world.numAgents(); ++i)
            if (i != agent && !distribution[i].empty()) others.push_back(i);
        std::vector<Belief> beliefs;
        for (const std::vector<int>& values : jointActions(world, others)) {
            Belief belief{1.0, std::vector<int>(world.numAgents(), -1)};
            assign(belief.actions, others, values);
            for (std::size_t k = 0; k < others.size(); ++k)
                belief.probability *= distribution[others[k]][values[k]];
            beliefs.push_back(belief);
        }
        return beliefs;
    };
}

RefPhase1 solvePhase1(const RefWorld& world, const RefGraph& graph, const RefProblem& problem) {
    const std::size_t numStates = graph.states.size();
    const std::size_t numHumans = problem.humans.size();
    const double rho_h = rateOf(problem.gamma_h, problem.rho_h);
    RefPhase1 out;
    out.v.resize(numStates);
    out.pi_h.resize(numStates);
    out.marginal.resize(numStates);
    for (std::size_t s = numStates; s-- > 0;) {
        for (std::size_t h = 0; h < numHumans; ++h)
            out.v[s].emplace_back(problem.humanGoals[h].goals.size(), 0.0);
        if (world.isTerminal(graph.states[s])) continue;
        const Phase1State at{world, graph, problem, out, s, rho_h};
        out.pi_h[s].resize(numHumans);
        for (std::size_t h = 0; h < numHumans; ++h) {
            const RefHumanGoals& goals = problem.humanGoals[h];
            const int self = problem.humans[h];
            const std::size_t numActions = world.actions[self].size();
            for (std::size_t g = 0; g < goals.goals.size(); ++g) {
                Distribution pi(numActions, 0.0);
                if (goals.goals[g].holds(graph.states[s].agents[self].at)) {
                    pi[0] = 1.0;
                } else {
                    std::vector<double> q;
                    for (std::size_t a = 0; a < numActions; ++a)
                        q.push_back(at.actionValue(h, g, static_cast<int>(a)));
                    pi = softmax(q, problem.beta_h);
                    for (std::size_t a = 0; a < numActions; ++a) out.v[s][h][g] += pi[a] * q[a];
                }
                out.pi_h[s][h].push_back(pi);
            }
            out.marginal[s].push_back(goalMarginal(out.pi_h[s][h], goals.weights));
        }
    }
    return out;
}

RefPhase2 solvePhase2(const RefWorld& world, const RefGraph& graph, const RefProblem& problem,
                      const RefPhase1& prior) {
    const std::size_t numStates = graph.states.size();
    const double rho_h = rateOf(problem.gamma_h, problem.rho_h);
    const double rho_r = rateOf(problem.gamma_r, problem.rho_r);
    RefPhase2 out;
    out.q_r.resize(numStates);
    out.pi_r.resize(numStates);
    out.x_h.resize(numStates);
    out.v_h_e.resize(numStates);
    out.v_r.assign(numStates, problem.terminalV_r);
    out.u_r.assign(numStates, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t s = numStates; s-- > 0;) {
        for (const RefHumanGoals& goals : problem.humanGoals)
            out.v_h_e[s].emplace_back(goals.goals.size(), 0.0);
        if (!world.isTerminal(graph.states[s]))
            solveState({world, graph, problem, prior, out, s, rho_h, rho_r}, out);
    }
    return out;
}

}  // namespace orrery::reference
