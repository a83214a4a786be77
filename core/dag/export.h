#pragma once

#include <filesystem>
#include <stop_token>

#include "core/base/progress.h"
#include "core/dag/state_graph.h"

namespace orrery {

/// Exports number the states 0, 1, ... by step, then by configuration index; the initial state is
/// 0. Every file is written atomically and bit-equal for equal graphs, with '.' as decimal point
/// and the shortest text that reads back to the same double. Each function returns false if
/// stopped, and throws Error (Resource) naming file and reason if it cannot be written. Memory
/// beyond the graph: 4 bytes a configuration. May be called from any thread.

/// States that exportDot takes.
inline constexpr std::int64_t kMaxDotStates = 5000;

/// Graphviz DOT: one box a state, one column a step, one arrow a pair of states; it names up to
/// three joint actions that may lead there, with their probability unless it is 1.
/// @throws Error (BadInput) if the graph has more than kMaxDotStates states
bool exportDot(const StateGraph& graph, const std::filesystem::path& file,
               const std::stop_token& stop = {}, const ProgressSink& progress = {});

/// PRISM's explicit files of a Markov decision process, STEM.tra, STEM.sta and STEM.lab:
/// choices are the joint actions by index, named "left_forward" (agent 0 first); variables are
/// `step` and World::variables() with '_' for '.'; labels are "init", "deadlock" and "terminal"
/// (the states of the last step, which have no choice), and "HUMAN_goalG_at_X_Y" or
/// "HUMAN_goalG_in_X1_Y1_X2_Y2" where that goal holds. If stopped, STEM.tra may be left complete
/// without the others, which are written after it.
bool exportPrism(const StateGraph& graph, const std::filesystem::path& stem,
                 const std::stop_token& stop = {}, const ProgressSink& progress = {});

/// CSV, one line a state: step, index of the configuration, value of each variable.
bool exportStatesCsv(const StateGraph& graph, const std::filesystem::path& file,
                     const std::stop_token& stop = {}, const ProgressSink& progress = {});

}  // namespace orrery
