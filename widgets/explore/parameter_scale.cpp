#include "widgets/explore/parameter_scale.h"

#include <QObject>
#include <QStringList>
#include <cmath>

#include "widgets/common/number_text.h"

namespace orrery {

namespace {

using enum ExploredParameter;

/// With three significant digits, of which a step changes the second.
constexpr FieldScale evenlyInLog(double low, double high, double least, double most) {
    return {.low = low,
            .high = high,
            .way = FieldScale::Way::Log,
            .least = least,
            .most = most,
            .digits = 3,
            .decimals = 4,
            .stepsByDigit = true};
}

constexpr FieldScale inverseTemperature(double least) {
    FieldScale scale = evenlyInLog(0.1, 1000, least, 1000);
    scale.takesZero = least == 0;
    scale.takesInfinity = true;
    return scale;
}

constexpr FieldScale discount() {
    FieldScale scale = evenlyInLog(0.5, 1, 0.001, 1);
    scale.way = FieldScale::Way::Horizon;
    return scale;
}

constexpr ParameterScale kScales[] = {{inverseTemperature(0), BetaH, "beta_h"},
                                      {inverseTemperature(0.001), BetaR, "beta_r"},
                                      {discount(), GammaH, "gamma_h"},
                                      {discount(), GammaR, "gamma_r"},
                                      {evenlyInLog(0.25, 16, 0.01, 1000), Zeta, "zeta"},
                                      {evenlyInLog(0.1, 10, 0.01, 1000), Xi, "xi"},
                                      {evenlyInLog(0.25, 4, 0.01, 1000), Eta, "eta"}};

}  // namespace

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
