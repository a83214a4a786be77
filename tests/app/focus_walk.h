#pragma once

#include <QJsonObject>
#include <QRect>
#include <QString>
#include <QStringList>
#include <vector>

namespace orrery {

class UiDriver;

/// A stop of Tab as the window told it.
struct FocusStop {
    QString id, name, view;
    QRect place;
};

FocusStop focusStopOf(const QJsonObject& entry);

/// "name 'text'" of a part, for messages.
QString partText(const QJsonObject& part);

/// Presses a key so often. @return where the keyboard went; the newest dump is of the last stop
std::vector<FocusStop> pressAndSee(UiDriver& ui, const QString& key, int times);

/// Goes through the window by one key until it is where it began. Empty: it never came back.
std::vector<FocusStop> focusWalk(UiDriver& ui, const QString& key);

/// The views in the order in which Tab comes to them. A view that it comes to twice is there twice.
QStringList viewsOnTheWay(const std::vector<FocusStop>& stops);

/// Everything in sight of the main window that takes input and has the keyboard for itself.
std::vector<QJsonObject> focusControls(const UiDriver& ui);

/// What of focusControls() a walk did not reach, and what has no name for those who do not see it.
QStringList unreachedControls(const UiDriver& ui, const std::vector<FocusStop>& stops);

}  // namespace orrery
