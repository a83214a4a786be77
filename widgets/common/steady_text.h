#pragma once

class QLabel;
class QString;

namespace orrery {

/// Shows a text that changes many times a second as often as somebody can read it, five times: each
/// change of a label lays out and paints all that is beside it. The last text is always shown.
/// Everybody who sets the text of this label sets it by this.
void setSteadyText(QLabel* label, const QString& text);

}  // namespace orrery
