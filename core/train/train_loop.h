#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/train/checkpoint_clock.h"
#include "core/train/method.h"
#include "core/train/train.h"
#include "core/train/train_checkpoint.h"

namespace orrery {

/// A whole training: train's work. One thread.
class TrainLoop : private TrainHost {
public:
    TrainLoop(Method& method, const TrainRequest& request, const TrainHooks& hooks,
              std::stop_token stop);
    TrainOutcome run();

private:
    void say(const event::Message& message) override;
    void metric(const std::string& name, double value) override;
    void forgetMetrics(std::string_view prefix) override;
    void wasNoTraining(Clock::time_point since) override;
    const std::stop_token& stop() const override { return m_stop; }

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
    void noteSkipped(const MethodStep& step);
    bool keepsSkipped() const;
    std::string keptBatch();
    void writing(const std::function<void()>& write);
    void tellMetrics();
    TrainingSnapshot common() const;
    void tellSnapshot();
    void watchMetric();
    void watchStep();
    void watchMemory();
    Progress progress() const;
    void checkpoint();
    void checkpointIfDue();
    SavedCheckpoint save();
    void noteWritten(double seconds);
    double trainedSeconds() const;
    std::int64_t step() const { return m_method.stepsDone(); }
    TrainOutcome outcome(RunState state, const std::string& why) const;

    Method& m_method;
    const TrainRequest& m_request;
    const TrainHooks& m_hooks;
    std::stop_token m_stop;

    std::size_t m_nextKnown = 0;      ///< of the request's changes
    std::int64_t m_stepsAllowed = 0;  ///< before the next boundary; 0: any number
    std::int64_t m_stepsSince = 0;    ///< the last boundary
    Clock::time_point m_lastBoundary, m_lastSnapshot, m_lastMemory, m_resumed;
    Clock::time_point m_lastLook;  ///< at the clock, between steps
    double m_seconds = 0;          ///< trained until m_resumed
    double m_secondsBefore = 0;    ///< this process took over
    std::int64_t m_checkpointStep = -1;
    CheckpointClock m_checkpointClock;
    double m_keepingSeconds = 0;  ///< that making checkpoints took so far, in this process
    std::int64_t m_beginStep = 0;
    NewestMetrics m_newest;
    bool m_hasNewPoints = false;      ///< since conditions on them were looked at
    StopConditions m_stopConditions;  ///< with the changes made so far
    std::string m_stopReason;         ///< one of them holds
    ExtremeValue m_extreme;
    bool m_hasDiverged = false;
    bool m_hasKeptBatch = false;  ///< of a step that was skipped
    std::int64_t m_skippedInARow = 0;
    bool m_isAsking = false;  ///< what becomes of the last step, which was skipped
    TrainTrouble m_trouble;   ///< of the newest step that was skipped
};

}  // namespace orrery
