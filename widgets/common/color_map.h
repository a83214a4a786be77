#pragma once

#include <QColor>

namespace orrery {

/// The sequential colours of values: viridis through ten stops, linear in between. `t` is clamped
/// to [0, 1].
QColor viridis(double t);

}  // namespace orrery
