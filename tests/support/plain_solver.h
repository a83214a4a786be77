#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "core/solve/solution.h"
#include "core/solve/spec.h"
#include "core/world/world.h"

namespace orrery {

/// Both phases of specs/empo.md 3 and 4 for any World, one state, goal and profile at a time, with
/// the believed others, the habitual policy of equation (2), the floor of X_h and any durations. It
/// asks World::outcomes() and keeps its states in a map: no graph, no kernels, no level store.
class PlainSolver {
public:
    /// What phase 1 believes: probabilities of the other humans' profiles in lexicographic order;
    /// replaces the spec's rules if set.
    using Beliefs = std::function<std::vector<double>(int step, const Configuration&, int human,
                                                      int ownAction)>;

    PlainSolver(const World& world, const SolveSpec& spec, Beliefs beliefs = {});

    /// Every reachable state by (step, configuration).
    const std::map<std::pair<int, Configuration>, StateValues>& values() const { return m_values; }

private:
    void exploreAll();
    void solveState(int step, const Configuration& key, StateValues& out);
    void solvePhase1(int step, const Configuration& key, StateValues& out);
    void solvePhase2(int step, const Configuration& key, StateValues& out);
    double actionValue(int step, const Configuration& key, int human, int goal, int action) const;
    std::vector<double> belief(int step, const Configuration& key, int human, int action) const;
    std::vector<double> habit(int step, const Configuration& key, int human) const;
    bool holdsIn(const std::string& when, int step, const Configuration& key) const;

    /// Expected attainment of a goal in the successors under one joint action.
    double goalExpectation(int step, const Configuration& key, const std::vector<int>& actions,
                           int human, int goal, bool phase1) const;
    std::vector<std::vector<int>> jointActions(const std::vector<int>& agents) const;
    std::vector<int> othersOf(int human) const;

    const World& m_world;
    const SolveSpec& m_spec;
    Beliefs m_beliefs;
    double m_humanRate = 0, m_robotRate = 0;
    std::vector<int> m_humans, m_robots, m_nonHumans;
    std::map<std::pair<int, Configuration>, StateValues> m_values;
};

}  // namespace orrery
