#include "core/run/jobs/solve_run.h"

#include <algorithm>
#include <cmath>

#include "core/base/fault.h"
#include "core/base/rng.h"
#include "core/base/text.h"
#include "core/base/thread_team.h"
#include "core/dag/explore_traced.h"
#include "core/run/jobs/kept_graphs.h"
#include "core/run/jobs/solve_result.h"
#include "core/run/span_file.h"
#include "core/solve/attainment.h"
#include "core/solve/solve_traced.h"
#include "core/solve/spec_fields.h"
#include "core/spec/field_effect.h"

namespace orrery {

namespace {

/// How often observers get a new timeline while a run is live, at most.
constexpr std::int64_t kTimelineNs = 66'000'000;

/// Kept graphs of a workspace take at most this much together.
constexpr std::int64_t kKeptGraphBytes = std::int64_t{16} << 30;

int threadsOf(const SolveSpec& spec) {
    return spec.threads > 0 ? spec.threads : processorCount();
}

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

std::string SolveRun::prepare() {
    WorldReading read = readWorld(m_job.world);
    m_worldText = std::move(read.text);
    m_world = makeWorld(requireSpec(read.file));
    for (const Diagnostic& diagnostic : read.file.diagnostics)
        m_warnings.push_back(diagnosticLine(diagnostic));
    m_context.update([&](JobSnapshot& snapshot) {
        shown(snapshot)->world = m_world;
        shown(snapshot)->warnings = m_warnings;
    });
    std::string problems;
    for (const SpecProblem& problem : validate(m_job.solve, *m_world))
        problems += (problems.empty() ? "The solve cannot be started: " : "; ") + problem.field +
                    " " + problem.text;
    if (!problems.empty()) throw Error(problems + ".", Error::Kind::BadInput);
    return m_world->contentHash();
}

RunOutcome SolveRun::work() {
    writeInputs();
    findGraph();
    if (m_graph) solveLevels();
    const bool isWhole = m_solution != nullptr && writeValues() && sampleEpisodes();
    writeResults();
    if (!isWhole)
        return {.state = RunState::Stopped,
                .text = "stopped with " + std::to_string(m_levels.size()) + " levels solved",
                .exitStatus = 130};
    const std::string value = m_job.solve.phase1Only
                                  ? std::string("phase 1 only")
                                  : "V_r = " + formatDouble(m_solution->v_r(State{}));
    return {.state = RunState::Finished,
            .text = std::to_string(m_statistics.states) + " states, " + value,
            .exitStatus = 0};
}

void SolveRun::writeInputs() {
    m_context.artefact("world", "world.yaml", m_worldText);
    for (const std::string& warning : m_warnings)
        m_context.message(MessageLevel::Warning, "world.warning", warning);
    for (const SpecProblem& note : inertFields(solveSpecFields().rows(), m_job.solve, SolveSpec()))
        m_context.message(MessageLevel::Warning, "solve.no_effect", note.field + ' ' + note.text);
}

ProgressSink SolveRun::progressSink() {
    return [this](const Progress& progress) { m_context.progress(progress); };
}

bool SolveRun::takeGraphAtHand() {
    const auto& graph = m_context.graphAtHand();
    const bool wantsFolded = !m_job.unrolled && !m_world->dependsOnStep();
    if (!graph || graph->isFolded() != wantsFolded ||
        graph->world().contentHash() != m_world->contentHash())
        return false;
    m_graph = graph;
    m_world = graph->worldPointer();
    m_context.message(MessageLevel::Info, "graph.taken", "took the graph of the run before");
    m_context.update([&](JobSnapshot& snapshot) {
        shown(snapshot)->world = m_world;
        shown(snapshot)->graphWasKept = true;
    });
    showGraph();
    return true;
}

void SolveRun::findGraph() {
    if (takeGraphAtHand()) return;
    const bool isKept = m_job.saveGraph && !m_context.workspaceFolder().empty();
    const std::filesystem::path file =
        isKept ? graphFile(m_context.workspaceFolder(), *m_world, m_job.unrolled)
               : std::filesystem::path();
    if (isKept && openKept(file)) return;
    if (m_context.stop().stop_requested()) return;
    const auto begin = std::chrono::steady_clock::now();
    m_graph = exploreTraced(m_world,
                            {.threads = threadsOf(m_job.solve),
                             .memoryBudget = m_job.solve.memoryBudget,
                             .unrolled = m_job.unrolled},
                            m_trace, m_context.stop(), [this](const Progress& progress) {
                                showTimeline(false);
                                m_context.progress(progress);
                            });
    if (!m_graph) return;
    m_exploreSeconds = secondsSince(begin);
    showGraph();
    if (isKept) keep(file);
}

bool SolveRun::openKept(const std::filesystem::path& file) {
    if (!std::filesystem::exists(file)) return false;
    try {
        traced(WorkKind::kLoad,
               [&] { m_graph = openGraph(m_world, file, m_context.stop(), progressSink()); });
    } catch (const Error& e) {
        if (e.kind() != Error::Kind::Damaged && e.kind() != Error::Kind::Resource) throw;
        m_context.message(MessageLevel::Warning, "graph.refused",
                          std::string(e.what()) + " The graph is explored again.");
        return false;
    }
    if (!m_graph) return false;
    std::error_code ignored;  // the time only says which graphs to keep longest
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now(), ignored);
    m_context.message(MessageLevel::Info, "graph.opened", "opened " + file.filename().string());
    m_context.update([&](JobSnapshot& snapshot) { shown(snapshot)->graphWasKept = true; });
    showGraph();
    return true;
}

void SolveRun::keep(const std::filesystem::path& file) {
    // A graph that cannot be kept costs a later run some time; it does not harm this one.
    try {
        std::filesystem::create_directories(file.parent_path());
        sweepStaleTemps(file.parent_path());
        traced(WorkKind::kStore,
               [&] { saveGraph(*m_graph, file, m_context.stop(), progressSink()); });
        trimGraphs(m_context.workspaceFolder(), kKeptGraphBytes);
    } catch (const Error& e) {
        m_context.message(MessageLevel::Warning, "graph.not_kept", e.what());
    } catch (const std::filesystem::filesystem_error& e) {
        m_context.message(MessageLevel::Warning, "graph.not_kept", e.what());
    }
}

void SolveRun::showGraph() {
    const GraphCounts counts = m_graph->counts();
    std::vector<std::int64_t> sizes;
    sizes.reserve(static_cast<std::size_t>(m_graph->numLevels()));
    for (int step = 0; step < m_graph->numLevels(); ++step)
        sizes.push_back(m_graph->levelSize(step));
    for (std::size_t step = 0; step < sizes.size(); ++step)
        m_context.metric(static_cast<std::int64_t>(step), "explore/states",
                         static_cast<double>(sizes[step]));
    m_context.metric(0, "explore/configs", static_cast<double>(m_graph->numConfigs()));
    m_context.metric(0, "explore/entries", static_cast<double>(m_graph->numEntries()));
    m_context.metric(0, "explore/bytes", static_cast<double>(m_graph->storedBytes()));
    m_context.metric(0, "explore/seconds", m_exploreSeconds);
    m_context.update([&](JobSnapshot& snapshot) {
        shown(snapshot)->graph = m_graph;
        shown(snapshot)->counts = counts;
        shown(snapshot)->levelStates = sizes;
    });
    faultPoint("run.explored");
}

void SolveRun::solveLevels() {
    SolveHooks hooks;
    hooks.progress = progressSink();
    hooks.levelDone = [this](const SolveStatistics::Level& level) { levelDone(level); };
    hooks.spillFolder = m_context.folder();
    m_solution = solveTraced(m_graph, m_job.solve, hooks, m_context.stop(), &m_statistics, m_trace);
    m_statistics.levels = m_levels;
    showTimeline(true);
    if (!m_solution) return;
    m_context.metric(0, "solve/total_seconds", m_statistics.seconds);
    m_context.metric(0, "solve/phase1_seconds", m_statistics.phase1Seconds);
    m_context.metric(0, "solve/phase2_seconds", m_statistics.phase2Seconds);
    m_context.metric(0, "solve/products", static_cast<double>(m_statistics.products));
    m_context.update([&](JobSnapshot& snapshot) { shown(snapshot)->solution = m_solution; });
}

void SolveRun::levelDone(const SolveStatistics::Level& done) {
    SolveStatistics::Level level = done;
    if (m_job.solve.phase1Only) level.meanV_r = level.minV_r = level.maxV_r = std::nan("");
    m_levels.push_back(level);
    showTimeline(false);
    m_context.metric(level.step, "solve/states", static_cast<double>(level.states));
    m_context.metric(level.step, "solve/seconds", level.seconds);
    if (!m_job.solve.phase1Only) {
        m_context.metric(level.step, "solve/v_r_mean", level.meanV_r);
        m_context.metric(level.step, "solve/v_r_min", level.minV_r);
        m_context.metric(level.step, "solve/v_r_max", level.maxV_r);
    }
    m_context.update([&](JobSnapshot& snapshot) { shown(snapshot)->levels = m_levels; });
    faultPoint("run.level");
    m_context.boundary("solve, step " + std::to_string(level.step));
}

void SolveRun::showTimeline(bool atOnce) {
    const std::int64_t now = m_trace.now();
    if (!atOnce && now - m_timelineShownNs < kTimelineNs) return;
    m_timelineShownNs = now;
    m_context.update([timeline = m_trace.timeline(), this](JobSnapshot& snapshot) {
        shown(snapshot)->timeline = timeline;
    });
}

void SolveRun::traced(SpanKind kind, const std::function<void()>& work) {
    const std::int64_t begin = m_trace.now();
    work();
    m_trace.setThreads(1);
    m_trace.addUntilNow({.kind = kind}, begin);
    showTimeline(true);
}

bool SolveRun::writeValues() {
    if (!m_job.saveValues || m_context.folder().empty()) return true;
    bool isWhole = false;
    m_context.writing([&] {
        traced(WorkKind::kStore, [&] {
            isWhole = saveSolution(*m_solution, m_context.folder() / "solution.bin",
                                   m_context.stop(), progressSink());
        });
    });
    return isWhole && m_context.recordArtefact("values", "solution.bin");
}

/// As `orrery rollout --seed` of the run does. False if stopped.
bool SolveRun::sampleEpisodes() {
    if (m_job.solve.phase1Only) return true;
    const State root{.step = 0, .config = m_graph->levelMember(0, 0)};
    const std::vector<int> anyGoals(m_world->goals().size(), -1);
    Progress progress;
    progress.phase = "sample";
    progress.unit = "episodes";
    progress.total = m_job.episodes;
    for (std::int64_t number = 0; number < m_job.episodes; ++number) {
        if (m_context.stop().stop_requested()) return false;
        Rng rng(m_job.solve.seed, static_cast<std::uint64_t>(number));
        const auto episode = m_solution->rollout(root, anyGoals, rng);
        double attained = 0, steps = 0;
        const std::vector<int> places = attainedAt(*m_solution, episode);
        for (const int place : places) {
            attained += place != kNeverAttained ? 1 : 0;
            steps += place != kNeverAttained ? place : static_cast<int>(episode.size()) - 1;
        }
        const auto numHumans = static_cast<double>(std::max<std::size_t>(1, places.size()));
        m_context.metric(number, "rollout/attained", attained / numHumans);
        m_context.metric(number, "rollout/steps", steps / numHumans);
        progress.done = number + 1;
        m_context.progress(progress);
    }
    return true;
}

void SolveRun::writeResults() {
    if (m_context.folder().empty()) return;
    m_context.artefact("levels", "levels.csv", levelsCsv(m_levels));
    m_context.artefact("timeline", "timeline.json",
                       timelineJson(*m_trace.timeline(kMostStoredWork)));
    m_context.artefact("result", "result.json",
                       resultJson({.world = m_world,
                                   .graph = m_graph,
                                   .solution = m_solution,
                                   .statistics = m_statistics,
                                   .exploreSeconds = m_exploreSeconds,
                                   .isStopped = m_context.stop().stop_requested(),
                                   .threads = threadsOf(m_job.solve)}));
    m_context.writeManifest();
}

}  // namespace orrery
