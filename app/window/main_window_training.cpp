#include <QTimer>
#include <algorithm>
#include <utility>

#include "app/window/main_window.h"
#include "core/base/error.h"
#include "core/run/run.h"
#include "core/world/world.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/number_text.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/frame/job_list.h"
#include "widgets/home/home_view.h"
#include "widgets/train/stored_training.h"
#include "widgets/train/train_session.h"

namespace orrery {

namespace {

bool hasCheckpoint(const RunSnapshot& snapshot) {
    const auto* training = std::get_if<TrainSnapshot>(&snapshot.job);
    return training != nullptr && !training->checkpoints.empty();
}

QString divergedText(const QString& run, const RunSnapshot& snapshot, const QString& summary) {
    const QString kept =
        hasCheckpoint(snapshot)
            ? QObject::tr("Its checkpoint of step %1 is kept.")
                  .arg(countText(std::get<TrainSnapshot>(snapshot.job).checkpoints.back().step))
            : QObject::tr("It has no checkpoint; begin anew with another rate.");
    const QString how = summary.isEmpty() ? QString::fromStdString(snapshot.trouble) : summary;
    return QObject::tr("%1: %2. %3").arg(run, how, kept);
}

}  // namespace

/// How far a training came that the program did not end, and what may be done.
void MainWindow::tellInterrupted() {
    const QString id = m_training->runId();
    const auto reach = archive().reached().find(id.toStdString());
    if (m_training->snapshot()->state != RunState::Interrupted ||
        reach == archive().reached().end())
        return;
    say(MessageKind::Info, tr("%1: %2").arg(m_training->title(), interruptedText(reach->second)),
        tr("Resume"), [this, id] { resumeTraining(id); });
}

/// Why a training of the history ended early, and what may be done.
void MainWindow::tellDiverged() {
    const RunSnapshot& snapshot = *m_training->snapshot();
    if (snapshot.state != RunState::Diverged) return;
    const QString text = divergedText(m_training->title(), snapshot, {});
    if (hasCheckpoint(snapshot))
        say(MessageKind::Error, text, tr("Resume"),
            [this, id = m_training->runId()] { resumeTraining(id); });
    else
        say(MessageKind::Error, text, tr("Fork..."), [this] { forkTraining({}); });
}

/// Goes on with a stored training that was stopped or interrupted.
void MainWindow::resumeTraining(const QString& runId) {
    if (runBridge().isLive())
        return say(MessageKind::Warning,
                   tr("A run is at work already. Wait or cancel it, then resume the training."));
    Workspace* workspace = archive().writableWorkspace();
    if (workspace == nullptr)
        return say(MessageKind::Warning,
                   tr("The workspace is only read, so the training cannot go on. Close the program "
                      "that writes to it."));
    worker().append<ArchivedTraining>(
        [workspace, id = runId.toStdString()](std::stop_token stop) {
            return readArchivedTraining(*workspace, id, stop);
        },
        [this, workspace, runId](ArchivedTraining stored) {
            if (runBridge().isLive()) return;
            RunOptions options;
            options.workspace = workspace;
            options.resumedId = runId.toStdString();
            options.pausesAtTrouble = true;
            const RunSpec spec = stored.spec;
            m_training->resume(std::move(stored));
            try {
                runBridge().start(spec, std::move(options));
                m_job = jobs().add(tr("Train %1").arg(QString::fromStdString(spec.name)),
                                   [this] { runBridge().cancel(); });
                m_bench.note(tr("Resume %1").arg(m_training->title()),
                             {QStringLiteral("orrery"), QStringLiteral("resume"), runId});
                archive().refreshRuns();
                showPerspective(QStringLiteral("train"));
                showView(QStringLiteral("trainCharts"));
            } catch (const Error& error) {
                m_training->abandon();
                say(MessageKind::Error, QString::fromUtf8(error.what()));
            }
            refreshCommands();
        },
        [this](const QString& text) { say(MessageKind::Error, text); });
}

/// Whether what stands around the views is about the training, not about the open world.
bool MainWindow::showsTraining() const {
    return perspective() == QLatin1String("train") && m_training->hasRun();
}

/// Its world and run; the state that is selected, where the open world is that world.
QStringList MainWindow::trainingCrumbs() const {
    QStringList parts{m_training->worldTitle().toHtmlEscaped(),
                      QStringLiteral("<b>%1</b>").arg(m_training->title().toHtmlEscaped())};
    parts.removeAll(QString());
    const TrainSnapshot* training = m_training->training();
    const auto isOpenHere = [this](const std::shared_ptr<const World>& world) {
        return session().isOpen() && world->contentHash() == session().world().contentHash();
    };
    if (training == nullptr || std::ranges::none_of(training->worlds, isOpenHere)) return parts;
    parts << tr("t %1").arg(session().state().step);
    if (session().state().index >= 0) parts << tr("s %1").arg(countText(session().state().index));
    return parts;
}

/// The training that is shown is called by its name wherever the window names it.
void MainWindow::nameTraining() {
    setSubject(QStringLiteral("trainCharts"), m_training->shortTitle());
    refreshTitle();
    refreshCrumbs();
}

/// Ends the training that runs, then goes on with something else in place of saying what came of
/// it.
void MainWindow::endTraining(std::function<void()> then) {
    if (!m_training->isLive()) return then();
    m_afterTraining = std::move(then);
    m_training->stop();
}

/// Of a training that waits for somebody to say what to do; Train has the buttons.
void MainWindow::tellHalted() {
    const auto trouble = m_training->trouble();
    if (!trouble) return;
    const QString text =
        tr("%1 is paused: training step %2 was skipped, %3.")
            .arg(m_training->title().isEmpty() ? tr("The training") : m_training->title(),
                 countText(trouble->step), QString::fromStdString(trouble->what));
    say(MessageKind::Warning, text, tr("Show"),
        [this] { showPerspective(QStringLiteral("train")); });
    m_bench.tellOutside(tr("Training paused"), text);
    if (!m_closesWhenDone) return;
    m_closesWhenDone = false;  // it would wait for ever
    setWindowState(windowState() & ~Qt::WindowMinimized);
    raise();
    activateWindow();
}

/// Tells what came of a training.
void MainWindow::finishTraining(const RunSnapshot& snapshot) {
    m_solvePanel->showRun(nullptr);
    archive().refreshRuns();
    const QString id = QString::fromStdString(snapshot.id), run = m_training->title();
    const bool isEarly = m_training->step() < m_training->totalSteps();
    auto outcome = JobList::State::Failed;
    QString text = QString::fromStdString(snapshot.trouble);
    if (snapshot.state == RunState::Finished) {
        outcome = JobList::State::Done;
        text = isEarly ? tr("%1 ended by its stop condition: %2").arg(run, m_training->summary())
                       : tr("%1 is trained").arg(run);
    } else if (snapshot.state == RunState::Stopped) {
        outcome = JobList::State::Stopped;
        text = tr("%1 was stopped and can be resumed").arg(run);
    } else if (snapshot.state == RunState::Diverged) {
        text = divergedText(run, snapshot, m_training->summary());
    }
    const bool isResumable = snapshot.state == RunState::Stopped ||
                             (snapshot.state == RunState::Diverged && hasCheckpoint(snapshot));
    if (m_afterTraining != nullptr)
        QTimer::singleShot(0, this, std::exchange(m_afterTraining, nullptr));
    else if (isResumable && !id.isEmpty())
        say(snapshot.state == RunState::Stopped ? MessageKind::Info : MessageKind::Error, text,
            tr("Resume"), [this, id] { resumeTraining(id); });
    else if (snapshot.state == RunState::Finished && isEarly && !id.isEmpty())
        say(MessageKind::Info, text, tr("Fork..."), [this] { forkTraining({}); });
    else
        say(outcome == JobList::State::Failed ? MessageKind::Error : MessageKind::Info, text);
    if (m_job != 0) jobs().finish(std::exchange(m_job, 0), outcome, text);
    m_bench.tellOutside(tr("Training ended"), text);
    refreshCommands();
    refreshStatus();
    closeIfDone();
}

}  // namespace orrery
