#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QRect>

class QWidget;

namespace orrery {

/// [x, y, width, height]
QJsonArray rectJson(const QRect& rect);
/// Tells one widget from all others as long as the program runs.
QString idText(const QWidget* widget);
/// A rectangle of a widget on the screen.
QJsonArray globalJson(const QWidget* widget, const QRect& rect);

/// True for what a person types into, presses or picks from, and for what draws its own parts.
bool takesInput(const QWidget* widget);

/// What a widget says and offers, by its class: text, checked, items, cells, spots, ... Empty for
/// a widget that only holds others.
QJsonObject widgetFacts(const QWidget* widget);

/// Every action of a window with the places where it can be pressed now.
QJsonArray actionsJson(const QWidget* window);

}  // namespace orrery
