#pragma once

#include <vector>

#include "widgets/learned/learned_errors.h"

namespace orrery {

/// A histogram of durations for ErrorBars: a bar is the number of steps. Each bin reaches as many
/// times as far as the one before, up to the 99th percentile, since a few steps last a hundred
/// times as long as most; the last one also holds what took longer.
/// @param ns  of one step each
std::vector<ErrorBin> durationBins(std::vector<double> ns);

}  // namespace orrery
