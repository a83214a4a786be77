#pragma once

#include <stop_token>
#include <vector>

#include "core/run/run_spec.h"
#include "core/train/memory_part.h"

namespace orrery {

/// What a training with these settings comes to hold, by parts, as its kind estimates it; nothing
/// where that does not.
/// @throws Error (BadInput) of its inputs
std::vector<MemoryPart> trainingMemory(const Job& job, const std::stop_token& stop);

/// Refuses a training that may come to hold more than it may take.
/// @throws Error (Resource) with the numbers, (BadInput)
void requireTrainingMemory(const Job& job, const std::stop_token& stop);

}  // namespace orrery
