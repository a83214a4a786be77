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
                     m_solverTimeline = new SolverTimeline(&m_session, parent);
                     connect(m_solverTimeline, &SolverTimeline::solveRequested, this,
                             qOverload<>(&MainWindow::solve));
                     connect(m_bridge.get(), &RunBridge::snapshotChanged, m_solverTimeline,
                             [this] { refreshSolverTimeline(); });
                     connect(m_bridge.get(), &RunBridge::ended, m_solverTimeline,
                             [this] { refreshSolverTimeline(); });
                     connect(&m_session, &PlanSession::solutionChanged, m_solverTimeline,
                             [this] { refreshSolverTimeline(); });
                     refreshSolverTimeline();
                     return m_solverTimeline;
                 },
             .table = [this](QWidget*) { return m_solverTimeline->tableModel(); },
             .help = QStringLiteral("solver_timeline")});
}

void MainWindow::refreshSolverTimeline() {
    const auto snapshot = m_bridge->snapshot();
    const auto* run = m_selection.current<RunItem>();
    const bool isShown = snapshot && (m_bridge->isLive() || run == nullptr || run->id.isEmpty() ||
                                      run->id == QString::fromStdString(snapshot->id));
    if (isShown) {
        const auto* solve = std::get_if<SolveSnapshot>(&snapshot->job);
        m_solverTimeline->setTimeline(solve != nullptr ? solve->timeline : nullptr,
                                      m_bridge->isLive());
        return;
    }
    const Workspace* workspace = m_archive->workspace();
    if (run == nullptr || run->id.isEmpty() || workspace == nullptr)
        return m_solverTimeline->setTimeline(nullptr, false);
    using Stored = std::shared_ptr<const WorkTimeline>;
    m_worker->append<Stored>([workspace, id = run->id.toStdString()](
                                 std::stop_token) { return storedTimeline(*workspace, id); },
                             [this, id = run->id](const Stored& timeline) {
                                 // Another run may be the current one meanwhile.
                                 const auto* now = m_selection.current<RunItem>();
                                 if (now != nullptr && now->id == id && !m_bridge->isLive())
                                     m_solverTimeline->setTimeline(timeline, false);
                             },
                             [this](const QString& text) { say(MessageKind::Warning, text); });
}

}  // namespace orrery
