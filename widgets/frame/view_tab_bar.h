#pragma once

#include <QTabBar>

namespace orrery {

/// The tabs of a view group. Within the bar a tab is moved as in any tab bar; pulled out of it, it
/// is carried: the bar tells where to, until it is dropped, or put back by Escape.
class ViewTabBar : public QTabBar {
    Q_OBJECT

public:
    using QTabBar::QTabBar;

Q_SIGNALS:
    /// A tab is carried over a point of the screen.
    void carried(int index, const QPoint& global);
    void dropped(int index, const QPoint& global);
    void putBack();

protected:
    /// Names are whole; where there is no room for all tabs, the bar scrolls.
    QSize minimumTabSizeHint(int index) const override;
    /// Long names are cut in the middle, the selected one by the width of its heavier letters.
    void initStyleOption(QStyleOptionTab* option, int index) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void lift(const QMouseEvent& event);
    void letGo();

    bool m_isPressed = false;
    bool m_isCarried = false;
};

}  // namespace orrery
