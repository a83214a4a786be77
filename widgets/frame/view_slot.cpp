#include "widgets/frame/view_slot.h"

#include <QEvent>
#include <utility>

namespace orrery {

namespace {

constexpr int kLeastWidth = 200, kLeastHeight = 100;  ///< pixels

}  // namespace

ViewSlot::ViewSlot(QWidget* view, QString id) : m_view(view), m_id(std::move(id)) {
    setMinimumSize(kLeastWidth, kLeastHeight);
    if (!m_view->isVisible()) m_view->hide();  // not with its parent, but with this
}

void ViewSlot::settle() {
    if (!m_view) return;
    if (isVisible()) {
        m_view->setGeometry(QRect(mapTo(m_view->parentWidget(), QPoint()), size()));
        m_view->show();
    } else if (m_view->isVisible()) {
        m_view->hide();
    }
    Q_EMIT placed();
}

QWidget* ViewSlot::release() {
    return std::exchange(m_view, nullptr);
}

QSize ViewSlot::sizeHint() const {
    return m_view ? m_view->sizeHint() : QSize();
}

void ViewSlot::moveEvent(QMoveEvent*) {
    if (isVisible()) settle();
}

void ViewSlot::resizeEvent(QResizeEvent*) {
    if (isVisible()) settle();
}

void ViewSlot::showEvent(QShowEvent*) {
    settle();
}

/// Where the group is hidden with it, that is no word on the view.
void ViewSlot::hideEvent(QHideEvent* event) {
    if (!m_view || event->spontaneous() || !parentWidget()->isVisible()) return;
    QWidget* focus = window()->focusWidget();
    const bool hadKeyboard = focus && (focus == m_view || m_view->isAncestorOf(focus));
    if (hadKeyboard) focus->clearFocus();  // else Qt would carry it to any other view
    settle();
    if (hadKeyboard) Q_EMIT keyboardLost();
}

}  // namespace orrery
