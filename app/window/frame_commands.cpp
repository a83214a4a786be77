#include "app/window/frame_commands.h"

#include <QAction>

#include "widgets/common/commands.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/frame.h"

namespace orrery {

void bindFrameCommands(Frame& frame) {
    Commands& c = frame.commands();
    for (const PerspectiveSpec& spec : frame.perspectives())
        c.bind(("view." + spec.id.toStdString()).c_str(),
               [&frame, id = spec.id] { frame.showPerspective(id); });
    c.bind("file.quit", [&frame] { frame.close(); });
    c.bind("edit.undo", [&frame] { frame.undoStack().undo(); });
    c.bind("edit.redo", [&frame] { frame.undoStack().redo(); });
    c.bind("view.table", [&frame] { frame.showTable(); });
    c.bind("view.fullScreen",
           [&frame](bool on) { on ? frame.showFullScreen() : frame.showNormal(); });
    c.bind("window.splitRight", [&frame] { frame.splitView(Qt::Horizontal); });
    c.bind("window.splitDown", [&frame] { frame.splitView(Qt::Vertical); });
    c.bind("window.moveView", [&frame] { frame.moveViewToNextGroup(); });
    c.bind("window.closeView", [&frame] { frame.hideView(frame.centre().currentView()); });
    c.bind("window.resetLayout", [&frame] { frame.resetLayout(); });
    c.bind("window.nextArea", [&frame] { frame.focusNextArea(true); });
    c.bind("window.previousArea", [&frame] { frame.focusNextArea(false); });
}

void refreshFrameCommands(Frame& frame) {
    Commands& c = frame.commands();
    const QUndoStack& undo = frame.undoStack();
    c.setEnabled("edit.undo", undo.canUndo(), QObject::tr("Nothing was changed"));
    c.setEnabled("edit.redo", undo.canRedo(), QObject::tr("Nothing was taken back"));
    const auto named = [](const QString& verb, const QString& what) {
        return what.isEmpty() ? verb : QStringLiteral("%1: %2").arg(verb, what);
    };
    c.action(QStringLiteral("edit.undo"))->setText(named(QObject::tr("&Undo"), undo.undoText()));
    c.action(QStringLiteral("edit.redo"))->setText(named(QObject::tr("&Redo"), undo.redoText()));
    c.setEnabled("window.closeView", !frame.centre().currentView().isEmpty(),
                 QObject::tr("No view is open"));
}

std::vector<LocatorItem> commandItems(Frame& frame) {
    std::vector<LocatorItem> items;
    for (const CommandSpec& spec : commandTable()) {
        QAction* action = frame.commands().action(QLatin1String(spec.id));
        QString why = action->toolTip();
        if (action->isEnabled()) why = QObject::tr(spec.tip);
        items.push_back({Commands::plainText(spec),
                         QStringLiteral("%1 · %2").arg(QObject::tr(spec.menu), why),
                         frame.commands().keysText(spec).section(QLatin1Char(','), 0, 0),
                         action->isEnabled(), [action] { action->trigger(); }});
    }
    for (const ViewSpec& spec : frame.views())
        items.push_back({QObject::tr("Show %1").arg(spec.title),
                         QObject::tr("View · %1").arg(spec.tip),
                         {},
                         true,
                         [&frame, id = spec.id] { frame.showView(id); }});
    return items;
}

}  // namespace orrery
