#pragma once

#include <QString>
#include <cstdint>
#include <span>

#include "core/solve/spec.h"

namespace orrery {

/// The parameters that can be explored on a solved graph.
enum class ExploredParameter : std::uint8_t { BetaH, BetaR, GammaH, GammaR, Zeta, Xi, Eta };

/// How a parameter lies on a slider of kSteps + 1 places: evenly in its logarithm, a discount
/// evenly in that of its horizon 1 / (1 - gamma). Values beyond the slider's ends can be typed.
struct ParameterScale {
    static constexpr int kSteps = 1000;

    ExploredParameter parameter = ExploredParameter::BetaH;
    const char* field = "";      ///< key of the spec: "beta_r"
    double low = 0, high = 1;    ///< at the ends of the slider
    double least = 0, most = 1;  ///< that can be typed
    bool isDiscount = false;     ///< `high` is 1
    bool takesZero = false;      ///< the first place is 0
    bool takesInfinity = false;  ///< the last place is infinity

    /// Of an exact value the nearest place.
    int place(double value) const;
    /// A value with three significant digits.
    double value(int place) const;
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
