#include "widgets/part/log_part.h"

#include "widgets/common/commands.h"
#include "widgets/frame/action_log.h"

namespace orrery {

void LogPart::addViews() {
    frame().addView(
        {.id = QStringLiteral("log"),
         .title = tr("Log"),
         .icon = QStringLiteral("system-run"),
         .tip = tr("What was done, with the command line that does the same"),
         .place = ViewPlace::Bottom,
         .make = [this](QWidget* parent) { return new ActionLogPanel(&bench().actions(), parent); },
         .help = QStringLiteral("window#log")});
    connect(&bench().actions(), &QAbstractItemModel::rowsInserted, this, &LogPart::refreshCopy);
}

void LogPart::bindCommands() {
    commands().bind("edit.copyCommand", [this] {
        const QString command = bench().actions().lastCommand();
        bench().copy(command, tr("Copied %1").arg(command));
    });
    commands().bind("tools.log", [this] { frame().showView(QStringLiteral("log")); });
    refreshCopy();
}

void LogPart::refreshCopy() {
    commands().setEnabled("edit.copyCommand", !bench().actions().lastCommand().isEmpty(),
                          tr("Nothing was done that has a command line"));
}

}  // namespace orrery
