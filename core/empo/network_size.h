#pragma once

#include <cstdint>

#include "core/empo/spec.h"
#include "core/encode/compact_state.h"

namespace orrery {

/// How many numbers the networks of a run train, all quantities together, those of a learned human
/// prior included; 0 where everything is a table.
/// @param humanActions  the most that a human of the worlds has
std::int64_t numNetworkParameters(const EmpoSpec& spec, const EncodingShape& shape,
                                  int robotActions, int humanActions);

}  // namespace orrery
