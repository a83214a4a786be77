#pragma once

#include "core/run/training_display.h"

namespace orrery {

/// How trainings of learned planning are shown.
TrainingDisplay empoDisplay();

}  // namespace orrery
