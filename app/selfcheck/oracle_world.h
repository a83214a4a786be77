#pragma once

#include <memory>

#include "app/selfcheck/oracle_node.h"
#include "app/selfcheck/tally.h"
#include "core/grid/grid_world.h"
#include "core/solve/spec.h"

namespace orrery {

/// Builds the world that the sections `world` and `goals` of an oracle file describe, and compares
/// what they say twice (size, colours, roles, action names) with what follows from the map.
///
/// @param document the whole file
/// @return null if a section or a field that the world needs is missing; the tally then says so
/// @throws Error (BadInput) if a field has a wrong type or the world is none
std::shared_ptr<const GridWorld> readOracleWorld(const OracleNode& document, Tally& tally);

/// The parameters of one element of `settings`.
/// @throws Error (BadInput) naming the field that is wrong
SolveSpec readOracleSetting(const OracleNode& setting, const World& world);

}  // namespace orrery
