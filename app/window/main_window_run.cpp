#include <QTimer>
#include <utility>
#include <variant>

#include "app/window/main_window.h"
#include "core/base/error.h"
#include "core/run/archive/reopen.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run_name.h"
#include "core/run/snapshot.h"
#include "core/solve/solution.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/run_title.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/frame/job_list.h"
#include "widgets/world/world_editor.h"

// A solve from its start to its end, and one that is opened again.

namespace orrery {

namespace {

constexpr double kLongSeconds = 2;  ///< of a solve whose end is told outside the window

}  // namespace

/// Why the world that is drawn cannot be solved or learned: what the session has is what it was
/// when it was right last.
QString MainWindow::draftError() const {
    const QString error = m_editor->error();
    return error.isEmpty() ? QString()
                           : tr("The draft of %1 has an error, mend it or undo it first: %2")
                                 .arg(session().loaded().title, error);
}

void MainWindow::solve() {
    if (!session().isOpen() || runBridge().isLive()) return;
    if (const QString why = draftError(); !why.isEmpty())
        return say(MessageKind::Error, why, tr("Show the rules"),
                   [this] { m_editor->askForRules(); });
    if (!m_solvePanel->isValid())
        return say(MessageKind::Error, m_solvePanel->problem(), tr("Show the form"),
                   [this] { showView(QStringLiteral("solver")); });
    RunSpec spec = formSpec();
    spec.name = describeRun(session().loaded().title.toStdString(), spec);
    try {
        runBridge().start(spec, archive().writableWorkspace());
        noteSolve(spec);
        strip().clear();
        QTimer::singleShot(JobList::kShownAfterMs, this, [this, name = spec.name] {
            if (runBridge().isLive() && m_job == 0)
                m_job = jobs().add(tr("Solve %1").arg(QString::fromStdString(name)),
                                   [this] { runBridge().cancel(); });
        });
    } catch (const Error& error) {
        say(MessageKind::Error, QString::fromUtf8(error.what()));
    }
    refreshCommands();
}

void MainWindow::showRunProgress() {
    const auto snapshot = runBridge().snapshot();
    m_solvePanel->showRun(snapshot.get());
    const bool isBlocked = snapshot->state == RunState::Blocked;
    if (isBlocked && !m_saidBlocked)
        say(MessageKind::Warning, QString::fromStdString(snapshot->trouble));
    if (!isBlocked && m_saidBlocked) strip().clear();
    m_saidBlocked = isBlocked;
    if (m_job != 0)
        jobs().setProgress(m_job, jobProgress(snapshot->progress),
                           snapshot->state == RunState::Paused);
    refreshCommands();
    refreshStatus();
}

void MainWindow::finishRun() {
    const auto snapshot = runBridge().snapshot();
    if (std::holds_alternative<TrainSnapshot>(snapshot->job)) return finishTraining(*snapshot);
    const auto& job = std::get<SolveSnapshot>(snapshot->job);
    m_solvePanel->showRun(nullptr);
    archive().refreshRuns();
    auto outcome = JobList::State::Failed;
    QString text = QString::fromStdString(snapshot->trouble);
    if (snapshot->state == RunState::Finished && job.solution) {
        // Another world may have been opened meanwhile; the run is in the list then.
        if (session().world().contentHash() == job.solution->world().contentHash())
            session().attach(job.solution, QString::fromStdString(snapshot->id));
        outcome = JobList::State::Done;
        text = tr("done in %1 s").arg(snapshot->seconds, 0, 'f', 1);
    } else if (snapshot->state == RunState::Stopped) {
        outcome = JobList::State::Stopped;
        text = tr("The solve was cancelled; nothing was changed.");
        say(MessageKind::Info, text);
    } else {
        say(MessageKind::Error, text, tr("Show the form"),
            [this] { showView(QStringLiteral("solver")); });
    }
    if (m_job != 0) jobs().finish(std::exchange(m_job, 0), outcome, text);
    if (outcome != JobList::State::Stopped && snapshot->seconds >= kLongSeconds)
        m_bench.tellOutside(outcome == JobList::State::Done ? tr("Solved") : tr("The solve failed"),
                            QStringLiteral("%1: %2").arg(session().loaded().title, text));
    refreshCommands();
    refreshStatus();
    closeIfDone();
}

void MainWindow::showReopened(const ReopenedSolve& run) {
    const LoadedWorld loaded = loadedOf(run.spec.job.as<SolveJob>().world, run.world);
    const bool isOpen =
        session().isOpen() && session().world().contentHash() == run.world->contentHash();
    // Of the last session: the same world may have another name in its file.
    const QString kept = m_pendingDocument.value(u"title").toString();
    const bool isRenamed = !kept.isEmpty() && loaded.title == kept;
    if (!isOpen || (isRenamed && session().loaded().title != kept)) {
        if (!mayLeaveWorld()) return;
        session().open(loaded);
    }
    m_solvePanel->setSpec(run.spec);
    session().attach(run.solution, QString::fromStdString(run.record.id));
    m_bench.note(
        tr("Open run %1").arg(runTitle(run.record.name, run.record.id)),
        {QStringLiteral("orrery"), QStringLiteral("show"), QString::fromStdString(run.record.id)});
    if (m_pendingDocument.isEmpty()) {
        strip().clear();
        if (perspective() == QLatin1String("home")) showPerspective(QStringLiteral("plan"));
    } else {
        restoreDocument();  // of the last session, which knows where it was
    }
    followAddress();
}

}  // namespace orrery
