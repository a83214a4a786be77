#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/dag/predicate.h"
#include "core/dag/state_graph.h"

namespace orrery {

class ThreadTeam;

/// A set of states of one graph, however large: one bit for each configuration that may be in a
/// level, 1/8 byte a state. Filled once, then read by any thread.
class StateMarks {
public:
    /// The empty set. Keeps no reference to the graph.
    explicit StateMarks(const StateGraph& graph);

    int numLevels() const { return static_cast<int>(m_levels.size()); }
    bool contains(State state) const;
    std::int64_t total() const { return m_total; }
    std::int64_t count(int step) const { return m_levels[step].count; }
    /// The first states by step, then configuration; at most `limit`.
    std::vector<State> first(std::int64_t limit) const;
    /// The next marked configuration of a level at or after `from`.
    std::optional<ConfigIndex> next(int step, ConfigIndex from) const;
    std::int64_t bytes() const;

    /// The bits of a level, for filling: bit k of word w is configuration begin(step) + 64 w + k.
    /// Only bits of states that are in the level may be set. Call recount() at the end.
    std::span<std::uint64_t> words(int step) { return m_levels[step].words; }
    ConfigIndex begin(int step) const { return m_levels[step].begin; }
    /// The state must be in the graph.
    void insert(State state);
    void recount();

private:
    struct Level {
        ConfigIndex begin = 0, end = 0;
        std::vector<std::uint64_t> words;
        std::int64_t count = 0;
    };
    std::vector<Level> m_levels;
    std::int64_t m_total = 0;
};

/// Marks the states for which a predicate holds. `truths` is called by any of the threads and
/// returns those that Predicate::holds takes of a state.
///
/// @return the same for every number of threads; null if stopped
/// A predicate that does not name the step and needs no `truths` is asked once a configuration.
std::shared_ptr<const StateMarks> markStates(
    const StateGraph& graph, const Predicate& predicate, int threads, std::stop_token stop = {},
    const std::function<std::uint64_t(State)>& truths = {});

/// Marks, in the level after `step`, every successor of the marked states of `step`. Does not count
/// them (recount()). False if stopped.
bool spreadMarks(const StateGraph& graph, StateMarks& marks, int step, ThreadTeam& team,
                 const std::stop_token& stop);

/// All states that can follow `from` under some joint actions, without `from`. Null if stopped.
std::shared_ptr<const StateMarks> markDescendants(const StateGraph& graph, State from, int threads,
                                                  std::stop_token stop = {});

/// All states from which `to` can be reached, without `to`. Null if stopped. Reads the rows of
/// every earlier level once: O(stored outcomes) a level.
std::shared_ptr<const StateMarks> markAncestors(const StateGraph& graph, State to, int threads,
                                                std::stop_token stop = {});

}  // namespace orrery
