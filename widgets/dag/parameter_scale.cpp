#include "widgets/dag/parameter_scale.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "widgets/common/number_text.h"

namespace orrery {

namespace {

/// With three significant digits.
constexpr FieldScale evenlyInLog(double low, double high) {
    return {.low = low, .high = high, .way = FieldScale::Way::Log, .digits = 3};
}

constexpr FieldScale inverseTemperature(bool takesZero) {
    FieldScale scale = evenlyInLog(0.1, 1000);
    scale.takesZero = takesZero;
    scale.takesInfinity = true;
    return scale;
}

constexpr FieldScale kDiscount{.low = 0.5, .high = 1, .way = FieldScale::Way::Horizon};

constexpr ParameterScale kScales[] = {
    {inverseTemperature(true), "beta_h", true, &SolveSpec::beta_h},
    {inverseTemperature(false), "beta_r", false, &SolveSpec::beta_r},
    {kDiscount, "gamma_h", true, nullptr, &SolveSpec::gamma_h, &SolveSpec::rho_h},
    {kDiscount, "gamma_r", false, nullptr, &SolveSpec::gamma_r, &SolveSpec::rho_r},
    {evenlyInLog(0.25, 16), "zeta", false, &SolveSpec::zeta},
    {evenlyInLog(0.1, 10), "xi", false, &SolveSpec::xi},
    {evenlyInLog(0.25, 4), "eta", false, &SolveSpec::eta}};

}  // namespace

std::span<const ParameterScale> parameterScales() {
    return kScales;
}

const FieldScale* parameterScale(const RunField& field) {
    const auto* scale = std::ranges::find(kScales, field.name, &ParameterScale::field);
    return scale == std::end(kScales) ? nullptr : scale;
}

double exploredValue(const SolveSpec& spec, const ParameterScale& scale) {
    if (scale.number != nullptr) return spec.*scale.number;
    const std::optional<double>& gamma = spec.*scale.gamma;
    return gamma ? *gamma : std::exp(-(spec.*scale.rho).value_or(0));
}

void takeExploredValue(SolveSpec& spec, const ParameterScale& scale, const SolveSpec& from) {
    if (scale.number != nullptr) {
        spec.*scale.number = from.*scale.number;
    } else {
        spec.*scale.gamma = from.*scale.gamma;
        spec.*scale.rho = from.*scale.rho;
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
