#include "app/window/crumbs.h"

#include <QObject>
#include <algorithm>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_title.h"
#include "widgets/common/selection.h"
#include "widgets/compare/compare_text.h"

namespace orrery {

namespace {

/// A run that has the name of its world is told from it by its id.
QString runCrumb(const QString& id, const std::vector<RunRecord>& runs, const QString& world = {}) {
    const auto run = std::ranges::find(runs, id.toStdString(), &RunRecord::id);
    QString name = run == runs.end() ? QString() : QString::fromStdString(run->name);
    if (name == world) name.clear();
    return runTitle(name, id).toHtmlEscaped();
}

}  // namespace

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

QStringList crumbsOfCompared(const Selection& selection, const std::vector<RunRecord>& runs) {
    QStringList parts{
        QObject::tr("%1 compared").arg(runsText(std::ssize(selection.set(SelectionKind::Run))))};
    if (const auto* run = selection.current<RunItem>())
        parts << QStringLiteral("<b>%1</b>").arg(runCrumb(run->id, runs));
    return parts;
}

}  // namespace orrery
