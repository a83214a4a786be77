#pragma once

#include <QJsonObject>
#include <QStringList>
#include <QWidget>
#include <functional>

class QSplitter;
class QVBoxLayout;

namespace orrery {

class ViewGroup;

/// The middle of the window: groups of tabbed views, side by side and one above the other. Each
/// view is in one group at most; views that are not open are kept hidden, with all that they show.
class CentreArea : public QWidget {
    Q_OBJECT

public:
    /// How the area gets a view's widget and what to call it.
    struct Views {
        std::function<QWidget*(const QString& id)> widget;  ///< null: no such view
        std::function<QString(const QString& id)> title;
        std::function<QString(const QString& id)> tip;
    };
    CentreArea(Views views, QWidget* parent);

    /// The hidden parent of widgets of views that are not open.
    QWidget* stash() const { return m_stash; }

    /// Opens a view in the current group, or raises it where it is.
    void show(const QString& id);
    void close(const QString& id);
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
    /// The person is about to close a view, and then: has arranged views otherwise.
    void closeRequested(const QString& id);
    void arranged();

private:
    QWidget* build(const QJsonObject& state);
    QJsonObject stateOf(const QWidget* part) const;
    ViewGroup* makeGroup(bool isBare);
    ViewGroup* groupOf(const QString& id) const;
    QList<ViewGroup*> groups() const;
    void setRoot(QWidget* root);
    void removeIfEmpty(ViewGroup* group);
    void focusChanged(const QWidget* now);
    void setCurrentGroup(ViewGroup* group);

    Views m_views;
    QVBoxLayout* m_layout;
    QWidget* m_root = nullptr;
    ViewGroup* m_current = nullptr;
    QWidget* m_stash;  ///< the hidden parent of views that are not open
};

}  // namespace orrery
