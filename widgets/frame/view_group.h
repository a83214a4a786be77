#pragma once

#include <QStackedWidget>
#include <QTabWidget>
#include <functional>

namespace orrery {

class ChipSpace;
class ScopeChip;
class ViewScope;

/// Tabbed views that share one rectangle of the centre, with the scope chip of the current one at
/// the right end of the tabs. Each page's id is its property "viewId".
class ViewGroup : public QTabWidget {
    Q_OBJECT

public:
    /// @param isBare   no tabs are drawn while there is one that follows: for a view that fills the
    ///                 window by itself
    /// @param scopeOf  the scope of a view; null if it has none
    ViewGroup(bool isBare, std::function<ViewScope*(const QString& id)> scopeOf,
              QWidget* parent = nullptr);

    /// @param at  the index of its tab; -1: the last
    void addView(QWidget* view, const QString& id, const QString& title, const QString& tip,
                 int at = -1);
    void setTitle(const QString& id, const QString& title);
    int indexOfView(const QString& id) const;
    /// The parent of its views.
    QWidget* pages() const {
        return findChild<QStackedWidget*>(QString(), Qt::FindDirectChildrenOnly);
    }
    QString idAt(int index) const;
    bool isBare() const { return m_isBare; }
    /// Marks the group that commands mean.
    void setCurrent(bool isCurrent);

Q_SIGNALS:
    // As ViewTabBar tells of a tab that is pulled out of the bar.
    void carried(int index, const QPoint& global);
    void dropped(int index, const QPoint& global);
    void putBack();
    /// The person pressed the chip.
    void freezeRequested(const QString& id, bool isFrozen);

protected:
    /// The bar of a base that Qt would draw under the corner is left out.
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void tabInserted(int index) override;
    void tabRemoved(int index) override;
    void changeEvent(QEvent* event) override;

private:
    void refreshScopes();
    void placeChip();

    bool m_isBare;
    std::function<ViewScope*(const QString& id)> m_scopeOf;
    ChipSpace* m_corner;  ///< keeps the place beside the tabs free for the chip
    ScopeChip* m_chip;
};

}  // namespace orrery
