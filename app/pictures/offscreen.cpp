#include "app/pictures/offscreen.h"

#include <QEventLoop>
#include <QTimer>
#include <clocale>
#include <cstdio>

#include "widgets/common/style.h"

namespace orrery {

namespace {

constexpr int kLookMs = 5;  ///< between two looks at what is being computed
constexpr int kQuietLooks = 2;

/// Passes Qt's messages on, but not its complaint about an unset XDG_RUNTIME_DIR, which pictures
/// do not need.
void passMessage(QtMsgType, const QMessageLogContext&, const QString& message) {
    if (!message.startsWith(QLatin1String("QStandardPaths:")))
        std::fprintf(stderr, "%s\n", message.toUtf8().constData());
}

}  // namespace

Offscreen::Offscreen() {
    if (QCoreApplication::instance() != nullptr) return;
    qInstallMessageHandler(passMessage);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    m_application = std::make_unique<QApplication>(m_argc, m_argv);
    // Qt takes the locale of the environment; files keep '.' as their decimal point.
    std::setlocale(LC_NUMERIC, "C");  // NOLINT(concurrency-mt-unsafe): no other thread runs yet
    applyTheme(*m_application, ThemeChoice::Light);
}

bool waitOffscreen(const std::function<bool()>& isReady, const std::stop_token& stop) {
    QEventLoop loop;
    QTimer timer;
    int quiet = 0;
    QObject::connect(&timer, &QTimer::timeout, &loop, [&] {
        quiet = isReady() ? quiet + 1 : 0;
        if (quiet >= kQuietLooks || stop.stop_requested()) loop.quit();
    });
    timer.start(kLookMs);
    loop.exec();
    return !stop.stop_requested();
}

}  // namespace orrery
