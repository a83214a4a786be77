#pragma once

#include <QJsonObject>
#include <QRect>
#include <QString>
#include <vector>

namespace orrery {

/// A place in a drawn view that a person can point at.
struct NamedSpot {
    QString name;            ///< unique within the view: "cell 3,2", "state t4/s17", "level 6"
    QRect rect;              ///< in the view's pixels
    QJsonObject facts = {};  ///< what is drawn there: its text, value, colour
};

/// What a view implements that draws things which are no widgets, so that checks by programs can
/// find them. Asked in the GUI thread, seldom.
class NamesSpots {
public:
    virtual ~NamesSpots() = default;
    /// What is visible now; at most some thousands.
    virtual std::vector<NamedSpot> namedSpots() const = 0;
    /// Counts and choices of the view: how many of how many are shown.
    virtual QJsonObject spotFacts() const { return {}; }
};

}  // namespace orrery
