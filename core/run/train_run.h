#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/best_checkpoint.h"
#include "core/run/metric_mirror.h"
#include "core/run/run_context.h"
#include "core/run/run_kind.h"
#include "core/run/train_job.h"
#include "core/train/empo/empo_training.h"
#include "core/train/train.h"

namespace orrery {

/// A training as a run does it: worlds, exact solutions where they are small, then the learner of
/// the shared library; its checkpoints, curves and changes go into the history. Lives on the run's
/// worker thread.
class TrainRun : public RunWork {
public:
    TrainRun(const TrainJob& job, RunContext& context)
        : m_job(job), m_context(context), m_live(job) {}

    /// Reads and makes the worlds, and checks them. @return their content hash
    /// @throws Error (BadInput) with every error of the world files or of the spec
    std::string prepare() override;

    /// Does the rest. @return Finished, Stopped or Diverged, with a line that sums it up
    /// @throws Error, (Resource) if the learners' library is missing
    RunOutcome work() override;

private:
    void writeInputs();
    bool solveExactly();
    std::vector<std::shared_ptr<const Solution>> solveAgain(const EmpoSpec& spec);
    void tellNotExact(std::size_t world, const std::string& whyNot);
    void chooseStart();
    void resumeFromNewest();
    void takeKnownChanges();
    TrainHooks hooks();
    void troubled(const TrainTrouble& trouble);
    void obey(const RunCommand& command);
    void changed(const AppliedChange& change);
    void saved(const TrainCheckpoint& checkpoint, const NewestMetrics& newest);
    bool areRowsDurable(std::chrono::milliseconds patience);
    void tellSaved();
    void tellLateSaved();
    void dropOldCheckpoints();
    void mark(CheckpointRow& row, const NewestMetrics& newest);
    void findBest();
    void beginMirror();
    void tellMirror();
    void warnOfUnknownMetric(const NewestMetrics& newest);
    void writeResults(const TrainOutcome& outcome);
    void writeSpans();
    void show(const std::function<void(TrainSnapshot&)>& change);

    const TrainJob& m_job;
    RunContext& m_context;
    TrainJob m_live;                        ///< the job with the changes made so far
    std::vector<std::string> m_worldTexts;  ///< [worlds] of their files
    std::vector<std::string> m_warnings;
    EmpoRequest m_empo;
    TrainRequest m_request;
    std::vector<TrainChange> m_asked;  ///< not yet taken by the learner
    bool m_wantsCheckpoint = false;
    std::optional<TrainTrouble> m_trouble;  ///< of the newest step that was skipped
    std::vector<CheckpointRow> m_rows;      ///< of checkpoints that are there, oldest first
    std::int64_t m_generation = 0;          ///< highest given so far
    std::vector<KeptCheckpoint> m_untold;   ///< made, but not known to be durable in the database
    std::shared_ptr<const TrainingSnapshot> m_training;  ///< the newest
    std::optional<CheckpointMeasure> m_best;             ///< of the row that is marked as best
    std::optional<std::int64_t> m_restartStep;  ///< from here on what was recorded before is void
    std::unique_ptr<MetricMirror> m_mirror;     ///< null: none is wanted
};

/// Where a run's checkpoint of a step lies.
std::filesystem::path checkpointFolder(const std::filesystem::path& runFolder, std::int64_t step);

}  // namespace orrery
