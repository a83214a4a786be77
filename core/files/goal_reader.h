#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/files/value_reader.h"
#include "core/world/goal.h"

namespace orrery {

/// A list of goals as a file gives it.
struct ReadGoals {
    std::vector<Goal> goals;      ///< [G] corners in order
    std::vector<double> weights;  ///< [G], or empty where the file gives none
};

/// Goals that a human can have.
inline constexpr std::size_t kMaxGoals = 64;

/// Range of a goal's weight.
inline constexpr double kLeastWeight = 1e-300, kMostWeight = 1e300;

/// Size of the map that goals must lie in; 0 x 0: not known.
struct MapSize {
    std::size_t width = 0, height = 0;  ///< cells
};

/// Reads a list of goals in any of the forms "x,y", "x1,y1,x2,y2", [x, y], [x1, y1, x2, y2],
/// [[x1, y1], [x2, y2]], {cell: FORM, weight: W}, {rect: FORM, weight: W}. Either every goal has a
/// weight or none has one.
/// @return nothing after an error
std::optional<ReadGoals> readGoals(ValueReader& reader, const YamlNode& list, std::string_view name,
                                   MapSize map);

}  // namespace orrery
