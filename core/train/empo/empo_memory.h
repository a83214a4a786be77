#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/empo/spec.h"
#include "core/train/memory_part.h"
#include "core/world/world.h"

namespace orrery {

/// What a training with this spec comes to hold in these worlds, about and at most, by parts. Acts
/// some hundred steps at random in each world to learn how many states a transition brings along:
/// some milliseconds, up to a second where a step of many agents can lead to much. Later on fewer
/// of them are new than these say.
/// @throws Error (BadInput) if the worlds cannot be learned on together
std::vector<MemoryPart> empoMemory(const EmpoSpec& spec,
                                   const std::vector<std::shared_ptr<const World>>& worlds,
                                   const std::stop_token& stop);

}  // namespace orrery
