#pragma once

#include <string>
#include <vector>

#include "core/grid/grid_spec.h"
#include "core/grid/grid_state.h"
#include "core/grid/grid_world.h"
#include "tests/support/reference_world.h"

namespace orrery::test {

/// The same world for the product: map, parameters and action sets of a reference world.
/// @throws Error for an action set that the product has no name for
GridWorldSpec specOf(const std::vector<std::string>& map, const reference::RefParameters& p);

/// The product's configuration, taken apart, as a state of the reference at step `t`.
reference::RefState refStateOf(const reference::RefWorld& world, const GridState& state, int t);

/// The way back; the step count is left out.
GridState gridStateOf(const reference::RefWorld& world, const reference::RefState& state);

}  // namespace orrery::test
