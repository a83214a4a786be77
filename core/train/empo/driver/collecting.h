#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/trace/span_recorder.h"
#include "core/train/empo/driver/training.h"

namespace orrery {

/// What collectors act by at one training step. Immutable once published.
struct ActingState {
    ActingRates rates = {};
    std::shared_ptr<const ActingWeights> weights = {};
    std::int64_t trainingSteps = 0;
    std::optional<double> mostPerTrainingStep = {};  ///< environment steps; none: no limit
};

/// Where a learner's transitions come from. Called by the learner's thread.
class Collecting {
public:
    virtual ~Collecting() = default;

    /// Takes in what there is before the next training step. Waits 50 ms at most.
    /// @return whether the next training step may be done
    /// @throws Error if collectors keep failing
    virtual bool collect(Training& training) = 0;
    virtual void publish(std::shared_ptr<const ActingState> state) = 0;
    /// @return false if there is no such collector
    virtual bool setPaused(int collector, bool isPaused) = 0;
    virtual bool isPaused(int collector) const = 0;

    /// The state of each collector, as Collector::load takes it. What they have made until then is
    /// in the training's buffer.
    virtual std::vector<std::vector<std::byte>> save(Training& training) = 0;
    virtual std::vector<CollectorNumbers> numbers() const = 0;
    /// Transitions on their way, and how many were lost because there was no room.
    virtual void addNumbers(ReplayNumbers& numbers) const = 0;
    /// What collectors' threads did when, as far as it is to be seen; none is null.
    virtual std::vector<std::shared_ptr<const SpanLane>> lanes() const { return {}; }
    /// Memory of these recordings, at most.
    virtual std::size_t recordingBytes() const { return 0; }
    /// Lines for the log since the last call: "actor 1 failed: ...".
    virtual std::vector<std::string> takeMessages() = 0;
};

/// Collectors that act in turn on the learner's own thread: everything is reproducible.
/// @param saved  as save() gave them; empty: from the start
std::unique_ptr<Collecting> makeTurnCollecting(const EmpoSpec& spec, const TrainWorlds& worlds,
                                               std::span<const std::vector<std::byte>> saved);

/// Collectors on threads of their own, with a bounded queue before the learner. A collector that
/// fails is replaced while its restart budget lasts; with too few left the run ends. Results are
/// reproducible in distribution only. Source: seed 003, section 3.
/// @param environmentSteps  done before
/// @param origin            the moment 0 of the recorded spans
std::unique_ptr<Collecting> makeThreadCollecting(const EmpoSpec& spec, const TrainWorlds& worlds,
                                                 std::span<const std::vector<std::byte>> saved,
                                                 std::int64_t environmentSteps,
                                                 SpanRecorder::Clock::time_point origin);

/// The fault point before each step of one collector, beside "actor.step" of all.
inline std::string faultNameOf(int collector) {
    return "actor." + std::to_string(collector) + ".step";
}

}  // namespace orrery
