#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/progress.h"
#include "core/base/rng.h"
#include "core/dag/state_graph.h"
#include "core/solve/spec.h"

namespace orrery {

/// Everything known about one state. Arrays over humans and goals follow World::goals().
struct StateValues {
    State state;
    bool terminal = false;
    double v_r = 0;                                      ///< < 0
    double u_r = 0;                                      ///< < 0; 0 in a terminal state
    std::vector<double> q_r;                             ///< [A_r] < 0; empty in a terminal state
    std::vector<double> pi_r;                            ///< [A_r] sums to 1
    std::vector<double> x_h;                             ///< [H]
    std::vector<std::vector<double>> v_h_e;              ///< [H][G] in [0, 1]
    std::vector<std::vector<double>> v_h;                ///< [H][G] phase 1's V in [0, 1]
    std::vector<std::vector<std::vector<double>>> pi_h;  ///< [H][G][A_h]; empty if terminal
    std::vector<std::vector<double>> marginal;           ///< [H][A_h] goal-marginal, sums to 1
};

/// One successor under a joint action.
struct Successor {
    double probability = 0;
    State state;
};

/// One step of a rollout.
struct RolloutStep {
    State state;
    ActionProfileIndex profile = 0;  ///< the joint action taken in it; 0 in the last state
    std::vector<int> goals;          ///< [H] the goal that each human pursues, -1 none
};

/// Robot action profiles in the oracles' order: lexicographic, first robot slowest.
struct RobotProfiles {
    std::vector<int> robots;                ///< agent indices
    std::vector<std::vector<int>> actions;  ///< [A_r][robot]
    /// "forward" or "robot0 forward, robot1 left".
    std::vector<std::string> names;
};
RobotProfiles robotProfiles(const World& world);

struct LevelStore;
class SolvePlan;

/// What the humans believe of each other, in code: called for each (state, human, own action) by
/// any thread; returns probabilities of the other humans' joint profiles in lexicographic order
/// (lowest agent slowest), summing to 1.
using BelievedOthers = std::function<std::vector<double>(State state, int human, int ownAction)>;

/// An exact solution: the graph, the parameters and V, V_h^e, V_r of every state. Policies and
/// Q values are recomputed from the next level on each query. Any thread may query it.
class Solution {
public:
    ~Solution();
    Solution(std::shared_ptr<const StateGraph> graph, SolveSpec spec,
             std::unique_ptr<LevelStore> levels, BelievedOthers believedOthers = {});

    const StateGraph& graph() const { return *m_graph; }
    std::shared_ptr<const StateGraph> graphPointer() const { return m_graph; }
    const World& world() const { return m_graph->world(); }
    const SolveSpec& spec() const { return m_spec; }
    const LevelStore& levels() const { return *m_levels; }

    /// @throws Error (BadInput) if the state is not in the graph
    StateValues values(State state) const;
    double v_r(State state) const;  ///< stored, O(1)
    /// Stored V_h^e and phase 1 V of one human and goal, O(1).
    double v_h_e(State state, int human, int goal) const;
    double v_h(State state, int human, int goal) const;

    std::vector<Successor> successors(State state, ActionProfileIndex profile) const;

    /// P(s'|s) under the robot's policy and the humans' goal-marginal policies, merged, by index.
    std::vector<Successor> inducedChain(State state) const;

    /// An episode from `from` to the last step. Each human draws a goal by its weights at the start
    /// and follows pi_h of it; `goals[h]` >= 0 fixes one.
    std::vector<RolloutStep> rollout(State from, std::span<const int> goals, Rng& rng) const;

    /// Sums and extremes over all states, as the oracles' checksums.
    struct Checksums {
        double sum_v_r = 0, min_v_r = 0, sum_v_h_e = 0, sumPhase1 = 0, v_r_root = 0;
    };
    Checksums checksums(int threads) const;

private:
    std::shared_ptr<const StateGraph> m_graph;
    SolveSpec m_spec;
    std::unique_ptr<LevelStore> m_levels;
    std::unique_ptr<const SolvePlan> m_plan;
};

/// Seconds and work of a finished or stopped solve.
struct SolveStatistics {
    double seconds = 0;
    double phase1Seconds = 0, phase2Seconds = 0;  ///< summed over threads
    std::int64_t states = 0;
    std::int64_t products = 0;  ///< (entry, human, goal) triples computed, each phase
    struct Level {
        int step = 0;
        std::int64_t states = 0;
        double seconds = 0;
        double meanV_r = 0, minV_r = 0, maxV_r = 0;
    };
    std::vector<Level> levels;  ///< last step first
};

struct SolveHooks {
    ProgressSink progress;
    std::function<void(const SolveStatistics::Level&)> levelDone;
    BelievedOthers believedOthers;      ///< overrides the spec's rules if set
    std::filesystem::path spillFolder;  ///< where levels go that do not fit; empty: none
};

/// Solves both phases (or phase 1 alone) by backward induction.
///
/// @return null if stopped
/// @throws Error naming human, state and goals where X_h = 0 and no floor is set
/// Bit-equal for every number of threads. Source: spec empo sections 3 and 4.
std::shared_ptr<const Solution> solve(std::shared_ptr<const StateGraph> graph,
                                      const SolveSpec& spec, const SolveHooks& hooks = {},
                                      std::stop_token stop = {},
                                      SolveStatistics* statistics = nullptr);

/// Writes the levels (values only) so that openSolution maps them; atomic. False if stopped.
bool saveSolution(const Solution& solution, const std::filesystem::path& file,
                  std::stop_token stop = {}, const ProgressSink& progress = {});

/// Maps a saved solution. Null if stopped.
/// @throws Error (Damaged) if the file is broken, newer, or of another graph
std::shared_ptr<const Solution> openSolution(std::shared_ptr<const StateGraph> graph,
                                             const SolveSpec& spec,
                                             const std::filesystem::path& file,
                                             std::stop_token stop = {},
                                             const ProgressSink& progress = {});

}  // namespace orrery
