#include "widgets/explore/parameter_scale.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/common/number_text.h"

namespace orrery {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

constexpr ParameterScale kScales[] = {
    {ExploredParameter::BetaH, "beta_h", 0.1, 1000, 0, kInf, false, true, true},
    {ExploredParameter::BetaR, "beta_r", 0.1, 1000, 0.001, kInf, false, false, true},
    {ExploredParameter::GammaH, "gamma_h", 0.5, 1, 0.001, 1, true, false, false},
    {ExploredParameter::GammaR, "gamma_r", 0.5, 1, 0.001, 1, true, false, false},
    {ExploredParameter::Zeta, "zeta", 0.25, 16, 0.01, 1000, false, false, false},
    {ExploredParameter::Xi, "xi", 0.1, 10, 0.01, 1000, false, false, false},
    {ExploredParameter::Eta, "eta", 0.25, 4, 0.01, 1000, false, false, false},
};

/// Shortest horizons' part that a slider tells from none: 1 - gamma = 0.0001.
constexpr double kLeastLoss = 1e-4;

double rounded(double value, int digits) {
    return QString::number(value, 'g', digits).toDouble();
}

}  // namespace

int ParameterScale::place(double value) const {
    if (isDiscount) {
        if (value >= 1) return kSteps;
        const double part = std::log((1 - low) / (1 - value)) / std::log((1 - low) / kLeastLoss);
        return std::clamp(static_cast<int>(std::lround(part * (kSteps - 1))), 0, kSteps - 1);
    }
    if (takesInfinity && value > high) return kSteps;
    if (takesZero && value <= 0) return 0;
    const int first = takesZero ? 1 : 0, last = takesInfinity ? kSteps - 1 : kSteps;
    if (value <= low) return first;
    const double part = std::log(value / low) / std::log(high / low);
    return std::clamp(first + static_cast<int>(std::lround(part * (last - first))), first, last);
}

double ParameterScale::value(int place) const {
    if (isDiscount) {
        if (place >= kSteps) return 1;
        const double part = static_cast<double>(place) / (kSteps - 1);
        return 1 - rounded((1 - low) * std::pow(kLeastLoss / (1 - low), part), 2);
    }
    if (takesInfinity && place >= kSteps) return kInf;
    if (takesZero && place <= 0) return 0;
    const int first = takesZero ? 1 : 0, last = takesInfinity ? kSteps - 1 : kSteps;
    const double part = static_cast<double>(place - first) / (last - first);
    return rounded(low * std::pow(high / low, part), 3);
}

std::span<const ParameterScale> parameterScales() {
    return kScales;
}

double exploredValue(const SolveSpec& spec, ExploredParameter parameter) {
    switch (parameter) {
        case ExploredParameter::BetaH:
            return spec.beta_h;
        case ExploredParameter::BetaR:
            return spec.beta_r;
        case ExploredParameter::GammaH:
            return spec.gamma_h ? *spec.gamma_h : std::exp(-spec.rho_h.value_or(0));
        case ExploredParameter::GammaR:
            return spec.gamma_r ? *spec.gamma_r : std::exp(-spec.rho_r.value_or(0));
        case ExploredParameter::Zeta:
            return spec.zeta;
        case ExploredParameter::Xi:
            return spec.xi;
        case ExploredParameter::Eta:
            return spec.eta;
    }
    return 0;
}

void setExploredValue(SolveSpec& spec, ExploredParameter parameter, double value) {
    switch (parameter) {
        case ExploredParameter::BetaH:
            spec.beta_h = value;
            break;
        case ExploredParameter::BetaR:
            spec.beta_r = value;
            break;
        case ExploredParameter::GammaH:
            spec.gamma_h = value;
            spec.rho_h.reset();
            break;
        case ExploredParameter::GammaR:
            spec.gamma_r = value;
            spec.rho_r.reset();
            break;
        case ExploredParameter::Zeta:
            spec.zeta = value;
            break;
        case ExploredParameter::Xi:
            spec.xi = value;
            break;
        case ExploredParameter::Eta:
            spec.eta = value;
            break;
    }
}

QString parameterText(double value) {
    return std::isinf(value) ? QStringLiteral("∞") : QString::number(value, 'g', 6);
}

QString explorationHtml(const SolveSpec& wanted, const SolveSpec& run) {
    QStringList parts;
    for (const ParameterScale& scale : parameterScales()) {
        const double now = exploredValue(wanted, scale.parameter);
        const double before = exploredValue(run, scale.parameter);
        if (now != before)
            parts << QObject::tr("%1 %2 (run has %3)")
                         .arg(symbolHtml(QLatin1String(scale.field)), parameterText(now),
                              parameterText(before));
    }
    return parts.join(QStringLiteral(", "));
}

}  // namespace orrery
