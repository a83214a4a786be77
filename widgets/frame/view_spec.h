#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <functional>

class QAbstractItemModel;
class QWidget;

namespace orrery {

class ViewScope;

/// What a view implements that keeps something for the next start: its zoom, its choices.
class KeepsState {
public:
    virtual ~KeepsState() = default;
    virtual QJsonObject saveState() const = 0;
    /// Leaves out what it does not know.
    virtual void restoreState(const QJsonObject& state) = 0;
};

/// Where a view lives: in a tab of the centre, or in a panel at one side.
enum class ViewPlace { Centre, Left, Right, Bottom };

/// One view that the window can show. Views know the selection and the session, never each other.
struct ViewSpec {
    QString id;  ///< stable: "stateGraph"; also the object name of its panel
    QString title;
    QString icon;  ///< name for themedIcon, or empty
    QString tip;   ///< one sentence: what it shows
    ViewPlace place = ViewPlace::Centre;
    std::function<QWidget*(QWidget* parent)> make = {};  ///< called when it is first shown
    /// For views of which there can be several, each with a scope of its own, which freezes it:
    /// makes the scope and, in place of `make`, the view. Number 1 is the one that is always there.
    std::function<ViewScope*(QObject* parent)> makeScope = {};
    std::function<QWidget*(ViewScope& scope, int number, QWidget* parent)> makeScoped = {};
    /// What the view shows as a table, of the widget that `make` made; empty if it is one itself.
    std::function<QAbstractItemModel*(QWidget* view)> table = {};
    /// Of the centre: made when its tab is opened for the first time, not with its perspective.
    bool isLate = false;
    /// Name of its page in the manual, with "#anchor" if it is a part of one.
    QString help = QStringLiteral("index");
};

/// A saved arrangement of views with a name on the rail; never separate data.
struct PerspectiveSpec {
    QString id;  ///< stable: "plan"
    QString name;
    QString icon;
    QString tip;
    int number = 0;                ///< they stand on the rail in the order of these
    QByteArray centre;             ///< JSON of CentreArea::saveState
    QByteArray narrowCentre = {};  ///< the same for windows under kNarrowWidth; empty: `centre`
    QStringList panels = {};       ///< ids of the panels shown, top to bottom within a side
    QStringList lowPanels = {};    ///< the same for windows under kLowHeight; empty: `panels`
    QList<int> widths = {};        ///< pixels of the left and the right side
    QList<int> heights = {};       ///< pixels of the panels of the left side, top to bottom
    bool hasTimeline = true;
    /// In small windows (see Frame); empty: as otherwise.
    QByteArray smallCentre = {};
    QStringList smallPanels = {};
    QList<int> smallWidths = {};
    bool smallHasTimeline = true;
};

}  // namespace orrery
