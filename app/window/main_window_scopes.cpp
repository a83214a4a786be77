// Views of which there are several: what each of them shows, and how that comes back after a start.
#include <QAction>
#include <QApplication>
#include <QPointer>
#include <QSignalBlocker>
#include <QTimer>

#include "app/window/main_window.h"
#include "app/window/plan_scope.h"
#include "core/base/error.h"
#include "core/history/workspace.h"
#include "core/run/archive/reopen.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/commands.h"
#include "widgets/frame/centre_area.h"
#include "widgets/world/world_editor.h"
#include "widgets/world/world_panel.h"

namespace orrery {

namespace {

/// What a frozen view of the last session needs.
struct KeptPlace {
    LoadedWorld world;
    std::shared_ptr<const Solution> solution;
};

KeptPlace readPlace(const QJsonObject& wanted, const std::shared_ptr<Workspace>& workspace,
                    const std::stop_token& stop) {
    const auto text = [&](const char* key) {
        return wanted.value(QLatin1String(key)).toString().toStdString();
    };
    KeptPlace place;
    WorldRef world{.name = text("world")};
    if (std::string own = text("text"); !own.empty()) world.text = std::move(own);
    if (!world.name.empty()) place.world = loadWorld(world);
    if (const std::string run = text("run"); !run.empty() && workspace)
        if (const auto reopened = reopenSolution(*workspace, run, stop)) {
            place.solution = reopened->solution;
            place.world.world = reopened->world;
        }
    return place;
}

}  // namespace

ViewScope* MainWindow::makeScope(bool isOfRuns, QObject* parent) {
    auto* scope = new PlanScope(
        &session(), isOfRuns ? PlanScope::About::Runs : PlanScope::About::State, parent);
    connect(&scope->session(), &PlanSession::refused, this, [this] {
        say(MessageKind::Info, tr("This view is frozen: it keeps the state that it shows. Click on "
                                  "'frozen' above it, or press Ctrl+Shift+L, to go on from the "
                                  "state that is selected."));
    });
    connect(scope, &PlanScope::wantedChanged, this, [this, scope] {
        m_pendingScopes.emplace_back(scope);
        if (m_runsListedSeconds > 0) restoreScopes();
    });
    return scope;
}

void MainWindow::bindScopes() {
    commands().bind("view.freeze", [this](bool on) {
        setFrozen(meantView(), on);
        refreshScopeCommands();
    });
    commands().bind("window.duplicateView", [this] { duplicateView(meantView()); });
    connect(this, &Frame::currentViewChanged, this, &MainWindow::refreshScopeCommands);
    connect(this, &Frame::scopeChanged, this, [this](const QString& id) {
        refreshScopeCommands();
        // What is edited is the open world, not one that is kept.
        const ViewScope* changed = scope(id);
        if (id == QLatin1String("world") && changed && changed->isFrozen() && m_editor->isOn())
            m_editor->setOn(false);
    });
    connect(m_editor, &WorldEditor::modeChanged, this, [this] {
        if (m_editor->isOn()) setFrozen(QStringLiteral("world"), false);
    });
    connect(qApp, &QApplication::focusChanged, this, &MainWindow::refreshScopeCommands);
    connect(&archive(), &Archive::failed, this, [this] {
        if (!archive().workspace()) restoreScopes();  // there will be no runs
    });
    connect(&archive(), &Archive::runsChanged, this, [this] {
        // After the job for the run that the window itself reopens.
        if (!m_pendingScopes.empty()) QTimer::singleShot(0, this, &MainWindow::restoreScopes);
    });
}

void MainWindow::refreshScopeCommands() {
    const QString id = meantView();
    const ViewScope* meant = id.isEmpty() ? nullptr : scope(id);
    const QString why = id.isEmpty() ? tr("No view is open")
                                     : tr("%1 belongs to the open world or the workspace as a "
                                          "whole; there is one of it")
                                           .arg(titleOf(id));
    commands().setEnabled("view.freeze", meant != nullptr, why);
    commands().setEnabled("window.duplicateView", meant != nullptr, why);
    QAction* freeze = commands().action(QStringLiteral("view.freeze"));
    const QSignalBlocker blocker(freeze);
    freeze->setChecked(meant && meant->isFrozen());
}

/// Brings frozen views back once the workspace is open. A run that the window itself reopens is
/// shared with it: its job stands before these in the worker's queue.
void MainWindow::restoreScopes() {
    const auto pending = std::exchange(m_pendingScopes, {});
    for (const QPointer<PlanScope>& scope : pending) {
        if (!scope || scope->wanted().isEmpty()) continue;
        const auto fail = [this, scope](const QString& text) {
            if (scope) scope->forgetWanted();
            say(MessageKind::Warning, tr("A view that was frozen follows again: %1").arg(text));
        };
        const auto freeze = [this, scope, fail](const KeptPlace& place) {
            if (!scope || scope->wanted().isEmpty()) return;
            if (!scope->freezeAt(place.world, place.solution))
                fail(tr("its world has no such state any more."));
            restorePictures();
        };
        const auto read = [this, scope, freeze, fail](bool) {
            if (!scope) return;
            const QJsonObject wanted = scope->wanted();
            const QString run = wanted.value(QLatin1String("run")).toString();
            if (!run.isEmpty() && run == session().runId() && session().runSolution())
                return freeze({session().loaded(), session().runSolution()});
            worker().append<KeptPlace>(
                [wanted, workspace = archive().sharedWorkspace()](const std::stop_token& stop) {
                    return readPlace(wanted, workspace, stop);
                },
                freeze, fail);
        };
        worker().append<bool>([](const std::stop_token&) { return true; }, read, fail);
    }
}

QJsonObject MainWindow::scopeFacts() {
    QJsonObject facts;
    for (const QString& id : instances()) {
        auto* one = qobject_cast<PlanScope*>(scope(id));
        if (!one || !isViewShown(id)) continue;
        const PlanSession& session = one->session();
        facts.insert(id, QJsonObject{{QStringLiteral("text"), one->text()},
                                     {QStringLiteral("frozen"), one->isFrozen()},
                                     {QStringLiteral("run"), session.runId()},
                                     {QStringLiteral("world"),
                                      session.isOpen() ? session.loaded().title : QString()}});
    }
    return facts;
}

}  // namespace orrery
