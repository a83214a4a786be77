#pragma once

#include <QSize>
#include <QString>

namespace orrery {

/// The least screen, in points, on which every part of the window has its place.
inline constexpr QSize kLeastPoints{800, 500};

/// The largest scale up to `percent` that leaves kLeastPoints of a screen, but at least 100.
/// @param screen  in points at 100 %
int fittingScale(int percent, const QSize& screen);

/// Says that a scale is lowered on a screen, and to what; empty if it is not.
QString scaleRemark(int percent, const QSize& screen);

}  // namespace orrery
