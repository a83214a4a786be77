#include "widgets/compare/compare_part.h"

#include <QAction>
#include <QTableView>
#include <algorithm>
#include <utility>

#include "core/run/run_kind.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/queue_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/config_diff.h"
#include "widgets/compare/example_study.h"
#include "widgets/compare/metric_charts.h"
#include "widgets/compare/runs_table.h"
#include "widgets/explore/explore_part.h"
#include "widgets/part/crumbs.h"
#include "widgets/part/scope_part.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_grid.h"

namespace orrery {

namespace {

const QString kCompare = QStringLiteral("compare");  // the view and its perspective

}  // namespace

ComparePart::ComparePart(Workbench& bench, ScopePart* scopes, ExplorePart* explore)
    : WindowPart(bench), m_scopes(scopes), m_explore(explore) {
    connect(m_explore, &ExplorePart::compareRequested, this, &ComparePart::compare);
    connect(&queue(), &QueueBridge::ended, this, &ComparePart::followStudy);
    for (const auto signal : {&Selection::setChanged, &Selection::currentChanged})
        connect(&selection(), signal, this, [this](SelectionKind kind) {
            if (kind == SelectionKind::Run) this->bench().refresh();
        });
}

void ComparePart::addViews() {
    frame().addView({.id = kCompare,
                     .title = tr("Compare"),
                     .icon = QStringLiteral("compare"),
                     .tip = tr("Runs side by side: parameters, charts, values"),
                     .makeScope = m_scopes->ofRuns(),
                     .makeScoped = [this](ViewScope& scope, int number,
                                          QWidget* parent) { return make(scope, number, parent); },
                     .help = kCompare});
}

std::vector<PerspectiveSpec> ComparePart::perspectives() {
    return {{.id = kCompare,
             .name = tr("Compare"),
             .icon = QStringLiteral("compare"),
             .tip = tr("Runs side by side: parameters, charts, values"),
             .number = 5,
             .centre = R"({"tabs": ["compare"], "bare": true})",
             .hasTimeline = false}};
}

QWidget* ComparePart::make(ViewScope& scope, int number, QWidget* parent) {
    auto& ofRuns = static_cast<PlanScope&>(scope);
    auto* view = new CompareView(&archive(), &ofRuns.selection(), &ofRuns.session(), &worker(),
                                 &undoStack(), parent);
    connect(view, &CompareView::reopenRequested, &bench(), &Workbench::openRun);
    connect(view->table(), &RunsTable::exportRequested, this, [this](const QString& id) {
        selection().setCurrent(RunItem{id});
        commands().action(QStringLiteral("file.export"))->trigger();
    });
    ChartGrid* grid = view->charts()->grid();
    connect(grid, &ChartGrid::figureRequested, this,
            [this, grid](const QString& id) { bench().offerFigure(grid->chart(id)); });
    if (number == 1) m_view = view;
    return view;
}

void ComparePart::bindCommands() {
    commands().bind("analyze.compare", [this] { compareSelected(); });
    commands().bind("analyze.diff", [this] {
        show();
        m_view->configDiff()->view()->setFocus(Qt::ShortcutFocusReason);
    });
    commands().bind("file.openStudy", [this] { openStudy(); });
}

bool ComparePart::isSettled() const {
    return !(m_view && m_view->isWorking());
}

/// How many runs are compared, and the one that is selected there.
QStringList ComparePart::crumbs() const {
    if (perspective() != kCompare) return {};
    QStringList parts{
        tr("%1 compared").arg(runsText(std::ssize(selection().set(SelectionKind::Run))))};
    if (const auto* run = selection().current<RunItem>())
        parts << QStringLiteral("<b>%1</b>").arg(runCrumb(run->id, archive().runs()));
    return parts;
}

/// Shows the runs beside each other, even where the tab was closed.
void ComparePart::show() {
    showPerspective(kCompare);
    showView(kCompare);
}

void ComparePart::compareSelected() {
    show();
    std::vector<SelectionItem> runs = selection().set(SelectionKind::Run);
    if (const auto* run = selection().current<RunItem>();
        run != nullptr && std::ranges::find(runs, SelectionItem(*run)) == runs.end()) {
        runs.emplace_back(*run);
        selection().setSet(SelectionKind::Run, std::move(runs));
    }
    m_view->table()->view()->setFocus(Qt::ShortcutFocusReason);
}

/// One that has neither exact nor learned values, an import, joins those that are compared.
bool ComparePart::opensRun(const RunRecord& run) {
    const RunKind* kind = kindOf(run);
    if (kind == nullptr || kind->hasValues || kind->isTraining()) return false;
    selection().setCurrent(RunItem{QString::fromStdString(run.id)});
    compareSelected();
    return true;
}

void ComparePart::compare(const QStringList& runIds) {
    std::vector<SelectionItem> items;
    for (const QString& id : runIds) items.emplace_back(RunItem{id});
    show();
    selection().setSet(SelectionKind::Run, std::move(items));
    archive().refreshRuns();
}

QStringList ComparePart::storedStudy() const {
    QStringList ids;
    for (const RunRecord& run : archive().runs())
        if (run.state == RunState::Finished && run.trashedUtc.empty() &&
            std::ranges::find(run.tags, kStudyTag) != run.tags.end())
            ids.append(QString::fromStdString(run.id));
    return ids;
}

void ComparePart::openStudy() {
    const std::vector<RunSpec> specs = studyRuns();
    if (const QStringList ids = storedStudy(); ids.size() >= std::ssize(specs))
        return showStudy(ids);
    if (archive().writableWorkspace() == nullptr)
        return say(MessageKind::Warning,
                   tr("The example study keeps its runs in the workspace, which cannot be written "
                      "now: %1")
                       .arg(bench().workspaceText()));
    if (queue().isLive())
        return say(MessageKind::Warning,
                   tr("A sweep is running. Open the study once it has ended."));
    m_makesStudy = true;
    m_explore->startSweep(specs, QString::fromLatin1(kStudyTag));
    showPerspective(kCompare);
}

void ComparePart::followStudy() {
    if (!std::exchange(m_makesStudy, false)) return;
    QStringList ids;
    for (const QueueMember& member : queue().snapshot()->members)
        if (!member.id.empty()) ids.append(QString::fromStdString(member.id));
    if (!ids.isEmpty()) showStudy(ids);
}

void ComparePart::showStudy(const QStringList& runIds) {
    compare(runIds);
    // What its seeds change, first of all.
    m_view->charts()->setMetrics(
        {QStringLiteral("rollout/attained"), QStringLiteral("rollout/steps")});
}

}  // namespace orrery
