#include "widgets/common/ui_dump.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QWidget>

#include "widgets/common/selection.h"

namespace orrery {

namespace {

QJsonObject entryOf(const QWidget* window, const QWidget* widget) {
    const QPoint corner = widget->mapTo(window, QPoint(0, 0));
    QJsonObject entry{{QStringLiteral("name"), widget->objectName()},
                      {QStringLiteral("kind"), QLatin1String(widget->metaObject()->className())},
                      {QStringLiteral("rect"),
                       QJsonArray{corner.x(), corner.y(), widget->width(), widget->height()}},
                      {QStringLiteral("enabled"), widget->isEnabled()}};
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
        entry.insert(QStringLiteral("text"), button->text());
        if (button->isCheckable()) entry.insert(QStringLiteral("checked"), button->isChecked());
    } else if (const auto* label = qobject_cast<const QLabel*>(widget)) {
        entry.insert(QStringLiteral("text"), label->text());
    } else if (const auto* line = qobject_cast<const QLineEdit*>(widget)) {
        entry.insert(QStringLiteral("text"), line->text());
    } else if (const auto* list = qobject_cast<const QAbstractItemView*>(widget)) {
        if (list->model()) entry.insert(QStringLiteral("rows"), list->model()->rowCount());
    }
    return entry;
}

}  // namespace

QByteArray uiDump(const QWidget* window, const Selection& selection, const QJsonObject& facts) {
    QJsonArray widgets;
    for (const QWidget* widget : window->findChildren<QWidget*>())
        if (widget->isVisibleTo(window) && !widget->objectName().isEmpty() &&
            !widget->objectName().startsWith(QLatin1String("qt_")))
            widgets.append(entryOf(window, widget));
    QJsonObject dump = facts;
    dump.insert(QStringLiteral("title"), window->windowTitle());
    dump.insert(QStringLiteral("size"), QJsonArray{window->width(), window->height()});
    dump.insert(QStringLiteral("selection"), selection.address());
    dump.insert(QStringLiteral("widgets"), widgets);
    return QJsonDocument(dump).toJson();
}

}  // namespace orrery
