#include "widgets/world/world_commands.h"

#include <QAction>
#include <QCoreApplication>
#include <QSignalBlocker>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/commands.h"
#include "widgets/world/edit_view.h"
#include "widgets/world/episode_player.h"
#include "widgets/world/play_mode.h"
#include "widgets/world/timeline.h"
#include "widgets/world/world_editor.h"
#include "widgets/world/world_files.h"
#include "widgets/world/world_panel.h"
#include "widgets/world/world_view.h"

namespace orrery {

namespace {

QString commandHint(const char* text) {
    return QCoreApplication::translate("WorldCommands", text);
}

void refresh(Commands& c, const WorldParts& parts) {
    const bool isOpen = parts.session->isOpen();
    const QString noWorld = commandHint("No world is open: pick one on Home");
    for (const char* id :
         {"file.saveWorldAs", "world.play", "world.edit", "world.nextOverlay",
          "world.previousOverlay", "world.lockRange", "world.playEpisode", "world.rules"})
        c.setEnabled(id, isOpen, noWorld);
    c.setEnabled("file.saveWorld",
                 isOpen && (parts.editor->isModified() || parts.editor->file().isEmpty()),
                 isOpen ? commandHint("The world is as its file") : noWorld);
    c.setEnabled("world.nextState",
                 isOpen && parts.session->walkIndex() + 1 < parts.session->walk().size(),
                 commandHint("This is the last state of the walk"));
    c.setEnabled("world.previousState", isOpen && parts.session->walkIndex() > 0,
                 commandHint("This is the first state of the walk"));
    const bool edits = parts.editor->isOn();
    for (const char* id : {"world.cutCells", "world.copyCells", "world.pasteCells",
                           "world.insertRow", "world.insertColumn", "world.removeRow",
                           "world.removeColumn", "world.mirrorLeftRight", "world.mirrorUpDown"})
        c.setEnabled(id, edits, commandHint("The map is not being edited: turn on Edit first"));
    for (const auto& [id, isOn] :
         {std::pair("world.mirrorLeftRight", parts.editor->symmetry().leftRight),
          std::pair("world.mirrorUpDown", parts.editor->symmetry().upDown)}) {
        QAction* mirror = c.action(QLatin1String(id));
        const QSignalBlocker blocker(mirror);
        mirror->setChecked(isOn);
    }
    QAction* edit = c.action(QStringLiteral("world.edit"));
    const QSignalBlocker blocker(edit);
    edit->setChecked(parts.editor->isOn());
}

void bindFiles(Commands& c, const WorldParts& parts) {
    c.bind("file.newWorld",
           [parts] { askForNewWorld(*parts.editor, parts.window, parts.showEditing); });
    c.bind("file.saveWorld", [parts] { saveWorld(*parts.editor, *parts.session, parts.window); });
    c.bind("file.saveWorldAs",
           [parts] { saveWorldAs(*parts.editor, *parts.session, parts.window); });
}

/// What changes the edited map besides its tools.
void bindMap(Commands& c, const WorldParts& parts) {
    const auto map = [parts] { return parts.panel()->editView(); };
    c.bind("world.cutCells", [map] { map()->cutCells(); });
    c.bind("world.copyCells", [map] { map()->copyCells(); });
    c.bind("world.pasteCells", [map] { map()->pasteCells(); });
    const auto span = [map](MapLines lines) {
        const QPoint at = map()->cursorCell();
        return MapSpan{lines, lines == MapLines::Rows ? at.y() : at.x(), 1};
    };
    WorldEditor* editor = parts.editor;
    c.bind("world.insertRow", [=] { editor->insertLines(span(MapLines::Rows)); });
    c.bind("world.insertColumn", [=] { editor->insertLines(span(MapLines::Columns)); });
    c.bind("world.removeRow", [=] { editor->removeLines(span(MapLines::Rows)); });
    c.bind("world.removeColumn", [=] { editor->removeLines(span(MapLines::Columns)); });
    c.bind("world.mirrorLeftRight", [editor](bool on) {
        editor->setSymmetry({on, editor->symmetry().upDown});
    });
    c.bind("world.mirrorUpDown", [editor](bool on) {
        editor->setSymmetry({editor->symmetry().leftRight, on});
    });
}

}  // namespace

void bindWorldCommands(Commands& c, const WorldParts& parts) {
    bindFiles(c, parts);
    bindMap(c, parts);
    c.bind("world.play", [parts] {
        WorldPanel* panel = parts.panel();
        parts.editor->setOn(false);
        panel->play()->toggle();
        panel->view()->setFocus();
    });
    c.bind("world.edit", [parts](bool on) {
        if (on) parts.showEditing();
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
    QObject::connect(parts.editor, &WorldEditor::toolChanged, &c, update);
    update();
}

}  // namespace orrery
