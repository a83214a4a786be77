#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/run/jobs/solve_job.h"
#include "core/run/run_context.h"
#include "core/run/run_kind.h"
#include "core/trace/work_trace.h"

namespace orrery {

/// A solve as a run does it: world, graph (kept or explored), both phases, files. Lives on the
/// run's worker thread.
class SolveRun : public RunWork {
public:
    SolveRun(const SolveJob& job, RunContext& context) : m_job(job), m_context(context) {}

    /// Reads and makes the world, and checks the spec against it. @return its content hash
    /// @throws Error (BadInput) with every error of the world file or of the spec
    std::string prepare() override;

    /// Does the rest. What was done before a stop is written too.
    /// @return Finished or Stopped, with a line that sums it up  @throws Error
    RunOutcome work() override;

private:
    void writeInputs();
    void findGraph();
    bool takeGraphAtHand();
    bool openKept(const std::filesystem::path& file);
    void keep(const std::filesystem::path& file);
    void showGraph();
    void solveLevels();
    void levelDone(const SolveStatistics::Level& done);
    bool writeValues();
    bool sampleEpisodes();
    void writeResults();
    void showTimeline(bool atOnce);
    /// Does something on the run's own thread and writes down how long it took.
    void traced(SpanKind kind, const std::function<void()>& work);
    ProgressSink progressSink();
    SolveSnapshot* shown(JobSnapshot& snapshot) const {
        return std::get_if<SolveSnapshot>(&snapshot);
    }

    const SolveJob& m_job;
    RunContext& m_context;
    std::string m_worldText;
    std::vector<std::string> m_warnings;
    std::shared_ptr<const World> m_world;
    std::shared_ptr<const StateGraph> m_graph;
    std::shared_ptr<const Solution> m_solution;
    std::vector<SolveStatistics::Level> m_levels;  ///< solved, last step first
    SolveStatistics m_statistics;
    double m_exploreSeconds = 0;
    WorkTrace m_trace;
    std::int64_t m_timelineShownNs = 0;
};

}  // namespace orrery
