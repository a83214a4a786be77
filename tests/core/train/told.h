#pragma once

#include <QTemporaryDir>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/checkpoint/checkpoint_folder.h"
#include "tests/core/empo/training.h"
#include "tests/core/train/empo_training.h"

namespace orrery::test {

/// Folders by name, empty until something is written there; gone with this.
class Folders {
public:
    /// Forgets those there are.
    void renew() { m_all = std::make_unique<QTemporaryDir>(); }
    std::filesystem::path operator()(const char* name) const {
        std::filesystem::path path = m_all->filePath(QString::fromUtf8(name)).toStdString();
        std::filesystem::create_directories(path);
        return path;
    }

private:
    std::unique_ptr<QTemporaryDir> m_all = std::make_unique<QTemporaryDir>();
};

/// Tables that are trained in turn.
inline EmpoSpec tables(std::int64_t steps) {
    EmpoSpec spec = tabularSpec();
    spec.trainingSteps = steps;
    spec.tableRateFloor = 0.2;
    spec.epsilonStart_r = spec.epsilonEnd_r = 0.5;
    spec.epsilonStart_h = spec.epsilonEnd_h = 0.0;
    return spec;
}

/// The same with small networks.
inline EmpoSpec networks(std::int64_t steps) {
    EmpoSpec spec = networkSpec();
    spec.trainingSteps = steps;
    return spec;
}

/// What a training told, and how it ended.
struct Told {
    std::map<std::string, std::vector<std::pair<std::int64_t, double>>> curves;  ///< step, value
    std::vector<TrainCheckpoint> checkpoints;
    std::vector<AppliedChange> changes;
    std::vector<std::string> messages;
    std::shared_ptr<const EmpoSnapshot> snapshot;
    TrainOutcome outcome;

    double last(const std::string& key) const { return curves.at(key).back().second; }
};

inline TrainHooks hooksInto(Told& told) {
    TrainHooks hooks;
    hooks.metric = [&](std::int64_t step, const std::string& key, double value) {
        told.curves[key].emplace_back(step, value);
    };
    hooks.message = [&](const event::Message& message) { told.messages.push_back(message.text); };
    keepSnapshot(hooks, told.snapshot);
    hooks.saved = [&](const TrainCheckpoint& checkpoint, const NewestMetrics&) {
        told.checkpoints.push_back(checkpoint);
    };
    hooks.changed = [&](const AppliedChange& change) { told.changes.push_back(change); };
    return hooks;
}

inline Told train(const EmpoTraining& request, std::stop_token stop = {}) {
    Told told;
    told.outcome = trainEmpo(request, hooksInto(told), std::move(stop));
    return told;
}

/// One world, with its exact solution; told of every 20 steps, with no checkpoints by time.
inline EmpoTraining requestFor(const EmpoSpec& spec, const std::shared_ptr<const World>& world) {
    EmpoTraining request;
    request.spec = spec;
    request.worlds = {world};
    request.exact = {solveExactly(world, spec)};
    request.specJson = "{}";
    request.cadence = {.metricInterval = 20, .checkpointSeconds = 0};
    return request;
}

/// Hashes of everything that a checkpoint keeps but for the time it took.
inline std::map<std::string, std::string> contentOf(const std::filesystem::path& folder,
                                                    std::int64_t step) {
    std::map<std::string, std::string> content;
    const Checkpoint checkpoint = Checkpoint::open(folder, step);
    for (const CheckpointFile& file : checkpoint.manifest().files)
        if (file.name != "clock.safetensors") content[file.name] = file.sha256;
    return content;
}

}  // namespace orrery::test
