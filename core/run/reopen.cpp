#include "core/run/reopen.h"

#include <algorithm>

#include "core/base/file_descriptor.h"
#include "core/base/sha256.h"
#include "core/base/thread_team.h"
#include "core/files/world_file.h"
#include "core/run/run_kind.h"
#include "core/run/solve_job.h"
#include "core/run/steering.h"

namespace orrery {

namespace {

constexpr const char* kDamagedAdvice = " `orrery verify` names everything that is damaged.";

const ArtefactRow* artefactOf(const std::vector<ArtefactRow>& rows, const std::string& kind) {
    const auto found = std::ranges::find(rows, kind, &ArtefactRow::kind);
    return found == rows.end() ? nullptr : &*found;
}

/// The world file that a run kept, checked; nothing if it kept none of that kind.
std::optional<std::string> keptWorld(const Workspace& workspace, const RunRecord& record,
                                     const std::vector<ArtefactRow>& rows,
                                     const std::string& kind) {
    const ArtefactRow* world = artefactOf(rows, kind);
    if (world == nullptr) return std::nullopt;
    std::string text = readFile(workspace.folder() / world->file, kMaxWorldFileBytes);
    if (sha256Hex(text) != world->sha256)
        throw Error("The world file of run " + record.id + " (" + world->file +
                        ") is not the one that was worked on: its hash differs." + kDamagedAdvice,
                    Error::Kind::Damaged);
    return text;
}

RunSpec specOf(const Workspace& workspace, const RunRecord& record,
               const std::vector<ArtefactRow>& rows) {
    RunSpec spec = runSpecFromJson(record.configJson, "spec of run " + record.id);
    const RunKind& kind = spec.job.kind();
    std::vector<WorldRef> worlds = kind.worlds(spec.job);
    for (std::size_t i = 0; i < worlds.size(); ++i)
        if (auto text = keptWorld(workspace, record, rows,
                                  i == 0 ? "world" : "world_" + std::to_string(i + 1)))
            worlds[i].text = std::move(*text);
    if (!worlds.empty()) kind.takeWorlds(spec.job, worlds);
    return spec;
}

std::vector<EventRow> eventsOf(const Workspace& workspace, const std::string& run) {
    const HistoryReader reader = workspace.reader();
    return reader.events(reader.findRun(run).id);
}

/// The kept graph, or one explored again; null if stopped.
std::shared_ptr<const StateGraph> graphOf(const Workspace& workspace, const SolveJob& job,
                                          const std::shared_ptr<const World>& world,
                                          const std::stop_token& stop,
                                          const ProgressSink& progress) {
    const auto file = graphFile(workspace.folder(), *world, job.unrolled);
    try {
        if (std::filesystem::exists(file)) return openGraph(world, file, stop, progress);
    } catch (const Error& e) {
        // Kept graphs only save time: whatever is wrong with one, the world gives it again.
        if (e.kind() != Error::Kind::Damaged && e.kind() != Error::Kind::Resource) throw;
    }
    const int threads = job.solve.threads > 0 ? job.solve.threads : processorCount();
    return explore(
        world,
        {.threads = threads, .memoryBudget = job.solve.memoryBudget, .unrolled = job.unrolled},
        stop, progress);
}

}  // namespace

std::filesystem::path graphFile(const std::filesystem::path& workspaceFolder, const World& world,
                                bool unrolled) {
    return workspaceFolder / "graphs" /
           (world.contentHash() + (unrolled ? "-unrolled" : "") + ".graph");
}

int trimGraphs(const std::filesystem::path& workspaceFolder, std::int64_t bytes) {
    struct Kept {
        std::filesystem::file_time_type used;
        std::filesystem::path file;
        std::int64_t bytes;
    };
    std::vector<Kept> kept;
    std::error_code ignored;  // a graph that vanishes meanwhile needs no trimming
    for (const auto& entry :
         std::filesystem::directory_iterator(workspaceFolder / "graphs", ignored))
        if (entry.path().extension() == ".graph" && entry.is_regular_file(ignored))
            kept.push_back({entry.last_write_time(ignored), entry.path(),
                            static_cast<std::int64_t>(entry.file_size(ignored))});
    std::ranges::sort(kept, std::ranges::greater{}, &Kept::used);
    std::int64_t total = 0;
    int removed = 0;
    for (const Kept& graph : kept) {
        total += graph.bytes;
        if (total > bytes && std::filesystem::remove(graph.file, ignored)) ++removed;
    }
    return removed;
}

RunSpec storedSpec(const Workspace& workspace, const std::string& run) {
    const HistoryReader reader = workspace.reader();
    const RunRecord record = reader.findRun(run);
    return specOf(workspace, record, reader.artefacts(record.id));
}

RunSpec storedSpecAt(const Workspace& workspace, const std::string& run, std::int64_t step) {
    RunSpec spec = storedSpec(workspace, run);
    const RunKind& kind = spec.job.kind();
    if (!kind.isTraining()) return spec;
    const auto recorded =
        recordedChanges(kind.training(spec.job)->changes, eventsOf(workspace, run));
    goToStep(spec, recorded, step);
    return spec;
}

RunSpec repeatedSpec(const Workspace& workspace, const std::string& run) {
    RunSpec spec = storedSpec(workspace, run);
    const RunKind& kind = spec.job.kind();
    if (!kind.isTraining()) return spec;
    std::vector<TrainChange>& changes = kind.training(spec.job)->changes;
    changes = recordedChanges(changes, eventsOf(workspace, run));
    return spec;
}

std::optional<ReopenedSolve> reopenSolution(const Workspace& workspace, const std::string& run,
                                            std::stop_token stop, const ProgressSink& progress) {
    const HistoryReader reader = workspace.reader();
    ReopenedSolve reopened;
    reopened.record = reader.findRun(run);
    const std::string& id = reopened.record.id;
    const std::vector<ArtefactRow> rows = reader.artefacts(id);
    const ArtefactRow* values = artefactOf(rows, "values");
    const RunKind* kind = kindOf(reopened.record);
    if (values == nullptr && kind != nullptr && !kind->hasValues)
        throw Error(
            "Run " + id + " is a " + kind->noun + ": it has no exact values." +
                (kind->isTraining()
                     ? " `orrery eval " + id + "` compares what it learned with an exact solution."
                     : ""),
            Error::Kind::BadInput);
    if (values == nullptr)
        throw Error("Run " + id + " kept no values (it is " +
                        std::string(reopened.record.state ? nameOf(*reopened.record.state)
                                                          : "of a newer version") +
                        "). Solve it again with save_values on.",
                    Error::Kind::BadInput);
    reopened.spec = specOf(workspace, reopened.record, rows);
    const auto& job = requireSolve(reopened.spec, "Run " + id);
    reopened.world = requireWorld(job.world);
    if (reopened.world->contentHash() != reopened.record.worldHash)
        throw Error("The world of run " + id +
                        " has another content hash than when it was solved." + kDamagedAdvice,
                    Error::Kind::Damaged);
    reopened.graph = graphOf(workspace, job, reopened.world, stop, progress);
    if (!reopened.graph || stop.stop_requested()) return std::nullopt;
    reopened.solution =
        openSolution(reopened.graph, job.solve, workspace.folder() / values->file, stop, progress);
    if (!reopened.solution) return std::nullopt;
    return reopened;
}

}  // namespace orrery
