#include "widgets/frame/focus_order.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QButtonGroup>
#include <QRect>
#include <QScrollArea>
#include <QScrollBar>
#include <QWidget>
#include <algorithm>
#include <utility>

#include "widgets/frame/view_page.h"
#include "widgets/frame/view_slot.h"

namespace orrery {

namespace {

constexpr int kOverlap = 2;  ///< pixels that neighbours may share: frames, rounded scales
constexpr int kMargin = 24;  ///< kept in sight around the widget with the keyboard

/// Ordered as they lie over each other: the topmost last.
using Parts = QList<QWidget*>;

bool scrolls(const QScrollArea& area) {
    const auto hasRange = [](const QScrollBar* bar) { return bar->maximum() > bar->minimum(); };
    return hasRange(area.verticalScrollBar()) || hasRange(area.horizontalScrollBar());
}

/// Of buttons of which one is chosen, Tab stops at that one; arrow keys go to the others.
bool isForTab(const QWidget& widget) {
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    const QButtonGroup* group = button ? button->group() : nullptr;
    if (group && group->exclusive() && group->checkedButton())
        return group->checkedButton() == button && widget.focusPolicy() != Qt::NoFocus;
    return (widget.focusPolicy() & Qt::TabFocus) != 0;
}

bool isStop(const QWidget& widget) {
    if (!isForTab(widget) || widget.focusProxy() || !widget.isEnabled()) return false;
    if (widget.size().isEmpty()) return false;
    // An area takes keys to scroll; what it holds is reached by itself.
    const auto* area = qobject_cast<const QScrollArea*>(&widget);
    return !area || scrolls(*area);
}

/// Splits parts where a line between them crosses none.
QList<Parts> split(Parts parts, Qt::Orientation line) {
    const auto spanOf = [line](const QWidget* part) {
        const QRect place = part->geometry();
        return line == Qt::Horizontal ? std::pair(place.top(), place.bottom() + 1)
                                      : std::pair(place.left(), place.right() + 1);
    };
    std::ranges::stable_sort(parts, {}, [&](const QWidget* part) { return spanOf(part).first; });
    QList<Parts> bands;
    int end = 0;
    for (QWidget* part : std::as_const(parts)) {
        const auto [from, to] = spanOf(part);
        if (bands.isEmpty() || from >= end - kOverlap) {
            bands.emplaceBack();
            end = to;
        }
        bands.last() << part;
        end = std::max(end, to);
    }
    return bands;
}

QWidget* topmostOverOthers(const Parts& parts) {
    for (auto it = parts.crbegin(); it != parts.crend(); ++it)
        for (const QWidget* other : parts)
            if (other != *it && other->geometry().intersects((*it)->geometry())) return *it;
    return nullptr;
}

void appendAsRead(const Parts& parts, const Parts& asStacked, Parts& read) {
    if (parts.size() < 2) {
        read << parts;
        return;
    }
    for (const Qt::Orientation line : {Qt::Horizontal, Qt::Vertical}) {
        const QList<Parts> bands = split(parts, line);
        if (bands.size() < 2) continue;
        for (const Parts& band : bands) appendAsRead(band, asStacked, read);
        return;
    }
    Parts stacked = asStacked;
    stacked.removeIf([&](QWidget* part) { return !parts.contains(part); });
    if (QWidget* over = topmostOverOthers(stacked)) {
        stacked.removeOne(over);
        appendAsRead(stacked, asStacked, read);
        read << over;
        return;
    }
    std::ranges::stable_sort(stacked, {},
                             [](const QWidget* part) { return std::pair(part->y(), part->x()); });
    read << stacked;
}

void collect(const QWidget& part, const QWidget* also, bool isShown, Parts& stops) {
    if (const auto* slot = qobject_cast<const ViewSlot*>(&part)) {
        // Its tab is being closed where it has none any more.
        if (slot->view()) collect(*slot->view(), also, isShown, stops);
        return;
    }
    Parts children;
    for (QObject* child : part.children()) {
        auto* widget = qobject_cast<QWidget*>(child);
        if (!widget || widget->isWindow()) continue;
        if (qobject_cast<ViewPage*>(widget)) continue;  // reached where it has its place
        const bool holdsAlso = also && (widget == also || widget->isAncestorOf(also));
        if ((isShown && !widget->isHidden()) || holdsAlso) children << widget;
    }
    Parts read;
    appendAsRead(children, children, read);
    for (QWidget* child : std::as_const(read)) {
        const bool isSeen = isShown && !child->isHidden();
        if (child == also || (isSeen && isStop(*child))) stops << child;
        collect(*child, also, isSeen, stops);
    }
}

}  // namespace

QList<QWidget*> tabStops(const QWidget& part, const QWidget* also) {
    Parts stops;
    collect(part, also, true, stops);
    return stops;
}

void giveKeyboard(QWidget* widget, Qt::FocusReason reason) {
    widget->setFocus(reason);
    for (QWidget* around = widget->parentWidget(); around; around = around->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(around))
            area->ensureWidgetVisible(widget, kMargin, kMargin);
}

}  // namespace orrery
