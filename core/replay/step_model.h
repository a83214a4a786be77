#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/replay/fingerprint.h"

namespace orrery {

/// Everything that can follow one state, computed once by a collector and shared by all transitions
/// that start there. Immutable once made.
///
/// Rows: with humans as expected (`profile` < 0) one for each human profile and robot action, row
/// index profile * A_r + action; with humans as sampled one for each robot action under the profile
/// that was taken.
struct StepModel {
    std::vector<std::byte> state;          ///< encoded
    std::vector<std::byte> successors;     ///< [U x bytes] encoded, all different
    std::int32_t profile = -1;             ///< human profile of all rows; -1: rows of every profile
    std::vector<std::uint32_t> rowBegin;   ///< [rows + 1]
    std::vector<float> probability;        ///< [E] > 0, each row sums to 1
    std::vector<std::uint32_t> successor;  ///< [E] in [0, U)
    std::vector<float> duration;           ///< [rows] D(s,a), > 0; empty: 1 everywhere
    /// pi_h(a | s, g): human by human, goal by goal, [A_h] each sums to 1. Always there.
    std::vector<float> prior;
    bool endsWorld = false;  ///< all successors are terminal
    /// fingerprintOf(*this), so that equal models are found fast; zero: a buffer computes it.
    Fingerprint fingerprint = {};

    std::size_t numSuccessors() const {
        return state.empty() ? 0 : successors.size() / state.size();
    }
    std::span<const std::byte> successorBytes(std::size_t i) const {
        return std::span(successors).subspan(i * state.size(), state.size());
    }
    /// Memory that it takes.
    std::size_t bytes() const;
};

/// Of everything in the model but its own fingerprint; never zero.
Fingerprint fingerprintOf(const StepModel& model);

}  // namespace orrery
