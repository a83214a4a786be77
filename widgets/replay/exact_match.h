#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>

#include "core/dag/state_graph.h"
#include "widgets/replay/replay_source.h"

namespace orrery {

/// A state as a replay buffer keeps it, and where it may be looked for.
struct EncodedPlace {
    std::span<const std::byte> encoded = {};
    int layout = 0;
    int step = 0;  ///< of the world
};

/// Which state of a graph of its world that is: the first one of its step that is encoded so.
/// Nothing if there is none. O(states of the step); any thread.
std::optional<State> stateOfEncoded(const StateGraph& graph, const ReplaySource& source,
                                    const EncodedPlace& place, const std::stop_token& stop);

}  // namespace orrery
