#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/empo/learned_values.h"
#include "widgets/replay/replay_filter.h"

namespace orrery::test {

/// Places of the rows that a filter leaves.
inline std::vector<std::uint32_t> filtered(const ReplaySource& source, const QString& text,
                                           const ReplayFilter::Current& current = {}) {
    const ReplayFilter filter(text, source, current);
    std::atomic<std::int64_t> done{0};
    return filter.apply(source, {}, done);
}

/// Learned values that are the same in all states: four robot actions, one human with six goals.
inline LearnedValues evenValues(std::size_t states) {
    LearnedValues values;
    values.numStates = static_cast<int>(states);
    values.numRobotActions = 4;
    values.q_r.assign(states * 4, -2);
    values.pi_r.assign(states * 4, 0.25);
    values.v_h_e = {std::vector<float>(states * 6, 0.5F)};
    values.isVisited_v_h_e = {std::vector<std::uint8_t>(states * 6, 1)};
    values.v_r.assign(states, -3);
    values.isVisited.assign(states, 1);
    return values;
}

}  // namespace orrery::test
