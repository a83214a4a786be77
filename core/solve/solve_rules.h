#pragma once

#include <vector>

#include "core/dag/predicate.h"
#include "core/solve/spec.h"
#include "core/world/world.h"

namespace orrery {

/// The rules of a spec with names turned into indices of a world. H humans in the order of
/// World::goals(), K joint actions of the others of each.
struct SolveRules {
    struct Belief {
        Predicate when;
        int human = -1;                           ///< among the humans; -1: every one
        std::vector<int> ownAction;               ///< [H] -1: any
        std::vector<std::vector<double>> others;  ///< [H] of [K], empty where it does not apply
    };
    struct Habit {
        Predicate when;
        int human = -1;
        std::vector<double> probability;  ///< [action]
    };
    std::vector<Belief> beliefs;  ///< as SolveSpec::believedOthers
    std::vector<Habit> habits;    ///< as SolveSpec::habits
};

/// Resolves the rules of a spec that has passed validate(spec).
/// @param problems receives what does not fit the world, with fields such as
///        "believed_others[0].when"; rules with a problem are left out
SolveRules resolveRules(const World& world, const SolveSpec& spec,
                        std::vector<SpecProblem>& problems);

}  // namespace orrery
