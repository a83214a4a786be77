#pragma once

#include <vector>

#include "widgets/learned/learned_errors.h"

namespace orrery {

/// A histogram of durations for ErrorBars: a bar is the number of steps. The bins are equally wide
/// up to the 99th percentile; the last one also holds what took longer.
/// @param ns  of one step each
std::vector<ErrorBin> durationBins(std::vector<double> ns);

}  // namespace orrery
