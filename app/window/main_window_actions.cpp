// What was done, with its command line; the analysis of episodes and paths; tools.
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QTableView>
#include <QTextBrowser>
#include <QUndoView>
#include <QVBoxLayout>

#include "app/window/main_window.h"
#include "app/window/plan_scope.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/common/style.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/config_diff.h"
#include "widgets/compare/runs_table.h"
#include "widgets/dag/episode_values.h"
#include "widgets/dag/hit_list.h"
#include "widgets/dag/hit_model.h"
#include "widgets/dag/path_sampler.h"
#include "widgets/dag/predicate_bar.h"
#include "widgets/part/command_text.h"
#include "widgets/settings/preferences.h"
#include "widgets/world/world_editor.h"

namespace orrery {

namespace {

/// A dialog beside the window that goes when it is closed.
QDialog* makeSheet(QWidget* parent, const char* name, const QString& title, QWidget* content) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QLatin1String(name));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* column = new QVBoxLayout(dialog);
    content->setParent(dialog);
    column->addWidget(content);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addWidget(buttons);
    return dialog;
}

}  // namespace

void MainWindow::makeAnalysisViews() {
    const auto ofState = [this](QObject* parent) { return makeScope(false, parent); };
    addView({.id = QStringLiteral("episode"),
             .title = tr("Episode values"),
             .icon = QStringLiteral("compare"),
             .tip = tr("A value along the walk, and the steps that cost most"),
             .makeScope = ofState,
             .makeScoped =
                 [this](ViewScope& scope, int number, QWidget* parent) {
                     auto* view =
                         new EpisodeValues(&static_cast<PlanScope&>(scope).session(), parent);
                     if (number == 1) m_episode = view;
                     return view;
                 },
             .table = [](QWidget* view) { return static_cast<EpisodeValues*>(view)->tableModel(); },
             .help = QStringLiteral("state_graph#episode")});
    addView({.id = QStringLiteral("simulate"),
             .title = tr("Simulation"),
             .icon = QStringLiteral("system-run"),
             .tip = tr("How often many sampled paths visit each state"),
             .makeScope = ofState,
             .makeScoped =
                 [this](ViewScope& scope, int number, QWidget* parent) {
                     auto* view =
                         new PathSampler(&static_cast<PlanScope&>(scope).session(), parent);
                     if (number == 1) m_sampler = view;
                     return view;
                 },
             .help = QStringLiteral("state_graph#simulate")});
}

/// The states that the window's own selection found: what F3 walks through.
void MainWindow::makeHits() {
    m_hits = new HitModel(&session(), this);
    addView({.id = QStringLiteral("hits"),
             .title = tr("Found states"),
             .icon = QStringLiteral("edit-find"),
             .tip = tr("The states that a search found: pictures, steps, values; F3 walks through"),
             .make = [this](QWidget* parent) { return new HitList(m_hits, parent); },
             .isLate = true,
             .help = QStringLiteral("predicates#list")});
    connect(m_hits, &HitModel::listed, this, &MainWindow::refreshHitCommands);
}

