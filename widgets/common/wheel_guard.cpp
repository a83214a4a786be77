#include "widgets/common/wheel_guard.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QSlider>

#include "widgets/common/scroll_areas.h"

namespace orrery {

namespace {

/// The control that a widget is; null if the wheel changes nothing in it.
QWidget* controlOf(QObject* object) {
    if (auto* combo = qobject_cast<QComboBox*>(object)) return combo;
    if (auto* spin = qobject_cast<QAbstractSpinBox*>(object)) return spin;
    return qobject_cast<QSlider*>(object);
}

/// What has the keyboard may have been scrolled away by the wheel.
void bringBack(QWidget* pressed) {
    if (pressed && pressed->hasFocus() && pressed->visibleRegion().isEmpty())
        scrollIntoView(pressed);
}

}  // namespace

WheelGuard::WheelGuard(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) bringBack(qobject_cast<QWidget*>(watched));
    const bool isWheel = event->type() == QEvent::Wheel;
    if (!isWheel && event->type() != QEvent::Polish) return false;
    QWidget* control = controlOf(watched);
    if (!control) return false;
    // Else Qt gives it the focus before it hands it the wheel.
    if (!isWheel && control->focusPolicy() == Qt::WheelFocus)
        control->setFocusPolicy(Qt::StrongFocus);
    if (!isWheel || control->hasFocus()) return false;
    event->ignore();  // what lies around it gets it
    return true;
}

}  // namespace orrery
