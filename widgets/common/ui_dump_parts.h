#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QRect>

class QWidget;

namespace orrery {

/// [x, y, width, height]
QJsonArray rectJson(const QRect& rect);
/// A rectangle of a widget on the screen.
QJsonArray globalJson(const QWidget* widget, const QRect& rect);

/// What a widget says and offers, by its class: text, checked, items, cells, spots, ... Empty for
/// a widget that only holds others.
QJsonObject widgetFacts(const QWidget* widget);

/// Every action of a window with the places where it can be pressed now.
QJsonArray actionsJson(const QWidget* window);

}  // namespace orrery
