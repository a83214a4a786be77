#pragma once

#include <QObject>

namespace orrery {

/// While it lives, the wheel changes a combo box, a spin box or a slider only where it has the
/// focus; over others the page under them scrolls. The focus does not follow the wheel; a key that
/// is pressed in what was scrolled away brings it back into sight. It watches the whole
/// application.
class WheelGuard : public QObject {
    Q_OBJECT

public:
    explicit WheelGuard(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace orrery
