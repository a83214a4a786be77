#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "core/replay/step_model.h"
#include "core/replay/world_facts.h"

namespace orrery {

/// One collected step. Small: what is large is shared through its model.
struct Transition {
    std::shared_ptr<const StepModel> model;
    /// model->fingerprint and fingerprintOf(model->state, layout), so that whoever knows both need
    /// not look at memory that other threads share; zero: they are computed.
    Fingerprint modelFingerprint = {}, stateFingerprint = {};
    std::uint16_t layout = 0;      ///< which world of the run
    std::uint16_t collector = 0;   ///< who made it
    std::int32_t robotAction = 0;  ///< joint index, as WorldFacts::numRobotActions orders them
    std::uint32_t reached = 0;     ///< the successor that came, in [0, U)
    std::int64_t episode = 0;      ///< counts per collector
    std::int32_t step = 0;         ///< within the episode
    bool endsEpisode = false;      ///< the last of it, by steps_per_episode or the world
    std::array<std::uint8_t, kMaxLearnedHumans> humanActions{};  ///< [H] then zeros
    std::array<std::int8_t, kMaxLearnedHumans> goals{};          ///< [H] pursued, index in goals
    std::array<float, kMaxLearnedHumans> goalWeights{};          ///< [H] weight of the drawn goal
};

}  // namespace orrery
