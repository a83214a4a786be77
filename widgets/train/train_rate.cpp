#include "widgets/train/train_rate.h"

#include <QStringList>

#include "core/base/error.h"
#include "core/history/workspace.h"
#include "core/run/reopen.h"
#include "core/run/run_kind.h"
#include "core/run/train_job.h"
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
    const auto* job = spec.job.find<TrainJob>();
    if (job == nullptr) return {};
    QStringList parts;
    for (const std::string& world : job->worlds) parts << QString::fromStdString(world);
    for (const Quantity quantity : kQuantities)
        parts << QString::number(static_cast<int>(job->empo.of(quantity).kind));
    parts << QString::number(job->empo.isAsync ? job->empo.numCollectors : 0);
    return parts.join(u' ');
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
