#pragma once

#include <cstddef>

#include "core/run/training_display.h"

namespace orrery {

/// How trainings of learned planning are shown.
TrainingDisplay empoDisplay();

/// The world of a collector, with the goals that its humans pursue.
ActorView empoActorView(const TrainSnapshot& training, std::size_t actor, const PictureWish& wish);

}  // namespace orrery
