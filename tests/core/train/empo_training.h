#pragma once

#include <memory>
#include <stop_token>
#include <utility>

#include "core/empo/snapshot.h"
#include "core/train/empo/driver/empo_method.h"
#include "core/train/train.h"

namespace orrery::test {

/// A training of learned planning: what the method asks for, and what every training does.
struct EmpoTraining : EmpoRequest, TrainRequest {};

/// As a run does it.
inline TrainOutcome trainEmpo(const EmpoTraining& training, const TrainHooks& hooks,
                              std::stop_token stop) {
    const std::unique_ptr<Method> method = makeEmpo(training);
    return train(*method, training, hooks, std::move(stop));
}

/// Keeps the newest snapshot.
inline void keepSnapshot(TrainHooks& hooks, std::shared_ptr<const EmpoSnapshot>& newest) {
    hooks.snapshot = [&newest](const std::shared_ptr<const TrainingSnapshot>& snapshot) {
        newest = std::dynamic_pointer_cast<const EmpoSnapshot>(snapshot);
    };
}

}  // namespace orrery::test
