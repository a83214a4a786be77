#include <QApplication>
#include <QDateTime>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QScreen>
#include <QSpinBox>
#include <QThread>
#include <QTimer>
#include <chrono>
#include <filesystem>

#include "app/window/main_window.h"
#include "core/base/memory.h"
#include "core/run/jobs/solve_job.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/color_map.h"
#include "widgets/common/commands.h"
#include "widgets/common/motion.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_mark.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/frame/window_place.h"
#include "widgets/home/home_view.h"
#include "widgets/plots/chart_defaults.h"
#include "widgets/plots/chart_grid.h"
#include "widgets/settings/preferences.h"
#include "widgets/settings/scale_fit.h"
#include "widgets/settings/setting_spec.h"
#include "widgets/settings/settings_window.h"
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

/// Bytes below a folder; what cannot be read counts as nothing.
std::int64_t bytesBelow(const std::filesystem::path& folder, const std::stop_token& stop) {
    std::int64_t bytes = 0;
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator it(folder, error), end;
         !error && it != end && !stop.stop_requested(); it.increment(error)) {
        std::error_code unreadable;
        const auto size = it->is_regular_file(unreadable) ? it->file_size(unreadable) : 0;
        if (!unreadable) bytes += static_cast<std::int64_t>(size);
    }
    return bytes;
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
    m_keepsPreferences = m_options.restoresSession;
    m_preferences = std::make_unique<Preferences>(m_options.preferencesFile);
    Commands& c = commands();
    c.bind("edit.settings", [this] { openSettings(); });
    for (const CommandSpec& spec : commandTable()) applyKeys(QLatin1String(spec.id));
    connect(m_preferences.get(), &Preferences::keysChanged, this, &MainWindow::applyKeys);
    connect(m_preferences.get(), &Preferences::changed, this, &MainWindow::applyPreference);
    connect(m_preferences.get(), &Preferences::recentChanged, this,
            &MainWindow::showRecentWorkspaces);
    connect(&m_training->clock(), &ViewClock::rateChanged, this, [this] {
        if (m_keepsPreferences)
            m_preferences->setValue(QStringLiteral("appearance/viewRate"),
                                    m_training->clock().rate());
    });
    if (m_options.theme == ThemeChoice::System)
        m_options.theme =
            themeChoiceOf(m_preferences->value(QStringLiteral("appearance/theme")).toString())
                .value_or(ThemeChoice::System);
    const QString trouble = m_preferences->trouble();
    if (!trouble.isEmpty()) say(MessageKind::Warning, trouble);
    connect(m_archive.get(), &Archive::runsChanged, this, &MainWindow::noteWorkspace);
}

/// What is changed by one tells the others of it: all parts of the window must be there.
void MainWindow::applyPreferences() {
    for (const char* key : {"appearance/colorMap", "appearance/reducedMotion",
                            "appearance/viewRate", "charts/smoothing", "compute/threads",
                            "compute/memoryBudget", "export/widthMm", "export/dpi"})
        applyPreference(QLatin1String(key));
}

void MainWindow::chooseTheme(ThemeChoice choice) {
    if (m_keepsPreferences)
        m_preferences->setValue(QStringLiteral("appearance/theme"), nameOf(choice));
    setTheme(choice);
}

void MainWindow::applyKeys(const QString& command) {
    for (const CommandSpec& spec : commandTable())
        if (command == QLatin1String(spec.id))
            commands().setKeys(command,
                               m_preferences->keys(command).value_or(Commands::defaultKeys(spec)));
}

