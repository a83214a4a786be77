#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/run_event.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/checkpoint/tensor_map.h"
#include "core/train/metric_value.h"
#include "core/train/steering.h"
#include "core/train/training_snapshot.h"

namespace orrery {

/// What a method finds around it while it trains. The trainer's; all on its thread.
class TrainHost {
public:
    using Clock = std::chrono::steady_clock;

    virtual ~TrainHost() = default;
    virtual void say(const event::Message& message) = 0;
    /// A point of a curve at the number of steps done. Conditions on curves are looked at once the
    /// method has come back.
    virtual void metric(const std::string& name, double value) = 0;
    /// The newest values of these curves are of no use any more.
    virtual void forgetMetrics(std::string_view prefix) = 0;
    /// What went on since then was no training: it does not count as seconds trained.
    virtual void wasNoTraining(Clock::time_point since) = 0;
    virtual const std::stop_token& stop() const = 0;
};

/// What became of a training step.
struct MethodStep {
    bool hasTrained = false;  ///< false: there is nothing to learn from yet; it counts all the same
    bool wasSkipped = false;  ///< a number was not finite, nothing was changed
    bool hasDiverged = false;      ///< too many such steps in a row
    std::string trouble = {};      ///< of a skipped step: "the gradient of v_h_e is not finite"
    std::string rateField = {};    ///< the spec's learning rate of it: "lr_v_h_e"; empty: none
    std::int64_t troubleStep = 0;  ///< that step, counted from 1; a GPU tells some steps late
};

/// What the trainer does between steps, for a method that writes down where the time goes.
enum class TrainPhase : std::uint8_t { None, Collect, Answers, Checkpoint };

/// A way of learning: all that a training does but for what every training does (train.h). Its
/// constructor may throw Error (BadInput) for what cannot be learned. One thread calls it.
///
/// The trainer calls begin() once, then again and again collect() and, if that allows it, step()
/// and settle(). A step that takes long does its work piece by piece in collect(), so that it can
/// be halted, stopped and kept between two of them.
class Method {
public:
    Method() = default;
    Method(const Method&) = delete;
    Method& operator=(const Method&) = delete;
    virtual ~Method() = default;

    virtual std::int64_t stepsDone() const = 0;
    virtual std::int64_t totalSteps() const = 0;  ///< it ends by itself after so many
    /// What they are: "frames".
    virtual std::string stepUnit() const { return "training steps"; }
    /// By how many a step() counts further.
    virtual std::int64_t stepSize() const { return 1; }
    /// collect() has begun with what the next step() will count: a checkpoint holds how far it is,
    /// and changes hold from the step after it.
    virtual bool isWithinStep() const { return false; }

    /// Before the first step.
    /// @param host      lives as long as the training
    /// @param progress  of the checkpoint that it goes on from, with what save() put there
    /// @throws Error (Damaged) a checkpoint
    virtual void begin(TrainHost& host, const Checkpoint* checkpoint,
                       const TensorMap* progress) = 0;
    /// Gathers what the next step learns from. Waits 50 ms at most. @return false: not yet
    virtual bool collect() { return true; }
    /// @param wantsNumbers  numbers() is asked for afterwards
    virtual MethodStep step(bool wantsNumbers) = 0;
    /// After a step of a training that goes on.
    virtual void settle() {}
    /// The training was halted, or may have been, and goes on.
    virtual void goOn() {}
    /// The last measurements of a training that ended by itself.
    virtual void finish() {}

    /// Curves at this step.
    virtual std::vector<MetricValue> numbers(const TrainingSnapshot& common) = 0;
    /// Behind the numbers of steps in the line that sums a training up: "; error of V_r 0.1".
    virtual std::string summary() const { return {}; }
    /// Its part of a snapshot.
    /// @param common  has what is there of every training, but the desk
    virtual std::shared_ptr<const TrainingSnapshot> snapshot(const TrainingSnapshot& common) = 0;
    /// Answers what was asked at its desk. @return whether anything was
    virtual bool answer() { return false; }
    /// Shows what was asked for before as it stands at the end.
    virtual void showLast() {}

    /// Applies a change of a live field of its spec, before the next step that it has not begun.
    virtual AppliedChange change(const TrainChange& change) = 0;
    virtual int numActors() const { return 0; }
    virtual bool isActorPaused(int /*actor*/) const { return false; }
    virtual void setActorPaused(int /*actor*/, bool /*isPaused*/) {}

    /// Which part of its curriculum the next step belongs to; a checkpoint is made where one ends.
    virtual int stage() const { return 0; }
    /// Once before save(), which may have to be called several times while the disk is full.
    virtual void prepareSave() {}
    /// Writes its files.
    /// @param progress  takes small things beside the trainer's own
    /// @throws Error (Diverged) numbers that are not finite, (Resource), DiskFullError
    virtual void save(CheckpointWriter& writer, TensorMap& progress) = 0;
    /// A checkpoint is durable. @param seconds  that making checkpoints took so far
    virtual void saved(double /*seconds*/) {}
    /// Keeps what a skipped step was trained on, so that it can be looked at.
    /// @return the file's name in the folder; empty: nothing can be kept
    virtual std::string keepBatch(const std::filesystem::path& /*folder*/) { return {}; }
    /// What holds memory, and which settings need less of it. Now and then.
    struct MemoryUse {
        std::int64_t bytes = 0;  ///< all that it holds
        std::string held;        ///< "the replay buffer holds 12 MiB"
        std::string advice;      ///< "Set a smaller buffer_size."
    };
    virtual MemoryUse memoryUse() const = 0;

    /// What the trainer does from now on.
    virtual void enter(TrainPhase /*phase*/) {}
};

}  // namespace orrery