void MainWindow::showHits() {
    if (perspective() == QLatin1String("home")) showPerspective(QStringLiteral("plan"));
    showView(QStringLiteral("hits"));
    if (auto* list = view<HitList>(QStringLiteral("hits"))) list->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::refreshHitCommands() {
    for (const char* id : {"analyze.nextHit", "analyze.previousHit"})
        commands().setEnabled(id, m_hits->rowCount() > 0,
                              tr("No states are found: ask for some in the search field (Ctrl+F)"));
}

void MainWindow::bindActions() {
    Commands& c = commands();
    c.bind("analyze.hits", [this] { showHits(); });
    c.bind("analyze.nextHit", [this] { m_hits->walk(true); });
    c.bind("analyze.previousHit", [this] { m_hits->walk(false); });
    refreshHitCommands();
    c.bind("edit.undoHistory", [this] { showUndoHistory(); });
    const auto showInPlan = [this](const char* id) {
        if (perspective() == QLatin1String("home")) showPerspective(QStringLiteral("plan"));
        showView(QLatin1String(id));
    };
    c.bind("analyze.episode", [showInPlan] { showInPlan("episode"); });
    c.bind("analyze.simulate", [showInPlan] { showInPlan("simulate"); });
    c.bind("analyze.compare", [this] {
        showCompare();
        std::vector<SelectionItem> runs = selection().set(SelectionKind::Run);
        if (const auto* run = selection().current<RunItem>();
            run != nullptr && std::ranges::find(runs, SelectionItem(*run)) == runs.end()) {
            runs.emplace_back(*run);
            selection().setSet(SelectionKind::Run, std::move(runs));
        }
        m_compare->table()->view()->setFocus(Qt::ShortcutFocusReason);
    });
    c.bind("analyze.diff", [this] {
        showCompare();
        m_compare->configDiff()->view()->setFocus(Qt::ShortcutFocusReason);
    });
    c.bind("world.rules", [this] {
        showPerspective(QStringLiteral("world"));
        showView(QStringLiteral("agents"));
        m_editor->askForRules();
    });
    c.bind("world.statesHere", [this] { findStatesHere(); });
    c.bind("window.floatPanel", [this] { changePanel(true); });
    c.bind("window.movePanel", [this] { changePanel(false); });
    c.bind("tools.doctor", [this] { showDoctor(); });
}

bool MainWindow::isWorldModified() const {
    return m_editor->isModified();
}

void MainWindow::noteSolve(const RunSpec& spec) {
    const bool isInFile = !m_editor->isModified();
    m_bench.note(
        isInFile
            ? tr("Solve %1").arg(QString::fromStdString(spec.name))
            : tr("Solve %1, whose changes are in no file").arg(QString::fromStdString(spec.name)),
        isInFile ? solveArguments(spec, m_bench.workspaceText()) : QStringList());
}

void MainWindow::noteSearch() {
    if (m_search->history().isEmpty() || !session().isOpen()) return;
    const QString asked = m_search->history().first();
    m_bench.note(tr("Search %1").arg(asked),
                 m_editor->isModified()
                     ? QStringList()
                     : findArguments(QString::fromStdString(session().loaded().name), asked));
}

void MainWindow::findStatesHere() {
    const auto* cell = selection().current<CellItem>();
    if (!session().isOpen() || cell == nullptr)
        return say(MessageKind::Info, tr("Click a cell of the world first."));
    const auto* chosen = selection().current<AgentItem>();
    QStringList parts;
    for (int agent = 0; agent < session().world().numAgents(); ++agent)
        if (chosen == nullptr || chosen->agent == agent)
            parts << QStringLiteral("%1.at(%2,%3)")
                         .arg(QString::fromStdString(
                             session().world().agents()[static_cast<std::size_t>(agent)].name))
                         .arg(cell->x)
                         .arg(cell->y);
    view(QStringLiteral("stateGraph"));  // makes the search
    m_search->ask(parts.join(QStringLiteral(" or ")));
}

/// What dragging a panel's title does, for keys; the layout's undo hears of it from the panel.
/// @param floats  float or dock it; else move it to the next side
void MainWindow::changePanel(bool floats) {
    auto* panel = qobject_cast<QDockWidget*>(focusWidget());
    for (QWidget* up = focusWidget(); up != nullptr && panel == nullptr; up = up->parentWidget())
        panel = qobject_cast<QDockWidget*>(up);
    if (panel == nullptr)
        return say(MessageKind::Info,
                   tr("Give the focus to a panel first, by a click or by Ctrl+F6."));
    if (floats) return panel->setFloating(!panel->isFloating());
    const Qt::DockWidgetArea side = dockWidgetArea(panel);
    panel->setFloating(false);
    addDockWidget(side == Qt::LeftDockWidgetArea    ? Qt::RightDockWidgetArea
                  : side == Qt::RightDockWidgetArea ? Qt::BottomDockWidgetArea
                                                    : Qt::LeftDockWidgetArea,
                  panel);
}

/// "Open recent" after the commands that open: files of worlds, then workspaces.
void MainWindow::makeRecentMenu(QMenu* menu) {
    auto* recent = new QMenu(tr("Open &recent"), menu);
    recent->setObjectName(QStringLiteral("menu_recent"));
    menu->insertMenu(commands().action(QStringLiteral("file.saveWorld")), recent);
    connect(recent, &QMenu::aboutToShow, this, [this, recent] {
        recent->clear();
        for (const QString& file : m_recentWorlds)
            recent->addAction(file, this, [this, file] {
                openWorld(file);
                if (perspective() == QLatin1String("home"))
                    showPerspective(QStringLiteral("world"));
            });
        recent->addSeparator();
        for (const RecentWorkspace& each : preferences().recentWorkspaces())
            recent->addAction(each.folder, this, [this, folder = each.folder] {
                if (mayChangeWorkspace()) openWorkspace(folder.toStdString());
            });
        if (m_recentWorlds.isEmpty() && preferences().recentWorkspaces().isEmpty())
            recent->addAction(tr("Nothing was opened yet"))->setEnabled(false);
    });
}

void MainWindow::showWanted(const QString& what) {
    setWindowState(windowState() & ~Qt::WindowMinimized);
    raise();
    activateWindow();
    QApplication::alert(this);
    if (what.isEmpty()) return;
    if (what.startsWith(QLatin1String("orrery:"))) {
        goToAddress(what);
        return;
    }
    QString folder = what;
    if (QFileInfo(what).fileName() == QLatin1String("workspace.db"))
        folder = QFileInfo(what).absolutePath();
    if (QFileInfo::exists(folder + QStringLiteral("/workspace.db"))) {
        if (mayChangeWorkspace()) openWorkspace(folder.toStdString());
        return;
    }
    openWorld(what);
    if (perspective() == QLatin1String("home")) showPerspective(QStringLiteral("world"));
}

void MainWindow::noteRecentWorld(const QString& name) {
    constexpr int kMost = 10;
    if (!QFileInfo(name).isFile()) return;  // an example, or drawn and in no file yet
    const QString file = QFileInfo(name).absoluteFilePath();
    m_recentWorlds.removeAll(file);
    m_recentWorlds.prepend(file);
    while (m_recentWorlds.size() > kMost) m_recentWorlds.removeLast();
}

void MainWindow::showUndoHistory() {
    auto* list = new QUndoView(&undoStack());
    list->setObjectName(QStringLiteral("undoHistory"));
    list->setAccessibleName(tr("Changes"));
    list->setEmptyLabel(tr("As it was opened"));
    list->setToolTip(tr("A click goes back or forward to the state after that change"));
    QDialog* sheet = makeSheet(this, "undoHistorySheet", tr("Undo history"), list);
    sheet->resize(380, 420);
    sheet->show();
}

/// What `orrery doctor` says, asked of the same program.
void MainWindow::showDoctor() {
    auto* text = new QTextBrowser;
    text->setObjectName(QStringLiteral("doctorText"));
    text->setAccessibleName(tr("Findings"));
    text->setLineWrapMode(QTextEdit::NoWrap);
    // Its columns are padded with blanks; a font that is set would give way to the style sheet's.
    text->setStyleSheet(
        QStringLiteral("QTextBrowser { font-family: \"%1\"; }").arg(numberFont(12).family()));
    text->setPlainText(tr("Looking..."));
    QDialog* sheet = makeSheet(this, "doctorSheet", tr("Doctor"), text);
    sheet->resize(860, 420);
    QStringList arguments{QStringLiteral("doctor")};
    if (!m_bench.workspaceText().isEmpty())
        arguments << QStringLiteral("--workspace") << m_bench.workspaceText();
    m_bench.note(tr("Doctor"), QStringList{QStringLiteral("orrery")} + arguments);
    auto* process = new QProcess(this);
    process->setProcessChannelMode(QProcess::MergedChannels);
    connect(process, &QProcess::finished, text,
            [process, text] { text->setPlainText(QString::fromUtf8(process->readAll())); });
    connect(process, &QProcess::errorOccurred, text,
            [process, text] { text->setPlainText(process->errorString()); });
    // It outlives the sheet until it has ended.
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    connect(sheet, &QObject::destroyed, process, &QProcess::kill);
    process->start(QApplication::applicationFilePath(), arguments, QIODevice::ReadOnly);
    sheet->show();
}

}  // namespace orrery
