#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/world/goal.h"
#include "core/world/piece.h"
#include "core/world/scene_change.h"
#include "core/world/world_spec.h"

namespace orrery {

struct WorldEncoding;

/// A state without its step count, packed into World::keyWords() words. Two configurations are the
/// same exactly if their words are equal; bits above World::keyBits() are zero.
using Configuration = std::vector<std::uint64_t>;

/// Index of an action profile: sum over agents of a_i times the product of the action counts of the
/// agents before i, so agent 0 varies fastest. Range [0, World::numProfiles()).
using ActionProfileIndex = std::uint32_t;

/// Exact planning stores a row for each joint action and looks at sets of agents; worlds beyond
/// these limits can be looked at and stepped through, but not explored.
inline constexpr int kMaxPlannedAgents = 10;
inline constexpr ActionProfileIndex kMaxPlannedProfiles = 1 << 20;

/// One possible result of a joint action.
struct Outcome {
    double probability;  ///< in [0, 1]; the outcomes of one row sum to 1
    Configuration successor;
};

enum class AgentRole : std::uint8_t { Human, Robot, Other };

/// What is fixed about an agent.
struct AgentInfo {
    std::string
        name;  ///< unique in its world: "human0", "robot0", "agent3" (by colour role and order)
    AgentRole role = AgentRole::Other;
    Color color = Color::Grey;
    std::vector<std::string> actions;  ///< names, by action index

    bool operator==(const AgentInfo&) const = default;
};

/// A readable quantity of a configuration, for predicates, tables and exports.
struct Variable {
    std::string name;  ///< "human0.x", "door0.open"; unique
    int low = 0;       ///< smallest value it can take
    int high = 1;      ///< largest value; a variable of range [0, 1] is a truth value
};

/// All rows of one configuration: for each action profile in index order its merged outcomes.
/// Reused between calls, so that expanding allocates nothing once it is warm.
struct Expansion {
    std::vector<std::uint16_t> count;  ///< [P] outcomes of each profile, at least 1
    std::vector<double> probability;   ///< [E] profile by profile, descending within one
    std::vector<std::uint64_t> key;    ///< [E x keyWords] successors
    bool deterministic = true;         ///< every profile has one outcome of probability 1

    /// Set by who asks: where expanding is given up, with an unfinished `out`. Many agents have
    /// millions of profiles, with hundreds of outcomes each.
    std::size_t mostEntries = std::numeric_limits<std::size_t>::max();
    std::stop_token stop;

