#include "app/window/main_window.h"
#include "core/run/timeline_file.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/imgui/solver_timeline.h"

namespace orrery {

void MainWindow::addSolverTimeline() {
    addView({.id = QStringLiteral("solverTimeline"),
             .title = tr("Solver timeline"),
             .icon = QStringLiteral("compare"),
             .tip = tr("What each thread of the run did when, level by level"),
             .make =
                 [this](QWidget* parent) {
                     m_solverTimeline = new SolverTimeline(&session(), parent);
                     connect(m_solverTimeline, &SolverTimeline::solveRequested, this,
                             qOverload<>(&MainWindow::solve));
                     connect(&runBridge(), &RunBridge::snapshotChanged, m_solverTimeline,
                             [this] { refreshSolverTimeline(); });
                     connect(&runBridge(), &RunBridge::ended, m_solverTimeline,
                             [this] { refreshSolverTimeline(); });
                     connect(&session(), &PlanSession::solutionChanged, m_solverTimeline,
                             [this] { refreshSolverTimeline(); });
                     refreshSolverTimeline();
                     return m_solverTimeline;
                 },
             .table = [this](QWidget*) { return m_solverTimeline->tableModel(); },
             .help = QStringLiteral("solver_timeline")});
}

void MainWindow::refreshSolverTimeline() {
    const auto snapshot = runBridge().snapshot();
    const auto* run = selection().current<RunItem>();
    const bool isShown = snapshot && (runBridge().isLive() || run == nullptr || run->id.isEmpty() ||
                                      run->id == QString::fromStdString(snapshot->id));
    if (isShown) {
        const auto* solve = std::get_if<SolveSnapshot>(&snapshot->job);
        m_solverTimeline->setTimeline(solve != nullptr ? solve->timeline : nullptr,
                                      runBridge().isLive());
        return;
    }
    const Workspace* workspace = archive().workspace();
    if (run == nullptr || run->id.isEmpty() || workspace == nullptr)
        return m_solverTimeline->setTimeline(nullptr, false);
    using Stored = std::shared_ptr<const WorkTimeline>;
    worker().append<Stored>([workspace, id = run->id.toStdString()](
                                std::stop_token) { return storedTimeline(*workspace, id); },
                            [this, id = run->id](const Stored& timeline) {
                                // Another run may be the current one meanwhile.
                                const auto* now = selection().current<RunItem>();
                                if (now != nullptr && now->id == id && !runBridge().isLive())
                                    m_solverTimeline->setTimeline(timeline, false);
                            },
                            [this](const QString& text) { say(MessageKind::Warning, text); });
}

}  // namespace orrery
