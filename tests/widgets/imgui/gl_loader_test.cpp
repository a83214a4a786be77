#include "widgets/imgui/gl_loader.h"

#include <QGuiApplication>
#include <QTest>

#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/imgui/imgui_host.h"

using namespace orrery;

// Of Xlib, whose header defines words of Qt's as macros.
extern "C" {
void XLockDisplay(Display* display);    // NOLINT(readability-identifier-naming)
void XUnlockDisplay(Display* display);  // NOLINT(readability-identifier-naming)
}

/// The driver is loaded by a thread that does not touch the window's connection to its display.
class GlLoaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A frozen window otherwise: whoever else waits for the display's answer may wait for ever.
    void theDriverLoadsWhileTheWindowHoldsItsDisplay() {
        const auto* x11 = qGuiApp->nativeInterface<QNativeInterface::QX11Application>();
        if (x11 == nullptr) QSKIP("not on an X display");
        bool isTold = false;
        XLockDisplay(x11->display());
        whenGlIsLoaded(this, [&] { isTold = true; });
        finishLoadingGl();  // never returns if its thread wants the display
        XUnlockDisplay(x11->display());
        QVERIFY(!isTold);  // in a turn of the event loop
        QTRY_VERIFY_WITH_TIMEOUT(isTold, kPatience);
        bool isToldAgain = false;
        whenGlIsLoaded(this, [&] { isToldAgain = true; });
        QTRY_VERIFY_WITH_TIMEOUT(isToldAgain, kPatience);
        QVERIFY(ImGuiHost::isAvailable());
    }
};

ORRERY_WINDOW_TEST(GlLoaderTest)
#include "gl_loader_test.moc"
