#pragma once

#include <string>

#include "core/empo/spec.h"
#include "core/train/steering.h"

namespace orrery {

/// Applies a change of a live field (liveFields()) to a spec.
/// @return the old value as text and no problem; or a problem, the spec being unchanged
AppliedChange applyChange(const TrainChange& change, EmpoSpec& spec);
/// The same with a change of one of kStopKeys.
AppliedChange applyChange(const TrainChange& change, StopConditions& stop);
bool isStopKey(const std::string& key);

/// "actor.3" -> 3; -1 if the key is not an actor's.
int actorOf(const std::string& key);

}  // namespace orrery
