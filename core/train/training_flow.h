#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

enum class ActorState : std::uint8_t { Running, Paused, Throttled, Waiting, Dead };

/// The replay buffer and what leads to it.
struct ReplayNumbers {
    std::int64_t size = 0, capacity = 0;
    std::int64_t produced = 0, consumed = 0, dropped = 0;
    std::int64_t uniqueStates = 0, models = 0, bytes = 0;
    std::int64_t oldestStep = 0;  ///< training step at which the oldest was inserted
    std::int64_t queueSize = 0, queueCapacity = 0;
};

/// What goes through a training: actors fill a queue, the queue a buffer, the buffer the learner.
/// What a method lacks is empty.
struct TrainingFlow {
    struct Actor {
        ActorState state = ActorState::Running;
        std::int64_t environmentSteps = 0, dropped = 0;
        int episodeStep = 0;
        int restarts = 0;
    };
    /// What a training step spends its time on.
    struct Part {
        std::string name;
        double milliseconds = 0;  ///< a step, on average
        int color = -1;           ///< as SpanWords::color
    };
    std::vector<Actor> actors = {};
    bool takesTurns = true;  ///< actors act between the learner's steps, and there is no queue
    ReplayNumbers replay = {};
    int batch = 0;  ///< transitions that a step learns from
    std::vector<Part> parts = {};
    double environmentStepsPerSecond = 0;
    std::string device = {};  ///< where the learner computes: "cpu"; empty: nothing is said of it
};

}  // namespace orrery
