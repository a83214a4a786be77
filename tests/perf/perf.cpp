// Measures the speed table on bench3. Each benchmark runs once and adds its rows; things that are
// compared are measured one after the other in the same run.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <unistd.h>

#include <QApplication>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "core/base/error.h"
#include "core/base/thread_team.h"
#include "core/dag/export.h"
#include "core/dag/state_graph.h"
#include "core/files/world_file.h"
#include "core/solve/solution.h"
#include "tests/perf/perf_parts.h"
#include "tests/perf/perf_rows.h"
#include "widgets/common/style.h"

namespace orrery::perf {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::shared_ptr<const World> bench3() {
    return makeWorld(requireSpec(readWorldFile(ORRERY_BENCH3)));
}

int manyThreads() {
    return std::min(2, processorCount());
}

/// The graph of bench3, explored once for all benchmarks that need it.
const std::shared_ptr<const StateGraph>& bench3Graph() {
    static const std::shared_ptr<const StateGraph> kGraph =
        explore(bench3(), {.threads = manyThreads()});
    return kGraph;
}

void exploring(benchmark::State& state) {
    const std::shared_ptr<const World> world = bench3();
    for (auto _ : state) {
        double one = 1e9;
        double two = 1e9;
        std::shared_ptr<const StateGraph> graph;
        // Alternating, the best of three each: what else the machine does hits both alike.
        for (int k = 0; k < 3; ++k) {
            auto start = Clock::now();
            graph = explore(world, {.threads = 1});
            one = std::min(one, secondsSince(start));
            graph.reset();
            start = Clock::now();
            graph = explore(world, {.threads = manyThreads()});
            two = std::min(two, secondsSince(start));
        }
        state.SetIterationTime(one);
        const auto entries = static_cast<double>(graph->numEntries());
        rows().push_back({"explore_one_thread", entries / one * 1e-6, "M entries/s",
                          "original 0.009, special case 45", 5, false});
        rows().push_back({"explore_two_threads", one / two, "times one thread", "", 1.8, false});
        rows().push_back({"bytes_per_entry", static_cast<double>(graph->storedBytes()) / entries,
                          "bytes", "Storm 22-27", 10, true});
        rows().push_back({"bench3_configurations", graph->numConfigs() * 1e-6, "M", "", 1, false});
        rows().push_back({"bench3_entries", entries * 1e-6, "M", "", 70, false});
        rows().push_back({"bench3_states", static_cast<double>(graph->counts().states) * 1e-6,
                          "M (step, configuration)", "", 10, false});
    }
}

void solving(benchmark::State& state) {
    SolveSpec spec;
    spec.threads = 1;
    for (auto _ : state) {
        SolveStatistics statistics;
        const auto start = Clock::now();
        solve(bench3Graph(), spec, {}, {}, &statistics);
        state.SetIterationTime(secondsSince(start));
        const auto products = static_cast<double>(statistics.products);
        rows().push_back({"phase1_one_thread", products / statistics.phase1Seconds * 1e-6,
                          "M (entry, human, goal)/s",
                          "original 0.1, plain kernel 96-174, AVX2 160-387", 300, false});
        rows().push_back({"phase2_one_thread", products / statistics.phase2Seconds * 1e-6,
                          "M (entry, human, goal)/s", "original 0.07", 200, false});
    }
}

void fromFileToValues(benchmark::State& state) {
    SolveSpec spec;
    spec.threads = manyThreads();
    for (auto _ : state) {
        const auto start = Clock::now();
        const auto graph = explore(bench3(), {.threads = manyThreads()});
        const auto solution = solve(graph, spec);
        const double seconds = secondsSince(start);
        benchmark::DoNotOptimize(solution->v_r({0, 0}));
        state.SetIterationTime(seconds);
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        rows().push_back({"bench3_both_phases", seconds, "s, two threads", "", 300, true});
        rows().push_back({"bench3_memory", static_cast<double>(usage.ru_maxrss) / (1 << 20),
                          "GiB, peak of the process", "", 8, true});
    }
}

/// The longest time that `job` takes to end after a stop request at several instants.
double cancelSeconds(double jobSeconds, const std::function<void(std::stop_token)>& job) {
    double worst = 0;
    for (const double part : {0.02, 0.3, 0.6, 0.9}) {
        std::stop_source source;
        std::jthread worker([&] { job(source.get_token()); });
        std::this_thread::sleep_for(std::chrono::duration<double>(part * jobSeconds));
        const auto start = Clock::now();
        source.request_stop();
        worker.join();
        worst = std::max(worst, secondsSince(start));
    }
    return worst;
}

double timeOf(const std::function<void(std::stop_token)>& job) {
    const auto start = Clock::now();
    job({});
    return secondsSince(start);
}

void cancelling(benchmark::State& state) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "orrery-perf";
    std::filesystem::create_directories(folder);
    const auto cancel = [](const char* name, const std::function<void(std::stop_token)>& job) {
        rows().push_back({name, cancelSeconds(timeOf(job), job), "s to end", "", 1, true});
    };
    for (auto _ : state) {
        const auto start = Clock::now();
        const auto world = bench3();
        const auto& graph = bench3Graph();
        const int threads = manyThreads();
        cancel("cancel_explore",
               [&](std::stop_token stop) { explore(world, {.threads = threads}, stop); });
        SolveSpec spec;
        spec.threads = threads;
        spec.storage = ValueStorage::Half;
        spec.phase1Only = true;
        cancel("cancel_phase1", [&](std::stop_token stop) { solve(graph, spec, {}, stop); });
        spec.phase1Only = false;
        cancel("cancel_phase2", [&](std::stop_token stop) { solve(graph, spec, {}, stop); });
        cancel("cancel_save_graph",
               [&](std::stop_token stop) { saveGraph(*graph, folder / "bench3.graph", stop); });
        saveGraph(*graph, folder / "bench3.graph");
        cancel("cancel_open_graph",
               [&](std::stop_token stop) { openGraph(world, folder / "bench3.graph", stop); });
        saveSolution(*solve(graph, spec), folder / "bench3.values");
        cancel("cancel_open_solution", [&](std::stop_token stop) {
            openSolution(graph, spec, folder / "bench3.values", stop);
        });
        cancel("cancel_export",
               [&](std::stop_token stop) { exportStatesCsv(*graph, folder / "bench3.csv", stop); });
        std::filesystem::remove_all(folder);
        state.SetIterationTime(secondsSince(start));
    }
}

