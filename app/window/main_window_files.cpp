// Files that come in: curves of other programs, and whatever is dropped on the window.
#include "app/window/file_drop.h"
#include "app/window/import_desk.h"
#include "app/window/main_window.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run_name.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/train/train_form.h"

namespace orrery {

void MainWindow::bindIncomingFiles() {
    auto* imports = new ImportDesk(this, &archive());
    commands().bind("file.import", [imports] { imports->ask(); });
    connect(imports, &ImportDesk::imported, this, [this](const QString& path) {
        m_bench.note(tr("Import %1").arg(path),
                     {QStringLiteral("orrery"), QStringLiteral("import"), path});
    });
    connect(imports, &ImportDesk::compareRequested, this, &MainWindow::compareRuns);

    auto* drop = new FileDrop(this);
    connect(drop, &FileDrop::curvesDropped, imports, &ImportDesk::import);
    connect(drop, &FileDrop::worldDropped, this, &MainWindow::showWanted);
    connect(drop, &FileDrop::workspaceDropped, this, &MainWindow::showWanted);
    connect(drop, &FileDrop::specDropped, this, &MainWindow::openSpec);
    connect(drop, &FileDrop::refused, this,
            [this](const QString& why) { say(MessageKind::Warning, why); });
}

/// Shows a spec's world and fills the form of its job; it is started by the person.
void MainWindow::openSpec(const RunSpec& spec) {
    if (const auto* solve = spec.job.find<SolveJob>())
        return openWorld(solve->world, [this, spec] {
            m_solvePanel->setSpec(spec);
            showPerspective(QStringLiteral("plan"));
        });
    TrainForm& form = trainForm();
    form.setSpec(spec);
    form.setWorld(QString::fromStdString(
        spec.name.empty() ? titleOfWorlds(worldNameOf(toJson(spec))) : spec.name));
    form.forgetParent();
    showTrainForm({});
}

}  // namespace orrery
