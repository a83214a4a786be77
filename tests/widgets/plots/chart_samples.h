#pragma once

#include <cmath>
#include <vector>

#include "core/base/rng.h"
#include "widgets/plots/chart.h"

namespace orrery {

/// Points of a made-up learning curve: it falls from `high` to `low` with noise in proportion.
struct SampleCurve {
    std::vector<double> x, y;
};

inline SampleCurve fallingCurve(std::uint64_t seed, std::size_t count, double every, double high,
                                double low, double noise) {
    SampleCurve curve;
    Rng rng(seed);
    const double last = every * static_cast<double>(count - 1);
    for (std::size_t i = 0; i < count; ++i) {
        const double x = every * static_cast<double>(i);
        const double mean = low + (high - low) * std::exp(-5 * x / last);
        curve.x.push_back(x);
        curve.y.push_back(mean * std::exp(noise * (2 * rng.uniform() - 1)));
    }
    return curve;
}

/// The chart of the design's training view: two lines, stages, steering events, logarithmic.
inline void fillErrorChart(Chart& chart) {
    chart.setTitle(QStringLiteral("Error to exact"), QStringLiteral("mean |learned − exact|"));
    chart.setXName(QStringLiteral("step"), true);
    const SeriesHandle v_h_e = chart.addSeries({.name = QStringLiteral("V_h^e"), .color = 0});
    const SeriesHandle v_r = chart.addSeries({.name = QStringLiteral("V_r"), .color = 1});
    SampleCurve curve = fallingCurve(1, 4200, 10, 0.8, 0.02, 0.5);
    chart.append(v_h_e, curve.x, curve.y);
    curve = fallingCurve(2, 2200, 10, 3, 0.2, 0.3);
    for (double& x : curve.x) x += 20000;
    chart.append(v_r, curve.x, curve.y);
    chart.setStages({{0, 10000, QStringLiteral("V_h^e"), 0, false},
                     {10000, 20000, QStringLiteral("X_h"), 2, false},
                     {20000, 30000, QStringLiteral("Q_r"), 1, false},
                     {30000, 50000, QStringLiteral("beta_r ramp"), 6, true}});
    chart.setEvents({{24100, ChartEventKind::Steering, QStringLiteral("learning rate 1e-3 → 3e-4")},
                     {38400, ChartEventKind::Steering, QStringLiteral("beta_r target 3.0 → 5.0")}});
    chart.setScales(ScaleKind::Linear, ScaleKind::Log);
    chart.setSmoothing({SmoothingKind::Ema, 400});
}

/// Two settings of five seeds each, as bands.
inline void fillSeedChart(Chart& chart) {
    chart.setTitle(QStringLiteral("Error of V_h^e to exact"), QStringLiteral("mean over states"));
    for (const int group : {0, 1}) {
        chart.addGroup(group == 0 ? QStringLiteral("beta_r 5") : QStringLiteral("beta_r 2"), group);
        for (int seed = 1; seed <= 5; ++seed) {
            const auto key =
                10 * static_cast<std::uint64_t>(group) + static_cast<std::uint64_t>(seed);
            const SampleCurve curve =
                fallingCurve(key, 6000, 10, 0.7 + 0.02 * seed,
                             group == 0 ? 0.018 + 0.001 * seed : 0.04 + 0.002 * seed, 0.15);
            chart.append(
                chart.addSeries(
                    {.name = QStringLiteral("seed %1").arg(seed), .color = group, .group = group}),
                curve.x, curve.y);
        }
    }
    chart.setScales(ScaleKind::Linear, ScaleKind::Log);
}

}  // namespace orrery
