#pragma once

#include <QPointer>
#include <QSize>
#include <filesystem>
#include <functional>
#include <memory>

#include "core/run/archive/reopen.h"
#include "core/run/run_spec.h"
#include "core/run/world_ref.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/selection.h"
#include "widgets/common/style.h"
#include "widgets/frame/frame.h"
#include "widgets/frame/locator.h"
#include "widgets/part/workbench.h"

class QLabel;
class QTimer;

namespace orrery {

class Archive;
class BackgroundWorker;
class CrumbLabel;
class EpisodeValues;
class PathSampler;
class CompareView;
class FigurePart;
class EventWatch;
class HelpPart;
class HitModel;
class HomeView;
class LearnedDesk;
class LearnedView;
class LevelBands;
class PathList;
class PlanScope;
class PredicateBar;
class Exploration;
class QueueBridge;
class SweepPanel;
class Preferences;
class ProfileView;
class RunBridge;
struct ForkParent;
struct RunSnapshot;
class RunsPanel;
class SettingsPart;
class SolvePanel;
class SolverTimeline;
class Timeline;
class TrainForm;
class TrainSession;
class WindowPart;
class WorldEditor;
class StateView;
class WorldPanel;

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

/// The program's window: a frame with a workbench and the parts that share it, and what is no part
/// yet.
class MainWindow : public Frame {
    Q_OBJECT

public:
    explicit MainWindow(WindowOptions options);
    ~MainWindow() override;

    void openWorld(const QString& world);
    void solve();
    void setTheme(ThemeChoice choice);

    /// True when nothing is being loaded, solved or computed for the views.
    bool isSettled() const;
    /// The same, but paths and what led to the current state may still be searched for.
    bool isSettledBesidesSearches() const;
    /// From the start of the process to the end of the first paint.
    double firstPaintSeconds() const { return m_firstPaintSeconds; }
    /// What stands behind the views, for checks by programs: see uiDump.
    QJsonObject dumpFacts();
    /// Comes to the front and shows a world file or example, the runs of a folder, an address; or
    /// nothing else for an empty text.
    void showWanted(const QString& what);
    /// Asks nothing when it is closed: the process was told to end.
    void closeAtOnce();

