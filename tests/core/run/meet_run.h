#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <utility>

#include "core/run/run.h"

namespace orrery {

/// Starts a run and acts once, on the run's own thread, when a snapshot fulfils the condition: the
/// run is met there however busy the machine is.
inline std::unique_ptr<Run> startAndMeet(const RunSpec& spec, RunOptions options,
                                         std::function<bool(const RunSnapshot&)> isThere,
                                         std::function<void(Run&)> act) {
    struct Meeting {
        std::promise<Run*> started;
        std::shared_future<Run*> run = started.get_future().share();
        std::atomic<bool> isOver = false;
    };
    const auto meeting = std::make_shared<Meeting>();
    options.snapshotPause = std::chrono::milliseconds(0);
    options.notify = [meeting, isThere = std::move(isThere), act = std::move(act)] {
        if (meeting->isOver) return;
        Run& run = *meeting->run.get();
        const auto snapshot = run.snapshot();
        if (snapshot && isThere(*snapshot) && !meeting->isOver.exchange(true)) act(run);
    };
    auto run = Run::start(spec, std::move(options));
    meeting->started.set_value(run.get());
    return run;
}

/// The condition that a training has done so many steps.
inline std::function<bool(const RunSnapshot&)> hasTrained(std::int64_t steps) {
    return [steps](const RunSnapshot& now) {
        return now.progress.phase == "train" && now.progress.done >= steps;
    };
}

}  // namespace orrery
