#pragma once

#include <QString>
#include <cstdint>
#include <span>

#include "core/solve/spec.h"
#include "widgets/spec/field_scale.h"

namespace orrery {

/// The parameters that can be explored on a solved graph.
enum class ExploredParameter : std::uint8_t { BetaH, BetaR, GammaH, GammaR, Zeta, Xi, Eta };

/// How a parameter lies on its slider.
struct ParameterScale : FieldScale {
    ExploredParameter parameter;
    const char* field;  ///< key of the spec: "beta_r"
};

std::span<const ParameterScale> parameterScales();

/// A discount that is given as a rate is told as gamma.
double exploredValue(const SolveSpec& spec, ExploredParameter parameter);
/// Setting a discount unsets its rate.
void setExploredValue(SolveSpec& spec, ExploredParameter parameter, double value);

/// "7.5", "∞".
QString parameterText(double value);

/// "β_r 7.5 (run has 5), ζ 3 (run has 2)" as rich text: what differs; empty if nothing does.
QString explorationHtml(const SolveSpec& wanted, const SolveSpec& run);

}  // namespace orrery
