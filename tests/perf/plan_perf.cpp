// Measures the views of the plan perspective on bench3: a graph of 10^7 (step, configuration)
// states and one of 10^6, with made-up values in place of solved ones, which cost the same to read.
#include <benchmark/benchmark.h>

#include <QCoreApplication>
#include <QPixmap>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/base/rng.h"
#include "core/base/thread_team.h"
#include "core/dag/neighbours.h"
#include "core/dag/state_marks.h"
#include "core/files/world_file.h"
#include "core/grid/grid_spec.h"
#include "core/solve/level_store.h"
#include "core/solve/solution.h"
#include "tests/perf/perf_parts.h"
#include "tests/perf/perf_rows.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/dag/bands_canvas.h"
#include "widgets/dag/canvas_graph.h"
#include "widgets/dag/layered_layout.h"
#include "widgets/dag/level_density.h"
#include "widgets/dag/state_canvas.h"
#include "widgets/dag/state_query.h"

namespace orrery::perf {

namespace {

using Clock = std::chrono::steady_clock;

template <typename Body>
double seconds(Body&& body) {
    const auto start = Clock::now();
    body();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

template <typename Body>
double bestOf(int times, Body&& body) {
    double best = 1e9;
    for (int k = 0; k < times; ++k) best = std::min(best, seconds(body));
    return best;
}

/// The 99th percentile of single runs.
template <typename Body>
double slowest(int times, Body&& body) {
    std::vector<double> all;
    all.reserve(static_cast<std::size_t>(times));
    for (int k = 0; k < times; ++k) all.push_back(seconds([&] { body(k); }));
    std::ranges::sort(all);
    return all[static_cast<std::size_t>(0.99 * (times - 1))];
}

int threads() {
    return std::min(2, processorCount());
}

std::shared_ptr<const World> bench3(int maxSteps) {
    GridWorldSpec spec = *requireSpec(readWorldFile(ORRERY_BENCH3)).as<GridWorldSpec>();
    spec.maxSteps = maxSteps;
    return makeWorld(spec);
}

/// A solution whose numbers are made up: V_r spreads around a mean that rises towards the end.
std::shared_ptr<const Solution> madeUp(int maxSteps) {
    auto graph = explore(bench3(maxSteps), {.threads = threads()});
    SolveSpec spec;
    spec.storage = ValueStorage::Half;
    int goals = 0;
    for (const HumanGoals& human : graph->world().goals())
        goals += static_cast<int>(human.goals.size());
    auto store = std::make_unique<LevelStore>(*graph, spec.storage, goals, true);
    std::vector<double> ability(static_cast<std::size_t>(goals));
    for (int step = 0; step + 1 < graph->numLevels(); ++step) {
        store->allocate(*graph, step, {});
        Rng rng(7, static_cast<std::uint64_t>(step));
        for (ConfigIndex c = graph->levelBegin(step); c < graph->levelEnd(step); ++c) {
            const double v_r = (step - graph->numLevels()) * (0.5 + rng.uniform());
            for (double& v : ability) v = rng.uniform();
            store->write(step, c - graph->levelBegin(step), ability.data(), &v_r, ability.data());
        }
    }
    return std::make_shared<Solution>(graph, spec, std::move(store));
}

void measureBands(const std::shared_ptr<const Solution>& solution, const char* size,
                  double firstPicture) {
    const StateGraph& graph = solution->graph();
    const std::int64_t states = graph.counts().states;
    const std::string name = std::string("bands_") + size;
    rows().push_back({name + "_states", static_cast<double>(states) * 1e-6, "M", "", 0, false});
    const BandQuantity v_r{ValueOf{ValueKind::V_r}};
    std::shared_ptr<const LevelDensity> density;
    rows().push_back({name + "_first",
                      bestOf(3,
                             [&] {
                                 density = computeLevelDensity(
                                     *solution, v_r, (states + 199'999) / 200'000, threads());
                             }),
                      "s to the first picture, V_r", "", firstPicture, true});
    rows().push_back(
        {name + "_all",
         bestOf(3, [&] { density = computeLevelDensity(*solution, v_r, 1, threads()); }),
         "s to all states, V_r", "", firstPicture, true});
    rows().push_back(
        {name + "_memory", static_cast<double>(density->bytes()) / (1 << 20), "MiB", "", 0, false});
    rows().push_back({name + "_u_r_all", seconds([&] {
                          computeLevelDensity(*solution, ValueOf{ValueKind::U_r}, 1, threads());
                      }),
                      "s to all states, U_r", "", 10, true});
    Selection selection;
    PlanSession session(&selection);
    BandsCanvas canvas(&session, nullptr);
    canvas.resize(1920, 200);
    canvas.setDensity(solution->graphPointer(), density);
    QPixmap target(canvas.size());
    rows().push_back({name + "_frame",
                      1000 * slowest(300,
                                     [&](int k) {
                                         if (k % 2 == 0)
                                             canvas.zoomLevels(k % 4 == 0 ? 1.1 : 1 / 1.1,
                                                               400.0 + k);
                                         else
                                             canvas.zoomValues(k % 4 == 1 ? 1.1 : 1 / 1.1, 90);
                                         canvas.render(&target);
                                     }),
                      "ms, p99, a zoom and its frame", "", 16.7, true});
}

void measureQueries(const std::shared_ptr<const Solution>& solution, const char* size,
                    double target) {
    const StateGraph& graph = solution->graph();
    const auto ask = [&](const char* kind, const char* text) {
        std::int64_t found = 0;
        const double best = bestOf(3, [&] {
            const StateQuery query(graph.world(), solution, QLatin1String(text));
            found = query.run(graph, threads())->total();
        });
        rows().push_back({std::string("query_") + size + "_" + kind, 1000 * best,
                          "ms, " + std::to_string(found) + " found", text, target, true});
    };
    ask("place", "human0.x >= 4 and not human1.in(1,1,3,3)");
    ask("step", "human0.x >= 4 and step >= 3");
    ask("value", "human0.x > 2 and V_r < -4");
}

void measureNeighbours(const std::shared_ptr<const Solution>& solution) {
    const StateGraph& graph = solution->graph();
    const int step = graph.numLevels() / 2;
    const State middle{step, graph.levelMember(step, graph.levelSize(step) / 2)};
    const ConfigIndex one[] = {middle.config};
    rows().push_back({"predecessors_one",
                      1000 * bestOf(3, [&] { (void)predecessors(graph, step, one, threads()); }),
                      "ms, scan of one level", "", 200, true});
    std::vector<ConfigIndex> many;
    for (std::int64_t k = 0; k < 1000; ++k)
        many.push_back(graph.levelMember(step, k * (graph.levelSize(step) / 1000)));
    rows().push_back({"predecessors_1000",
                      1000 * bestOf(3, [&] { (void)predecessors(graph, step, many, threads()); }),
                      "ms, scan of one level", "", 500, true});
    rows().push_back({"descendants",
                      seconds([&] { (void)markDescendants(graph, middle, threads()); }), "s", "", 2,
                      true});
    rows().push_back({"ancestors", seconds([&] { (void)markAncestors(graph, middle, threads()); }),
                      "s", "", 5, true});
}

/// A neighbourhood of 5,000 nodes with 15,000 edges, made up.
Neighbourhood largeNeighbourhood() {
    Rng rng(3);
    constexpr int kLevels = 25;
    constexpr ConfigIndex kWidth = 208;
    Neighbourhood all;
    all.fans.push_back({{0, 0}, true, {}, 0});
    for (ConfigIndex c = 0; c < kWidth; ++c)
        all.fans.front().ends.push_back({{1, c}, 1.0 / kWidth});
    for (int step = 1; step < kLevels - 1; ++step)
        for (ConfigIndex c = 0; c < kWidth; ++c) {
            Fan fan{{step, c}, true, {{{step + 1, c}, 0.4}}, 0};
            for (int k = 0; k < 2; ++k)
                fan.ends.push_back(
                    {{step + 1, static_cast<ConfigIndex>((c + rng.below(9) + kWidth - 4) % kWidth)},
                     0.3});
            all.fans.push_back(std::move(fan));
        }
    return all;
}

void measureLayout() {
    const Neighbourhood all = largeNeighbourhood();
    CanvasGraph graph;
    rows().push_back({"layout_5000", seconds([&] {
                          graph.restart({0, 0});
                          graph.open(all);
                      }),
                      "s, " + std::to_string(graph.nodes().size()) + " nodes", "", 1, true});
    rows().back().unit = "s, " + std::to_string(graph.nodes().size()) + " nodes, " +
                         std::to_string(graph.edges().size()) + " edges";
    rows().push_back({"layout_5000_again", seconds([&] {
                          graph.close({12, 100}, true);
                      }),
                      "s, after a change", "", 1, true});
}

/// A canvas with thousands of states of the real graph.
void measureCanvas(const std::shared_ptr<const Solution>& solution) {
    Selection selection;
    PlanSession session(&selection);
    LoadedWorld loaded;
    loaded.world = solution->graph().worldPointer();
    session.open(loaded);
    session.attach(solution, {});
    StateCanvas canvas(&session);
    canvas.setRule(EdgeRule::AnyAction);
    canvas.resize(1200, 800);
    const double opened = seconds([&] {
        canvas.showHops(4);
        while (canvas.isWorking() || canvas.isMoving()) QCoreApplication::processEvents();
    });
    rows().push_back({"canvas_hops", opened,
                      "s, " + std::to_string(canvas.graph().nodes().size()) + " nodes, " +
                          std::to_string(canvas.graph().edges().size()) + " edges",
                      "", 2, true});
    QPixmap target(canvas.size());
    const auto frames = [&](const std::string& name) {
        rows().push_back({name + "_first", 1000 * seconds([&] { canvas.render(&target); }),
                          "ms, the first frame", "", 50, true});
        rows().push_back({name,
                          1000 * slowest(60,
                                         [&](int k) {
                                             canvas.zoomBy(k % 2 == 0 ? 1.02 : 1 / 1.02,
                                                           QPointF(600, 400));
                                             canvas.render(&target);
                                         }),
                          "ms, p99 of a frame", "", 16.7, true});
    };
    frames("canvas_frame_near");
    canvas.zoomBy(0.1, QPointF(600, 400));
    frames("canvas_frame_far");
}

}  // namespace

void planLayout(benchmark::State& state) {
    for (auto _ : state) state.SetIterationTime(seconds(measureLayout));
}

void planMillion(benchmark::State& state) {
    for (auto _ : state)
        state.SetIterationTime(seconds([] {
            const auto solution = madeUp(8);
            measureBands(solution, "1e6", 0.5);
            measureQueries(solution, "1e6", 300);
        }));
}

void planTenMillion(benchmark::State& state) {
    for (auto _ : state)
        state.SetIterationTime(seconds([] {
            const auto solution = madeUp(20);
            measureBands(solution, "1e7", 2);
            measureQueries(solution, "1e7", 3000);
            measureNeighbours(solution);
            measureCanvas(solution);
        }));
}

}  // namespace orrery::perf
