#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/base/run_event.h"
#include "core/history/records.h"
#include "core/history/run_edit.h"

namespace orrery {

/// What one committed transaction made durable. Only after this may anyone say "saved".
struct Commit {
    std::uint64_t metricRows = 0;       ///< in this transaction
    std::uint64_t eventRows = 0;        ///< in this transaction
    std::uint64_t metricRowsTotal = 0;  ///< since the writer began
    std::uint64_t eventRowsTotal = 0;
};

/// A change in the writer's health.
struct WriterTrouble {
    enum class Kind {
        Blocked,    ///< disk full, I/O error, ...: rows wait, the writer tries again by itself
        Recovered,  ///< after Blocked: all that waited is durable
        Rejected,   ///< one row broke a rule of the schema and was left out
        Damaged,    ///< the database is corrupt: nothing is written any more
        Lost,       ///< the writer had to end while Blocked; the text counts the rows
    };
    Kind kind = Kind::Blocked;
    std::string text{};  ///< what, where, what to do
};

/// How a caller waits for a disk that is full.
struct DiskWait {
    std::chrono::milliseconds patience{0};  ///< after requestPatience, as long as the disk is full
    std::stop_token stop{};                 ///< ends the wait where rows cannot be written
    /// Called again and again, on the waiting thread, with troubleText().
    std::function<void(const std::string& trouble)> whileFull{};
};

/// The one writing connection of a workspace, on a thread of its own.
///
/// Rows go through a bounded queue and are committed in batches: after 0.5 s or 1,000 rows, or at
/// once where someone waits; so a kill costs the last second at most, also on a slow disk. A full
/// queue makes its producers wait (a worker's Feed spills meanwhile), so nothing is dropped. Every
/// commit is synced to disk; the writer also checkpoints the WAL itself.
///
/// Members may be called from any thread. Rows of one thread keep their order. Each run's rows get
/// a common running number (seq) that goes on where the run stopped, also after a restart. Fault
/// points: db.open, db.begin, db.row, db.commit, db.after_commit, db.checkpoint.
class DbWriter {
public:
    struct Options {
        std::size_t queueRows = 65536;
        std::size_t batchRows = 1000;
        std::chrono::milliseconds batchTime{500};
        std::chrono::milliseconds retryPause{500};          ///< between two tries while blocked
        std::chrono::milliseconds requestPatience{10'000};  ///< of createRun, changeState
        std::chrono::milliseconds endPatience{1'000};       ///< of the destructor while blocked
        /// Both are called on the writer's thread; they must not call the writer, wait or throw.
        std::function<void(const Commit&)> onCommit{};
        std::function<void(const WriterTrouble&)> onTrouble{};
    };

    /// Opens an existing database of the present schema version; see Workspace::open for the rest.
    /// @throws Error
    DbWriter(std::filesystem::path databaseFile, Options options);
    /// Writes what is left, for endPatience at most while blocked.
    ~DbWriter();
    DbWriter(const DbWriter&) = delete;
    DbWriter& operator=(const DbWriter&) = delete;

    /// Stores a run in state Queued and waits until that is durable. @return its id
    /// @throws Error (Resource after requestPatience while blocked, Damaged, BadInput if the parent
    ///         does not exist; DiskFullError once `wait` ends)
    std::string createRun(const NewRun& run, const DiskWait& wait = {});

    /// Compare-and-set: the run gets the state `to` if it is in one of `from`. Waits until durable.
    /// Ended states set the time of the end, live ones clear it.
    /// @return true if the state was changed  @throws Error as createRun
    bool changeState(const std::string& runId, std::span<const RunState> from, RunState to,
                     const DiskWait& wait = {});

    /// Changes what people say about runs, all of it or nothing. Waits until durable.
    /// @throws Error as createRun, (BadInput) if there is no such run
    void editRuns(std::span<const RunEdit> edits, const DiskWait& wait = {});

    /// Removes runs that are in the trash, with all their rows, all of them or none; their children
    /// lose their parent. Waits until durable, which takes minutes for some ten million rows. Files
    /// stay: see deleteRuns in trash.h.
    /// @throws Error as createRun, (BadInput) if one is not in the trash or live
    void deleteRows(std::span<const std::string> runIds, const DiskWait& wait = {});

    /// Queues what the event says: metrics, messages and artefacts become rows; State, Failed and
    /// Finished change the state of a run that is live and leave an event row. Waits while the
    /// queue is full.
    /// @return false if stopped meanwhile: the event was not taken
    /// @throws Error (Damaged) once the database is known to be corrupt
    bool record(const std::string& runId, const RunEvent& event, const std::stop_token& stop = {});

    /// Queues a row. Wait and results as for record.
    bool addArtefact(const std::string& runId, ArtefactRow row, const std::stop_token& stop = {});
    /// The same (run, generation) again replaces its row.
    bool addCheckpoint(const std::string& runId, CheckpointRow row,
                       const std::stop_token& stop = {});

    /// Removes the row of a generation. Waits until durable: its files may be deleted then.
    /// @throws Error as createRun
    void removeCheckpoint(const std::string& runId, std::int64_t generation,
                          const DiskWait& wait = {});
    /// For a run that is resumed from a checkpoint of `step`: the points of its curves behind
    /// that step get other keys, as supersedePoints says. Waits until durable.
    /// @throws Error as createRun
    void supersedeMetrics(const std::string& runId, std::int64_t step, const DiskWait& wait = {});

    /// Waits until all that this thread queued before is durable.
    /// @return false if that was not so within `patience`, or if stopped
    /// @throws Error (Damaged)
    bool flush(std::chrono::milliseconds patience = std::chrono::hours(24 * 365),
               const std::stop_token& stop = {});

    /// Why rows wait; empty while all is well.
    std::string troubleText() const;

    /// True while rows wait because the disk is full. Costs one load.
    bool isDiskFull() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace orrery
