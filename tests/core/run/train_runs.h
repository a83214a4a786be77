#pragma once

#include <QTemporaryDir>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/history/workspace.h"
#include "core/run/run.h"
#include "small_training.h"

namespace orrery::test {

inline std::unique_ptr<Workspace> openIn(const QTemporaryDir& folder) {
    return Workspace::open(folder.filePath("work.orrery").toStdString(), Workspace::Mode::Create);
}

/// A small training that takes its time for each step.
inline RunSpec slowTraining(std::int64_t steps) {
    RunSpec spec = smallTraining(steps);
    trainingOf(spec).empo.goalsPerHuman = 500;  // microseconds a step
    return spec;
}

inline std::vector<MetricRow> lossOf(const Workspace& workspace, const std::string& run) {
    return workspace.reader().metrics(run, "Loss/q_r");
}

/// The text of the run's first event of a code; empty if there is none.
inline std::string textOf(const Workspace& workspace, const std::string& run,
                          std::string_view code) {
    for (const EventRow& event : workspace.reader().events(run))
        if (event.code == code) return event.text;
    return {};
}

}  // namespace orrery::test
