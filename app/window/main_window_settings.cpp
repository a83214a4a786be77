#include <QDateTime>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QSpinBox>
#include <QTimer>
#include <chrono>
#include <filesystem>

#include "app/window/main_window.h"
#include "core/run/jobs/solve_job.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/commands.h"
#include "widgets/common/run_mark.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/home/home_view.h"
#include "widgets/part/window_part.h"
#include "widgets/plots/chart_defaults.h"
#include "widgets/plots/chart_grid.h"
#include "widgets/settings/preferences.h"
#include "widgets/train/train_session.h"
#include "widgets/train/view_clock.h"

namespace orrery {

namespace {

constexpr int kMiBShift = 20;

ChartDefaults chartDefaultsOf(const Preferences& preferences) {
    const auto text = [&](const char* key) {
        return preferences.value(QLatin1String(key)).toString();
    };
    return {.smoothing = {smoothingKindOf(text("charts/smoothing")).value_or(SmoothingKind::None),
                          preferences.value(QStringLiteral("charts/smoothingWindow")).toDouble()},
            .bands = bandKindOf(text("charts/bands")).value_or(BandKind::Deviation)};
}

/// Why a folder cannot be opened as a workspace; empty if it can.
QString workspaceProblem(const QString& folder) {
    if (!QFileInfo::exists(folder)) return MainWindow::tr("the folder is gone");
    if (!QFileInfo::exists(folder + QStringLiteral("/workspace.db")))
        return MainWindow::tr("it holds no workspace.db");
    return {};
}

WorkspaceRow rowOf(const RecentWorkspace& recent) {
    QString name = QFileInfo(recent.folder).fileName();
    if (name.endsWith(QLatin1String(".orrery"))) name.chop(7);
    return {.folder = recent.folder,
            .name = name,
            .remark = recent.numRuns < 0    ? recent.folder
                      : recent.numRuns == 1 ? MainWindow::tr("1 run")
                                            : MainWindow::tr("%1 runs").arg(recent.numRuns),
            .when = timeText(recent.openedUtc.toStdString()),
            .problem = {}};
}

}  // namespace

void MainWindow::bindSettings() {
    connect(&preferences(), &Preferences::changed, this, &MainWindow::applyPreference);
    connect(&preferences(), &Preferences::recentChanged, this, &MainWindow::showRecentWorkspaces);
    connect(&m_training->clock(), &ViewClock::rateChanged, this, [this] {
        m_bench.prefer(QStringLiteral("appearance/viewRate"), m_training->clock().rate());
    });
    if (m_options.theme == ThemeChoice::System)
        m_options.theme =
            themeChoiceOf(preferences().value(QStringLiteral("appearance/theme")).toString())
                .value_or(ThemeChoice::System);
    connect(&archive(), &Archive::runsChanged, this, &MainWindow::noteWorkspace);
}

/// What is changed by one tells the others of it: all parts of the window must be there.
void MainWindow::applyPreferences() {
    for (const char* key : {"appearance/colorMap", "appearance/reducedMotion",
                            "appearance/viewRate", "charts/smoothing", "compute/threads",
                            "compute/memoryBudget", "export/widthMm", "export/dpi"})
        applyPreference(QLatin1String(key));
}

void MainWindow::applyPreference(const QString& key) {
    for (const auto& part : m_parts) part->applyPreference(key);
    const QVariant value = preferences().value(key);
    if (key == QLatin1String("general/restoreSession")) {
        keepSession();  // not the last one that was kept
    } else if (key == QLatin1String("appearance/viewRate")) {
        m_training->clock().setRate(value.toInt());
    } else if (key.startsWith(QLatin1String("charts/"))) {
        setChartDefaults(chartDefaultsOf(preferences()));
        for (ChartGrid* grid : findChildren<ChartGrid*>()) {
            if (key == QLatin1String("charts/bands"))
                grid->setBands(chartDefaults().bands);
            else
                grid->setSmoothing(chartDefaults().smoothing);
        }
    } else if (key.startsWith(QLatin1String("compute/"))) {
        giveSolverItsResources();
    } else if (key == QLatin1String("export/widthMm")) {
        if (auto* width = findChild<QDoubleSpinBox*>(QStringLiteral("figureWidth")))
            width->setValue(value.toDouble());
    } else if (key == QLatin1String("export/dpi")) {
        if (auto* dpi = findChild<QSpinBox*>(QStringLiteral("figureDpi")))
            dpi->setValue(value.toInt());
    } else if (key == QLatin1String("advanced/keepSeconds") && m_keeping) {
        m_keeping->setInterval(std::chrono::seconds(value.toInt()));
    } else if (key == QLatin1String("storage/recentWorkspaces")) {
        showRecentWorkspaces();
    }
}

void MainWindow::giveSolverItsResources() {
    RunSpec spec = m_solvePanel->spec();
    SolveSpec& solve = spec.job.as<SolveJob>().solve;
    const int threads = preferences().value(QStringLiteral("compute/threads")).toInt();
    const std::int64_t budget =
        preferences().value(QStringLiteral("compute/memoryBudget")).toLongLong() << kMiBShift;
    if (solve.threads == threads && solve.memoryBudget == budget) return;
    solve.threads = threads;
    solve.memoryBudget = budget;
    m_solvePanel->setSpec(spec);
}

std::filesystem::path MainWindow::startWorkspace() const {
    if (!m_options.workspace.empty()) return m_options.workspace;
    const QString chosen = preferences().value(QStringLiteral("storage/workspace")).toString();
    const std::filesystem::path standard = Workspace::defaultFolder();
    return chosen.isEmpty() ? standard : standard.parent_path() / chosen.toStdString();
}

void MainWindow::noteWorkspace() {
    if (!archive().workspace()) return;
    if (m_bench.keepsPreferences())
        preferences().noteWorkspace(
            {.folder = QString::fromStdString(
                 std::filesystem::absolute(archive().workspace()->folder()).string()),
             .openedUtc = QDateTime::currentDateTimeUtc().toString(Qt::ISODate),
             .numRuns = static_cast<int>(archive().runs().size())});
    showRecentWorkspaces();
}

void MainWindow::showRecentWorkspaces() {
    if (!m_home || !m_hasStarted) return;
    using Rows = std::vector<WorkspaceRow>;
    // A folder on a drive that sleeps may take long to answer.
    worker().append<Rows>(
        [recent = preferences().recentWorkspaces()](std::stop_token) {
            Rows rows;
            for (const RecentWorkspace& each : recent) {
                rows.push_back(rowOf(each));
                rows.back().problem = workspaceProblem(each.folder);
            }
            return rows;
        },
        [this](const Rows& rows) { m_home->setWorkspaces(rows); },
        [this](const QString& text) { say(MessageKind::Error, text); });
}

void MainWindow::giveHomeItsWorkspaces() {
    connect(m_home, &HomeView::newWorldRequested, this,
            [this] { commands().action(QStringLiteral("file.newWorld"))->trigger(); });
    connect(m_home, &HomeView::workspaceChosen, this, [this](const QString& folder) {
        if (!mayChangeWorkspace()) return;
        const QString problem = workspaceProblem(folder);
        if (!problem.isEmpty()) {
            say(MessageKind::Warning, tr("%1 cannot be opened: %2.").arg(folder, problem));
            return showRecentWorkspaces();
        }
        openWorkspace(folder.toStdString());
    });
    connect(m_home, &HomeView::workspaceForgotten, &preferences(), &Preferences::forgetWorkspace);
    showRecentWorkspaces();
}

}  // namespace orrery
