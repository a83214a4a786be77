#pragma once

class QStyle;

namespace orrery {

/// A style like `base`, which it owns, whose own dialogs and message boxes have our icons and whose
/// things move as setReducedMotion() says.
QStyle* makeHouseStyle(QStyle* base);

}  // namespace orrery
