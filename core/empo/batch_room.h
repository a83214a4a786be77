#pragma once

#include <cstdint>
#include <span>

#include "core/empo/spec.h"
#include "core/replay/replay_buffer.h"

namespace orrery {

/// What a batch asks of networks and tables, at most.
struct BatchSize {
    std::int64_t states = 0;   ///< that transitions start at or may lead to
    std::int64_t pairs = 0;    ///< of a state, a human and a goal
    std::int64_t entries = 0;  ///< outcomes of joint actions, for each of their targets
};

/// The size of a batch, before anything is computed of it. O(batch).
/// @param pairsOfState  goals that are asked of each state, over its humans
BatchSize sizeOf(const ReplayBuffer& buffer, std::span<const ReplayBuffer::Slot> batch,
                 std::int64_t pairsOfState);

/// Bytes that its targets take while they are computed on the CPU, by measurement.
/// @param width, height  cells of the encoding
std::int64_t bytesOf(const BatchSize& size, const EmpoSpec& spec, int width, int height);

/// Refuses a batch that would not fit into 70 % of the free memory. What a world can lead to grows
/// with the joint actions of its humans, so it is worlds of many humans that this meets.
/// @throws Error (Resource)
void requireRoom(std::int64_t bytes, const BatchSize& size, std::int64_t freeBytes);

}  // namespace orrery
