#include "widgets/bridge/archive.h"

#include "core/run/archive/stored_facts.h"
#include "core/run/run_kind.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/store_watch.h"
#include "widgets/common/number_text.h"

namespace orrery {

namespace {

constexpr std::size_t kMostReached = 8, kMostTimed = 300;

struct Listed {
    std::vector<RunRecord> runs;
    std::map<std::string, RunReach> reached;
    std::map<std::string, double> runSeconds;
};

/// Of the newest runs that have ended; what is known of those that do not go on is not read again.
std::map<std::string, double> runSecondsOf(const std::filesystem::path& workspaceFolder,
                                           const std::vector<RunRecord>& runs,
                                           const std::map<std::string, double>& known) {
    std::map<std::string, double> seconds;
    std::size_t numRead = 0;
    for (const RunRecord& run : runs) {
        if (numRead++ == kMostTimed) break;
        if (run.endedUtc.empty()) continue;
        const auto there = run.state == RunState::Finished ? known.find(run.id) : known.end();
        if (there != known.end())
            seconds.insert(*there);
        else if (const auto read = readRunResults(workspaceFolder, run).workSeconds())
            seconds.emplace(run.id, *read);
    }
    return seconds;
}

Listed listed(const std::filesystem::path& file, const std::map<std::string, double>& known) {
    const HistoryReader reader(file);
    Listed list{.runs = reader.listRuns(), .reached = {}, .runSeconds = {}};
    list.runSeconds = runSecondsOf(file.parent_path(), list.runs, known);
    for (const RunRecord& run : list.runs)
        if (run.state == RunState::Interrupted && list.reached.size() < kMostReached &&
            isTraining(run))
            list.reached.emplace(run.id, reachOf(reader, run.id));
    return list;
}

}  // namespace

QString runTimeText(const RunRecord& run, const std::map<std::string, double>& runSeconds) {
    const auto known = runSeconds.find(run.id);
    if (known == runSeconds.end()) return {};
    const QString time = durationText(known->second);
    const RunKind* kind = kindOf(run);
    return kind == nullptr ? time : QString::fromStdString(kind->tookText) + u' ' + time;
}

QString interruptedText(const RunReach& reach) {
    const QString step = countText(reach.step);
    if (!reach.checkpoint)
        return QObject::tr("Interrupted at step %1, before its first checkpoint. It begins anew.")
            .arg(step);
    return QObject::tr("Interrupted at step %1, checkpoint %2. It goes on from the checkpoint.")
        .arg(step, countText(*reach.checkpoint));
}

Archive::Archive(BackgroundWorker* worker, QObject* parent)
    : QObject(parent), m_worker(worker), m_watch(new StoreWatch(this)) {
    connect(m_watch, &StoreWatch::listChanged, this, &Archive::refreshRuns);
    connect(m_watch, &StoreWatch::rowsWritten, this, &Archive::rowsWritten);
}

Archive::~Archive() = default;

void Archive::open(const std::filesystem::path& folder) {
    using Opened = std::shared_ptr<Workspace>;
    const Workspace* held = writableWorkspace();
    m_worker->append<Opened>(
        [folder,
         present = held ? held->folder() : std::filesystem::path()](std::stop_token) -> Opened {
            std::error_code missing;
            // Opened a second time, it could only be read: this program has hold of it.
            if (!present.empty() && std::filesystem::equivalent(folder, present, missing))
                return nullptr;
            return Workspace::open(folder, Workspace::Mode::Create);
        },
        [this](Opened workspace) {
            if (!workspace) return refreshRuns();
            const bool isOther = m_workspace && m_workspace->folder() != workspace->folder();
            m_workspace = std::move(workspace);
            // Each workspace counts its runs anew: an id is of another run here.
            m_runs.clear();
            m_reached.clear();
            m_runSeconds.clear();
            m_isListed = false;
            m_watch->start(m_workspace->databaseFile());
            if (isOther) Q_EMIT left();
            Q_EMIT opened();
            refreshRuns();
        },
        [this](const QString& text) { Q_EMIT failed(text); });
}

Workspace* Archive::writableWorkspace() const {
    return m_workspace && m_workspace->writable() ? m_workspace.get() : nullptr;
}

void Archive::refreshRuns() {
    if (!m_workspace) return;
    m_worker->append<Listed>([file = m_workspace->databaseFile(), known = m_runSeconds](
                                 std::stop_token) { return listed(file, known); },
                             [this, workspace = m_workspace](Listed list) {
                                 if (workspace != m_workspace)
                                     return;  // another one was opened meanwhile
                                 m_runs = std::move(list.runs);
                                 m_reached = std::move(list.reached);
                                 m_runSeconds = std::move(list.runSeconds);
                                 m_isListed = true;
                                 Q_EMIT runsChanged();
                             },
                             [this](const QString& text) { Q_EMIT failed(text); });
}

void Archive::reopen(const QString& runId) {
    if (!m_workspace) return;
    using Reopened = std::shared_ptr<const ReopenedSolve>;
    m_worker->append<Reopened>(
        [workspace = m_workspace, id = runId.toStdString()](std::stop_token stop) -> Reopened {
            auto run = reopenSolution(*workspace, id, stop);
            return run ? std::make_shared<const ReopenedSolve>(std::move(*run)) : nullptr;
        },
        [this](Reopened run) {
            if (run) Q_EMIT reopened(std::move(run));
        },
        [this](const QString& text) { Q_EMIT failed(text); });
}

}  // namespace orrery
