#pragma once

#include <QTabWidget>
#include <functional>

namespace orrery {

class ChipSpace;
class ScopeChip;
class ViewScope;
class ViewSlot;

/// Tabbed views that share one rectangle of the centre, with the scope chip of the current one at
/// the right end of the tabs. Its pages are the places of the views.
class ViewGroup : public QTabWidget {
    Q_OBJECT

public:
    /// @param isBare   no tabs are drawn while there is one that follows: for a view that fills the
    ///                 window by itself
    /// @param scopeOf  the scope of a view; null if it has none
    ViewGroup(bool isBare, std::function<ViewScope*(const QString& id)> scopeOf,
              QWidget* parent = nullptr);

    /// @param view  in no other group
    /// @param at    the index of its tab; -1: the last
    void addView(QWidget* view, const QString& id, const QString& title, const QString& tip,
                 int at = -1);
    /// Takes a view out; it stays as it is, shown or hidden.
    QWidget* takeView(int index);
    /// The place at an index; null: there is none.
    ViewSlot* slotAt(int index) const;
    QString idAt(int index) const;
    QStringList ids() const;
    int indexOfView(const QString& id) const;
    /// Shows the current view in its place and hides the others.
    void settle();
    void setTitle(const QString& id, const QString& title);
    bool isBare() const { return m_isBare; }
    /// Marks the group that commands mean.
    void setCurrent(bool isCurrent);

Q_SIGNALS:
    /// A view came to its place or left it.
    void placed();
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
    void handOverKeyboard();

    bool m_isBare;
    std::function<ViewScope*(const QString& id)> m_scopeOf;
    ChipSpace* m_corner;  ///< keeps the place beside the tabs free for the chip
    ScopeChip* m_chip;
    bool m_hasKeyboard = false;  ///< a view that was hidden had it, the next one gets it
};

}  // namespace orrery
