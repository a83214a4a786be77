#include "core/run/archive/reopen.h"

#include "core/base/error.h"
#include "core/base/thread_team.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/jobs/kept_graphs.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run_kind.h"

namespace orrery {

namespace {

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
    reopened.spec = storedSpec(workspace, id);
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
