#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/dag/state_graph.h"

namespace orrery {

/// A state at the end of an edge.
struct WeightedState {
    State state;
    double probability = 0;
    bool operator==(const WeightedState&) const = default;
};

/// What may follow a state, each successor once and by configuration, with its probability in
/// (0, 1]; empty at the last step. Called by one thread at a time.
using EdgesOf = std::function<std::vector<WeightedState>(State)>;

/// The edges of one joint action.
EdgesOf edgesUnder(const StateGraph& graph, ActionProfileIndex profile);
/// The edges under any joint action, all of them equally likely.
EdgesOf edgesUnderAny(const StateGraph& graph);

/// The configurations of the level before `step` that have one of `targets` (sorted, of `step`)
/// among their successors under some joint action; ascending. Nothing if stopped.
///
/// Scans the successors of the level before, which takes some 0.3 ns an outcome for one target; an
/// index would answer faster but need as much memory as the successors themselves.
std::optional<std::vector<ConfigIndex>> predecessors(const StateGraph& graph, int step,
                                                     std::span<const ConfigIndex> targets,
                                                     int threads, std::stop_token stop = {});

/// The neighbours of one state on one side.
struct Fan {
    State centre;
    bool isForward = true;
    std::vector<WeightedState> ends = {};  ///< by descending probability, then configuration
    std::int64_t numLeftOut = 0;  ///< further neighbours that the limits cut off; -1: not counted
};

struct NeighbourhoodSpec {
    int forward = 1, backward = 1;      ///< hops; >= 0
    std::int64_t maxStates = 5000;      ///< of the result, the centre among them
    std::size_t maxEnds = SIZE_MAX;     ///< of one fan forward
    std::size_t maxOrigins = SIZE_MAX;  ///< of one fan backward
    int threads = 1;
};

/// The fans of all states within some hops of a centre, nearest first: descendants of the centre
/// forward, its ancestors backward. A predecessor counts if its edges lead to the state.
struct Neighbourhood {
    std::vector<Fan> fans;
    std::int64_t numStates = 0;  ///< different states in the fans and the centre
    bool isComplete = true;      ///< maxStates did not cut anything off
};

/// Nothing if stopped.
std::optional<Neighbourhood> neighbourhood(const StateGraph& graph, State centre,
                                           const NeighbourhoodSpec& spec, const EdgesOf& edges,
                                           std::stop_token stop = {});

}  // namespace orrery
