#pragma once

#include <QObject>
#include <QRect>

class QWidget;

namespace orrery {

/// A window's place on a screen's free area: no larger than that, and inside of it.
QRect placedOn(QRect window, const QRect& free);

/// Moves a window with its title bar onto its screen, and makes it smaller where it has to be.
/// Nothing happens to one that fills the screen. Needs a window that is shown.
void keepOnScreen(QWidget& window);

/// While it lives, dialogs and windows beside the main one come no larger than their screen. It
/// watches the whole application.
class DialogFit : public QObject {
    Q_OBJECT

public:
    explicit DialogFit(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// What Qt multiplies the screen's own scale with, from QT_SCALE_FACTOR.
double appliedScale();

}  // namespace orrery
