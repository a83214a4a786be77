#include "widgets/part/scope_part.h"

#include <QAction>
#include <QApplication>
#include <QSignalBlocker>
#include <QTimer>
#include <utility>

#include "core/history/workspace.h"
#include "core/run/archive/reopen.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/commands.h"

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

PlanSession* sessionOf(ViewScope& scope) {
    return &static_cast<PlanScope&>(scope).session();
}

ScopePart::ScopePart(Workbench& bench) : WindowPart(bench) {
    connect(&archive(), &Archive::failed, this, [this] {
        if (!archive().workspace()) restore();  // there will be no runs
    });
    connect(&archive(), &Archive::runsChanged, this, [this] {
        // After the job for the run that the window itself reopens.
        if (!m_pending.empty()) QTimer::singleShot(0, this, &ScopePart::restore);
    });
}

std::function<ViewScope*(QObject*)> ScopePart::ofState() {
    return [this](QObject* parent) { return make(PlanScope::About::State, parent); };
}

std::function<ViewScope*(QObject*)> ScopePart::ofRuns() {
    return [this](QObject* parent) { return make(PlanScope::About::Runs, parent); };
}

ViewScope* ScopePart::make(PlanScope::About about, QObject* parent) {
    auto* scope = new PlanScope(&session(), about, parent);
    connect(&scope->session(), &PlanSession::refused, this, [this] {
        say(MessageKind::Info, tr("This view is frozen: it keeps the state that it shows. Click on "
                                  "'frozen' above it, or press Ctrl+Shift+L, to go on from the "
                                  "state that is selected."));
    });
    connect(scope, &PlanScope::wantedChanged, this, [this, scope] {
        m_pending.emplace_back(scope);
        if (archive().isListed()) restore();
    });
    return scope;
}

void ScopePart::bindCommands() {
    commands().bind("view.freeze", [this](bool on) {
        frame().setFrozen(frame().meantView(), on);
        refreshFreeze();
    });
    commands().bind("window.duplicateView",
                    [this] { frame().duplicateInTurns(frame().meantView()); });
    for (const auto signal : {&Frame::currentViewChanged, &Frame::scopeChanged})
        connect(&frame(), signal, this, &ScopePart::refreshFreeze);
    connect(qApp, &QApplication::focusChanged, this, &ScopePart::refreshFreeze);
}

void ScopePart::refreshFreeze() {
    const QString id = frame().meantView();
    const ViewScope* meant = id.isEmpty() ? nullptr : frame().scope(id);
    const QString why = id.isEmpty() ? tr("No view is open")
                                     : tr("%1 belongs to the open world or the workspace as a "
                                          "whole; there is one of it")
                                           .arg(frame().titleOf(id));
    commands().setEnabled("view.freeze", meant != nullptr, why);
    commands().setEnabled("window.duplicateView", meant != nullptr, why);
    QAction* freeze = commands().action(QStringLiteral("view.freeze"));
    const QSignalBlocker blocker(freeze);
    freeze->setChecked(meant && meant->isFrozen());
}

/// Brings frozen views back once the workspace is open. A run that the window itself reopens is
/// shared with it: its job stands before these in the worker's queue.
void ScopePart::restore() {
    const auto pending = std::exchange(m_pending, {});
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
            frame().restorePictures();
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

}  // namespace orrery
