#include "app/offscreen.h"

#include <clocale>
#include <cstdio>

#include "widgets/common/style.h"

namespace orrery {

namespace {

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

}  // namespace orrery