    /// Whether to give up before the next profile; what `stop` costs is paid now and then.
    bool isEnough(std::size_t profile) const {
        constexpr std::size_t kBetweenLooks = 4096;
        return probability.size() > mostEntries ||
               (profile % kBetweenLooks == kBetweenLooks - 1 && stop.stop_requested());
    }
};

/// A configuration with one agent elsewhere; direction 0 E, 1 S, 2 W, 3 N, or -1 where agents have
/// none.
struct AgentVariant {
    Configuration configuration;
    int direction = -1;
};

/// Something in a cell that an agent cannot enter now and that may be gone later: a door that is
/// not open, a thing to carry, a rock that this agent may not push.
struct Obstacle {
    PieceKind kind = PieceKind::Door;
    DoorState door = DoorState::Open;
    Color color = Color::Grey;
    int cell = 0;
    // The 0 of <=> is no pointer.
    auto operator<=>(const Obstacle&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// What stands in the way of one agent, and what it has in its hands.
struct Situation {
    std::vector<Obstacle> obstacles;
    Carried hands = Carried::Nothing;
    Color handsColor = Color::Grey;
    auto operator<=>(const Situation&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// Computes successors; keeps scratch memory, so each thread makes one for itself.
class Expander {
public:
    virtual ~Expander() = default;

    /// Fills `out` with the outcomes of every action profile in `configuration` at `step`.
    /// Terminal states (step >= maxSteps) must not be expanded.
    /// @return false if it was given up, see Expansion
    virtual bool expand(std::span<const std::uint64_t> configuration, int step, Expansion& out) = 0;
};

/// A world with exact transition probabilities: a pure function of (state, action profile).
/// Immutable after construction, so every const member may be called from any thread.
/// A state is (step, configuration); it is terminal iff step >= maxSteps(), nothing else.
class World {
public:
    virtual ~World() = default;

    virtual const std::string& name() const = 0;
    virtual int width() const = 0;   ///< cells
    virtual int height() const = 0;  ///< cells
    virtual int maxSteps() const = 0;
    virtual std::span<const AgentInfo> agents() const = 0;

    /// Words of a packed configuration, and how many of their bits are used.
    virtual int keyBits() const = 0;
    int keyWords() const { return (keyBits() + 63) / 64 > 0 ? (keyBits() + 63) / 64 : 1; }

    virtual Configuration initialConfiguration() const = 0;

    /// True if outcomes depend on the step count; the unrolled graph is then explored.
    virtual bool dependsOnStep() const { return false; }

    virtual std::unique_ptr<Expander> makeExpander() const = 0;

    /// The outcomes of one action profile, merged, by descending probability.
    /// @throws Error if the profile is out of range or the state is terminal
    virtual std::vector<Outcome> outcomes(std::span<const std::uint64_t> configuration, int step,
                                          ActionProfileIndex profile) const = 0;

    /// Goals of each human, in the order of humans(); at most 64 a human.
    virtual std::span<const HumanGoals> goals() const = 0;

    /// Cell index y * width() + x of an agent; goals are tests on it.
    virtual int cellOf(std::span<const std::uint64_t> configuration, int agent) const = 0;

    /// Duration D(s,a,s') of a transition under a profile; 1 unless the world says otherwise.
    virtual double duration(ActionProfileIndex) const { return 1.0; }

    virtual std::span<const Variable> variables() const = 0;
    /// Writes the value of each variable, in the order of variables(). `out` has their number.
    virtual void valuate(std::span<const std::uint64_t> configuration,
                         std::span<int> out) const = 0;

    /// Everything to draw in these cells, back to front; costs what is asked for, not the map.
    virtual std::vector<Piece> sceneIn(std::span<const std::uint64_t> configuration,
                                       const CellArea& seen) const = 0;
    /// The same of the whole map.
    std::vector<Piece> scene(std::span<const std::uint64_t> configuration) const {
        return sceneIn(configuration, {});
    }
    /// What is drawn in one of two configurations alone. A family that can tells it without looking
    /// at the whole map.
    virtual SceneChange change(std::span<const std::uint64_t> before,
                               std::span<const std::uint64_t> after) const;

    /// SHA-256 (hex) over all that transitions and goals depend on: equal hash, equal graph.
    virtual std::string contentHash() const = 0;

    /// Lines that a person should know although the world is usable ("goals do not cover 3,1").
    virtual std::vector<std::string> warnings() const = 0;

    /// The spec that the world was made of; of no family where it was not made of one.
    virtual WorldSpec fileSpec() const { return {}; }

    /// What may be in an agent's way and be gone later.
    virtual Situation situationOf(std::span<const std::uint64_t> /*configuration*/,
                                  int /*agent*/) const {
        return {};
    }
    /// The most obstacles that situationOf() can have.
    virtual std::size_t mostObstacles(int /*agent*/) const { return 0; }

    /// The configurations that equal the given one but for the agent's cell (y * width + x) and
    /// direction; empty if no agent can be in that cell. They need not be reachable.
    virtual std::vector<AgentVariant> variants(std::span<const std::uint64_t> /*configuration*/,
                                               int /*agent*/, int /*cell*/) const {
        return {};
    }

    /// The seed that its file gives for its own episodes.
    virtual std::uint64_t episodeSeed() const { return 0; }

    /// How its states are encoded for learning; null: they cannot be.
    virtual const WorldEncoding* encoding() const { return nullptr; }

    int numAgents() const { return static_cast<int>(agents().size()); }
    int numActions(int agent) const { return static_cast<int>(agents()[agent].actions.size()); }
    /// @throws Error (BadInput) if there are 2^32 joint actions or more
    ActionProfileIndex numProfiles() const;
    double profileCount() const;  ///< numProfiles of any world, rounded beyond 2^53
    /// Why the world is too large to be explored: "has 17 agents with ..."; nothing if it is not.
    std::optional<std::string> whyNotPlannable() const;
    std::vector<int> humans() const;  ///< agent indices with role Human, ascending
    std::vector<int> robots() const;  ///< agent indices with role Robot, ascending
    /// [agents] what stands for each in pictures and texts: humans A, B, ...; robots R, S, ...;
    /// others a, b, ...
    std::vector<std::string> agentLetters() const;

    /// @throws Error (BadInput) if an action does not exist, or the index is 2^32 or more
    ActionProfileIndex profileIndex(std::span<const int> actions) const;
    /// False if profileIndex would throw: so it is for most joint actions of very many agents.
    bool hasProfileIndex(std::span<const int> actions) const;
    std::vector<int> profileActions(ActionProfileIndex profile) const;
    /// "human0: left, robot0: forward"
    std::string profileText(ActionProfileIndex profile) const;

    /// Bit g is set if the human's goal g holds in the configuration. `human` indexes goals().
    std::uint64_t attainedGoals(std::span<const std::uint64_t> configuration, int human) const;
};

/// One line that names a configuration for people: "human0 2,1 E; robot0 3,1 W; door0 open".
std::string describe(const World& world, std::span<const std::uint64_t> configuration);

}  // namespace orrery
