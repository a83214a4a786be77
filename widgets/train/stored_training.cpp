#include "widgets/train/stored_training.h"

#include <QObject>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/empo/schedule.h"
#include "core/empo/snapshot.h"
#include "core/history/history_reader.h"
#include "core/history/workspace.h"
#include "core/run/reopen.h"
#include "core/run/run_reach.h"
#include "core/run/steering.h"
#include "core/run/train_job.h"

namespace orrery {

namespace {

TrainCurve curveOf(std::vector<MetricRow> rows) {
    std::ranges::stable_sort(rows, std::ranges::less{}, &MetricRow::step);
    TrainCurve curve;
    for (const MetricRow& row : rows) {
        curve.step.push_back(static_cast<double>(row.step));
        curve.value.push_back(row.value);
    }
    return curve;
}

double lastOf(const std::map<QString, TrainCurve>& curves, const char* key) {
    const auto curve = curves.find(QLatin1String(key));
    return curve == curves.end() || curve->second.value.empty() ? 0 : curve->second.value.back();
}

/// Applied and refused changes in their order; not those of an earlier life that were done again.
std::vector<AppliedChange> changesIn(std::span<const EventRow> events) {
    std::vector<AppliedChange> changes;
    for (const EventRow& event : events)
        if (event.code == kSteerCode || event.code == kSteerRefusedCode)
            if (auto change = steeringOf(event)) changes.push_back(std::move(*change));
    return changes;
}

}  // namespace

ChartEvent skippedMark(std::int64_t step, const QString& text) {
    return {.x = static_cast<double>(step), .kind = ChartEventKind::NotANumber, .text = text};
}

ChartEvent savedMark(std::int64_t step) {
    return {.x = static_cast<double>(step),
            .kind = ChartEventKind::Checkpoint,
            .text = QObject::tr("checkpoint")};
}

std::vector<ChartEvent> marksIn(std::span<const EventRow> events,
                                std::span<const CheckpointRow> kept) {
    std::vector<ChartEvent> skipped;
    std::map<double, ChartEvent> saved;  // by step: one may be made anew
    for (const EventRow& event : events) {
        const std::int64_t step = event.step.value_or(0);
        if (event.code == "nan")
            skipped.push_back(skippedMark(step, QString::fromStdString(event.text)));
        if (event.code == "train.saved" && event.step)
            saved[static_cast<double>(step)] = savedMark(step);
        if (event.code != "train.resumed") continue;
        const auto last = static_cast<double>(step);  // 0: from the start
        std::erase_if(skipped, [&](const ChartEvent& mark) { return mark.x > last; });
        saved.erase(saved.upper_bound(last), saved.end());
    }
    for (auto& [step, mark] : saved) mark.text = QObject::tr("checkpoint, removed since");
    for (const CheckpointRow& row : kept) {
        saved[static_cast<double>(row.step)] = savedMark(row.step);
    }
    for (auto& [step, mark] : saved) skipped.push_back(std::move(mark));
    return skipped;
}

void cutAfter(TrainCurve& curve, double step) {
    const auto end = std::ranges::upper_bound(curve.step, step);
    curve.value.resize(static_cast<std::size_t>(end - curve.step.begin()));
    curve.step.resize(curve.value.size());
}

std::map<QString, TrainCurve> historyOf(const Workspace& workspace, const TrainJob& job) {
    std::map<QString, TrainCurve> history;
    const HistoryReader& reader = workspace.reader();
    std::string run = job.fromRun;
    std::int64_t last = job.fromStep;
    while (!run.empty()) {
        const auto record = reader.run(run);
        if (!record) break;  // deleted since
        for (const std::string& key : reader.metricKeys(run)) {
            if (isSuperseded(key)) continue;
            TrainCurve earlier = curveOf(reader.metrics(run, key));
            cutAfter(earlier, static_cast<double>(last));
            TrainCurve& curve = history[QString::fromStdString(key)];
            curve.step.insert(curve.step.begin(), earlier.step.begin(), earlier.step.end());
            curve.value.insert(curve.value.begin(), earlier.value.begin(), earlier.value.end());
        }
        const RunSpec spec = runSpecFromJson(record->configJson, "spec of run " + run);
        const auto* parent = spec.job.find<TrainJob>();
        run = parent != nullptr ? parent->fromRun : std::string();
        last = parent != nullptr ? parent->fromStep : 0;
    }
    return history;
}

ForkParent forkParentOf(const Workspace& workspace, const std::string& runId) {
    const HistoryReader& reader = workspace.reader();
    ForkParent parent{.id = QString::fromStdString(runId),
                      .spec = repeatedSpec(workspace, runId),
                      .checkpoints = {}};
    if (!parent.spec.job.is<TrainJob>())
        throw Error("Run " + runId + " is no training, so it cannot be forked.",
                    Error::Kind::BadInput);
    parent.spec.name = reader.findRun(runId).name;
    for (const CheckpointRow& row : reader.checkpoints(runId))
        parent.checkpoints.push_back(row.step);
    return parent;
}

ArchivedTraining readArchivedTraining(const Workspace& workspace, const std::string& runId,
                                      const std::stop_token& stop) {
    const HistoryReader& reader = workspace.reader();
    const RunRecord record = reader.findRun(runId);
    ArchivedTraining stored{.spec = storedSpec(workspace, record.id),
                            .snapshot = {},
                            .curves = {},
                            .history = {},
                            .marks = {}};
    auto* job = stored.spec.job.find<TrainJob>();
    if (job == nullptr)
        throw Error("Run " + record.id + " is no training. Open it from the list of runs.",
                    Error::Kind::BadInput);
    stored.spec.name = record.name;
    std::int64_t step = reachOf(reader, record.id).step;
    for (const std::string& key : reader.metricKeys(record.id)) {
        if (stop.stop_requested()) break;
        if (isSuperseded(key)) continue;
        stored.curves.emplace(QString::fromStdString(key), curveOf(reader.metrics(record.id, key)));
    }
    stored.history = historyOf(workspace, *job);
    TrainSnapshot all;
    const std::vector<EventRow> events = reader.events(record.id);
    all.changes = changesIn(events);
    std::vector<CheckpointRow> kept = reader.checkpoints(record.id);
    stored.marks = marksIn(events, kept);
    // What ended before its first curve's point has skipped steps alone.
    for (const ChartEvent& mark : stored.marks)
        if (mark.kind == ChartEventKind::NotANumber)
            step = std::max(step, static_cast<std::int64_t>(mark.x));
    std::ranges::reverse(kept);
    for (const CheckpointRow& row : kept)
        all.checkpoints.push_back({.step = row.step, .bytes = row.bytes});
    const EmpoSchedule schedule(job->empo);
    EmpoSnapshot empo;
    empo.totalSteps = job->empo.trainingSteps;
    empo.checkpointSeconds = checkpointSecondsOf(job->cadence, events);
    empo.stages = schedule.stages();
    empo.step = empo.learner.step = step;
    empo.learner.stage = schedule.stageIndex(step);
    empo.stepsPerSecond = lastOf(stored.curves, "Rates/training_steps_per_second");
    empo.environmentStepsPerSecond = lastOf(stored.curves, "Rates/environment_steps_per_second");
    empo.seconds = empo.stepsPerSecond > 0 ? static_cast<double>(step) / empo.stepsPerSecond : 0;
    all.training = std::make_shared<const EmpoSnapshot>(std::move(empo));
    RunSnapshot snapshot;
    snapshot.id = record.id;
    snapshot.state = record.state.value_or(RunState::Finished);
    snapshot.progress = {.phase = "train",
                         .done = step,
                         .total = job->empo.trainingSteps,
                         .unit = "training steps",
                         .seconds = all.training->seconds};
    if (snapshot.state == RunState::Diverged && !events.empty())
        snapshot.trouble = events.back().text;
    snapshot.job = std::move(all);
    stored.snapshot = std::make_shared<const RunSnapshot>(std::move(snapshot));
    return stored;
}

}  // namespace orrery
