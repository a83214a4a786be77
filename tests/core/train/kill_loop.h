#pragma once

#include <QString>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "step_clock.h"
#include "victims.h"

namespace orrery::test {

/// What many kills of trainings came to.
struct Kills {
    int starts = 0, interrupted = 0, finished = 0;
    int attempts = 0;                     ///< starts that were to be killed
    int trained = 0;                      ///< kills after points were told
    std::vector<StepClock::Loss> losses;  ///< of each kill
    QString problem;                      ///< the first; empty: none

    double mostLost() const;      ///< seconds of points, in any
    double commonlyLost() const;  ///< in 99 of 100
    QString summary() const;
};

/// Kills two trainings at once at any moment, evenly in the logarithm of time, so that the start is
/// hit as often as the work; each again and again until it is finished, then once more from the
/// begin, until both have half of the kills.
/// @param orders    fresh workspaces, two of the same spec
/// @param longest   milliseconds to a kill at most, at least 10
/// @param lastStep  of the checkpoint at the end
/// @param expected  contentOf() that step without kills
Kills killAtAnyInstant(const std::array<VictimOrder, 2>& orders, int kills, double longest,
                       std::int64_t lastStep, const std::map<std::string, std::string>& expected);

}  // namespace orrery::test
