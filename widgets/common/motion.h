#pragma once

namespace orrery {

/// Whether things move at once instead of gliding: every view reads it from its style's
/// SH_Widget_Animation_Duration. Call it in the GUI thread.
void setReducedMotion(bool isReduced);
bool hasReducedMotion();

}  // namespace orrery
