#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/train/checkpoint_clock.h"
#include "core/train/driver/collecting.h"
#include "core/train/driver/desk.h"
#include "core/train/driver/exact_error.h"
#include "core/train/driver/training.h"
#include "core/train/train.h"

namespace orrery {

/// A whole training: trainEmpo's work. One thread.
class TrainLoop {
public:
    TrainLoop(const TrainRequest& request, const TrainHooks& hooks, std::stop_token stop);
    TrainOutcome run();

private:
    using Clock = std::chrono::steady_clock;

    void begin();
    bool isDone() const;
    /// Everything that happens between training steps: changes, progress, snapshots, checkpoints.
    void boundary();
    bool isBoundaryDue();
    void obey(bool tellsSnapshot);
    std::vector<TrainChange> askedChanges() const;
    std::chrono::milliseconds snapshotPause() const;
    void apply(const TrainChange& change);
    void applyKnownChanges();
    std::string setActor(const TrainChange& change, std::string& oldValue);
    void trainStep();
    void noteSkipped(const StepReport& report);
    bool keepsSkipped() const;
    std::string keptBatch();
    void writing(const std::function<void()>& write);
    std::unique_ptr<Collecting> makeCollecting(std::span<const std::vector<std::byte>> saved);
    void takeHumans();
    void publish();
    void tellMetrics();
    void tellProfile();
    void tellStageTimes();
    void measureErrors();
    bool measureError(std::size_t world);
    bool renewSolutions();
    void compareWith(const std::vector<std::shared_ptr<const Solution>>& exact);
    bool isErrorStep(std::int64_t step) const;
    bool isPlasticityStep() const;
    void tellSnapshot();
    EmpoSnapshot snapshot();
    std::shared_ptr<const SpanTimeline> timeline();
    BatchProfile& profile() { return m_training.learner.profile(); }
    void watchMetric();
    void watchStep();
    void watchMemory();
    Progress progress() const;
    void checkpoint();
    void checkpointIfDue();
    bool endsStage() const;
    void noteWritten(double seconds);
    void say(MessageLevel level, const std::string& code, const std::string& text) const;
    void say(const event::Message& message) const;
    double trainedSeconds() const;
    std::int64_t step() const { return m_training.learner.stepsDone(); }
    TrainOutcome outcome(RunState state, const std::string& why) const;

    const TrainRequest& m_request;
    const TrainHooks& m_hooks;
    std::stop_token m_stop;
    Training m_training;
    std::unique_ptr<Collecting> m_collecting;
    std::vector<std::unique_ptr<ExactComparison>> m_comparisons;  ///< [worlds], null: none
    std::vector<std::optional<ErrorNumbers>> m_errors;            ///< [worlds]
    std::int64_t m_exactStates = 0;  ///< of all worlds, in the first comparisons
    double m_exactBeta_r = 0;        ///< what the comparisons' solutions were made with
    bool m_hasToldUnsolved = false;

    std::shared_ptr<const ActingWeights> m_published;
    std::int64_t m_numPublished = 0;
    std::size_t m_nextKnown = 0;      ///< of the request's changes
    std::int64_t m_stepsAllowed = 0;  ///< before the next boundary; 0: any number
    std::int64_t m_stepsSince = 0;    ///< the last boundary
    Clock::time_point m_lastBoundary, m_lastSnapshot, m_lastMemory, m_resumed;
    Clock::time_point m_lastLook;  ///< at the clock, between steps
    double m_seconds = 0;          ///< trained until m_resumed
    std::int64_t m_checkpointStep = -1;
    CheckpointClock m_checkpointClock;
    double m_keepingSeconds = 0;  ///< that making checkpoints took so far, in this process
    std::int64_t m_beginStep = 0, m_beginEnvironmentSteps = 0;
    std::map<std::string, double> m_newest;  ///< metrics
    StopConditions m_stopConditions;         ///< with the changes made so far
    std::string m_stopReason;                ///< one of them holds
    DeskService m_desk;
    bool m_hasDiverged = false;
    bool m_hasKeptBatch = false;  ///< of a step that was skipped
    std::int64_t m_skippedInARow = 0;
    bool m_isAsking = false;  ///< what becomes of the last step, which was skipped
    TrainTrouble m_trouble;   ///< of the newest step that was skipped
};

}  // namespace orrery
