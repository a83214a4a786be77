#include "widgets/imgui/solver_timeline_part.h"

#include <QAction>

#include "core/run/snapshot.h"
#include "core/run/span_file.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/common/commands.h"
#include "widgets/imgui/solver_timeline.h"

namespace orrery {

SolverTimelinePart::SolverTimelinePart(Workbench& bench) : WindowPart(bench) {
    const auto take = [this](const LiveRun* run) {
        const auto snapshot = run->snapshot();
        if (!std::holds_alternative<SolveSnapshot>(snapshot->job)) return;
        m_last = snapshot;
        m_isLive = run->isAtWork();
        if (m_view) showTimeline();
    };
    connect(&live(), &LiveRuns::snapshotChanged, this, take);
    connect(&live(), &LiveRuns::ended, this, take);
}

void SolverTimelinePart::addViews() {
    frame().addView({.id = QStringLiteral("solverTimeline"),
                     .title = tr("Solver timeline"),
                     .icon = QStringLiteral("compare"),
                     .tip = tr("What each thread of the run did when, level by level"),
                     .make = [this](QWidget* parent) { return make(parent); },
                     .table = [this](QWidget*) { return m_view->tableModel(); },
                     .help = QStringLiteral("solver_timeline")});
}

QWidget* SolverTimelinePart::make(QWidget* parent) {
    m_view = new SolverTimeline(&session(), parent);
    connect(m_view, &SolverTimeline::solveRequested, commands().action(QStringLiteral("run.solve")),
            &QAction::trigger);
    const auto show = [this] { showTimeline(); };
    connect(&session(), &PlanSession::solutionChanged, m_view, show);
    showTimeline();
    return m_view;
}

void SolverTimelinePart::showTimeline() {
    const auto* run = selection().current<RunItem>();
    const bool isAnyRun = run == nullptr || run->id.isEmpty();
    if (m_last && (m_isLive || isAnyRun || run->id == QString::fromStdString(m_last->id))) {
        m_view->setTimeline(std::get<SolveSnapshot>(m_last->job).timeline, m_isLive);
    } else if (isAnyRun || archive().workspace() == nullptr) {
        m_view->setTimeline(nullptr, false);
    } else {
        readStored(run->id);
    }
}

void SolverTimelinePart::readStored(const QString& run) {
    using Stored = std::shared_ptr<const SpanTimeline>;
    worker().append<Stored>([workspace = archive().sharedWorkspace(), id = run.toStdString()](
                                std::stop_token) { return storedTimeline(*workspace, id); },
                            [this, run](const Stored& stored) {
                                // Another run may be the current one meanwhile.
                                const auto* now = selection().current<RunItem>();
                                if (now != nullptr && now->id == run && !m_isLive)
                                    m_view->setTimeline(stored, false);
                            },
                            [this](const QString& text) { say(MessageKind::Warning, text); });
}

}  // namespace orrery
