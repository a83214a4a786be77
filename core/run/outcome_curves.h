#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// What an episode comes to, by names that all kinds of trainings share: under them the curves of
/// different methods, and of logs of other programs, stand on one chart.
inline constexpr std::string_view kReturnCurve = "outcome/return", kLengthCurve = "outcome/length",
                                  kSuccessCurve = "outcome/success";

/// The shared name of a curve that some kind of trainings names as such an outcome
/// (TrainingDisplay::returnCurve and its like); empty: it is none.
std::string_view outcomeOf(std::string_view curve);

/// The curves that have this shared name, one a kind of trainings at most; empty: it is none.
std::vector<std::string> curvesOfOutcome(std::string_view outcome);

}  // namespace orrery
