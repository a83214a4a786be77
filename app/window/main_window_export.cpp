#include "app/window/export_desk.h"
#include "app/window/main_window.h"
#include "widgets/common/commands.h"
#include "widgets/world/world_panel.h"

namespace orrery {

void MainWindow::bindExports() {
    auto* desk = new ExportDesk(
        {.frame = this,
         .session = &session(),
         .archive = &archive(),
         .worldView = [this] { return view<WorldPanel>(QStringLiteral("world"))->view(); },
         .training = [this] { return shownTrainingId(); }});
    commands().bind("file.export", [desk] { desk->open(); });
    commands().bind("file.recordVideo", [desk] { desk->openForVideo(); });
}

}  // namespace orrery
