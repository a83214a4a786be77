#pragma once

#include <QString>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/run/archive/largest_differences.h"
#include "widgets/world/heat_field.h"

namespace orrery {

/// What two runs of one world can be compared by, with its text: "V_r", "V_h^e, A to cell 3,2".
std::vector<std::pair<QString, ValueOf>> quantitiesOf(const Solution& a, const Solution& b);

/// A minus B where the human of the quantity (for the robot's quantities: the first agent with
/// goals) stands in each cell, else as in `state`. Its range is symmetric about a real zero.
/// @return null if stopped
std::shared_ptr<const HeatField> differenceField(const Solution& a, const Solution& b,
                                                 const ValueOf& quantity, State state,
                                                 std::stop_token stop = {});

}  // namespace orrery
