#pragma once

#include <QColor>

namespace orrery {

/// The colours of differences about a real zero: blue, white at t = 0.5, red; nine stops, linear in
/// between. `t` is clamped to [0, 1].
QColor diverging(double t);

}  // namespace orrery
