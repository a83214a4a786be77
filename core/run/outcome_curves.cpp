#include "core/run/outcome_curves.h"

#include <algorithm>
#include <utility>

#include "core/run/run_kind.h"

namespace orrery {

namespace {

constexpr std::pair<std::string_view, std::string TrainingDisplay::*> kOutcomes[] = {
    {kReturnCurve, &TrainingDisplay::returnCurve},
    {kLengthCurve, &TrainingDisplay::lengthCurve},
    {kSuccessCurve, &TrainingDisplay::successCurve}};

}  // namespace

std::string_view outcomeOf(std::string_view curve) {
    for (const RunKind* kind : runKinds())
        for (const auto& [outcome, name] : kOutcomes)
            if (!curve.empty() && kind->display.*name == curve) return outcome;
    return {};
}

std::vector<std::string> curvesOfOutcome(std::string_view outcome) {
    std::vector<std::string> curves;
    for (const RunKind* kind : runKinds())
        for (const auto& [shared, name] : kOutcomes)
            if (const std::string& curve = kind->display.*name;
                shared == outcome && !curve.empty() &&
                std::ranges::find(curves, curve) == curves.end())
                curves.push_back(curve);
    return curves;
}

}  // namespace orrery