void MainWindow::applyPreference(const QString& key) {
    const QVariant value = m_preferences->value(key);
    if (key == QLatin1String("general/restoreSession")) {
        keepSession();  // not the last one that was kept
    } else if (key == QLatin1String("appearance/theme")) {
        setTheme(themeChoiceOf(value.toString()).value_or(ThemeChoice::System));
    } else if (key == QLatin1String("appearance/colorMap")) {
        setSequentialMap(value.toString() == QLatin1String("cividis") ? SequentialMap::Cividis
                                                                      : SequentialMap::Viridis);
        repaintAll();
    } else if (key == QLatin1String("appearance/reducedMotion")) {
        setReducedMotion(value.toBool());
        setAnimated(!value.toBool());
    } else if (key == QLatin1String("appearance/scale")) {
        if (m_settings) showSettingFacts(QStringLiteral("Appearance"));
    } else if (key == QLatin1String("appearance/viewRate")) {
        m_training->clock().setRate(value.toInt());
    } else if (key.startsWith(QLatin1String("charts/"))) {
        setChartDefaults(chartDefaultsOf(*m_preferences));
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

void MainWindow::repaintAll() {
    // Views keep drawn pictures in the colours of the theme: a change of the palette drops them.
    QEvent change(QEvent::PaletteChange);
    for (QWidget* widget : findChildren<QWidget*>()) {
        QApplication::sendEvent(widget, &change);
        widget->update();
    }
}

void MainWindow::giveSolverItsResources() {
    RunSpec spec = m_solvePanel->spec();
    SolveSpec& solve = spec.job.as<SolveJob>().solve;
    const int threads = m_preferences->value(QStringLiteral("compute/threads")).toInt();
    const std::int64_t budget =
        m_preferences->value(QStringLiteral("compute/memoryBudget")).toLongLong() << kMiBShift;
    if (solve.threads == threads && solve.memoryBudget == budget) return;
    solve.threads = threads;
    solve.memoryBudget = budget;
    m_solvePanel->setSpec(spec);
}

std::filesystem::path MainWindow::startWorkspace() const {
    if (!m_options.workspace.empty()) return m_options.workspace;
    const QString chosen = m_preferences->value(QStringLiteral("storage/workspace")).toString();
    const std::filesystem::path standard = Workspace::defaultFolder();
    return chosen.isEmpty() ? standard : standard.parent_path() / chosen.toStdString();
}

void MainWindow::noteWorkspace() {
    if (!m_archive->workspace()) return;
    if (m_keepsPreferences)
        m_preferences->noteWorkspace(
            {.folder = QString::fromStdString(
                 std::filesystem::absolute(m_archive->workspace()->folder()).string()),
             .openedUtc = QDateTime::currentDateTimeUtc().toString(Qt::ISODate),
             .numRuns = static_cast<int>(m_archive->runs().size())});
    showRecentWorkspaces();
}

void MainWindow::showRecentWorkspaces() {
    if (!m_home || !m_hasStarted) return;
    using Rows = std::vector<WorkspaceRow>;
    // A folder on a drive that sleeps may take long to answer.
    m_worker->append<Rows>(
        [recent = m_preferences->recentWorkspaces()](std::stop_token) {
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
    connect(m_home, &HomeView::workspaceForgotten, m_preferences.get(),
            &Preferences::forgetWorkspace);
    showRecentWorkspaces();
}

void MainWindow::openSettings(const QString& page) {
    if (!m_settings) {
        m_settings = new SettingsWindow(m_preferences.get(), &commands(), this);
        connect(m_settings, &SettingsWindow::helpRequested, this,
                [this] { openHelp(QStringLiteral("settings")); });
        connect(m_settings, &SettingsWindow::pageShown, this, &MainWindow::showSettingFacts);
    }
    if (!page.isEmpty()) m_settings->showPage(page);
    m_settings->show();
    m_settings->raise();
    m_settings->activateWindow();
}

void MainWindow::showSettingFacts(const QString& page) {
    if (page == QLatin1String("Appearance")) {
        const QSizeF points = QSizeF(screen()->geometry().size()) * appliedScale();
        const QString scale = QStringLiteral("appearance/scale");
        m_settings->setRemark(scale,
                              scaleRemark(m_preferences->value(scale).toInt(), points.toSize()));
    } else if (page == QLatin1String("Compute")) {
        m_settings->setFacts(page,
                             tr("This machine has %1 processors and %2 of memory free.")
                                 .arg(QThread::idealThreadCount())
                                 .arg(bytesText(static_cast<std::int64_t>(availableMemory()))));
    } else if (page == QLatin1String("Advanced")) {
        m_settings->setFacts(page, systemInfo());
    } else if (page == QLatin1String("Storage") && m_archive->workspace()) {
        m_worker->append<std::int64_t>(
            [folder = m_archive->workspace()->folder()](std::stop_token stop) {
                return bytesBelow(folder, stop);
            },
            [this, page](std::int64_t bytes) {
                if (m_settings && m_archive->workspace())
                    m_settings->setFacts(
                        page,
                        tr("Open now: %1 with %2 runs, %3.")
                            .arg(QString::fromStdString(m_archive->workspace()->folder().string()))
                            .arg(m_archive->runs().size())
                            .arg(bytesText(bytes)));
            },
            [](const QString&) {});
    }
}

}  // namespace orrery
