#pragma once

class QStyle;

namespace orrery {

/// A style like `base`, which it owns, whose own dialogs and message boxes have our icons and whose
/// things move as setReducedMotion() says. Dialogs end with their main button at the right, Cancel
/// left of it.
QStyle* makeHouseStyle(QStyle* base);

}  // namespace orrery
