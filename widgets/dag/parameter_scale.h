#pragma once

#include <QString>
#include <optional>
#include <span>

#include "core/solve/spec.h"
#include "widgets/spec/field_scale.h"

namespace orrery {

/// A parameter that can be explored on a solved graph, and how it lies on its slider.
struct ParameterScale : FieldScale {
    const char* field = "";  ///< key of the spec: "beta_r"
    bool isOfPhase1 = false;
    double SolveSpec::*number = nullptr;  ///< null: a discount, which may be given as a rate
    std::optional<double> SolveSpec::*gamma = nullptr;
    std::optional<double> SolveSpec::*rho = nullptr;
};

std::span<const ParameterScale> parameterScales();
/// Null: the field cannot be explored.
const FieldScale* parameterScale(const RunField& field);

/// A discount that is given as a rate is told as gamma.
double exploredValue(const SolveSpec& spec, const ParameterScale& scale);
/// Gives a parameter the value that it has in another spec, and in that one's form: a rate stays a
/// rate.
void takeExploredValue(SolveSpec& spec, const ParameterScale& scale, const SolveSpec& from);

/// "7.5", "∞".
QString parameterText(double value);

/// "β_r 7.5 (run has 5), ζ 3 (run has 2)" as rich text: what differs; empty if nothing does.
QString explorationHtml(const SolveSpec& wanted, const SolveSpec& run);

}  // namespace orrery
