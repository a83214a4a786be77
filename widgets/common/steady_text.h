#pragma once

class QLabel;
class QString;

namespace orrery {

/// Shows a text whose numbers change many times a second as often as somebody can read them, five
/// times: each change of a label lays out and paints all that is beside it. Other words are shown
/// at once, and the last text always. Everybody who sets the text of this label sets it by this.
void setSteadyText(QLabel* label, const QString& text);

}  // namespace orrery
