// Measures what drawing costs a solve: the CPU time of the one worker thread with and without views
// that follow the run ten times a second.
#include <benchmark/benchmark.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QThread>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>

#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run.h"
#include "tests/perf/perf_parts.h"
#include "tests/perf/perf_rows.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/imgui/solver_timeline.h"
#include "widgets/plots/chart.h"

namespace orrery::perf {

namespace {

constexpr int kPairs = 20, kViewMs = 100;
constexpr int kRuns = 3;  ///< a side of a pair

/// What the window shows of a live run: a chart that grows and the threads' timeline.
class LiveViews {
public:
    LiveViews() : m_session(&m_selection), m_chart(QStringLiteral("seconds")) {
        auto* column = new QVBoxLayout(&m_window);
        m_timeline = new SolverTimeline(&m_session, &m_window);
        column->addWidget(&m_chart, 1);
        column->addWidget(m_timeline, 1);
        m_window.resize(1280, 800);
        m_window.show();
    }
    ~LiveViews() { m_chart.setParent(nullptr); }

    void start() {
        m_chart.clear();
        m_line = m_chart.addSeries({.name = QStringLiteral("seconds a level")});
        m_numLevels = 0;
    }
    void show(const SolveSnapshot& job, bool isLive) {
        for (; m_numLevels < job.levels.size(); ++m_numLevels) {
            const double x = static_cast<double>(m_numLevels);
            const double y = job.levels[m_numLevels].seconds;
            m_chart.append(m_line, std::span(&x, 1), std::span(&y, 1));
        }
        m_timeline->setTimeline(job.timeline, isLive);
    }

private:
    Selection m_selection;
    PlanSession m_session;
    QWidget m_window;
    Chart m_chart;
    SolverTimeline* m_timeline;
    SeriesHandle m_line{};
    std::size_t m_numLevels = 0;
};

/// CPU seconds of the worker from its first to its last report.
double workerSeconds(const RunSpec& spec, LiveViews* views) {
    std::atomic<double> first{-1}, last{0};
    const auto notify = [&] {  // on the worker's thread
        const double now = (1e-3 * threadCpuMs());
        double none = -1;
        first.compare_exchange_strong(none, now);
        last.store(now);
    };
    const auto run = Run::start(spec, {.notify = notify});
    if (views != nullptr) views->start();
    QElapsedTimer sinceShown;
    sinceShown.start();
    while (isLive(run->state())) {
        if (views == nullptr) {
            QThread::msleep(kViewMs);
            continue;
        }
        QCoreApplication::processEvents();
        if (sinceShown.elapsed() >= kViewMs) {
            sinceShown.restart();
            if (const auto snapshot = run->snapshot())
                views->show(std::get<SolveSnapshot>(snapshot->job), true);
        }
        QThread::msleep(4);
    }
    const RunOutcome outcome = run->wait();
    if (outcome.state != RunState::Finished) throw Error(outcome.text);
    return last - first;
}

}  // namespace

void drawingCost(benchmark::State& state) {
    RunSpec spec;
    SolveJob job;
    // Few enough steps that all the runs take some minutes.
    job.world.name = "bench3.yaml";
    std::string text = readFile(ORRERY_BENCH3, 1 << 16);
    const std::string steps = "max_steps: 20";
    job.world.text = text.replace(text.find(steps), steps.size(), "max_steps: 7");
    job.solve.threads = 1;
    job.saveGraph = job.saveValues = false;
    spec.job = job;
    for (auto unused : state) {
        LiveViews views;
        workerSeconds(spec, &views);  // warm
        std::vector<double> costs;
        for (int pair = 0; pair < kPairs; ++pair) {
            // Alternating, so that a drift cancels out; the least of some runs, since what other
            // programs and machines do only adds.
            double drawn = HUGE_VAL, plain = HUGE_VAL;
            for (int run = 0; run < kRuns; ++run) {
                const bool isDrawnFirst = (pair + run) % 2 == 0;
                const double a = workerSeconds(spec, isDrawnFirst ? &views : nullptr);
                const double b = workerSeconds(spec, isDrawnFirst ? nullptr : &views);
                drawn = std::min(drawn, isDrawnFirst ? a : b);
                plain = std::min(plain, isDrawnFirst ? b : a);
            }
            costs.push_back(100 * (drawn / plain - 1));
        }
        std::ranges::sort(costs);
        const double median = (costs[kPairs / 2 - 1] + costs[kPairs / 2]) / 2;
        // The sixth and the fifteenth of twenty hold the median with 95.9 %.
        char interval[128];
        std::snprintf(interval, sizeof interval,
                      "20 pairs of the least of 3 runs, median within %+.2f to %+.2f %% (95 %%)",
                      costs[5], costs[14]);
        rows().push_back({"drawing_costs_worker", median, "% CPU", interval, 2.0, true});
    }
}

}  // namespace orrery::perf
