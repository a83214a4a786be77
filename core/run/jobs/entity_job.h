#pragma once

#include <memory>
#include <vector>

#include "core/env/environment.h"
#include "core/spec/problem.h"
#include "core/spec/spec_table.h"
#include "core/train/entity/entity_spec.h"
#include "core/train/train_settings.h"

namespace orrery {

/// Learning to act among things.
struct EntityJob : TrainSettings {
    EntityJob() { goal = MetricGoal::Most; }

    EntitySpec entity = {};  ///< its seed is that of the run

    bool operator==(const EntityJob&) const = default;
};

const SpecTable<EntityJob>& entityJobFields();

/// What is wrong with a training, its environment included, beyond the ranges of single fields.
std::vector<SpecProblem> entityJobProblems(const EntityJob& job);

/// The environment that a spec names.
/// @throws Error (BadInput) if there is none, or it does not take the options
std::unique_ptr<Environment> makeEnvironment(const EntityPlaceSpec& place);

}  // namespace orrery
