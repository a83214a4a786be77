#pragma once

#include <QColor>

namespace orrery {

/// The sequential colours of values: viridis through ten stops, linear in between. `t` is clamped
/// to [0, 1].
QColor viridis(double t);

/// The diverging colours of differences, blue below zero and red above: `t` is clamped to [-1, 1],
/// 0 is the neutral middle. Only for ranges that are symmetric about a real zero.
QColor divergingColor(double t);

}  // namespace orrery
