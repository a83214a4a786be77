#include "widgets/train/stored_training.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/empo/schedule.h"
#include "core/empo/snapshot.h"
#include "core/history/history_reader.h"
#include "core/history/workspace.h"
#include "core/run/reopen.h"
#include "core/run/steering.h"

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

}  // namespace

ArchivedTraining readArchivedTraining(const Workspace& workspace, const std::string& runId,
                                      const std::stop_token& stop) {
    const HistoryReader& reader = workspace.reader();
    const RunRecord record = reader.findRun(runId);
    ArchivedTraining stored{.spec = storedSpec(workspace, record.id), .snapshot = {}, .curves = {}};
    auto* job = std::get_if<TrainJob>(&stored.spec.job);
    if (job == nullptr)
        throw Error("Run " + record.id + " is no training. Open it from the list of runs.",
                    Error::Kind::BadInput);
    stored.spec.name = record.name;
    std::int64_t step = 0;
    for (const std::string& key : reader.metricKeys(record.id)) {
        if (stop.stop_requested()) break;
        TrainCurve curve = curveOf(reader.metrics(record.id, key));
        if (!curve.step.empty())
            step = std::max(step, static_cast<std::int64_t>(curve.step.back()));
        stored.curves.emplace(QString::fromStdString(key), std::move(curve));
    }
    TrainSnapshot all;
    all.changes = steeringIn(reader.events(record.id));
    std::vector<CheckpointRow> kept = reader.checkpoints(record.id);
    std::ranges::reverse(kept);
    for (const CheckpointRow& row : kept) {
        all.checkpoints.push_back({.step = row.step, .bytes = row.bytes});
        step = std::max(step, row.step);
    }
    const EmpoSchedule schedule(job->empo);
    EmpoSnapshot empo;
    empo.totalSteps = job->empo.trainingSteps;
    empo.stages = schedule.stages();
    empo.learner.step = step;
    empo.learner.stage = schedule.stageIndex(step);
    empo.trainingStepsPerSecond = lastOf(stored.curves, "Rates/training_steps_per_second");
    empo.environmentStepsPerSecond = lastOf(stored.curves, "Rates/environment_steps_per_second");
    empo.seconds = empo.trainingStepsPerSecond > 0
                       ? static_cast<double>(step) / empo.trainingStepsPerSecond
                       : 0;
    all.empo = std::make_shared<const EmpoSnapshot>(std::move(empo));
    RunSnapshot snapshot;
    snapshot.id = record.id;
    snapshot.state = record.state.value_or(RunState::Finished);
    snapshot.progress = {.phase = "train",
                         .done = step,
                         .total = job->empo.trainingSteps,
                         .unit = "training steps",
                         .seconds = all.empo->seconds};
    snapshot.job = std::move(all);
    stored.snapshot = std::make_shared<const RunSnapshot>(std::move(snapshot));
    return stored;
}

}  // namespace orrery
