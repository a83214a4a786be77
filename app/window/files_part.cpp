#include "app/window/files_part.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>

#include "app/window/address_part.h"
#include "app/window/export_desk.h"
#include "app/window/file_drop.h"
#include "app/window/import_desk.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run_kind.h"
#include "widgets/common/commands.h"
#include "widgets/compare/compare_part.h"
#include "widgets/dag/plan_part.h"
#include "widgets/history/history_part.h"
#include "widgets/settings/preferences.h"
#include "widgets/train/train_form_part.h"
#include "widgets/train/train_part.h"
#include "widgets/world/world_panel.h"
#include "widgets/world/world_part.h"

namespace orrery {

FilesPart::FilesPart(Workbench& bench, Parts parts) : WindowPart(bench), m_parts(parts) {}

void FilesPart::bindCommands() {
    bindImports();
    bindExports();
}

void FilesPart::bindImports() {
    auto* imports = new ImportDesk(&frame(), &archive());
    commands().bind("file.import", [imports] { imports->ask(); });
    connect(imports, &ImportDesk::imported, this, [this](const QString& path) {
        bench().note(tr("Import %1").arg(path),
                     {QStringLiteral("orrery"), QStringLiteral("import"), path});
    });
    connect(imports, &ImportDesk::compareRequested, m_parts.compare, &ComparePart::compare);

    auto* drop = new FileDrop(&frame());
    connect(drop, &FileDrop::curvesDropped, imports, &ImportDesk::import);
    connect(drop, &FileDrop::worldDropped, this, &FilesPart::show);
    connect(drop, &FileDrop::workspaceDropped, this, &FilesPart::show);
    connect(drop, &FileDrop::specDropped, this, &FilesPart::openSpec);
    connect(drop, &FileDrop::refused, this,
            [this](const QString& why) { say(MessageKind::Warning, why); });
}

void FilesPart::bindExports() {
    const auto worldView = [this] {
        return frame().view<WorldPanel>(QStringLiteral("world"))->view();
    };
    auto* desk = new ExportDesk({.frame = &frame(),
                                 .session = &session(),
                                 .archive = &archive(),
                                 .worldView = worldView,
                                 .training = [this] { return m_parts.train->shownId(); }});
    commands().bind("file.export", [desk] { desk->open(); });
    commands().bind("file.recordVideo", [desk] { desk->openForVideo(); });
}

void FilesPart::refreshCommands() {
    commands().setEnabled("file.recordVideo", session().isOpen(),
                          tr("No world is open: pick one on Home"));
}

/// Shows a spec's world and fills the form of its job; it is started by the person.
void FilesPart::openSpec(const RunSpec& spec) {
    const RunKind& kind = spec.job.kind();
    if (kind.isTraining())
        m_parts.form->openSpec(spec);
    else if (spec.job.is<SolveJob>())
        m_parts.plan->openSpec(spec);
    else
        say(MessageKind::Warning, tr("No form here is for specs of the kind '%1'.")
                                      .arg(QString::fromStdString(kind.name)));
}

void FilesPart::show(const QString& what) {
    if (what.startsWith(QLatin1String("orrery:"))) {
        m_parts.address->goTo(what);
        return;
    }
    const bool isDatabase = QFileInfo(what).fileName() == QLatin1String("workspace.db");
    const QString folder = isDatabase ? QFileInfo(what).absolutePath() : what;
    if (QFileInfo::exists(folder + QStringLiteral("/workspace.db")))
        m_parts.history->open(folder);
    else
        m_parts.world->openFromHome(what);
}

void FilesPart::addRecentMenu(QMenu* menu) {
    auto* recent = new QMenu(tr("Open &recent"), menu);
    recent->setObjectName(QStringLiteral("menu_recent"));
    menu->insertMenu(commands().action(QStringLiteral("file.saveWorld")), recent);
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(recent); });
}

void FilesPart::fillRecent(QMenu* menu) {
    menu->clear();
    for (const QString& file : m_parts.world->recent())
        menu->addAction(file, this, [this, file] { m_parts.world->openFromHome(file); });
    menu->addSeparator();
    const auto workspaces = preferences().recentWorkspaces();
    for (const RecentWorkspace& each : workspaces)
        menu->addAction(each.folder, this,
                        [this, folder = each.folder] { m_parts.history->open(folder); });
    if (m_parts.world->recent().isEmpty() && workspaces.isEmpty())
        menu->addAction(tr("Nothing was opened yet"))->setEnabled(false);
}

}  // namespace orrery