/// Seconds from the start of the program to the end of its first paint, as it says itself.
double firstPaintSeconds(const std::filesystem::path& folder) {
    const std::string dump = folder / "dump.json";
    const std::string command =
        "XDG_RUNTIME_DIR='" + folder.string() +
        "' xvfb-run -a -s '-screen 0 1920x1080x24' '" ORRERY_PROGRAM "' --workspace '" +
        (folder / "w.orrery").string() + "' --once --dump-ui '" + dump + "'";
    if (std::system(command.c_str()) != 0)  // NOLINT(concurrency-mt-unsafe): one thread here
        throw Error("Could not run: " + command);
    std::ifstream file(dump);
    return nlohmann::json::parse(file).at("firstPaintSeconds").get<double>();
}

/// Forgets all files that the system keeps in memory, so that they are read from disk. Only root
/// may do that.
bool dropFileCache() {
    sync();
    std::ofstream file("/proc/sys/vm/drop_caches");
    file << "3\n";
    return static_cast<bool>(file.flush());
}

void starting(benchmark::State& state) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "orrery-start";
    std::filesystem::create_directories(folder);
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
    for (auto _ : state) {
        const auto start = Clock::now();
        double warm = 0, cold = 0;
        bool isCold = true;
        for (int k = 0; k < 5; ++k) {
            isCold = isCold && dropFileCache();
            cold = std::max(cold, firstPaintSeconds(folder));
            warm = std::max(warm, firstPaintSeconds(folder));
        }
        rows().push_back({"first_paint", warm, "s, longest of five", "", 1.5, true});
        if (isCold)
            rows().push_back(
                {"first_paint_cold", cold, "s, longest of five, files from disk", "", 1.5, true});
        std::filesystem::remove_all(folder);
        state.SetIterationTime(secondsSince(start));
    }
}

}  // namespace

}  // namespace orrery::perf

int main(int argc, char** argv) {
    using namespace orrery::perf;
    if (qEnvironmentVariableIsEmpty("DISPLAY")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    orrery::applyTheme(*qApp, orrery::ThemeChoice::Dark);
    int count = 1;
    benchmark::Initialize(&count, argv);
    benchmark::ConsoleReporter reporter(benchmark::ConsoleReporter::OO_None);
    reporter.SetOutputStream(&std::cerr);
    const auto once = [&](const char* name, void (*function)(benchmark::State&)) -> Part {
        benchmark::RegisterBenchmark(name, function)
            ->Iterations(1)
            ->UseManualTime()
            ->Unit(benchmark::kSecond);
        return {name, [&reporter, name] {
                    benchmark::RunSpecifiedBenchmarks(&reporter, "^" + std::string(name) + "/");
                }};
    };
    return measureParts(
        argc, argv,
        {once("bench3", fromFileToValues),  // first: the peak of memory is its own
         once("explore", exploring), once("solve", solving), once("cancel", cancelling),
         once("start", starting), once("plan_layout", planLayout),
         once("drawing_cost", drawingCost), once("plan_million", planMillion),
         once("plan_ten_million", planTenMillion), once("resolve", exploreParameters),
         once("chart_query", chartQuery), once("chart_frame", chartDrawing),
         once("select", selecting), once("runs_table", runsTable), once("runs_start", runsStart)});
}
