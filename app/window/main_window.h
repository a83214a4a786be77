#pragma once

#include <QJsonObject>
#include <QSize>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "widgets/common/style.h"
#include "widgets/frame/frame.h"
#include "widgets/part/window_part.h"
#include "widgets/part/workbench.h"

class QTimer;

namespace orrery {

class CrumbLabel;
class EventWatch;
class FilesPart;
class HistoryPart;
class Locator;
class PlanPart;
class SettingsPart;
class StatusLine;
class TrainPart;
class TrainSession;
class WorldPanel;
class WorldPart;

struct WindowOptions {
    QString world;  ///< a file or "builtin:NAME"; empty: the last session's, else the first example
    QString address = {};  ///< of what is shown at first: see selection_address.h; or empty
    ThemeChoice theme = ThemeChoice::System;
    std::filesystem::path workspace;    ///< empty: the default one
    bool restoresSession = true;        ///< opens as it was closed and keeps how it is closed
    QSize size = {};                    ///< empty: the last session's, else what fits the screen
    QString preferencesFile;            ///< empty: the user's
    const EventWatch* watch = nullptr;  ///< tells what the thread does; outlives the window
};

/// The program's window: a frame with menus and bars, a workbench, the list of parts that share it,
/// and the file that keeps its session.
class MainWindow : public Frame {
    Q_OBJECT

public:
    explicit MainWindow(WindowOptions options);
    ~MainWindow() override;

    void openWorld(const QString& world);
    void solve();
    void setTheme(ThemeChoice choice);
    ThemeChoice theme() const;

    /// True when nothing is being loaded, solved or computed for the views.
    bool isSettled() const;
    /// The same, but paths and what led to the current state may still be searched for.
    bool isSettledBesidesSearches() const;
    /// From the start of the process to the end of the first paint, and to the first list of runs.
    double firstPaintSeconds() const { return m_firstPaintSeconds; }
    double runsListedSeconds() const;
    /// Comes to the front and shows a world file or example, the runs of a folder, an address; or
    /// nothing else for an empty text.
    void showWanted(const QString& what);
    /// Asks nothing when it is closed: the process was told to end.
    void closeAtOnce();

    PlanSession& session() const { return m_bench.session(); }
    Selection& selection() const { return m_bench.selection(); }
    LiveRuns& live() const { return m_bench.live(); }
    TrainSession& training();
    Archive& archive() const { return m_bench.archive(); }
    /// The world view that is current, else the first one.
    WorldPanel& worldPanel();
    Preferences& preferences() const { return m_bench.preferences(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// Appends a part to the list. @return it
    template <typename Part, typename... More>
    Part* addPart(More&&... more) {
        m_parts.push_back(std::make_unique<Part>(m_bench, std::forward<More>(more)...));
        return static_cast<Part*>(m_parts.back().get());
    }
    void makeParts();
    void connectParts();
    void start();
    void applyPreference(const QString& key);
    void openRun(const QString& id, bool goesOn);
    StepKeys stepKeys() const;
    RunKeys runKeys() const;
    void refresh();
    // main_window_bars.cpp
    void bindCommands();
    void makeMenus();
    void makeToolBar();
    void fillLocator();
    void refreshCommands();
    // main_window_session.cpp
    QJsonObject sessionState() const;
    void restoreSession();
    void awaitRestored();
    void placeWindow(const QJsonObject& kept);
    bool keepsSession() const;
    void keepSession();
    bool mayClose();
    void closeIfDone();

    WindowOptions m_options;
    Workbench m_bench;
    std::vector<std::unique_ptr<WindowPart>> m_parts;
    SettingsPart* m_settings = nullptr;
    WorldPart* m_world = nullptr;
    HistoryPart* m_history = nullptr;
    PlanPart* m_plan = nullptr;
    TrainPart* m_train = nullptr;
    FilesPart* m_files = nullptr;
    Locator* m_locator = nullptr;
    CrumbLabel* m_crumbs = nullptr;
    StatusLine* m_status = nullptr;
    bool m_hasPainted = false, m_hasStarted = false;  ///< the latter after the first paint
    double m_firstPaintSeconds = 0;                   ///< since the process began
    bool m_asksBeforeClosing = true;
    bool m_closesWhenDone = false;  ///< the work was to go on after the window was closed
    QJsonObject m_keptSession;
    QTimer* m_keeping = nullptr;
};

}  // namespace orrery
