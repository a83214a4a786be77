#include "widgets/train/train_rate.h"

#include "core/base/error.h"
#include "core/history/workspace.h"
#include "core/run/run_kind.h"
#include "widgets/common/run_title.h"

namespace orrery {

namespace {

constexpr const char* kSpeed = "Rates/training_steps_per_second";

/// 0 if the run told none.
double meanSpeed(const HistoryReader& reader, const std::string& run) {
    double sum = 0;
    const auto rows = reader.metrics(run, kSpeed);
    for (const MetricRow& row : rows) sum += row.value;
    return rows.empty() ? 0 : sum / static_cast<double>(rows.size());
}

}  // namespace

QString trainingKind(const RunSpec& spec) {
    const RunKind& kind = spec.job.kind();
    if (!kind.isTraining()) return {};
    std::string name = kind.name;
    if (kind.display.speedKey) name += " " + kind.display.speedKey(spec.job);
    return QString::fromStdString(name);
}

std::optional<MeasuredRate> measuredRate(const Workspace& workspace, const QString& kind,
                                         const std::stop_token& stop) {
    const HistoryReader reader = workspace.reader();
    for (const RunRecord& run : reader.listRuns()) {
        if (stop.stop_requested()) return std::nullopt;
        if (!isTraining(run)) continue;
        try {
            if (trainingKind(runSpecFromJson(run.configJson, run.id)) != kind) continue;
        } catch (const Error&) {
            continue;  // of another version
        }
        const double speed = meanSpeed(reader, run.id);
        if (speed > 0) return MeasuredRate{speed, runTitle(run.name, run.id)};
    }
    return std::nullopt;
}

}  // namespace orrery
