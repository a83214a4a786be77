#pragma once

#include "widgets/plots/smoothing.h"

namespace orrery {

/// The smoothing that a new chart starts with; a chart that was there keeps its own. Call it in the
/// GUI thread.
void setDefaultSmoothing(const SmoothingSpec& smoothing);
const SmoothingSpec& defaultSmoothing();

}  // namespace orrery
