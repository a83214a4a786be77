#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/run/checkpoint_measure.h"
#include "core/run/metric_mirror.h"
#include "core/run/run_context.h"
#include "core/run/run_kind.h"
#include "core/train/train.h"

namespace orrery {

/// A training as a run does it, whatever the method: its start or resume, checkpoints, curves and
/// changes in the history, the best checkpoint, the mirror. Lives on the run's worker thread.
class TrainRun : public RunWork {
public:
    std::string prepare() final;

    /// @return Finished, Stopped or Diverged, with a line that sums it up
    /// @throws Error, (Resource) if the learners' library is missing
    RunOutcome work() final;

protected:
    /// @param job  lives as long as this
    TrainRun(const Job& job, RunContext& context);

    /// Reads and checks what the job names. @return the content hash of its worlds
    /// @throws Error (BadInput) with all that is wrong
    virtual std::string readInputs() = 0;
    /// Writes them into the run's folder. What else the training cannot do without is missed here:
    /// afterwards a resumed run gives up what was recorded behind its checkpoint.
    virtual void keepInputs() {}
    /// The settings as checkpoints keep them, the seed in them.
    virtual RunSpec keptSpec() const = 0;
    /// The method. Called once, when it is known where the training starts.
    /// @return null if a stop was requested meanwhile
    virtual std::unique_ptr<Method> makeMethod() = 0;
    /// Adds to result.json.
    virtual void addResults(nlohmann::ordered_json&) {}

    RunContext& context() { return m_context; }
    /// Warnings about the inputs, shown and told.
    void warn(std::string warning);
    void show(const std::function<void(TrainSnapshot&)>& change);

private:
    void tellWarnings();
    void chooseStart();
    void resumeFromNewest();
    void takeKnownChanges();
    TrainHooks hooks();
    void troubled(const TrainTrouble& trouble);
    void obey(const RunCommand& command);
    void changed(const AppliedChange& change);
    void saved(const TrainCheckpoint& checkpoint, const NewestMetrics& newest);
    CheckpointRow list(const TrainCheckpoint& checkpoint, const NewestMetrics& newest);
    void listUnlisted(const Checkpoint& checkpoint);
    bool areRowsDurable(std::chrono::milliseconds patience);
    void tellSaved();
    void tellLateSaved();
    void dropOldCheckpoints();
    void mark(CheckpointRow& row, const NewestMetrics& newest);
    void findBest(std::int64_t step);
    void beginMirror();
    void tellMirror();
    void warnOfUnknownMetric(const NewestMetrics& newest);
    void writeSpans();
    void writeResults(const TrainOutcome& outcome);

    const Job& m_job;
    const TrainSettings& m_settings;  ///< of it
    RunContext& m_context;
    RunSpec m_live;  ///< the job with the changes made so far
    std::vector<std::string> m_warnings;
    TrainRequest m_request;
    std::vector<TrainChange> m_asked;  ///< not yet taken by the method
    bool m_wantsCheckpoint = false;
    std::vector<CheckpointRow> m_rows;     ///< of checkpoints that are there, oldest first
    std::int64_t m_generation = 0;         ///< highest given so far
    std::vector<KeptCheckpoint> m_untold;  ///< made, but not known to be durable in the database
    std::shared_ptr<const TrainingSnapshot> m_training;
    std::optional<CheckpointMeasure> m_best;    ///< of the row that is marked as best
    std::optional<std::int64_t> m_restartStep;  ///< from here on what was recorded before is void
    std::unique_ptr<MetricMirror> m_mirror;     ///< null: none is wanted
};

}  // namespace orrery