    PlanSession& session() const { return m_bench.session(); }
    Selection& selection() const { return m_bench.selection(); }
    RunBridge& runBridge() const { return m_bench.runBridge(); }
    TrainSession& training() { return *m_training; }
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
    BackgroundWorker& worker() const { return m_bench.worker(); }
    QueueBridge& queue() const { return m_bench.queue(); }
    /// Appends a part to the list. @return it
    template <typename Part, typename... More>
    Part* addPart(More&&... more) {
        m_parts.push_back(std::make_unique<Part>(m_bench, std::forward<More>(more)...));
        return static_cast<Part*>(m_parts.back().get());
    }
    void makeParts();
    void start();
    /// @param opened  called once it is shown
    void openWorld(const WorldRef& world, const std::function<void()>& opened = nullptr);
    // main_window_views.cpp
    void makeViews();
    void makePerspectives();
    QWidget* makeWorld(ViewScope& scope, int number, QWidget* parent);
    QWidget* makeCompare(ViewScope& scope, int number, QWidget* parent);
    QWidget* makeInspector(ViewScope& scope, QWidget* parent);
    void makePlanViews();
    QWidget* makeStateGraph(ViewScope& scope, int number, QWidget* parent);
    QWidget* makePaths(ViewScope& scope, int number, QWidget* parent);
    QWidget* makeHome(QWidget* parent);
    void solveAgain(const QString& runId);
    void resumeTraining(const QString& runId);
    void finishTraining(const RunSnapshot& snapshot);
    void endTraining(std::function<void()> then);
    void tellHalted();
    void tellDiverged();
    void tellInterrupted();
    // main_window_train.cpp
    void makeTrainViews();
    void makeReplayViews();
    void bindTraining();
    void refreshTrainCommands();
    bool forksHalted() const;
    QString whyNotTrain() const;
    QString whyNoTrainForm() const;
    bool stepTraining(bool isMany);
    TrainForm& trainForm();
    void openTrainForm();
    void forkTraining(const QString& field);
    void copyTraining(const QString& field);
    void readTrainingRate(const QString& kind);
    void estimateTrainingMemory(const RunSpec& spec);
    void readForkParent(const QString& id, std::function<void(ForkParent)> then);
    void refreshFork();
    void readHistory();
    void showTrainForm(const QString& field);
    void startTraining(const RunSpec& spec, const QString& parentRun);
    void trainExample();
    void openRun(const QString& runId);
    void showStoredTraining(const QString& runId, const std::function<void()>& then,
                            const std::function<void(const QString&)>& failed);
    bool showsTraining() const;
    QStringList trainingCrumbs() const;
    void nameTraining();
    QString shownTrainingId() const;
    QString trainingState() const;
    QString trainingStatus() const;
    QJsonObject trainFormState() const;
    void restoreTrainForm(const QJsonObject& state);
    // main_window_learned.cpp
    void makeLearnedViews();
    void followTrainingValues();
    void showLearnedState(std::int64_t state);
    void addLearnedPart(QWidget* inspector, PlanSession* session);
    // main_window_commands.cpp
    void bindCommands();
    void bindFileCommands();
    void bindViewCommands();
    void bindRunCommands();
    void makeMenus();
    void makePanelsMenu(QMenu* menu);
    void makeToolBar();
    void refreshCommands();
    void refreshWorldCommands();
    void chooseWorldFile();
    bool mayChangeWorkspace();
    void chooseWorkspace();
    // main_window_address.cpp
    void copyAddress();
    bool goToAddress(const QString& text);
    void followAddress();
    void followFirstAddress();
    void showShortcuts();
    void showAbout();
    // main_window_locator.cpp
    void fillLocator();
    std::vector<LocatorItem> commandItems();
    std::vector<LocatorItem> runItems();
    std::vector<LocatorItem> stateItems(const QString& typed);
    std::vector<LocatorItem> fieldItems();
    std::vector<LocatorItem> worldItems();
    // main_window_session.cpp
    QJsonObject sessionState() const;
    void restoreSession();
    void awaitRestored();
    void placeWindow(const QJsonObject& kept);
    bool keepsSession() const;
    void keepSession();
    void reopenKeptRun();
    void reopenKeptTraining();
    // main_window_document.cpp
    QJsonObject documentState() const;
    void restoreDraft();
    void restoreDocument();
    bool restoreWalk(const QJsonObject& kept);
    void setDraftAside();
    bool mayLeaveWorld();
    bool mayDropJobs();
    bool mayClose();
    bool mayLeaveRuns();
    QString trainingEndText() const;
    void closeIfDone();
    void refreshTitle();
    void restorePlanViews();
    QJsonObject planViewsState() const;
    // main_window_actions.cpp
    void makeAnalysisViews();
    void makeHits();
    void showHits();
    void refreshHitCommands();
    void bindActions();
    void noteSolve(const RunSpec& spec);
    void noteSearch();
    bool isWorldModified() const;
    void showUndoHistory();
    void findStatesHere();
    void changePanel(bool floats);
    void makeRecentMenu(QMenu* menu);
    void noteRecentWorld(const QString& name);
    void showDoctor();

    // main_window_scopes.cpp
    ViewScope* makeScope(bool isOfRuns, QObject* parent);
    void bindScopes();
    void refreshScopeCommands();
    void restoreScopes();
    QJsonObject scopeFacts();

    // main_window_explore.cpp
    void makeExploration();
    QWidget* makeSweep(QWidget* parent);
    void addExplorationMark(QWidget* inspector);
    void bindExploration();
    void refreshExploration();
    void followExploration();
    RunSpec formSpec() const;
    void keepAsRun();
    void startSweep(const std::vector<RunSpec>& specs, const QString& tag);
    void followSweep();
    void showCompare();
    void compareRuns(const QStringList& runIds);
    bool isExplorationSettled() const;
    // main_window_study.cpp
    void bindStudy();
    void openStudy();
    void showStudy(const QStringList& runIds);
    QStringList storedStudy() const;
    // main_window_files.cpp
    void bindIncomingFiles();
    void openSpec(const RunSpec& spec);
    // main_window_export.cpp
    void bindExports();
    // main_window_watch.cpp
    void watchStatus();
    // main_window_solver_timeline.cpp
    void addSolverTimeline();
    void refreshSolverTimeline();

