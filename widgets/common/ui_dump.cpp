#include "widgets/common/ui_dump.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QDockWidget>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMainWindow>
#include <QTabBar>
#include <QWidget>

#include "widgets/common/selection.h"
#include "widgets/common/ui_dump_parts.h"

namespace orrery {

namespace {

QJsonArray selectionCounts(const Selection& selection) {
    QJsonArray counts;
    for (std::size_t kind = 0; kind < kNumSelectionKinds; ++kind)
        counts.append(static_cast<qint64>(selection.set(static_cast<SelectionKind>(kind)).size()));
    return counts;
}

/// What the widgets around it leave of it in view, in its own coordinates. Its children do not
/// count.
QRect rectInSight(const QWidget* widget) {
    QRect rect = widget->rect();
    QPoint corner;
    for (const QWidget* at = widget; !at->isWindow(); at = at->parentWidget()) {
        corner += at->pos();
        rect = rect.translated(at->pos()) & at->parentWidget()->rect();
    }
    return rect.translated(-corner);
}

/// True if it lies in something that scrolls, so that what is out of sight can be reached.
bool isScrolled(const QWidget* widget) {
    for (const QWidget* at = widget; !at->isWindow(); at = at->parentWidget()) {
        const auto* area = qobject_cast<const QAbstractScrollArea*>(at->parentWidget());
        if (area && area->viewport() == at) return true;
        if (qobject_cast<const QTabBar*>(at->parentWidget())) return true;
    }
    return false;
}

/// Qt leaves a panel behind another one's tab visible, and the tabs where one panel is left: it
/// puts them outside the window.
bool isPutAway(const QWidget* widget) {
    const auto isPart = [](const QWidget* at) {
        return qobject_cast<const QDockWidget*>(at) ||
               (qobject_cast<const QTabBar*>(at) &&
                qobject_cast<const QMainWindow*>(at->parentWidget()));
    };
    const QWidget* at = widget;
    while (at && !isPart(at)) at = at->parentWidget();
    return at && !at->isWindow() && rectInSight(at).isEmpty();
}

QJsonObject entryOf(const QWidget* widget) {
    const QWidget* window = widget->window();
    QJsonObject entry = widgetFacts(widget);
    const bool isNamed =
        !widget->objectName().isEmpty() && !widget->objectName().startsWith(QLatin1String("qt_"));
    if (!isNamed && entry.isEmpty()) return {};
    entry.insert(QStringLiteral("id"), idText(widget));
    entry.insert(QStringLiteral("name"), widget->objectName());
    entry.insert(QStringLiteral("kind"), QLatin1String(widget->metaObject()->className()));
    entry.insert(QStringLiteral("rect"),
                 rectJson(QRect(widget->mapTo(window, QPoint()), widget->size())));
    entry.insert(QStringLiteral("global"), globalJson(widget, widget->rect()));
    entry.insert(QStringLiteral("enabled"), widget->isEnabled());
    if (takesInput(widget)) entry.insert(QStringLiteral("input"), true);
    if (widget->hasFocus()) entry.insert(QStringLiteral("focus"), true);
    if (!widget->accessibleName().isEmpty())
        entry.insert(QStringLiteral("accessible"), widget->accessibleName());
    if (!widget->toolTip().isEmpty()) entry.insert(QStringLiteral("tip"), widget->toolTip());
    if (window != widget) entry.insert(QStringLiteral("window"), window->objectName());
    const QRect inSight = rectInSight(widget);
    // Parts that scrolled out of sight cannot be pressed; others have no room.
    if (inSight.isEmpty()) entry.insert(QStringLiteral("hidden"), true);
    if (!widget->rect().adjusted(2, 2, -2, -2).isEmpty() &&
        !inSight.contains(widget->rect().adjusted(2, 2, -2, -2)))
        entry.insert(isScrolled(widget) ? QStringLiteral("scrolled") : QStringLiteral("clipped"),
                     true);
    return entry;
}

QJsonObject windowJson(const QWidget* window) {
    return {{QStringLiteral("name"), window->objectName()},
            {QStringLiteral("kind"), QLatin1String(window->metaObject()->className())},
            {QStringLiteral("title"), window->windowTitle()},
            {QStringLiteral("global"), globalJson(window, window->rect())},
            {QStringLiteral("active"), window->isActiveWindow()},
            {QStringLiteral("modal"), window->isModal()},
            {QStringLiteral("popup"), window->windowType() == Qt::Popup}};
}

}  // namespace

QByteArray uiDump(const QWidget* window, const Selection& selection, const QJsonObject& facts) {
    QList<const QWidget*> windows{window};
    for (const QWidget* other : QApplication::topLevelWidgets())
        if (other != window && other->isVisible()) windows.append(other);
    QJsonArray widgets, windowList;
    for (const QWidget* each : windows) {
        windowList.append(windowJson(each));
        if (each != window)
            if (const QJsonObject entry = entryOf(each); !entry.isEmpty()) widgets.append(entry);
        for (const QWidget* widget : each->findChildren<QWidget*>()) {
            if (!widget->isVisibleTo(each) || widget->window() != each || isPutAway(widget))
                continue;
            if (const QJsonObject entry = entryOf(widget); !entry.isEmpty()) widgets.append(entry);
        }
    }
    QJsonObject dump = facts;
    dump.insert(QStringLiteral("title"), window->windowTitle());
    dump.insert(QStringLiteral("size"), QJsonArray{window->width(), window->height()});
    dump.insert(QStringLiteral("ratio"), window->devicePixelRatioF());
    dump.insert(QStringLiteral("selection"), selection.address());
    dump.insert(QStringLiteral("selectionSets"), selectionCounts(selection));
    dump.insert(QStringLiteral("windows"), windowList);
    dump.insert(QStringLiteral("widgets"), widgets);
    dump.insert(QStringLiteral("actions"), actionsJson(window));
    return QJsonDocument(dump).toJson(QJsonDocument::Compact);
}

}  // namespace orrery
