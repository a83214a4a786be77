#pragma once

class QScrollArea;
class QWidget;

namespace orrery {

/// Width of a vertical scroll bar, as the style sheet has it.
inline constexpr int kScrollBarWidth = 10;

/// Keeps the right edge of an area's content where it is while the scroll bar comes and goes: the
/// bar stands in a margin of its own. The area, which must not scroll sideways, is as wide as its
/// content must be. Call it when the area has its widget.
void keepRightEdge(QScrollArea* area);

/// Scrolls every area around a control so that it is seen, or its beginning where it is larger.
void scrollIntoView(QWidget* control);

}  // namespace orrery
