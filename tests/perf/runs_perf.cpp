// Measures the list of runs at 10^4 runs: filtering letter by letter, scrolling, and a window that
// opens such a workspace. Needs a display, or QT_QPA_PLATFORM=offscreen.
#include <benchmark/benchmark.h>

#include <QCoreApplication>
#include <QScrollBar>
#include <QTableView>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/history/database.h"
#include "tests/perf/perf_parts.h"
#include "tests/perf/perf_rows.h"
#include "tests/widgets/compare/sample_runs.h"
#include "widgets/compare/runs_table.h"

namespace orrery::perf {

namespace {

constexpr int kRuns = 10000;

double wallTime() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void settle() {
    for (int k = 0; k < 3; ++k) QCoreApplication::processEvents();
}

void run(const std::string& command) {
    if (std::system(command.c_str()) != 0)  // NOLINT(concurrency-mt-unsafe): one thread here
        throw Error("Could not run: " + command);
}

/// A workspace with one real run and copies of it that differ in name, seed and parameters.
void makeWorkspace(const std::filesystem::path& workspace) {
    run("'" ORRERY_PROGRAM "' solve first_steps --no-plot --no-save-graph --workspace '" +
        workspace.string() + "' > '" + (workspace.parent_path() / "log").string() + "'");
    {
        Database database(workspace / "workspace.db", Database::Access::Write);
        const std::string copy =
            "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < " +
            std::to_string(kRuns) +
            ") INSERT INTO run(ordinal, id, name, state, config_json, world_hash, code_version, "
            "seed, created_utc, ended_utc, note, kind) SELECT i, printf('r%05d', i), name || ' ' "
            "|| i, "
            "state, json_set(config_json, '$.solve.beta_r', 1 + i % 9), world_hash, code_version, "
            "i % 5, created_utc, ended_utc, note, kind FROM run, n WHERE ordinal = 1";
        database.execute("BEGIN IMMEDIATE");
        database.execute(copy.c_str());
        database.execute("COMMIT");
    }
    const std::filesystem::path runs = workspace / "runs";
    for (int i = 2; i <= kRuns; ++i) {
        char id[16];
        std::snprintf(id, sizeof id, "r%05d", i);
        std::filesystem::create_directory(runs / id);
        std::filesystem::copy_file(runs / "r00001/result.json", runs / id / "result.json");
    }
}

}  // namespace

void runsTable(benchmark::State& state) {
    for (auto _ : state) {
        const double begin = wallTime();
        RunsTable table;
        table.resize(1280, 800);
        table.setSheet(sampleSheet(kRuns));
        table.show();
        settle();
        double longest = 0;
        for (const QString& text :
             {QStringLiteral("beta_r > 2 and state = finished"),
              QStringLiteral("tags = paper or v_r < -6"), QStringLiteral("maze - 12")})
            for (int length = 1; length <= text.size(); ++length) {
                const double start = wallTime();
                table.setFilter(text.left(length));
                settle();
                longest = std::max(longest, wallTime() - start);
            }
        rows().push_back({"runs_filter", 1e3 * longest,
                          "ms, longest of " + std::to_string(kRuns) + " runs, letter by letter", "",
                          100, true});
        table.setFilter({});
        settle();
        std::vector<double> frames;
        QScrollBar* bar = table.view()->verticalScrollBar();
        for (int k = 0; k < 400; ++k) {
            const double start = threadCpuMs();
            bar->setValue(bar->minimum() + (k * 37) % (bar->maximum() - bar->minimum() + 1));
            table.view()->viewport()->repaint();
            frames.push_back(threadCpuMs() - start);
        }
        std::ranges::sort(frames);
        rows().push_back({"runs_scroll_p99", frames[frames.size() * 99 / 100],
                          "CPU ms a frame, " + std::to_string(kRuns) + " runs", "", 16.7, true});
        state.SetIterationTime(wallTime() - begin);
    }
}

void runsStart(benchmark::State& state) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / "orrery-runs-start";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
    const std::filesystem::path workspace = folder / "w.orrery";
    makeWorkspace(workspace);
    const std::string dump = folder / "dump.json";
    for (auto _ : state) {
        const double begin = wallTime();
        double paint = 0, listed = 0;
        for (int k = 0; k < 3; ++k) {
            run("XDG_RUNTIME_DIR='" + folder.string() +
                "' xvfb-run -a -s '-screen 0 1920x1080x24' '" ORRERY_PROGRAM "' --workspace '" +
                workspace.string() + "' --perspective compare --once --dump-ui '" + dump + "'");
            std::ifstream file(dump);
            const nlohmann::json seen = nlohmann::json::parse(file);
            paint = std::max(paint, seen.at("firstPaintSeconds").get<double>());
            listed = std::max(listed, seen.at("runsListedSeconds").get<double>());
        }
        rows().push_back({"runs_first_paint", paint,
                          "s, workspace of " + std::to_string(kRuns) + " runs, longest of three",
                          "", 2, true});
        rows().push_back(
            {"runs_listed", listed, "s from start to all runs in the list", "", 2, true});
        state.SetIterationTime(wallTime() - begin);
    }
    std::filesystem::remove_all(folder);
}

}  // namespace orrery::perf
