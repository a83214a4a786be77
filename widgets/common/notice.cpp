#include "widgets/common/notice.h"

#include "widgets/common/start_apart.h"

namespace orrery {

void notifyDesktop(const QString& title, const QString& text) {
    startApart(QStringLiteral("notify-send"),
               {QStringLiteral("--app-name=Orrery"), QStringLiteral("--icon=org.orrery.Orrery"),
                QStringLiteral("--"), title, text});
}

}  // namespace orrery
