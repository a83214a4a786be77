#pragma once

#include <cstddef>
#include <span>

namespace orrery {

/// The values by which a collector's robots act. Each collector has its own: one thread.
class RobotValues {
public:
    virtual ~RobotValues() = default;

    /// Q_r of every joint robot action.
    /// @param state   encoded
    /// @param layout  which world of the run
    /// @param out     [A_r] < 0
    virtual void q_r(std::span<const std::byte> state, int layout, std::span<float> out) = 0;
};

/// How new states are to a learner. Each collector has its own: one thread.
class NoveltyOfStates {
public:
    virtual ~NoveltyOfStates() = default;

    /// @param states  [n x bytes] encoded
    /// @param out     [n]; negative numbers count as 0
    virtual void novelty(std::span<const std::byte> states, int layout, std::span<float> out) = 0;
};

}  // namespace orrery
