#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "core/world/world.h"

namespace orrery {

/// A world for machines: size, agents, actions, goals, hash, initial state, warnings.
nlohmann::ordered_json worldJson(const World& world);

/// The value of each variable of a configuration, by name.
nlohmann::ordered_json valuationJson(const World& world,
                                     std::span<const std::uint64_t> configuration);

}  // namespace orrery
