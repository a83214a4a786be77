#pragma once

#include <memory>
#include <vector>

#include "core/base/cpu.h"
#include "core/solve/kernel.h"
#include "core/solve/solution.h"
#include "core/solve/solve_rules.h"

namespace orrery {

/// The kernels' view of a world and a spec, with the memory behind it. Immutable; shared by
/// threads.
class SolvePlan {
public:
    /// @throws Error (BadInput) if the spec does not fit the world (a rule's names, no goals)
    SolvePlan(const StateGraph& graph, const SolveSpec& spec, BelievedOthers believedOthers = {});
    SolvePlan(const SolvePlan&) = delete;
    SolvePlan& operator=(const SolvePlan&) = delete;

    const KernelPlan& kernel() const { return m_kernel; }
    const SolveSpec& spec() const { return m_spec; }
    int numHumans() const { return m_kernel.humans; }
    int maxActions() const { return m_maxActions; }
    const RobotProfiles& robots() const { return m_robots; }
    bool hasDurations() const { return m_kernel.discount_h != nullptr; }
    double discount_h() const { return m_discount_h; }  ///< of a transition of duration 1
    double discount_r() const { return m_discount_r; }

    /// Goals over all humans, and where a human's begin among them.
    int numGoals() const { return m_numGoals; }
    int goalBegin(int human) const { return m_goalBegin[human]; }

    bool needsValuation() const { return m_usesRules || m_believed != nullptr; }
    /// Fills [H][A_h][K] beliefs and [H][A_max] habits of a state by the spec's rules. `values` is
    /// scratch. Sets a null pointer in `in` for what is uniform or unused.
    void applyRules(const StateGraph& graph, State state, std::vector<int>& values,
                    std::vector<double>& belief, std::vector<double>& habit, KernelInput& in) const;

    /// A row's discounts for row-wise reports.
    double rowDiscount_h(ActionProfileIndex row) const;
    double rowDiscount_r(ActionProfileIndex row) const;

private:
    void layHumans(const World& world);
    void layHuman(const World& world, std::size_t h);
    void layJointActions(const World& world);
    void layRobots(const World& world);
    void layDiscounts(const World& world);
    void fillBeliefs(State state, const std::vector<int>& values, double* out) const;
    void fillHabits(State state, const std::vector<int>& values, std::vector<double>& habit) const;

    SolveSpec m_spec;
    KernelPlan m_kernel;
    BelievedOthers m_believed;
    bool m_usesRules = false;
    double m_rho_h = 0, m_rho_r = 0, m_discount_h = 1, m_discount_r = 1;
    int m_maxActions = 0;
    int m_numGoals = 0;
    std::size_t m_beliefSize = 0;
    std::vector<int> m_humans;            ///< agent indices
    std::vector<int> m_goalBegin;         ///< [H]
    std::vector<std::uint32_t> m_stride;  ///< [agents] row stride of an action
    std::vector<KernelHuman> m_human;
    std::vector<std::vector<double>> m_weights;              ///< [H][lanes]
    std::vector<std::vector<std::uint32_t>> m_othersOffset;  ///< [H][K]
    std::vector<std::vector<int>> m_othersAgents;            ///< [H][K x (H-1)]
    std::vector<std::uint32_t> m_nonHumanOffset, m_robotOffset, m_jointOffset;
    std::vector<int> m_jointActions;
    std::vector<double> m_discounts_h, m_discounts_r, m_omega;
    RobotProfiles m_robots;
    SolveRules m_rules;
};

/// Memory for one configuration's results; one a thread.
class KernelScratch {
public:
    explicit KernelScratch(const SolvePlan& plan);
    KernelOutput& output() { return m_output; }
    std::vector<int> values;  ///< of World::variables()
    std::vector<double> belief, habit;
    std::vector<std::uint64_t> attained;  ///< [H]

private:
    std::vector<double> m_numbers;
    std::vector<std::uint32_t> m_rowBegin;
    KernelOutput m_output;
};

}  // namespace orrery
