// Measures how fast other parameters are solved on the graph at hand: in core, and in a session
// from the last move of a slider to the signal that every view hears.
#include <benchmark/benchmark.h>

#include <QCoreApplication>
#include <QEventLoop>
#include <algorithm>
#include <chrono>
#include <vector>

#include "core/base/thread_team.h"
#include "core/files/world_file.h"
#include "core/grid/grid_spec.h"
#include "core/solve/resolve.h"
#include "tests/perf/perf_parts.h"
#include "tests/perf/perf_rows.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/explore/exploration.h"

namespace orrery::perf {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kProducts = 10'000'000;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::int64_t productsOf(const StateGraph& graph) {
    std::int64_t goals = 0;
    for (const HumanGoals& human : graph.world().goals()) goals += std::ssize(human.goals);
    return graph.counts().transitionEntries * goals;
}

/// bench3 with the fewest steps that give 10^7 (entry, human, goal) products.
std::shared_ptr<const StateGraph> graphOfTenMillion() {
    GridWorldSpec spec = *requireSpec(readWorldFile(ORRERY_BENCH3)).as<GridWorldSpec>();
    for (spec.maxSteps = 2;; ++spec.maxSteps) {
        auto graph = explore(makeWorld(spec), {.threads = 1});
        if (productsOf(*graph) >= kProducts) return graph;
    }
}

/// A session with a run, and what explores it.
struct Bench {
    explicit Bench(const std::shared_ptr<const Solution>& solution) {
        LoadedWorld loaded;
        loaded.world = solution->graph().worldPointer();
        session.open(loaded);
        session.attach(solution, {});
    }

    /// Seconds from a wish to the last signal about its values.
    double wish(const SolveSpec& spec) {
        const auto start = Clock::now();
        exploration.setWanted(spec);
        while (session.solution()->spec() != spec)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        return secondsSince(start);
    }

    Selection selection;
    PlanSession session{&selection};
    Exploration exploration{&session};
};

void measureResolve() {
    const auto graph = graphOfTenMillion();
    const auto products = static_cast<double>(productsOf(*graph));
    SolveSpec spec;
    const auto run = solve(graph, spec);
    Resolver resolver(graph);
    resolver.solve(spec);
    std::vector<double> part, whole;
    for (int k = 1; k <= 9; ++k) {
        spec.beta_r = 10 + k;
        auto start = Clock::now();
        resolver.solve(spec);
        part.push_back(secondsSince(start));
        start = Clock::now();
        solve(graph, spec);
        whole.push_back(secondsSince(start));
    }
    const std::string size = "M products/s, " + std::to_string(processorCount()) + " threads, " +
                             std::to_string(static_cast<int>(products * 1e-6)) + " M";
    rows().push_back({"resolve_phase2", products / medianOf(part) * 1e-6, size, "", 100, false});
    rows().push_back({"resolve_kept_memory", static_cast<double>(resolver.keptBytes()) / (1 << 20),
                      "MiB of kept policies", "", 1024, true});
    rows().push_back({"resolve_saving", medianOf(whole) / medianOf(part), "times a whole solve", "",
                      1.2, false});

    // 100 ms for 10^7 products, and as much more as there are.
    const double target = 100 * products / static_cast<double>(kProducts);
    Bench bench(run);
    SolveSpec wish = run->spec();
    wish.beta_r = 9;
    bench.wish(wish);
    std::vector<double> phase2, both;
    for (int k = 1; k <= 15; ++k) {
        wish.beta_r = 10 + k;
        phase2.push_back(bench.wish(wish));
    }
    for (int k = 1; k <= 7; ++k) {
        wish.beta_h = 10 + k;
        both.push_back(bench.wish(wish));
    }
    rows().push_back({"resolve_latency", 1000 * medianOf(phase2),
                      "ms from a slider to the views' signal, phase 2", "", target, true});
    rows().push_back({"resolve_latency_worst", 1000 * std::ranges::max(phase2),
                      "ms, the slowest of 15", "", target, true});
    rows().push_back({"resolve_latency_both", 1000 * medianOf(both),
                      "ms from a slider to the views' signal, both phases", "", target, true});
}

}  // namespace

void exploreParameters(benchmark::State& state) {
    for (auto _ : state) {
        const auto start = Clock::now();
        measureResolve();
        state.SetIterationTime(secondsSince(start));
    }
}

}  // namespace orrery::perf
