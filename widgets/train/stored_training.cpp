#include "widgets/train/stored_training.h"

#include <QObject>
#include <algorithm>
#include <utility>

namespace orrery {

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

std::map<QString, TrainCurve> shownCurves(std::map<std::string, StoredCurve> curves) {
    std::map<QString, TrainCurve> shown;
    while (!curves.empty()) {
        auto node = curves.extract(curves.begin());
        shown.emplace(QString::fromStdString(node.key()), std::move(node.mapped()));
    }
    return shown;
}

ArchivedTraining readArchivedTraining(const Workspace& workspace, const std::string& runId,
                                      const std::stop_token& stop) {
    StoredTraining stored = readStoredTraining(workspace, runId, stop);
    return {.spec = std::move(stored.spec),
            .snapshot = std::move(stored.snapshot),
            .curves = shownCurves(std::move(stored.curves)),
            .history = shownCurves(std::move(stored.history)),
            .marks = marksIn(stored.events, stored.checkpoints)};
}

}  // namespace orrery
