#include <QDockWidget>
#include <QStatusBar>
#include <QToolBar>

#include "widgets/frame/centre_area.h"
#include "widgets/frame/focus_order.h"
#include "widgets/frame/frame.h"
#include "widgets/frame/side_panel.h"
#include "widgets/frame/view_page.h"

// Who has the keyboard: Tab, the way from panel to panel, and where it is after a change of what is
// shown.

namespace orrery {

namespace {

/// The part of a view that takes its keys; null: none does.
QWidget* keyTaker(QWidget* view) {
    if (view->focusProxy()) return view->focusProxy();
    return (view->focusPolicy() & Qt::TabFocus) ? view : tabStops(*view).value(0);
}

}  // namespace

bool Frame::focusNextPrevChild(bool next) {
    if (m_isArranging) return false;  // it is given away when all has its place
    const QWidget* now = focusWidget();
    const QList<QWidget*> stops = tabStops(*this, now);
    const qsizetype at = stops.indexOf(now);
    if (stops.size() < (at < 0 ? 1 : 2)) return false;
    const qsizetype count = stops.size();
    const qsizetype to = at < 0 ? (next ? 0 : count - 1) : (at + (next ? 1 : count - 1)) % count;
    giveKeyboard(stops[to], next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

/// The view or bar around a widget. Null for what lies over the views.
const QWidget* Frame::areaAround(const QWidget* widget) const {
    for (; widget && widget != this; widget = widget->parentWidget()) {
        if (qobject_cast<const ViewPage*>(widget)) return widget;
        if (widget == m_timeline || qobject_cast<const QDockWidget*>(widget) ||
            qobject_cast<const QToolBar*>(widget) || qobject_cast<const QStatusBar*>(widget))
            return widget;
        if (widget == centralWidget()) return widget;
    }
    return nullptr;
}

void Frame::focusMainView() {
    const QWidget* now = focusWidget();
    if (now && now->isVisibleTo(this) && now != this && !areaAround(now)) return;
    QWidget* view = m_centreWidgets.value(m_centre->currentView());
    if (!view) return;
    if (QWidget* taker = keyTaker(view)) taker->setFocus(Qt::OtherFocusReason);
}

void Frame::focusNextArea(bool next) {
    const QWidget* now = focusWidget();
    QList<const QWidget*> areas;
    for (const QWidget* stop : tabStops(*this, now)) {
        const QWidget* area = areaAround(stop);
        if (area && area != centralWidget() && !areas.contains(area)) areas << area;
    }
    if (areas.isEmpty()) return;
    const qsizetype count = areas.size();
    const qsizetype at = areas.indexOf(areaAround(now));
    const qsizetype to = at < 0 ? (next ? 0 : count - 1) : (at + (next ? 1 : count - 1)) % count;
    auto* area = const_cast<QWidget*>(areas[to]);
    // Where it was in there before; else what the view is for; else its first control.
    const auto* panel = qobject_cast<const SidePanel*>(area);
    QWidget* content = panel && panel->made() ? panel->made() : area;
    QWidget* target = content->focusWidget();
    if (!target || !target->isVisible() || !target->isEnabled()) target = keyTaker(content);
    if (!target) target = tabStops(*area).value(0);
    if (target) giveKeyboard(target, next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
}

}  // namespace orrery
