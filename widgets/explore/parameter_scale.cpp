#include "widgets/explore/parameter_scale.h"

#include <QObject>
#include <QStringList>
#include <cmath>

#include "widgets/common/number_text.h"

namespace orrery {

namespace {

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

constexpr ParameterScale kScales[] = {
    {inverseTemperature(0), "beta_h", true, &SolveSpec::beta_h},
    {inverseTemperature(0.001), "beta_r", false, &SolveSpec::beta_r},
    {discount(), "gamma_h", true, nullptr, &SolveSpec::gamma_h, &SolveSpec::rho_h},
    {discount(), "gamma_r", false, nullptr, &SolveSpec::gamma_r, &SolveSpec::rho_r},
    {evenlyInLog(0.25, 16, 0.01, 1000), "zeta", false, &SolveSpec::zeta},
    {evenlyInLog(0.1, 10, 0.01, 1000), "xi", false, &SolveSpec::xi},
    {evenlyInLog(0.25, 4, 0.01, 1000), "eta", false, &SolveSpec::eta}};

}  // namespace

std::span<const ParameterScale> parameterScales() {
    return kScales;
}

double exploredValue(const SolveSpec& spec, const ParameterScale& scale) {
    if (scale.number != nullptr) return spec.*scale.number;
    const std::optional<double>& gamma = spec.*scale.gamma;
    return gamma ? *gamma : std::exp(-(spec.*scale.rho).value_or(0));
}

void setExploredValue(SolveSpec& spec, const ParameterScale& scale, double value) {
    if (scale.number != nullptr) {
        spec.*scale.number = value;
    } else {
        spec.*scale.gamma = value;
        (spec.*scale.rho).reset();
    }
}

void resetExploredValue(SolveSpec& spec, const ParameterScale& scale, const SolveSpec& run) {
    if (scale.number != nullptr) {
        spec.*scale.number = run.*scale.number;
    } else {
        spec.*scale.gamma = run.*scale.gamma;
        spec.*scale.rho = run.*scale.rho;
    }
}

QString parameterText(double value) {
    return std::isinf(value) ? QStringLiteral("∞") : QString::number(value, 'g', 6);
}

QString explorationHtml(const SolveSpec& wanted, const SolveSpec& run) {
    QStringList parts;
    for (const ParameterScale& scale : parameterScales()) {
        const double now = exploredValue(wanted, scale);
        const double before = exploredValue(run, scale);
        if (now != before)
            parts << QObject::tr("%1 %2 (run has %3)")
                         .arg(symbolHtml(QLatin1String(scale.field)), parameterText(now),
                              parameterText(before));
    }
    return parts.join(QStringLiteral(", "));
}

}  // namespace orrery
