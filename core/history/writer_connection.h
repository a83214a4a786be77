#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/run_event.h"
#include "core/history/database.h"
#include "core/history/records.h"

namespace orrery {

struct MetricItem {
    std::string run;
    event::Metric metric;
};
struct EventItem {
    std::string run;
    event::Message message;
    std::optional<RunState> newState;  ///< taken on if the run is live
};
struct ArtefactItem {
    std::string run;
    ArtefactRow row;
};
struct CheckpointItem {
    std::string run;
    CheckpointRow row;
};
/// Whether a request may still be done, or taken back: one of both. While it is being written
/// neither is known.
enum class RequestState { Waiting, Written, TakenBack };
/// @return true if it was `from` or `to`; else nothing changes
inline bool become(std::atomic<RequestState>& state, RequestState from, RequestState to) {
    return state.compare_exchange_strong(from, to) || from == to;
}
/// Something whose caller waits. The action may run more than once, each time after a rollback.
struct RequestItem {
    std::function<void(Database&)> action{};  ///< empty: only wait until all before is durable
    std::shared_ptr<std::promise<void>> done = std::make_shared<std::promise<void>>();
    std::shared_ptr<std::atomic<RequestState>> state =
        std::make_shared<std::atomic<RequestState>>(RequestState::Waiting);
};
using WriterItem = std::variant<MetricItem, EventItem, ArtefactItem, CheckpointItem, RequestItem>;

/// What writing a batch found out.
struct BatchResult {
    std::uint64_t metricRows = 0;
    std::uint64_t eventRows = 0;
    std::vector<std::string> rejected;  ///< texts about rows that were left out
    /// Errors of requests by their place in the batch; these requests changed nothing.
    std::map<std::size_t, std::exception_ptr> failedRequests;
};

/// The SQL side of DbWriter: an open writing connection and its statements. One thread.
class WriterConnection {
public:
    /// @throws DatabaseError, also if the file is no database of kSchemaVersion
    explicit WriterConnection(const std::filesystem::path& file);

    /// Writes the batch as transaction number lastBatch() + 1 and commits it durably.
    /// @throws DatabaseError: nothing was written, unless an Io fault hit the commit itself; then a
    ///         new connection's lastBatch() tells
    BatchResult write(const std::vector<WriterItem>& batch);

    /// The number of the last committed transaction, as stored.
    std::int64_t lastBatch();

    /// Moves points of one curve of a run that has ended into a chunk, as a transaction of its own.
    /// @return false if none was left  @throws DatabaseError
    bool compactSome();

    /// Pages in the write-ahead log after the last commit; 0 without such a log.
    int walPages() const { return *m_walPages; }
    /// Moves the log into the database: what is possible beside readers (`whole` false), or all of
    /// it, so that the log becomes empty. @return false if readers were in the way
    bool checkpoint(bool whole);

private:
    void apply(const WriterItem& item, std::size_t index, BatchResult& result);
    void insert(const MetricItem& item, BatchResult& result);
    void insert(const EventItem& item, BatchResult& result);
    void insert(const ArtefactItem& item);
    void insert(const CheckpointItem& item);
    void request(const RequestItem& item, std::size_t index, BatchResult& result);
    std::int64_t nextSeq(const std::string& run);
    std::int64_t curveOf(const std::string& run, const std::string& key);
    void saveHeartbeats();

    Database m_database;
    std::unique_ptr<int> m_walPages = std::make_unique<int>(0);  // the log's hook writes it
    Statement m_insertPoint;
    Statement m_insertCurve;
    Statement m_selectCurve;
    Statement m_insertEvent;
    Statement m_insertArtefact;
    Statement m_insertCheckpoint;
    Statement m_setState;
    Statement m_selectLastSeq;
    Statement m_saveHeartbeat;
    Statement m_saveBatch;
    std::map<std::string, std::int64_t> m_lastSeq;  // of the runs in the open transaction
    /// Numbers of curves by run and key; forgotten where one may be another's since.
    std::map<std::pair<std::string, std::string>, std::int64_t> m_curves;
};

/// "UPDATE run SET state, ended_utc ...": parameters 1 new state, 2 end time or NULL, 3 run; a
/// condition on the old state is to be appended.
std::string stateUpdateSql();

/// The words of all live states as an SQL list: "'queued','running',...".
std::string liveStatesSql();

}  // namespace orrery
