#include "core/run/archive/stored_training.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/checkpoint/checkpoint_manifest.h"
#include "core/history/history_reader.h"
#include "core/history/workspace.h"
#include "core/run/archive/run_reach.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/run_kind.h"
#include "core/run/steering.h"

namespace orrery {

namespace {

StoredCurve curveOf(std::vector<MetricRow> rows) {
    std::ranges::stable_sort(rows, std::ranges::less{}, &MetricRow::step);
    StoredCurve curve;
    for (const MetricRow& row : rows) {
        curve.step.push_back(static_cast<double>(row.step));
        curve.value.push_back(row.value);
    }
    return curve;
}

/// Applied and refused changes in their order; not those of an earlier life that were done again.
std::vector<AppliedChange> changesIn(std::span<const EventRow> events) {
    std::vector<AppliedChange> changes;
    for (const EventRow& event : events)
        if (event.code == kSteerCode || event.code == kSteerRefusedCode)
            if (auto change = steeringOf(event)) changes.push_back(std::move(*change));
    return changes;
}

/// The steps that a run came to: what ended before its first curve's point has skipped steps alone.
std::int64_t reachedStep(const HistoryReader& reader, const std::string& run,
                         std::span<const EventRow> events) {
    std::int64_t skipped = 0;
    for (const EventRow& event : events) {
        const std::int64_t step = event.step.value_or(0);
        if (event.code == "nan") skipped = std::max(skipped, step);
        if (event.code == "train.resumed" && skipped > step) skipped = 0;
    }
    return std::max(reachOf(reader, run).step, skipped);
}

NewestMetrics lastOf(const std::map<std::string, StoredCurve>& curves) {
    NewestMetrics last;
    for (const auto& [key, curve] : curves)
        if (!curve.value.empty()) last[key] = curve.value.back();
    return last;
}

/// How the training ended. @param folder  of the run
TrainSnapshot endOf(const StoredTraining& stored, const std::filesystem::path& folder,
                    std::int64_t step) {
    TrainSnapshot end;
    end.changes = changesIn(stored.events);
    for (const CheckpointRow& row : stored.checkpoints) {
        // Not where the row says its file is: whoever wrote the database may have said anything.
        const std::int64_t bytes = folderBytes(folder / checkpointFolderName(row.step));
        end.checkpoints.push_back({.step = row.step, .bytes = static_cast<std::uint64_t>(bytes)});
    }
    const RunKind& kind = stored.spec.job.kind();
    TrainingSnapshot common;
    common.step = step;
    common.totalSteps = kind.totalSteps(stored.spec.job);
    common.metricInterval = trainSettings(stored.spec.job)->cadence.metricInterval;
    common.checkpointSeconds =
        checkpointSecondsOf(trainSettings(stored.spec.job)->cadence, stored.events);
    end.training = kind.restored ? kind.restored(stored.spec.job, common, lastOf(stored.curves))
                                 : std::make_shared<const TrainingSnapshot>(common);
    return end;
}

}  // namespace

StoredTraining readStoredTraining(const Workspace& workspace, const std::string& runId,
                                  const std::stop_token& stop) {
    const HistoryReader& reader = workspace.reader();
    const RunRecord record = reader.findRun(runId);
    StoredTraining stored;
    stored.spec = storedSpec(workspace, record.id);
    if (!stored.spec.job.kind().isTraining())
        throw Error("Run " + record.id + " is no training. Open it from the list of runs.",
                    Error::Kind::BadInput);
    stored.spec.name = record.name;
    for (const std::string& key : reader.metricKeys(record.id)) {
        if (stop.stop_requested()) break;
        if (!isSuperseded(key)) stored.curves.emplace(key, curveOf(reader.metrics(record.id, key)));
    }
    stored.history = historyOf(workspace, stored.spec);
    stored.events = reader.events(record.id);
    stored.checkpoints = reader.checkpoints(record.id);
    std::ranges::reverse(stored.checkpoints);
    const std::int64_t step = reachedStep(reader, record.id, stored.events);
    TrainSnapshot end = endOf(stored, workspace.runFolder(record.id), step);
    RunSnapshot snapshot;
    snapshot.id = record.id;
    snapshot.state = record.state.value_or(RunState::Finished);
    snapshot.progress = {.phase = "train",
                         .done = step,
                         .total = end.training->totalSteps,
                         .unit = stored.spec.job.kind().display.unitName,
                         .seconds = end.training->seconds};
    if (snapshot.state == RunState::Diverged && !stored.events.empty())
        snapshot.trouble = stored.events.back().text;
    snapshot.job = std::move(end);
    stored.snapshot = std::make_shared<const RunSnapshot>(std::move(snapshot));
    return stored;
}

std::map<std::string, StoredCurve> historyOf(const Workspace& workspace, const RunSpec& spec) {
    std::map<std::string, StoredCurve> history;
    const HistoryReader& reader = workspace.reader();
    const TrainSettings* settings = trainSettings(spec.job);
    std::string run = settings->fromRun;
    std::int64_t last = settings->fromStep;
    while (!run.empty()) {
        const auto record = reader.run(run);
        if (!record) break;  // deleted since
        for (const std::string& key : reader.metricKeys(run)) {
            if (isSuperseded(key)) continue;
            StoredCurve earlier = curveOf(reader.metrics(run, key));
            cutAfter(earlier, static_cast<double>(last));
            StoredCurve& curve = history[key];
            curve.step.insert(curve.step.begin(), earlier.step.begin(), earlier.step.end());
            curve.value.insert(curve.value.begin(), earlier.value.begin(), earlier.value.end());
        }
        const RunSpec parent = runSpecFromJson(record->configJson, "spec of run " + run);
        settings = trainSettings(parent.job);
        run = settings == nullptr ? std::string() : settings->fromRun;
        last = settings == nullptr ? 0 : settings->fromStep;
    }
    return history;
}

void cutAfter(StoredCurve& curve, double step) {
    const auto end = std::ranges::upper_bound(curve.step, step);
    curve.value.resize(static_cast<std::size_t>(end - curve.step.begin()));
    curve.step.resize(curve.value.size());
}

ForkParent forkParentOf(const Workspace& workspace, const std::string& runId) {
    const HistoryReader& reader = workspace.reader();
    ForkParent parent{.id = runId, .spec = repeatedSpec(workspace, runId), .checkpoints = {}};
    if (!parent.spec.job.kind().isTraining())
        throw Error("Run " + runId + " is no training, so it cannot be forked.",
                    Error::Kind::BadInput);
    parent.spec.name = reader.findRun(runId).name;
    for (const CheckpointRow& row : reader.checkpoints(runId))
        parent.checkpoints.push_back(row.step);
    return parent;
}

}  // namespace orrery
