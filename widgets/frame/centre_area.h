#pragma once

#include <QJsonObject>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <optional>

class QSplitter;
class QVBoxLayout;

namespace orrery {

class DropHint;
class ViewGroup;
class ViewScope;

/// The middle of the window: groups of tabbed views, side by side and one above the other. Each
/// view is in one group at most; views that are not open are kept hidden, with all that they show.
/// All are children of the area and stay it. Those that are open lie under the groups, which have
/// holes for them.
/// A tab that is pulled out of its bar is dropped into another group or beside one.
class CentreArea : public QWidget {
    Q_OBJECT

public:
    /// How the area gets a view's widget and what to call it.
    struct Views {
        std::function<QWidget*(const QString& id)> widget;  ///< a child; null: no such view
        std::function<QString(const QString& id)> title;
        std::function<QString(const QString& id)> tip;
        std::function<ViewScope*(const QString& id)> scope;  ///< null: it cannot be several
    };
    CentreArea(Views views, QWidget* parent);

    /// Opens a view in the current group, or raises it where it is.
    void show(const QString& id);
    /// Opens a view in a new group to the right of that of another, which is open.
    void showBeside(const QString& id, const QString& other);
    void close(const QString& id);
    /// Its title is another one.
    void refreshTitle(const QString& id);
    /// Moves the current view to a new group beside (Horizontal) or below (Vertical) its own. False
    /// if it is alone there.
    bool split(Qt::Orientation orientation);
    /// Moves the current view to the next group. False if there is only one.
    bool moveToNextGroup();

    bool isOpen(const QString& id) const;
    /// The ids of all open views, group by group.
    QStringList openViews() const;
    /// The view that commands mean; empty if none is open.
    QString currentView() const;

    /// {"tabs": [id...], "current": id, "bare": bool} or {"split": "horizontal"|"vertical",
    /// "sizes": [pixels...], "parts": [...]}. Unknown views and empty groups are left out on
    /// restoring; a state without any view leaves one empty group.
    QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

Q_SIGNALS:
    void currentViewChanged(const QString& id);
    /// The person is about to close a view.
    void closeRequested(const QString& id);
    /// The person carried a tab to another place.
    void carriedAway();
    void duplicateRequested(const QString& id);
    void freezeRequested(const QString& id, bool isFrozen);

protected:
    bool event(QEvent* event) override;
    /// Views go where their groups go.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Where a carried tab goes: into a group at an index, or to a new group at one of its sides.
    struct DropPlace {
        ViewGroup* group = nullptr;  ///< null: nowhere
        int index = -1;
        std::optional<Qt::Edge> side;
        QRect hint;  ///< in this widget
    };
    DropPlace dropPlace(const ViewGroup* from, const QPoint& global) const;
    void showDrop(const ViewGroup* from, const QPoint& global);
    void drop(ViewGroup* from, int index, const QPoint& global);
    void moveInto(ViewGroup* to, int index, ViewGroup* from, int fromIndex);
    ViewGroup* makeBeside(ViewGroup* group, Qt::Edge side);
    /// Puts a view into a new group at a side of another.
    void moveBeside(ViewGroup* group, Qt::Edge side, ViewGroup* from, int fromIndex);
    QSplitter* makeSplitter(Qt::Orientation orientation, QWidget* parent);
    QSplitter* build(const QJsonObject& state, QWidget* parent, QStringList& placed);
    void buildGroup(const QJsonObject& state, QSplitter* parent, QStringList& placed);
    /// False if there is no such view.
    bool open(const QString& id, ViewGroup* group, int at = -1);
    QJsonObject stateOf(const QWidget* part) const;
    ViewGroup* makeGroup(bool isBare, QWidget* parent);
    void showTabMenu(ViewGroup* group, const QPoint& at);
    ViewGroup* groupOf(const QString& id) const;
    QList<ViewGroup*> groups() const;
    void setRoot(QSplitter* root);
    /// Keeps a view that is in no group, as it is.
    void putAway(QWidget* view);
    void cutHoles();
    void removeIfEmpty(ViewGroup* group);
    void focusChanged(const QWidget* now);
    void setCurrentGroup(ViewGroup* group);

    Views m_views;
    QVBoxLayout* m_layout;
    QSplitter* m_root = nullptr;  ///< of groups, or of splitters and groups
    ViewGroup* m_current = nullptr;
    DropHint* m_hint;
};

}  // namespace orrery
