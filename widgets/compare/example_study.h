#pragma once

#include <vector>

#include "core/run/run_spec.h"

namespace orrery {

/// The tag of the runs of the example study.
inline constexpr char kStudyTag[] = "example-study";

/// A study to look at in Compare: one world under two powers of the robot's policy, each with five
/// seeds of three hundred sampled episodes. It takes about a second.
std::vector<RunSpec> studyRuns();

}  // namespace orrery
