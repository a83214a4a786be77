#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/run_event.h"
#include "core/train/method.h"
#include "core/train/steering.h"
#include "core/train/stop_conditions.h"
#include "core/train/train_trouble.h"
#include "core/train/training_snapshot.h"

namespace orrery {

/// A checkpoint that is durable.
struct TrainCheckpoint {
    std::int64_t step = 0;
    std::filesystem::path folder = {};
    std::string sha256 = {};  ///< of its manifest
    std::uint64_t bytes = 0;  ///< of all its files
};

/// The newest value of each curve, by name.
using NewestMetrics = std::map<std::string, double>;

/// What is better of a curve.
enum class MetricGoal : std::uint8_t { Least, Most };

/// How often a training tells and keeps what it has.
struct TrainCadence {
    std::int64_t metricInterval = 100;  ///< >= 1, steps
    double checkpointSeconds = 60;      ///< >= 0; 0, by steps alone
    std::int64_t checkpointSteps = 0;   ///< >= 0; 0, by time alone
    bool operator==(const TrainCadence&) const = default;
};

struct TrainRequest {
    TrainCadence cadence = {};
    std::filesystem::path folder = {};      ///< where checkpoints are made; empty: none are
    std::filesystem::path resumeFrom = {};  ///< a checkpoint's folder; empty: from the start
    std::string specJson = {};              ///< of the whole run, kept in checkpoints
    std::vector<TrainChange> changes = {};  ///< known beforehand, ascending by step
    StopConditions stop = {};
    MetricGoal goal = MetricGoal::Least;  ///< of the curve that is watched for a plateau
    NewestMetrics newest = {};            ///< of a training that is resumed
    std::int64_t memoryBudget = 0;  ///< bytes that the method may hold; 0: as the machine allows
    /// Somebody is there who decides what becomes of a skipped step: after the first in a row, and
    /// after each with which the training would end, TrainHooks::boundary is called at once and
    /// shall block; a stop then ends the training as diverged, or as stopped where a checkpoint is
    /// wanted after the first in a row.
    bool pausesAtTrouble = false;
};

/// What TrainHooks::boundary says of a paused run that was asked for something.
inline constexpr std::int64_t kCallAgain = -1;

/// Called on the thread that calls train, none may throw anything but Error.
struct TrainHooks {
    std::function<void(std::int64_t step, const std::string& key, double value)> metric = {};
    std::function<void(const event::Message&)> message = {};
    /// Between training steps, after each slow one or 30 ms; blocks while the run is paused.
    /// @return training steps that may be done before the next call; 0: any number; kCallAgain:
    ///         the run is paused and there are changes, a wish for a checkpoint or questions at the
    ///         desk: they are taken, then this is called again at the same step
    std::function<std::int64_t(const Progress&)> boundary = {};
    std::function<void(std::shared_ptr<const TrainingSnapshot>)> snapshot = {};
    /// The least time between two snapshots now; 0, or without it: 100 ms.
    std::function<std::chrono::milliseconds()> snapshotPause = {};
    /// The changes that people asked for since the last call; `step` is not looked at.
    std::function<std::vector<TrainChange>()> takeChanges = {};
    std::function<void(const AppliedChange&)> changed = {};
    /// A step was skipped; one message was told of it. If it asks, the next boundary shall block.
    std::function<void(const TrainTrouble&)> troubled = {};
    /// Runs what writes, again while the disk is full.
    std::function<void(const std::function<void()>&)> writing = {};
    /// A checkpoint of this step is made next: what was told shall be durable before it is, as a
    /// training that goes on from it does not tell that again.
    std::function<void()> saving = {};
    /// A checkpoint is durable; the curves' values then.
    std::function<void(const TrainCheckpoint&, const NewestMetrics&)> saved = {};
    std::function<bool()> wantsCheckpoint = {};  ///< someone asked for one now
};

struct TrainOutcome {
    RunState state = RunState::Finished;  ///< Finished, Stopped or Diverged
    std::string summary = {};             ///< one line
    std::int64_t steps = 0;
    NewestMetrics newest = {};
};

/// Trains by a method until its steps are done, a stop condition holds or a stop is requested;
/// then, and at the cadence's intervals, makes a checkpoint. What a method does on this thread
/// alone is bit-exact: the same request gives the same numbers, and a resumed run continues as if
/// it had not been interrupted.
/// @throws Error of the method, (Damaged) a checkpoint, (Resource) no memory
/// Numbers that are not finite never get into a checkpoint: the training has diverged before.
/// Fault points: train.step and those of the method.
TrainOutcome train(Method& method, const TrainRequest& request, const TrainHooks& hooks,
                   std::stop_token stop);

}  // namespace orrery
