#include "app/notice.h"

#include <QProcess>
#include <QStandardPaths>

namespace orrery {

void notifyDesktop(const QString& title, const QString& text) {
    const QString program = QStandardPaths::findExecutable(QStringLiteral("notify-send"));
    if (program.isEmpty()) return;
    QProcess::startDetached(
        program, {QStringLiteral("--app-name=Orrery"), QStringLiteral("--icon=org.orrery.Orrery"),
                  QStringLiteral("--"), title, text});
}

}  // namespace orrery
