#pragma once

#include <QSize>
#include <QTest>

#include "app/window/main_window.h"
#include "tests/support/small_room.h"

namespace orrery {

/// Shows a window in a size until it is active and settled.
inline void showSettled(MainWindow& window, QSize size) {
    window.resize(size);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window, kPatience));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatience);
}

}  // namespace orrery
