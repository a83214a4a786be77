#include "widgets/home/home_part.h"

#include <QAction>
#include <QFileInfo>

#include "core/history/workspace.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/commands.h"
#include "widgets/common/run_mark.h"
#include "widgets/dag/plan_part.h"
#include "widgets/help/help_part.h"
#include "widgets/history/history_part.h"
#include "widgets/home/home_view.h"
#include "widgets/part/perspective_ids.h"
#include "widgets/settings/preferences.h"
#include "widgets/train/train_part.h"
#include "widgets/world/world_part.h"

namespace orrery {

namespace {

const QString kHome = kHomePerspective;  // the view and its perspective

/// Why a folder cannot be opened as a workspace; empty if it can.
QString workspaceProblem(const QString& folder) {
    if (!QFileInfo::exists(folder)) return HomePart::tr("the folder is gone");
    if (!QFileInfo::exists(folder + QStringLiteral("/workspace.db")))
        return HomePart::tr("it holds no workspace.db");
    return {};
}

WorkspaceRow rowOf(const RecentWorkspace& recent) {
    QString name = QFileInfo(recent.folder).fileName();
    if (name.endsWith(QLatin1String(".orrery"))) name.chop(7);
    return {.folder = recent.folder,
            .name = name,
            .remark = recent.numRuns < 0    ? recent.folder
                      : recent.numRuns == 1 ? HomePart::tr("1 run")
                                            : HomePart::tr("%1 runs").arg(recent.numRuns),
            .when = timeText(recent.openedUtc.toStdString()),
            .problem = workspaceProblem(recent.folder)};
}

}  // namespace

HomePart::HomePart(Workbench& bench, Parts parts) : WindowPart(bench), m_parts(parts) {
    connect(m_parts.world, &WorldPart::examplesRead, this, [this] {
        if (m_view) m_view->setExamples(m_parts.world->examples());
    });
    connect(&archive(), &Archive::opened, this, &HomePart::showPlace);
    connect(&archive(), &Archive::runsChanged, this, [this] {
        showRuns();
        showWorkspaces();
    });
    connect(&archive(), &Archive::failed, this, [this] {
        if (m_view && !archive().isListed())
            m_view->setNoRuns(tr("The runs could not be read; the message says why."));
    });
    connect(&preferences(), &Preferences::recentChanged, this, &HomePart::showWorkspaces);
}

void HomePart::addViews() {
    frame().addView({.id = kHome,
                     .title = tr("Home"),
                     .icon = QStringLiteral("go-home"),
                     .tip = tr("Examples, runs to resume, tours"),
                     .make = [this](QWidget* parent) { return make(parent); },
                     .help = kHome});
}

std::vector<PerspectiveSpec> HomePart::perspectives() {
    return {{.id = kHome,
             .name = tr("Home"),
             .icon = QStringLiteral("go-home"),
             .tip = tr("Examples, runs to resume, tours"),
             .number = 1,
             .centre = R"({"tabs": ["home"], "bare": true})",
             .hasTimeline = false}};
}

QWidget* HomePart::make(QWidget* parent) {
    m_view = new HomeView(parent);
    bindStarts();
    bindRuns();
    std::vector<TourRow> rows;
    for (const Tour& tour : m_parts.help->tours())
        rows.push_back({tour.id, tour.title, tour.minutes});
    m_view->setTours(rows);
    m_view->setExamples(m_parts.world->examples());
    if (archive().workspace()) showPlace();
    if (archive().isListed()) {
        showRuns();
        showWorkspaces();
    }
    return m_view;
}

void HomePart::bindStarts() {
    connect(m_view, &HomeView::exampleChosen, this, [this](const QString& world) {
        m_parts.world->open({.name = world.toStdString()});
        showPerspective(kWorldPerspective);
    });
    connect(m_view, &HomeView::exampleRunRequested, this, [this](const QString& world) {
        m_parts.plan->openAndSolve({.name = world.toStdString()});
    });
    connect(m_view, &HomeView::trainingRequested, m_parts.train, &TrainPart::startExample);
    connect(m_view, &HomeView::tourRequested, m_parts.help, &HelpPart::startTour);
    const auto does = [this](void (HomeView::*signal)(), const char* command) {
        connect(m_view, signal, commands().action(QLatin1String(command)), &QAction::trigger);
    };
    does(&HomeView::studyRequested, "file.openStudy");
    does(&HomeView::boardsRequested, "entities.example");
    does(&HomeView::openRequested, "file.open");
    does(&HomeView::newWorldRequested, "file.newWorld");
    does(&HomeView::workspaceRequested, "file.openWorkspace");
}

void HomePart::bindRuns() {
    connect(m_view, &HomeView::runChosen, &bench(), &Workbench::openRun);
    connect(m_view, &HomeView::runContinued, &bench(), &Workbench::continueRun);
    connect(m_view, &HomeView::workspaceChosen, this, &HomePart::openWorkspace);
    connect(m_view, &HomeView::workspaceForgotten, &preferences(), &Preferences::forgetWorkspace);
}

void HomePart::bindCommands() {
    commands().bind("help.tours", [this] {
        showPerspective(kHome);
        m_view->showTours();
    });
}

void HomePart::applyPreference(const QString& key) {
    if (key == QLatin1String("storage/recentWorkspaces")) showWorkspaces();
}

void HomePart::openWorkspace(const QString& folder) {
    const QString problem = workspaceProblem(folder);
    if (problem.isEmpty()) return m_parts.history->open(folder);
    say(MessageKind::Warning, tr("%1 cannot be opened: %2.").arg(folder, problem));
    showWorkspaces();
}

void HomePart::showPlace() {
    if (m_view) m_view->setPlace(QString::fromStdString(archive().workspace()->folder().string()));
}

void HomePart::showRuns() {
    if (m_view) m_view->setRuns(archive().runs(), archive().reached(), archive().runSeconds());
}

/// Those that were opened lately.
void HomePart::showWorkspaces() {
    if (!m_view || !archive().isListed()) return;
    using Rows = std::vector<WorkspaceRow>;
    // A folder on a drive that sleeps may take long to answer.
    worker().append<Rows>(
        [recent = preferences().recentWorkspaces()](std::stop_token) {
            Rows rows;
            for (const RecentWorkspace& each : recent) rows.push_back(rowOf(each));
            return rows;
        },
        [this](const Rows& rows) { m_view->setWorkspaces(rows); }, sayError());
}

}  // namespace orrery
