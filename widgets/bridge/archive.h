#pragma once

#include <QObject>
#include <QString>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/history/workspace.h"
#include "core/run/archive/reopen.h"
#include "core/run/archive/run_reach.h"

namespace orrery {

class BackgroundWorker;
class StoreWatch;

/// The workspace as a window sees it: opened, listed and read by a worker, used for writing by the
/// GUI thread. It is listed again whenever somebody, be it another process, changes the list. Lives
/// in the GUI thread and never waits.
class Archive : public QObject {
    Q_OBJECT

public:
    /// @param worker must outlive the archive
    explicit Archive(BackgroundWorker* worker, QObject* parent = nullptr);
    ~Archive() override;

    /// Opens a workspace folder, in place of the former one, and makes it if there is none.
    void open(const std::filesystem::path& folder);

    /// Null before opened(), or if it could not be opened.
    Workspace* workspace() const { return m_workspace.get(); }
    /// The same for a job that reads runs.
    std::shared_ptr<Workspace> sharedWorkspace() const { return m_workspace; }
    /// The workspace if runs can be stored in it, else null.
    Workspace* writableWorkspace() const;

    /// Reads the list of runs again.
    void refreshRuns();
    /// Whether the list was read; before that runs() is empty, whatever the workspace holds.
    bool isListed() const { return m_isListed; }
    /// Newest first.
    const std::vector<RunRecord>& runs() const { return m_runs; }
    /// How far the newest interrupted trainings came, by their ids.
    const std::map<std::string, RunReach>& reached() const { return m_reached; }

    /// Seconds that the newest runs took, by id: a solve with its exploration, a training without
    /// its pauses.
    const std::map<std::string, double>& runSeconds() const { return m_runSeconds; }

    /// Brings a finished run back.
    void reopen(const QString& runId);

Q_SIGNALS:
    /// Another workspace takes the place of the one that was open: ids mean other runs from here
    /// on. Comes before opened().
    void left();
    void opened();
    void runsChanged();
    void rowsWritten();  ///< metrics, say, of a run at work here or in another process
    void reopened(std::shared_ptr<const orrery::ReopenedSolve> run);
    void failed(const QString& text);

private:
    BackgroundWorker* m_worker;
    std::shared_ptr<Workspace> m_workspace;  // shared only with jobs that read
    std::vector<RunRecord> m_runs;
    std::map<std::string, RunReach> m_reached;
    std::map<std::string, double> m_runSeconds;
    StoreWatch* m_watch;
    bool m_isListed = false;
};

/// What took how long, in a line: "Solved in 0.05 s", "Trained for 6 min 27 s"; empty if it is not
/// known.
/// @param runSeconds  as of an archive
QString runTimeText(const RunRecord& run, const std::map<std::string, double>& runSeconds);

/// Where a training was when the program ended.
QString interruptedText(const RunReach& reach);

}  // namespace orrery
