#include "widgets/part/system_info.h"

#include <QGuiApplication>
#include <QSysInfo>

#include "core/base/thread_team.h"

namespace orrery {

QString systemInfo() {
    return QObject::tr(
               "Orrery %1\nQt %2\n%3, %4, kernel %5\n%6 processors\nplatform %7, %8 screens")
        .arg(QGuiApplication::applicationVersion(), QLatin1String(qVersion()),
             QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture(),
             QSysInfo::kernelVersion())
        .arg(processorCount())
        .arg(QGuiApplication::platformName())
        .arg(QGuiApplication::screens().size());
}

}  // namespace orrery
