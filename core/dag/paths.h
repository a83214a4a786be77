#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/dag/neighbours.h"
#include "core/dag/state_marks.h"

namespace orrery {

/// States one after the other, each with the probability of the edge that leads to it.
struct StatePath {
    std::vector<WeightedState> states;  ///< the first has probability 1
    double probability = 1;             ///< product over the edges
    /// False if the search gave up: there may be a more probable path.
    bool isProven = true;
};

/// The most probable path from a state to the last step. Ties go to the lower configuration.
///
/// @param edges         successors with their probabilities, as of a policy
/// @param maxExpanded   states whose edges are asked for before the search gives up and returns the
///                      best path of single steps that it knows
/// @return nothing if stopped
/// Best first, with the path of the likeliest single steps as the bound.
std::optional<StatePath> mostProbablePath(const StateGraph& graph, State from, const EdgesOf& edges,
                                          std::int64_t maxExpanded, std::stop_token stop = {});

/// A path to a set of states.
struct ShortestPath {
    bool isFound = false;
    std::vector<State> states;                 ///< from the first state to the one in the set
    std::vector<ActionProfileIndex> profiles;  ///< [states - 1] joint action of each edge
    std::vector<double> probabilities;         ///< [states - 1] of the successor under it
};

/// A path of as few steps as possible from a state to a state of `goals`, under any joint actions;
/// of those the one whose last state has the lowest configuration. A state that is in the set needs
/// no step. Nothing if stopped.
std::optional<ShortestPath> shortestPath(const StateGraph& graph, State from,
                                         const StateMarks& goals, int threads,
                                         std::stop_token stop = {});

}  // namespace orrery
