#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/spec/problem.h"
#include "core/world/goal.h"
#include "core/world/piece.h"

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

/// Words about a world that no computation uses.
struct WorldMetadata {
    std::string name, description, author, version, created, category;
    std::vector<std::string> tags;
};

/// A grid world as a file gives it: every key of the original's format, defaults included.
struct GridWorldSpec {
    std::vector<std::string> map;  ///< rows of two-character cells without blanks; walled all round
    int maxSteps = 100;            ///< >= 0
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
    std::vector<Goal> possibleGoals;        ///< the list of every human without one of its own
    std::vector<double> goalWeights;        ///< as possibleGoals; empty: 1/n each
    /// Lists of single humans: by agent index.
    std::vector<HumanGoals> ownGoals;
    bool fixMagicAll = false;  ///< mends the oddity of magic walls with side "all" (spec 1.4)
    WorldMetadata metadata;
    int seed = 2;  ///< of rollouts of the world, unless they are given another
    /// Read and kept, without effect on planning (views and learning use them).
    bool partialObs = false;
    int agentViewSize = 7;
    bool seeThroughWalls = true;
};

/// The second world family (spec 1.7): robots clear bushes by walking, humans push through.
struct BushWorldSpec {
    /// Cells row by row: "Ro" robot, "Hu" human, otherwise a density >= 0.
    std::vector<std::vector<std::string>> map;
    int capacity = 10;    ///< B > 0: a human enters a cell of density d with probability 1 - d/B
    int maxSteps = 100;   ///< >= 0
    int fillDensity = 0;  ///< density under the players at the start, in [0, B]
    std::vector<Goal> possibleGoals;  ///< empty: every single cell
    std::vector<double> goalWeights;  ///< as possibleGoals; empty: 1/n each
    std::vector<HumanGoals> ownGoals;
    WorldMetadata metadata;
};

using WorldSpec = std::variant<GridWorldSpec, BushWorldSpec>;

class World;

/// Everything wrong with a spec, all at once; empty if makeWorld will accept it.
std::vector<SpecProblem> validate(const WorldSpec& spec);

/// Builds the world.
/// @throws Error (BadInput) with the first problem of validate() that is not a warning
std::shared_ptr<const World> makeWorld(const WorldSpec& spec);

}  // namespace orrery
