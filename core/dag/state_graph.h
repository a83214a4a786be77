#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/progress.h"
#include "core/world/world.h"

namespace orrery {

/// Index of a configuration in a StateGraph, in the order of discovery.
using ConfigIndex = std::uint32_t;

/// A state as users see it: a configuration at a step.
struct State {
    int step = 0;
    ConfigIndex config = 0;
    bool operator==(const State&) const = default;
};

/// One outcome of a stored row.
struct GraphOutcome {
    double probability;
    ConfigIndex successor;
};

/// The rows of one configuration as stored, for tight loops.
struct ConfigRows {
    const ConfigIndex* successor = nullptr;      ///< [E] profile by profile
    const std::uint16_t* count = nullptr;        ///< [P] outcomes a profile; null: one each
    const std::uint32_t* probability = nullptr;  ///< [E] palette indices; null: all 1
    std::uint32_t numEntries = 0;                ///< E
};

/// Numbers of (step, configuration) states, as the oracles count them.
struct GraphCounts {
    std::int64_t states = 0;
    std::int64_t actionRows = 0;         ///< non-terminal states x profiles
    std::int64_t transitionEntries = 0;  ///< outcomes over all action rows
};

/// Every reachable configuration with its transitions, stored once (folded), and for each step the
/// set of configurations reachable at it. If the world depends on the step, each configuration
/// belongs to one step only (unrolled). Immutable; any thread may read it.
class StateGraph {
public:
    StateGraph();
    ~StateGraph();
    StateGraph(const StateGraph&) = delete;
    StateGraph& operator=(const StateGraph&) = delete;

    const World& world() const;
    std::shared_ptr<const World> worldPointer() const;
    bool isFolded() const;

    ConfigIndex numConfigs() const;
    int numLevels() const;  ///< maxSteps + 1; level t holds the states of step t
    ActionProfileIndex numProfiles() const;

    /// Configurations that can be in level t lie in [levelBegin(t), levelEnd(t)).
    ConfigIndex levelBegin(int step) const;
    ConfigIndex levelEnd(int step) const;
    bool inLevel(int step, ConfigIndex config) const;
    std::int64_t levelSize(int step) const;  ///< number of states of that step
    bool levelIsRange(int step) const;       ///< every index of the range is in it
    /// The k-th state (k from 0) of a level in index order. O(level / 64).
    ConfigIndex levelMember(int step, std::int64_t k) const;
    /// The earliest step at which a configuration is reachable.
    int firstStep(ConfigIndex config) const;

    std::span<const std::uint64_t> configuration(ConfigIndex config) const;
    /// The index of a configuration; in an unrolled graph that of `step`, or the earliest if -1.
    std::optional<ConfigIndex> find(std::span<const std::uint64_t> configuration,
                                    int step = -1) const;

    /// False for a configuration that is reachable only at the last step.
    bool isExpanded(ConfigIndex config) const;
    /// Empty for a configuration that is not expanded.
    ConfigRows rows(ConfigIndex config) const;
    std::span<const double> palette() const;
    /// Outcomes of one profile; empty if the configuration is not expanded.
    std::vector<GraphOutcome> outcomes(ConfigIndex config, ActionProfileIndex profile) const;

    std::int64_t numEntries() const;   ///< stored outcomes
    std::int64_t storedBytes() const;  ///< everything this graph keeps in memory or mapped
    GraphCounts counts() const;        ///< O(states)
    /// SHA-256 (hex) of the world's content hash and the format; names saved graphs.
    std::string contentHash() const;

    struct Storage;  ///< the arrays; state_graph_storage.h
    Storage& storage() { return *m_storage; }
    const Storage& storage() const { return *m_storage; }

private:
    std::unique_ptr<Storage> m_storage;
};

struct ExploreOptions {
    int threads = 1;                ///< >= 1
    std::int64_t memoryBudget = 0;  ///< bytes; 0: 70 % of what is free
    bool unrolled = false;        ///< store (step, configuration) pairs even if folding is possible
    std::int64_t maxConfigs = 0;  ///< more are given up; 0: any number
};

/// Explores all states breadth first from the initial one.
///
/// @return the graph, the same for every number of threads; null if `stop` was requested or there
///         are more configurations than `maxConfigs`
/// @throws Error (Resource) with the estimate if the memory budget will not do, (BadInput) if
///         World::whyNotPlannable
std::shared_ptr<const StateGraph> explore(std::shared_ptr<const World> world,
                                          const ExploreOptions& options, std::stop_token stop = {},
                                          const ProgressSink& progress = {});

/// Writes a graph so that openGraph maps it; atomic. False if stopped.
bool saveGraph(const StateGraph& graph, const std::filesystem::path& file,
               std::stop_token stop = {}, const ProgressSink& progress = {});

/// Maps a saved graph, folded or unrolled. Every block is checked against its checksum. Null if
/// stopped.
/// @throws Error (Damaged) if it is broken, of a newer version or of another world
std::shared_ptr<const StateGraph> openGraph(std::shared_ptr<const World> world,
                                            const std::filesystem::path& file,
                                            std::stop_token stop = {},
                                            const ProgressSink& progress = {});

}  // namespace orrery
