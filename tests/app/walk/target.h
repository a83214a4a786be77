#pragma once

#include <QJsonObject>
#include <QPoint>
#include <QString>
#include <optional>
#include <vector>

namespace orrery {

class UiDriver;

/// Something on the screen that can be pressed, named so that it is found again in another walk: by
/// window, name and class, by its place among those of the same name, and by the item in it.
struct WalkTarget {
    QJsonObject json;  ///< what is kept of it in a walk's file
    QString reach;     ///< under what it is counted: digits are left out of names
    QString window;    ///< its name
    bool isEnabled = true;
    bool takesText = false;
    bool isColumn = false;  ///< a list of one column
    bool isOfMany = false;  ///< one of many items of a part
    bool isSplit = false;   ///< has items of its own; this is the whole
};

/// Every target of the newest dump that is in sight, items of menus, lists, tabs and drawn views
/// among them.
std::vector<WalkTarget> walkTargets(const UiDriver& ui);

/// Where a target is in the newest dump, in pixels of the screen; nothing if it is not there.
/// @param place  where in its rectangle, [0, 1] each
std::optional<QPoint> placeOfTarget(const UiDriver& ui, const QJsonObject& target, QPointF place);

/// A name without what differs between instances: "cell 2,13" is "cell #,#".
QString withoutNumbers(QString name);

}  // namespace orrery
