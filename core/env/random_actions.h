#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/env/environment.h"

namespace orrery {

/// One of so many options by chance, each alike. @param allowed  [options] 0 where it is not;
/// empty: all are. @return -1 where none is
std::int64_t drawOption(std::span<const std::uint8_t> allowed, std::int64_t options, Rng& rng);

/// Decides everything by chance among what is allowed: each choice alike, numbers evenly in their
/// range. @param out  [actions of the spaces]
void drawActions(const EnvironmentSpaces& spaces, const Observation& offered, Rng& rng,
                 std::vector<ActionTaken>& out);

}  // namespace orrery
