#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/train/entity/entity_spec.h"
#include "core/train/entity/entity_training.h"
#include "core/train/train.h"

namespace orrery::perf {

/// A spec of resources/specs/entity.
EntitySpec entitySpecNamed(const std::string& name);

/// What makes its environments.
EntityRequest entityRequestOf(const EntitySpec& spec);

using Curves = std::map<std::string, std::vector<std::pair<std::int64_t, double>>>;

/// Trains until `isDone`, which is asked after each update, or to the end.
Curves entityCurves(const EntitySpec& spec, const std::function<bool(const Curves&)>& isDone = {});

}  // namespace orrery::perf
