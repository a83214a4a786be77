#include "widgets/frame/window_place.h"

#include <QApplication>
#include <QEvent>
#include <QScreen>
#include <QWidget>
#include <algorithm>

namespace orrery {

QRect placedOn(QRect window, const QRect& free) {
    window.setSize(window.size().boundedTo(free.size()));
    window.moveLeft(std::clamp(window.left(), free.left(), free.right() + 1 - window.width()));
    window.moveTop(std::clamp(window.top(), free.top(), free.bottom() + 1 - window.height()));
    return window;
}

void keepOnScreen(QWidget& window) {
    if (window.windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen)) return;
    const QRect outer = window.frameGeometry(), inner = window.geometry();
    const QRect placed = placedOn(outer, window.screen()->availableGeometry());
    if (placed == outer) return;
    const QSize bars = outer.size() - inner.size();
    window.resize(placed.size() - bars);
    window.move(placed.topLeft());
}

DialogFit::DialogFit(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool DialogFit::eventFilter(QObject* watched, QEvent* event) {
    constexpr QSize kFrame(16, 48);  // of a window manager, which is known later
    if (event->type() != QEvent::Show || event->spontaneous()) return false;
    auto* window = qobject_cast<QWidget*>(watched);
    if (!window || !window->parentWidget()) return false;
    const Qt::WindowType type = window->windowType();
    if (type != Qt::Dialog && type != Qt::Window) return false;
    const QRect free = window->screen()->availableGeometry();
    const QSize most = free.size() - kFrame;
    if (window->width() <= most.width() && window->height() <= most.height()) return false;
    window->resize(window->size().boundedTo(most));
    window->move(placedOn(window->geometry(), free).topLeft());
    return false;
}

double appliedScale() {
    bool isNumber = false;
    const double scale = qEnvironmentVariable("QT_SCALE_FACTOR").toDouble(&isNumber);
    return isNumber && scale > 0 ? scale : 1;
}

}  // namespace orrery
