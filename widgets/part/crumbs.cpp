#include "widgets/part/crumbs.h"

#include <QObject>
#include <algorithm>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_title.h"

namespace orrery {

QString runCrumb(const QString& id, const std::vector<RunRecord>& runs, const QString& world) {
    const auto run = std::ranges::find(runs, id.toStdString(), &RunRecord::id);
    QString name = run == runs.end() ? QString() : QString::fromStdString(run->name);
    if (name == world) name.clear();
    return runTitle(name, id).toHtmlEscaped();
}

QStringList crumbsOfWorld(const PlanSession& session, const std::vector<RunRecord>& runs) {
    if (!session.isOpen()) return {};
    QStringList parts{session.loaded().title.toHtmlEscaped()};
    if (!session.runId().isEmpty())
        parts << runCrumb(session.runId(), runs, session.loaded().title);
    parts << QObject::tr("t %1").arg(session.state().step);
    if (session.state().index >= 0)
        parts << QObject::tr("<b>s %1</b>").arg(countText(session.state().index));
    return parts;
}

}  // namespace orrery
