#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/replay/replay_buffer.h"
#include "core/replay/world_facts.h"

namespace orrery {

/// Writes the transitions of a batch whose numbers are not finite, so that they can be looked at:
/// one line each in nan_batch_STEP.csv, states as the hexadecimal digits of their encoded bytes.
/// @param facts  of the run's worlds
/// @return the file's name in `folder`
/// @throws Error as atomicWrite
std::string keepBatch(const std::filesystem::path& folder, std::int64_t step,
                      const ReplayBuffer& buffer, std::span<const ReplayBuffer::Slot> slots,
                      std::span<const WorldFacts> facts);

}  // namespace orrery
