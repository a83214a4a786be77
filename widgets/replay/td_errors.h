#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/empo/learner_desk.h"
#include "widgets/replay/replay_source.h"

namespace orrery {

/// States whose values the TD errors of transitions need: statesOfTarget() of one after the other.
/// @param places  of one world
std::vector<std::byte> statesOfErrors(const ReplaySource& source,
                                      std::span<const std::uint32_t> places);

/// Target minus prediction of Q_r for the joint robot action that was taken, one step ahead.
/// @param answer  to statesOfErrors() of the same places
/// @return [places]
std::vector<double> tdErrorsOf(const ReplaySource& source, std::span<const std::uint32_t> places,
                               const ValueAnswer& answer);

}  // namespace orrery
