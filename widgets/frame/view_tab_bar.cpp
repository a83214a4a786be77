#include "widgets/frame/view_tab_bar.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QStyleOptionTab>
#include <algorithm>

namespace orrery {

namespace {

constexpr int kPull = 16;      ///< pixels out of the bar from which on a tab is carried
constexpr int kLongTab = 190;  ///< pixels; longer ones are shortened to that before the bar scrolls

}  // namespace

QSize ViewTabBar::minimumTabSizeHint(int index) const {
    const QSize whole = tabSizeHint(index);
    return {std::min(whole.width(), kLongTab), whole.height()};
}

void ViewTabBar::initStyleOption(QStyleOptionTab* option, int index) const {
    QTabBar::initStyleOption(option, index);
    QFont letters = font();
    if (index == currentIndex()) letters.setWeight(QFont::DemiBold);
    const int room = style()->subElementRect(QStyle::SE_TabBarTabText, option, this).width();
    option->text = QFontMetrics(letters).elidedText(tabText(index), Qt::ElideMiddle, room,
                                                    Qt::TextShowMnemonic);
}

void ViewTabBar::mousePressEvent(QMouseEvent* event) {
    m_isPressed = event->button() == Qt::LeftButton && tabAt(event->position().toPoint()) >= 0;
    QTabBar::mousePressEvent(event);
}

void ViewTabBar::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (m_isPressed && !m_isCarried && !rect().adjusted(-kPull, -kPull, kPull, kPull).contains(at))
        lift(*event);
    if (m_isCarried)
        Q_EMIT carried(currentIndex(), event->globalPosition().toPoint());
    else
        QTabBar::mouseMoveEvent(event);
}

/// The pressed tab is the current one, wherever it was moved to meanwhile.
void ViewTabBar::lift(const QMouseEvent& event) {
    // The bar ends its own moving as if the tab were dropped in it.
    QMouseEvent release(QEvent::MouseButtonRelease, event.position(), event.globalPosition(),
                        Qt::LeftButton, Qt::NoButton, event.modifiers());
    QTabBar::mouseReleaseEvent(&release);
    m_isCarried = true;
    setCursor(Qt::ClosedHandCursor);
    grabKeyboard();  // Escape, whatever has the focus
}

void ViewTabBar::letGo() {
    m_isPressed = false;
    m_isCarried = false;
    unsetCursor();
    releaseKeyboard();
}

void ViewTabBar::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_isCarried) {
        m_isPressed = false;
        QTabBar::mouseReleaseEvent(event);
        return;
    }
    if (event->button() != Qt::LeftButton) return;
    letGo();
    Q_EMIT dropped(currentIndex(), event->globalPosition().toPoint());
}

void ViewTabBar::keyPressEvent(QKeyEvent* event) {
    if (!m_isCarried) return QTabBar::keyPressEvent(event);
    if (event->key() != Qt::Key_Escape) return;
    letGo();
    Q_EMIT putBack();
}

}  // namespace orrery
