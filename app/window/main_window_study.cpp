#include <algorithm>
#include <utility>

#include "app/window/example_study.h"
#include "app/window/main_window.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/queue_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/metric_charts.h"
#include "widgets/home/home_view.h"

namespace orrery {

QStringList MainWindow::storedStudy() const {
    QStringList ids;
    for (const RunRecord& run : archive().runs())
        if (run.state == RunState::Finished && run.trashedUtc.empty() &&
            std::ranges::find(run.tags, kStudyTag) != run.tags.end())
            ids.append(QString::fromStdString(run.id));
    return ids;
}

void MainWindow::bindStudy() {
    commands().bind("file.openStudy", [this] { openStudy(); });
    connect(&queue(), &QueueBridge::ended, this, [this] {
        if (!std::exchange(m_isStudyMade, false)) return;
        QStringList ids;
        for (const QueueMember& member : queue().snapshot()->members)
            if (!member.id.empty()) ids.append(QString::fromStdString(member.id));
        if (!ids.isEmpty()) showStudy(ids);
    });
}

void MainWindow::showStudy(const QStringList& runIds) {
    compareRuns(runIds);
    // What its seeds change, first of all.
    m_compare->charts()->setMetrics(
        {QStringLiteral("rollout/attained"), QStringLiteral("rollout/steps")});
}

void MainWindow::openStudy() {
    const std::vector<RunSpec> specs = studyRuns();
    if (const QStringList ids = storedStudy(); ids.size() >= std::ssize(specs))
        return showStudy(ids);
    if (archive().writableWorkspace() == nullptr)
        return say(MessageKind::Warning,
                   tr("The example study keeps its runs in the workspace, which cannot be written "
                      "now: %1")
                       .arg(m_bench.workspaceText()));
    if (queue().isLive())
        return say(MessageKind::Warning,
                   tr("A sweep is running. Open the study once it has ended."));
    m_isStudyMade = true;
    startSweep(specs, QString::fromLatin1(kStudyTag));
    showPerspective(QStringLiteral("compare"));
}

}  // namespace orrery
