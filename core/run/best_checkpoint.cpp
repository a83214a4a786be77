#include "core/run/best_checkpoint.h"

#include <cmath>
#include <tuple>
#include <vector>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/empo/spec.h"
#include "core/history/workspace.h"

namespace orrery {

namespace {

constexpr int kOwnRank = 1000, kExactRank = 100;
constexpr std::string_view kPowerCurve = "Warmup/effective_beta_r";

/// "Exact/v_h_e" and "Exact/pi_r", of further worlds with their number behind.
bool isExactError(std::string_view key) {
    return key.starts_with("Exact/v_h_e") || key.starts_with("Exact/pi_r");
}

bool isLoss(std::string_view key) {
    for (const Quantity quantity : kQuantities)
        if (key == std::string("Loss/") + nameOf(quantity)) return true;
    return false;
}

bool isLookedAt(std::string_view key, const std::string& bestMetric) {
    if (!bestMetric.empty()) return key == bestMetric;
    return isExactError(key) || isLoss(key) || key == kPowerCurve;
}

}  // namespace

bool CheckpointMeasure::isBetterThan(const CheckpointMeasure& other) const {
    return std::tuple(-rank, -power, value) < std::tuple(-other.rank, -other.power, other.value);
}

std::optional<CheckpointMeasure> measureOf(const std::map<std::string, double>& newest,
                                           const std::string& bestMetric) {
    CheckpointMeasure exact{.rank = kExactRank}, losses;
    for (const auto& [key, value] : newest) {
        if (!isLookedAt(key, bestMetric) || !std::isfinite(value)) continue;
        if (!bestMetric.empty()) return CheckpointMeasure{.rank = kOwnRank, .value = value};
        if (key == kPowerCurve) {
            losses.power = value;
            continue;
        }
        CheckpointMeasure& sum = isLoss(key) ? losses : exact;
        ++sum.rank;
        sum.value += value;
    }
    if (exact.rank > kExactRank) {
        exact.value /= exact.rank - kExactRank;
        return exact;
    }
    if (losses.rank > 0) return losses;
    return std::nullopt;
}

std::map<std::string, double> measuredCurves(const HistoryReader& reader, const std::string& run,
                                             std::int64_t step, const std::string& bestMetric) {
    std::map<std::string, double> newest;
    for (const std::string& key : reader.metricKeys(run)) {
        if (!isLookedAt(key, bestMetric)) continue;
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
