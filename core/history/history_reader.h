#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/history/records.h"

namespace orrery {

/// Whether a key is of points that a run which went on from an earlier checkpoint left behind.
inline bool isSuperseded(std::string_view key) {
    return key.starts_with("superseded.");
}

/// A read-only view of a workspace's database through a connection of its own. It never blocks the
/// writer and never waits for it; each call sees one consistent moment. One thread at a time.
/// All members throw Error: Damaged if the data are broken, Resource if they cannot be read.
class HistoryReader {
public:
    explicit HistoryReader(const std::filesystem::path& databaseFile);
    ~HistoryReader();
    HistoryReader(HistoryReader&& other) noexcept;
    HistoryReader& operator=(HistoryReader&& other) noexcept;

    /// The schema version of the file; higher than kSchemaVersion if a newer program wrote it.
    int schemaVersion() const;

    std::vector<RunRecord> listRuns(const RunFilter& filter = {}) const;
    std::optional<RunRecord> run(const std::string& runId) const;

    /// The run a person means: an id ("r00012"), its number ("12"), or a name that only one run
    /// has.
    /// @throws Error (BadInput) naming the nearest runs if there is none or more than one
    RunRecord findRun(const std::string& text) const;

    /// The keys of the run's metrics in alphabetical order.
    std::vector<std::string> metricKeys(const std::string& runId) const;
    /// One curve in the order of recording, from seq > afterSeq on.
    std::vector<MetricRow> metrics(const std::string& runId, const std::string& key,
                                   std::int64_t afterSeq = 0) const;
    std::vector<EventRow> events(const std::string& runId, std::int64_t afterSeq = 0) const;
    std::vector<ArtefactRow> artefacts(const std::string& runId) const;
    /// Newest generation first.
    std::vector<CheckpointRow> checkpoints(const std::string& runId) const;

    /// Metric rows of all runs.
    std::int64_t metricRowCount() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace orrery
