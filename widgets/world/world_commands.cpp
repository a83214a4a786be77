#include "widgets/world/world_commands.h"

#include <QAction>
#include <QCoreApplication>
#include <QSignalBlocker>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/commands.h"
#include "widgets/world/episode_player.h"
#include "widgets/world/play_mode.h"
#include "widgets/world/timeline.h"
#include "widgets/world/world_editor.h"
#include "widgets/world/world_files.h"
#include "widgets/world/world_panel.h"
#include "widgets/world/world_view.h"

namespace orrery {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("WorldCommands", text);
}

void refresh(Commands& c, const WorldParts& parts) {
    const bool isOpen = parts.session->isOpen();
    const QString noWorld = tr("No world is open: pick one on Home");
    for (const char* id : {"file.saveWorldAs", "world.play", "world.edit", "world.nextOverlay",
                           "world.previousOverlay", "world.lockRange", "world.playEpisode"})
        c.setEnabled(id, isOpen, noWorld);
    c.setEnabled("file.saveWorld",
                 isOpen && (parts.editor->isModified() || parts.editor->file().isEmpty()),
                 isOpen ? tr("The world is as its file") : noWorld);
    c.setEnabled("world.nextState",
                 isOpen && parts.session->walkIndex() + 1 < parts.session->walk().size(),
                 tr("This is the last state of the walk"));
    c.setEnabled("world.previousState", isOpen && parts.session->walkIndex() > 0,
                 tr("This is the first state of the walk"));
    QAction* edit = c.action(QStringLiteral("world.edit"));
    const QSignalBlocker blocker(edit);
    edit->setChecked(parts.editor->isOn());
}

void bindFiles(Commands& c, const WorldParts& parts) {
    c.bind("file.newWorld", [parts] {
        parts.panel();  // shows the map that will be edited
        askForNewWorld(*parts.editor, parts.window);
    });
    c.bind("file.saveWorld", [parts] { saveWorld(*parts.editor, *parts.session, parts.window); });
    c.bind("file.saveWorldAs",
           [parts] { saveWorldAs(*parts.editor, *parts.session, parts.window); });
}

}  // namespace

void bindWorldCommands(Commands& c, const WorldParts& parts) {
    bindFiles(c, parts);
    c.bind("world.play", [parts] {
        WorldPanel* panel = parts.panel();
        parts.editor->setOn(false);
        panel->play()->toggle();
        panel->view()->setFocus();
    });
    c.bind("world.edit", [parts](bool on) {
        parts.panel();
        parts.editor->setOn(on);
    });
    c.bind("world.nextState", [parts] { parts.timeline->player()->goBy(1); });
    c.bind("world.previousState", [parts] { parts.timeline->player()->goBy(-1); });
    c.bind("world.nextOverlay", [parts] { parts.panel()->view()->stepHeat(1); });
    c.bind("world.previousOverlay", [parts] { parts.panel()->view()->stepHeat(-1); });
    c.bind("world.lockRange", [parts] {
        WorldView* view = parts.panel()->view();
        view->lockHeatRange(view->heatRange().kind != HeatRangeKind::Locked);
    });
    c.bind("world.playEpisode", [parts] { parts.timeline->player()->toggle(); });
    const auto update = [&c, parts] { refresh(c, parts); };
    for (const auto signal :
         {&PlanSession::worldChanged, &PlanSession::stateChanged, &PlanSession::solutionChanged})
        QObject::connect(parts.session, signal, &c, update);
    QObject::connect(parts.editor, &WorldEditor::modeChanged, &c, update);
    QObject::connect(parts.editor, &WorldEditor::specChanged, &c, update);
    update();
}

}  // namespace orrery
