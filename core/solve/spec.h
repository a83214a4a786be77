#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/spec/problem.h"
#include "core/spec/theory.h"

namespace orrery {

/// What a human is believed to expect of the others in phase 1, where a rule's condition holds.
/// The first rule that fits a (state, human, own action) decides; without one, uniform.
struct BelievedOthersRule {
    std::string when = "true";  ///< a Predicate's text
    std::string human;          ///< name of the believing human; empty: every one
    std::string ownAction;      ///< name of its own action; empty: any
    /// Independent distributions of single others: agent name -> [action] probabilities. An agent
    /// without an entry is uniform. Ignored if `profiles` is not empty.
    struct AgentDistribution {
        std::string agent;
        std::vector<double> probability;
        bool operator==(const AgentDistribution&) const = default;
    };
    std::vector<AgentDistribution> agents;
    /// A distribution over joint profiles of the other humans: names of actions, one an other human
    /// in ascending agent order.
    struct JointProfile {
        double probability = 0;
        std::vector<std::string> actions;
        bool operator==(const JointProfile&) const = default;
    };
    std::vector<JointProfile> profiles;
    bool operator==(const BelievedOthersRule&) const = default;
};

/// A habitual policy pi^0 of the humans, mixed in by equation (2): pi = nu pi^0 + (1 - nu) pi_soft.
struct HabitRule {
    std::string when = "true";
    std::string human;                ///< empty: every one
    std::vector<double> probability;  ///< [action]
    bool operator==(const HabitRule&) const = default;
};

/// Precision in which V and V_h^e are kept (V_r always in double); computing is in double.
enum class ValueStorage : std::uint8_t { Double, Float, Half };

/// Parameters of an exact solve. Defaults are the documented ones of the original.
/// Source: seed 003; spec empo sections 3 and 4.
struct SolveSpec : Theory {
    std::optional<double> gamma_h = 0.99;  ///< (0, 1]; exactly one of gamma_h and rho_h is set
    std::optional<double> rho_h;           ///< >= 0
    std::optional<double> gamma_r = 0.99;
    std::optional<double> rho_r;
    std::optional<double> x_h_floor;  ///< > 0: X_h is raised to it; unset: X_h = 0 stops the solve
    std::vector<BelievedOthersRule> believedOthers;  ///< empty: uniform
    std::vector<HabitRule> habits;                   ///< used where nu > 0
    double nu = 0.0;                                 ///< [0, 1]: weight of the habitual policy
    bool phase1Only = false;
    ValueStorage storage = ValueStorage::Double;
    int threads = 0;                ///< 0: all processors
    std::int64_t memoryBudget = 0;  ///< bytes; 0: 70 % of what is free
    std::uint64_t seed = 0;         ///< of rollouts

    bool operator==(const SolveSpec&) const = default;
};

/// Every problem that can be seen without the world; empty if none.
std::vector<SpecProblem> validate(const SolveSpec& spec);

class World;

/// Every problem, with those of the spec in this world: its size, humans and goals (field "world"),
/// and the rules' names, predicates and lengths ("believed_others[0].when").
std::vector<SpecProblem> validate(const SolveSpec& spec, const World& world);

}  // namespace orrery
