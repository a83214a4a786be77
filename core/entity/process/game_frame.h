#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/env/environment.h"

namespace orrery {

/// What a game shows of one environment, and what the step came to. Reused, so that a warm one
/// allocates little.
struct GameFrame {
    Observation seen = {};  ///< of an episode that is over nothing is offered
    double reward = 0;
    EpisodeEnd end = EpisodeEnd::None;
    std::vector<std::string> otherMetrics = {};  ///< that the spaces do not name
};

/// Which frame it is: one that begins or continues an episode, one after a step, or anyone's guess.
enum class FrameRole : std::uint8_t { First, AfterStep, Any };

/// Reads and checks it: as readFrame(), with reward, done, truncated and metrics; numbers are
/// finite, who decides has a choice.
/// @param frame  its actions are of no use afterwards
/// @return what is wrong, with the field; empty: nothing. `out.seen` is then of no use
/// Source: resources/specs/environment_protocol.md.
std::string readGameFrame(const EnvironmentSpaces& spaces, nlohmann::json& frame, FrameRole role,
                          GameFrame& out);

}  // namespace orrery
