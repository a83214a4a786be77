#pragma once

#include <QTabWidget>

namespace orrery {

/// Tabbed views that share one rectangle of the centre. Each page's id is its property "viewId".
class ViewGroup : public QTabWidget {
    Q_OBJECT

public:
    /// @param isBare  no tabs are drawn: for a view that fills the window by itself
    explicit ViewGroup(bool isBare, QWidget* parent = nullptr);

    /// @param at  the index of its tab; -1: the last
    void addView(QWidget* view, const QString& id, const QString& title, const QString& tip,
                 int at = -1);
    int indexOfView(const QString& id) const;
    QString idAt(int index) const;
    bool isBare() const { return m_isBare; }
    /// Marks the group that commands mean.
    void setCurrent(bool isCurrent);

Q_SIGNALS:
    // As ViewTabBar tells of a tab that is pulled out of the bar.
    void carried(int index, const QPoint& global);
    void dropped(int index, const QPoint& global);
    void putBack();

private:
    bool m_isBare;
};

}  // namespace orrery
