#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/dag/state_graph.h"

namespace orrery {

/// Checks of state graphs for every world. Each returns what is wrong, a line each, at most 20.
using Mismatches = std::vector<std::string>;

/// Two graphs are equal in every stored value: order of configurations, rows, palette, levels.
Mismatches graphDifferences(const StateGraph& a, const StateGraph& b);

/// Two graphs describe the same world: for each step the same set of configurations, and each with
/// the same outcomes, however they are stored.
Mismatches meaningDifferences(const StateGraph& a, const StateGraph& b);

/// Sizes, membership queries, find(), rows and counts of one graph agree with each other, and the
/// probabilities of every row sum to 1.
Mismatches inconsistencies(const StateGraph& graph);

/// The graph holds what World::outcomes() gives, found by a plain breadth-first search.
Mismatches differencesFromPlainSearch(const StateGraph& graph);

/// True if opening a file ends with an Error of kind Damaged, false if it succeeds or ends with
/// another one.
bool refusedAsDamaged(const std::function<void()>& open);

}  // namespace orrery
