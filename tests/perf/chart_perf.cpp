// Measures charts at 10^7 points x 4 series: building the pyramid, asking it for 1,920 columns, and
// a whole frame while zooming and panning. Needs a display, or QT_QPA_PLATFORM=offscreen.
#include <benchmark/benchmark.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/cpu.h"
#include "core/base/rng.h"
#include "tests/perf/perf_parts.h"
#include "tests/perf/perf_rows.h"
#include "widgets/plots/chart.h"

namespace orrery::perf {

namespace {

constexpr std::size_t kPoints = 10000000;
constexpr int kSeries = 4;
constexpr int kColumns = 1920;

double millisecondsSince(double start) {
    return threadCpuMs() - start;
}

double percentile(std::vector<double> values, double part) {
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

struct Points {
    std::vector<double> x, y;
};

const Points& samplePoints() {
    static const Points kSample = [] {
        Points made;
        made.x.resize(kPoints);
        made.y.resize(kPoints);
        Rng rng(5);
        double drift = 0;
        for (std::size_t i = 0; i < kPoints; ++i) {
            made.x[i] = static_cast<double>(10 * i);
            drift += rng.uniform() - 0.5;
            made.y[i] = 1e-3 * drift + rng.uniform();
        }
        return made;
    }();
    return kSample;
}

}  // namespace

void chartQuery(benchmark::State& state) {
    const Points& points = samplePoints();
    for (auto _ : state) {
        auto start = threadCpuMs();
        Series series;
        series.append(points.x, points.y);
        const double build = millisecondsSince(start);
        rows().push_back({"chart_append_10M", build, "CPU ms, points and pyramid of one series",
                          "pyramid alone 7 ms", 400, true});
        const auto each = static_cast<double>(series.bytes()) / static_cast<double>(kPoints);
        rows().push_back({"chart_bytes_per_point", each, "bytes", "Rerun 12-14", 14, true});
        EmaLine ema(1000);
        start = threadCpuMs();
        ema.advance(series, series.size());
        rows().push_back({"chart_smooth_10M", millisecondsSince(start), "CPU ms, EMA of one series",
                          "", 300, true});
        const double smooth = static_cast<double>(series.bytes() + ema.bytes());
        rows().push_back({"chart_bytes_per_point_smoothed", smooth / static_cast<double>(kPoints),
                          "bytes", "", 14, true});
        std::vector<double> quick;
        std::vector<double> full;
        Rng rng(6);
        std::vector<double> edges(kColumns + 1);
        for (int k = 0; k < 300; ++k) {
            const double width = points.x.back() * std::pow(10, -4 * rng.uniform());
            const double from = (points.x.back() - width) * rng.uniform();
            for (int e = 0; e <= kColumns; ++e)
                edges[static_cast<std::size_t>(e)] = from + width * e / kColumns;
            start = threadCpuMs();
            benchmark::DoNotOptimize(series.reaches(series.pointEdges(edges)));
            quick.push_back(millisecondsSince(start));
            start = threadCpuMs();
            benchmark::DoNotOptimize(series.columns(edges));
            full.push_back(millisecondsSince(start));
        }
        rows().push_back({"chart_query_1920", percentile(quick, 0.5),
                          "CPU ms, extremes of 1,920 columns, median", "naive scan 30 ms", 2,
                          true});
        rows().push_back(
            {"chart_query_1920_p99", percentile(quick, 0.99), "CPU ms", "1.5 at worst", 4, true});
        rows().push_back({"chart_columns_1920_p99", percentile(full, 0.99),
                          "CPU ms, with first, last and counts", "", 12, true});
        state.SetIterationTime(build * 1e-3);
    }
}

namespace {

void settle(const Chart& chart) {
    while (!chart.isSettled()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

void wheel(Chart& chart, int notches, double part) {
    const QRectF plot = chart.plotRect();
    const QPointF at(plot.left() + part * plot.width(), plot.center().y());
    QWheelEvent event(at, chart.mapToGlobal(at), {}, QPoint(0, 120 * notches), {},
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&chart, &event);
    settle(chart);
}

}  // namespace

void chartDrawing(benchmark::State& state) {
    const Points& points = samplePoints();
    for (auto _ : state) {
        const auto start = threadCpuMs();
        Chart chart(QStringLiteral("perf"));
        for (int s = 0; s < kSeries; ++s) {
            std::vector<double> y = points.y;
            for (double& value : y) value += s;
            chart.append(chart.addSeries({.name = QString::number(s), .color = s}), points.x, y);
        }
        chart.setSmoothing({SmoothingKind::Ema, 100000});
        chart.resize(kColumns + 68, 700);
        chart.show();
        settle(chart);
        chart.takeFrameTimes();
        for (int round = 0; round < 4; ++round) {
            for (int k = 0; k < 32; ++k) wheel(chart, 1, 0.2 + 0.2 * round);
            for (int k = 0; k < 40; ++k) {
                AxisView x = chart.shownX();
                const double by = 0.01 * (x.high - x.low);
                x.isFitted = false;
                x.low += by;
                x.high += by;
                chart.followX(x);
                settle(chart);
            }
            for (int k = 0; k < 32; ++k) wheel(chart, -1, 0.2 + 0.2 * round);
            chart.fit();
            settle(chart);
        }
        const std::vector<double> times = chart.takeFrameTimes();
        rows().push_back({"chart_frame_median", percentile(times, 0.5),
                          "CPU ms, 10^7 points x 4 series, raw under EMA", "", 16.7, true});
        rows().push_back({"chart_frame_p99", percentile(times, 0.99),
                          "CPU ms, " + std::to_string(times.size()) + " frames", "", 16.7, true});
        state.SetIterationTime(millisecondsSince(start) * 1e-3);
    }
}

}  // namespace orrery::perf
