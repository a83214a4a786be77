#include "core/run/best_checkpoint.h"

#include <cmath>
#include <tuple>
#include <vector>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/history/workspace.h"
#include "core/run/run_kind.h"

namespace orrery {

namespace {

constexpr int kOwnRank = 1000;  ///< of best_metric

bool isLookedAt(const RunSpec& spec, std::string_view key) {
    const std::string& own = trainSettings(spec.job)->bestMetric;
    if (!own.empty()) return key == own;
    const RunKind& kind = spec.job.kind();
    return kind.isMeasured && kind.isMeasured(key);
}

}  // namespace

bool CheckpointMeasure::isBetterThan(const CheckpointMeasure& other) const {
    return std::tuple(-rank, -power, value) < std::tuple(-other.rank, -other.power, other.value);
}

std::optional<CheckpointMeasure> measureOf(const RunSpec& spec, const NewestMetrics& newest) {
    const TrainSettings& settings = *trainSettings(spec.job);
    const RunKind& kind = spec.job.kind();
    if (settings.bestMetric.empty()) return kind.measure ? kind.measure(newest) : std::nullopt;
    const auto found = newest.find(settings.bestMetric);
    if (found == newest.end() || !std::isfinite(found->second)) return std::nullopt;
    const bool isMost = settings.goal == MetricGoal::Most;
    return CheckpointMeasure{.rank = kOwnRank, .value = isMost ? -found->second : found->second};
}

NewestMetrics measuredCurves(const HistoryReader& reader, const std::string& run, std::int64_t step,
                             const RunSpec& spec) {
    NewestMetrics newest;
    for (const std::string& key : reader.metricKeys(run)) {
        if (!isLookedAt(spec, key)) continue;
        for (const MetricRow& row : reader.metrics(run, key))
            if (row.step <= step) newest[key] = row.value;
    }
    return newest;
}

const CheckpointRow* bestRow(std::span<const CheckpointRow> rows) {
    const CheckpointRow* best = nullptr;
    // Two are marked where a crash came between marking the new one and the old one.
    for (const CheckpointRow& row : rows)
        if (row.state == kBestCheckpoint && (best == nullptr || row.generation > best->generation))
            best = &row;
    return best;
}

Checkpoint chosenCheckpoint(const Workspace& workspace, const std::string& run,
                            const std::string& choice,
                            const std::function<void(const std::string&)>& tell) {
    const std::filesystem::path folder = workspace.runFolder(run);
    if (choice.empty()) {
        CheckpointChoice newest = newestCheckpoint(folder);
        for (const std::string& line : newest.skipped)
            if (tell) tell(line);
        if (!newest.checkpoint)
            throw Error(
                "Run " + run + " has no checkpoint that is good. Resume it, or train again.",
                Error::Kind::BadInput);
        return std::move(*newest.checkpoint);
    }
    if (choice == kBestCheckpoint) {
        const std::vector<CheckpointRow> rows = workspace.reader().checkpoints(run);
        const CheckpointRow* const best = bestRow(rows);
        if (best == nullptr)
            throw Error("No checkpoint of run " + run +
                            " is marked as the best: none had an error or a loss. Name a step, or "
                            "leave the choice out for the newest.",
                        Error::Kind::BadInput);
        return Checkpoint::open(folder, best->step);
    }
    const auto step = parseInt(choice);
    if (!step || *step < 0)
        throw Error("A checkpoint is 'best' or a step, got '" + escaped(choice, 40) + "'.",
                    Error::Kind::BadInput);
    return Checkpoint::open(folder, *step);
}

}  // namespace orrery