    // main_window_settings.cpp
    void bindSettings();
    void applyPreferences();
    void applyPreference(const QString& key);
    void giveSolverItsResources();
    std::filesystem::path startWorkspace() const;
    void noteWorkspace();
    void showRecentWorkspaces();
    void giveHomeItsWorkspaces();

    void makeStatusBar();
    void connectParts();
    void connectRuns();
    void openWorkspace(const std::filesystem::path& folder);
    void leaveRuns();
    void refreshStatus();
    void refreshCrumbs();
    // main_window_run.cpp
    QString draftError() const;
    void showRunProgress();
    void finishRun();
    void showReopened(const ReopenedSolve& run);

    WindowOptions m_options;
    Workbench m_bench;
    std::vector<std::unique_ptr<WindowPart>> m_parts;
    std::unique_ptr<BackgroundWorker> m_inspectorWorker;
    bool m_isStudyMade = false;  ///< the queue makes the example study
    HelpPart* m_help = nullptr;
    SettingsPart* m_settings = nullptr;
    FigurePart* m_figures = nullptr;
    bool m_hasPainted = false;
    bool m_hasStarted = false;                                ///< after the first paint
    double m_firstPaintSeconds = 0, m_runsListedSeconds = 0;  ///< since the process began
    bool m_asksBeforeClosing = true;
    QJsonObject m_keptSession;
    QTimer* m_keeping = nullptr;
    bool m_saidBlocked = false;
    int m_job = 0;                  ///< of the live run in the job list
    QString m_solvesWhenOpened;     ///< name of the world that Run on Home opens
    int m_document = 0;             ///< of the editor, that the undo stack is about
    QString m_pendingAddress;       ///< of the last session, for the world that is being loaded
    QJsonObject m_pendingDocument;  ///< of the last session: walk, form, edits that are in no file
    QJsonObject m_keptPlan;         ///< of the last session, until the views of Plan are made
    bool m_closesWhenDone = false;  ///< the solve was to go on after the window was closed
    QString m_pendingRun;           ///< of the last session, until the runs are listed
    QString m_pendingTraining, m_pendingTrainingWorkspace;  ///< the same of Train
    QString m_pendingWorkspace;                             ///< of that run
    std::vector<LoadedWorld> m_exampleWorlds;
    QString m_addressToFollow;                         ///< whose run is being read
    std::vector<QPointer<PlanScope>> m_pendingScopes;  ///< restored, until the runs are listed

    HomeView* m_home = nullptr;
    SolvePanel* m_solvePanel = nullptr;
    RunsPanel* m_runs = nullptr;
    Timeline* m_timeline = nullptr;
    WorldEditor* m_editor = nullptr;
    CompareView* m_compare = nullptr;
    PredicateBar* m_search = nullptr;
    LevelBands* m_bands = nullptr;
    StateView* m_states = nullptr;
    PathList* m_paths = nullptr;
    HitModel* m_hits = nullptr;
    EpisodeValues* m_episode = nullptr;
    PathSampler* m_sampler = nullptr;
    QStringList m_recentWorlds;  ///< files, newest first
    Exploration* m_exploration = nullptr;
    SweepPanel* m_sweep = nullptr;
    int m_exploreJob = 0, m_sweepJob = 0;  ///< in the job list
    SolverTimeline* m_solverTimeline = nullptr;
    TrainSession* m_training = nullptr;
    LearnedDesk* m_learnedDesk = nullptr;
    LearnedView* m_learned = nullptr;
    ProfileView* m_profile = nullptr;
    QString m_learnedRun;                   ///< the training that was shown by itself
    std::int64_t m_learnedStep = -1;        ///< and its checkpoint
    TrainForm* m_trainForm = nullptr;       ///< made when it is opened first
    std::function<void()> m_afterTraining;  ///< in place of telling how the training ended
    std::optional<RunSpec> m_keptTraining;  ///< the form of the last session, until it is made
    Locator* m_locator = nullptr;
    CrumbLabel* m_crumbs = nullptr;
    QLabel* m_statusDot = nullptr;
    QLabel* m_statusText = nullptr;
    QLabel* m_statusNumbers = nullptr;
    QLabel* m_statusPlace = nullptr;
};

}  // namespace orrery
