#pragma once

#include <QMainWindow>
#include <filesystem>
#include <memory>

#include "core/run/reopen.h"
#include "core/run/run_spec.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/selection.h"
#include "widgets/common/style.h"

class QLabel;
class QScrollArea;
class QSplitter;

namespace orrery {

class Archive;
class BackgroundWorker;
class Commands;
class ExamplesPanel;
class LevelStrip;
class MessageStrip;
class RunBridge;
class RunsPanel;
class SideRail;
class SolvePanel;
class ValuesPanel;
class WorldPanel;

struct WindowOptions {
    QString world;  ///< a file or "builtin:NAME"; empty: the first example
    ThemeChoice theme = ThemeChoice::System;
    std::filesystem::path workspace;  ///< empty: the default one
    bool restoresLayout = true;       ///< sizes and theme of the last time
};

/// The program's window: makes the views and joins them through one selection, one session, one run
/// bridge and one archive. Nothing but wiring.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(WindowOptions options);
    ~MainWindow() override;

    void openWorld(const QString& world);
    void solve();
    void setTheme(ThemeChoice choice);
    /// Shows a page at the left: 0 examples, 1 world, 2 solver, 3 runs.
    void showPage(int page);

    /// True when nothing is being loaded, solved or computed for the views.
    bool isSettled() const;

    PlanSession& session() { return m_session; }
    Selection& selection() { return m_selection; }
    RunBridge& runBridge() { return *m_bridge; }
    Archive& archive() { return *m_archive; }
    WorldPanel& worldPanel() { return *m_worldPanel; }

protected:
    void showEvent(QShowEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void start();
    void makeCommands();
    void makeFileCommands();
    void makeEditCommands();
    void makeAppearanceCommands();
    void makeGoCommands();
    void makeHelpCommands();
    void makeViewCommands();
    void makeRunCommands();
    void makeWorldCommands();
    void makeMenus();
    void makeToolBar();
    void makeCentre();
    QWidget* makeInspector();
    void makeStatusBar();
    void connectParts();
    void connectRuns();
    void refreshCommands();
    void refreshStatus();
    void refreshCrumbs();
    void showRunProgress();
    void finishRun();
    void showReopened(const ReopenedSolve& run);
    void chooseFile();
    void exportPicture(bool asSvg);
    void copyAddress();
    void goToAddress();
    void showShortcuts();
    void showAbout();

    WindowOptions m_options;
    Selection m_selection;
    PlanSession m_session;
    std::unique_ptr<BackgroundWorker> m_worker;  // before the parts that use it
    std::unique_ptr<Archive> m_archive;
    std::unique_ptr<RunBridge> m_bridge;
    Commands* m_commands;
    bool m_hasStarted = false;
    ThemeChoice m_theme = ThemeChoice::System;

    SideRail* m_rail = nullptr;
    QSplitter* m_splitter = nullptr;
    ExamplesPanel* m_examples = nullptr;
    SolvePanel* m_solvePanel = nullptr;
    RunsPanel* m_runs = nullptr;
    MessageStrip* m_messages = nullptr;
    WorldPanel* m_worldPanel = nullptr;
    LevelStrip* m_levels = nullptr;
    ValuesPanel* m_values = nullptr;
    QLabel* m_crumbs = nullptr;
    QLabel* m_statusDot = nullptr;
    QLabel* m_statusText = nullptr;
    QLabel* m_statusNumbers = nullptr;
    QLabel* m_statusPlace = nullptr;
};

}  // namespace orrery
