#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/world/world_family.h"
#include "core/world/world_spec.h"

namespace orrery {

/// Named action sets of the grid world (spec 1.1). Action names are those of the original.
enum class ActionSet : std::uint8_t {
    Small,    ///< still left right forward
    Object,   ///< still left right forward pickup drop toggle
    All,      ///< Object and done
    Mine,     ///< Small and build (build does nothing)
    Minimal,  ///< forward left
};

/// "SmallActions", "ObjectActions", "Actions", "MineActions", "MinimalActions".
const char* actionSetName(ActionSet set);

/// A grid world as a file gives it: every key of the original's format, defaults included.
struct GridWorldSpec : SharedSpec {
    std::vector<std::string> map;  ///< rows of two-character cells without blanks; walled all round
    std::optional<ActionSet> actionSet;  ///< absent: chosen from the map (spec 1.1)
    std::vector<std::optional<ActionSet>>
        agentActionSets;            ///< per agent, overrides; may be shorter
    std::vector<int> orientations;  ///< one for all, or one an agent; 0 E 1 S 2 W 3 N; empty: all 0
    std::string canPushRocks = "e";               ///< colour letters
    std::vector<bool> canEnterMagicWalls;         ///< per agent; may be shorter (false)
    std::optional<std::vector<int>> humanAgents;  ///< agent indices; absent: the yellow ones
    std::optional<std::vector<int>> robotAgents;  ///< agent indices; absent: the grey ones
    double stumbleProbability = 0.5;              ///< [0, 1]
    double magicEntryProbability = 0.5;           ///< [0, 1]
    double solidifyProbability = 0.1;             ///< [0, 1]
    double enterBushSuccessProbability = 1.0;     ///< [0, 1]
    double durationPerNonzeroAction = 0.0;  ///< c >= 0: D = 1 + c * (agents whose action is not 0)
    bool fixMagicAll = false;  ///< mends the oddity of magic walls with side "all" (spec 1.4)
    int seed = 2;              ///< of rollouts of the world, unless they are given another
    /// Read and kept, without effect on planning (views and learning use them).
    bool partialObs = false;
    int agentViewSize = 7;
    bool seeThroughWalls = true;
};

const WorldFamily& familyOf(const GridWorldSpec*);

}  // namespace orrery
