#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "tests/support/reference_graph.h"
#include "tests/support/reference_world.h"

namespace orrery::reference {

/// Both phases of specs/empo.md sections 3 and 4 written as the formulas stand there: double
/// everywhere, plain loops over all profiles, no factoring. Small worlds only.

/// A human's goal: its position lies in the inclusive rectangle.
struct RefGoal {
    int x1 = 0, y1 = 0, x2 = 0, y2 = 0;

    bool holds(Cell c) const { return c.x >= x1 && c.x <= x2 && c.y >= y1 && c.y <= y2; }
};

struct RefHumanGoals {
    std::vector<RefGoal> goals;
    std::vector<double> weights;  ///< as given; need not sum to 1
};

/// One belief of a human about what the other humans do at once.
struct Belief {
    double probability = 0.0;
    std::vector<int> actions;  ///< one id per agent; only those of the other humans are read
};

/// What human `agent` believes in state `state` if it plays `action`; empty = every other human
/// uniform and independent.
using Beliefs = std::function<std::vector<Belief>(const RefState& state, int agent, int action)>;

/// Every other human plays action a independently with probability distribution[agent][a].
Beliefs independentBeliefs(const RefWorld& world, std::vector<std::vector<double>> distribution);

struct RefProblem {
    std::vector<int> humans;                ///< agent indices, ascending
    std::vector<int> robots;                ///< of phase 2, ascending
    std::vector<RefHumanGoals> humanGoals;  ///< [humans]
    double beta_h = 10.0;                   ///< may be infinite
    double beta_r = 10.0;                   ///< may be infinite: uniform over the exact best
    /// Give gamma or rho of each; rho = -ln gamma.
    std::optional<double> gamma_h = std::nullopt, rho_h = std::nullopt;
    std::optional<double> gamma_r = std::nullopt, rho_r = std::nullopt;
    double zeta = 2.0, xi = 1.0, eta = 1.1;
    double terminalV_r = -1e-10;  ///< < 0
    bool optimistic = false;
    Beliefs beliefs = nullptr;
    /// D = 1 + this times the number of agents whose action id is not 0.
    double durationPerNonzeroAction = 0.0;
};

using Distribution = std::vector<double>;

/// [state][human][goal], and policies [..][action].
struct RefPhase1 {
    std::vector<std::vector<std::vector<double>>> v;
    std::vector<std::vector<std::vector<Distribution>>> pi_h;  ///< empty for terminal states
    std::vector<std::vector<Distribution>> marginal;  ///< [state][human]; empty for terminal states
};

struct RefPhase2 {
    std::vector<std::vector<double>> q_r;   ///< [state][robot profile]; empty for terminal states
    std::vector<std::vector<double>> pi_r;  ///< as q_r
    std::vector<double> v_r;
    std::vector<double> u_r;               ///< NaN for terminal states
    std::vector<std::vector<double>> x_h;  ///< [state][human]; empty for terminal states
    std::vector<std::vector<std::vector<double>>> v_h_e;  ///< [state][human][goal]
};

/// Joint actions of the given agents, first agent slowest, as the oracles list them.
std::vector<std::vector<int>> jointActions(const RefWorld& world, const std::vector<int>& agents);

/// @throws Error if gamma and rho are both given for one party
RefPhase1 solvePhase1(const RefWorld& world, const RefGraph& graph, const RefProblem& problem);

/// @throws Error if a human's X_h is 0 in some state
RefPhase2 solvePhase2(const RefWorld& world, const RefGraph& graph, const RefProblem& problem,
                      const RefPhase1& prior);

}  // namespace orrery::reference
