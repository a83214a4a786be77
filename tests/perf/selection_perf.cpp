// Measures how long a window with all its views takes from a new selection to the last pixel.
#include <benchmark/benchmark.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "app/window/main_window.h"
#include "core/base/file_descriptor.h"
#include "core/base/rng.h"
#include "core/dag/state_graph.h"
#include "core/solve/solution.h"
#include "tests/perf/perf_parts.h"
#include "tests/perf/perf_rows.h"
#include "widgets/common/motion.h"
#include "widgets/dag/state_canvas.h"

namespace orrery::perf {

namespace {

constexpr int kChanges = 60;

/// Lets the window work until all is shown. @return false after a minute
bool settle(const MainWindow& window) {
    QElapsedTimer timer;
    timer.start();
    do QCoreApplication::processEvents();
    while (!window.isSettled() && timer.elapsed() < 60'000);
    QCoreApplication::processEvents();
    return window.isSettled();
}

/// Lets the window work until all shows the current state, its successors included; searches for
/// paths from it and for what led to it go on beside. @return false after a minute
bool settleBesidesSearches(const MainWindow& window, const Selection& selection,
                           const StateGraph& graph) {
    QElapsedTimer timer;
    timer.start();
    const auto* item = selection.current<StateItem>();
    const auto config = item ? graph.find(item->words) : std::nullopt;
    if (!config) return false;
    const auto showsSuccessors = [&] {
        const auto canvases = window.findChildren<StateCanvas*>();
        return std::ranges::all_of(canvases, [&](const StateCanvas* canvas) {
            return !canvas->isVisible() || canvas->graph().isOpen({item->step, *config}, true);
        });
    };
    do QCoreApplication::processEvents();
    while (!(showsSuccessors() && window.isSettledBesidesSearches()) && timer.elapsed() < 60'000);
    QCoreApplication::processEvents();
    return true;
}

/// The 99th percentile of `change`, each until everything is drawn, in ms.
double slowestMs(const std::function<void(int)>& change, const std::function<void()>& settled) {
    std::vector<double> all;
    for (int k = 0; k < kChanges; ++k) {
        const auto start = std::chrono::steady_clock::now();
        change(k);
        settled();
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - start;
        all.push_back(took.count());
    }
    std::ranges::sort(all);
    return all[static_cast<std::size_t>(0.99 * (kChanges - 1))];
}

/// Another state of the graph for each number.
StateItem someState(const StateGraph& graph, int k) {
    Rng rng(11, static_cast<std::uint64_t>(k));
    const int step = static_cast<int>(rng.below(static_cast<std::uint64_t>(graph.numLevels() - 1)));
    const auto numStates =
        static_cast<std::uint64_t>(graph.levelEnd(step) - graph.levelBegin(step));
    const auto config = static_cast<ConfigIndex>(graph.levelBegin(step) +
                                                 static_cast<std::int64_t>(rng.below(numStates)));
    const auto words = graph.configuration(config);
    return StateItem{step, {words.begin(), words.end()}, -1};
}

/// bench3 with so few steps that it has a million states, as a file.
QString million(const QTemporaryDir& folder) {
    std::string text = readFile(ORRERY_BENCH3, 1 << 20);
    const std::string whole = "max_steps: 20";
    text.replace(text.find(whole), whole.size(), "max_steps: 8");
    const QString name = folder.filePath(QStringLiteral("million.yaml"));
    QFile file(name);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(text.c_str());
    return name;
}

}  // namespace

void selecting(benchmark::State& state) {
    const QTemporaryDir folder;
    WindowOptions options;
    options.world = million(folder);
    options.workspace = folder.filePath(QStringLiteral("perf.orrery")).toStdString();
    options.restoresSession = false;
    options.preferencesFile = folder.filePath(QStringLiteral("preferences.ini"));
    const bool wasReduced = hasReducedMotion();
    setReducedMotion(true);  // gliding is not waiting
    for (auto _ : state) {
        MainWindow window(options);
        window.resize(1920, 1080);
        window.show();
        settle(window);
        window.solve();
        settle(window);
        const std::shared_ptr<const Solution> solution = window.session().solution();
        if (!solution) return state.SkipWithError("the example was not solved");
        const StateGraph& graph = solution->graph();
        double selected = 0;
        double hovered = 0;
        for (const char* perspective : {"world", "plan"}) {
            window.showPerspective(QString::fromLatin1(perspective));
            settle(window);
            selected = std::max(
                selected,
                slowestMs([&](int k) { window.selection().setCurrent(someState(graph, k)); },
                          [&] { settleBesidesSearches(window, window.selection(), graph); }));
            settle(window);
            hovered = std::max(
                hovered,
                slowestMs(
                    [&](int k) { window.selection().setHover(someState(graph, k + kChanges)); },
                    [&] { settle(window); }));
        }
        state.SetIterationTime(selected / 1000);
        rows().push_back(
            {"select_to_all_views", selected,
             "ms, p99 of both perspectives, " + std::to_string(graph.counts().states) + " states",
             "", 100, true});
        rows().push_back({"hover_to_all_views", hovered, "ms, p99", "", 16, true});
    }
    setReducedMotion(wasReduced);
}

}  // namespace orrery::perf
