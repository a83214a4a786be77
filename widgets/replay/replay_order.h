#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "widgets/replay/replay_model.h"

namespace orrery {

/// Places of transitions in the order of a column; equal ones stay as they are. TD errors are
/// ordered by their size, unknown ones as if they were 0, and those that are no numbers come last
/// in either order. O(n log n); any thread.
/// @return nothing if stopped
std::optional<std::vector<std::uint32_t>> inOrder(const ReplaySource& source,
                                                  std::vector<std::uint32_t> places,
                                                  const ReplayOrder& order,
                                                  const TdErrorTable& errors,
                                                  const std::stop_token& stop);

/// One of the transitions of each kind whose TD error is not known.
std::vector<std::uint32_t> withoutError(const ReplaySource& source,
                                        const std::vector<std::uint32_t>& places,
                                        const TdErrorTable& errors);

}  // namespace orrery
