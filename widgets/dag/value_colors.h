#pragma once

#include <QColor>

namespace orrery {

/// b - a, or 0 if it is no more than the rounding of sums: 1e-13 of the larger.
double shownDifference(double b, double a);

/// The colour of a difference where the largest one of its group has the size `most`; invalid for
/// no difference at all.
QColor differenceColor(double difference, double most);

}  // namespace orrery
