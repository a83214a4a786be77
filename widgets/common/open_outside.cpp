#include "widgets/common/open_outside.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QCursor>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QToolTip>
#include <QUrl>

#include "widgets/common/start_apart.h"

namespace orrery {

namespace {

/// The one in place of which `withoutLauncher` stands.
QtMessageHandler& formerHandler() {
    static QtMessageHandler kHandler = nullptr;
    return kHandler;
}

/// Leaves out that Qt found no program: the person is told.
void withoutLauncher(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (!message.startsWith(QLatin1String("Unable to detect a ")) &&
        !message.contains(QLatin1String("does not support QPlatformServices")) && formerHandler())
        formerHandler()(type, context, message);
}

}  // namespace

void openOutside(const QUrl& url) {
    if (startApart(QStringLiteral("xdg-open"), {url.toString(QUrl::FullyEncoded)})) return;
    formerHandler() = qInstallMessageHandler(withoutLauncher);
    const bool isOpened = QDesktopServices::openUrl(url);
    qInstallMessageHandler(formerHandler());
    if (isOpened) return;
    const QString address = url.isLocalFile() ? url.toLocalFile() : url.toString();
    QGuiApplication::clipboard()->setText(address);
    QToolTip::showText(QCursor::pos(),
                       QCoreApplication::translate(
                           "OpenOutside", "No program of this desktop opens it. Copied: %1")
                           .arg(address));
}

}  // namespace orrery
