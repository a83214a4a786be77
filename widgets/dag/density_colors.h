#pragma once

#include <QColor>

namespace orrery {

struct Tokens;

/// The colour of a count on the logarithmic scale from 1 to `most`; few states are near the canvas,
/// many stand out. `count` > 0, `most` >= 1.
QColor densityColor(const Tokens& tokens, double count, double most);

}  // namespace orrery
