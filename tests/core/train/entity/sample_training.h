#pragma once

#include <QTest>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file_descriptor.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/entity/envs/entity_environments.h"
#include "core/entity/files/sample_file.h"
#include "core/env/catalogue.h"
#include "core/train/entity/driver/entity_method.h"
#include "core/train/train.h"
#include "slow_method.h"

namespace orrery {

namespace fs = std::filesystem;

/// What a training told of its curves, and how it ended.
struct Heard {
    std::map<std::string, std::vector<std::pair<std::int64_t, double>>> curves;
    TrainOutcome outcome;
};

inline EntityRequest requestIn(const EntitySpec& spec, const fs::path& folder) {
    const auto maker = [](const EntityPlaceSpec& place) {
        return [place] {
            return environmentNamed(entityEnvironments(), place.id).make(place.optionsJson());
        };
    };
    return {.spec = spec,
            .environment = maker(spec.env),
            .evalEnvironment = maker(spec.evalPlace()),
            .folder = folder};
}

/// @param pieces  it is stopped at that look of the trainer at the world; -1: never
inline Heard learned(const EntitySpec& spec, const fs::path& folder, int pieces = -1,
                     const fs::path& from = {}) {
    Heard heard;
    TrainHooks hooks;
    hooks.metric = [&](std::int64_t step, const std::string& key, double value) {
        if (key != "throughput") heard.curves[key].emplace_back(step, value);
    };
    std::stop_source stop;
    hooks.boundary = [&](const Progress&) -> std::int64_t {
        if (pieces >= 0 && pieces-- == 0) stop.request_stop();
        return 0;
    };
    hooks.snapshotPause = [] { return std::chrono::milliseconds(1); };
    const auto method = makeEntity(requestIn(spec, folder));
    EveryPiece slow(*method);
    heard.outcome = train(pieces >= 0 ? static_cast<Method&>(slow) : *method,
                          {.cadence = {.metricInterval = 1, .checkpointSeconds = 0},
                           .folder = folder,
                           .resumeFrom = from,
                           .specJson = "{}"},
                          hooks, stop.get_token());
    return heard;
}

inline EntitySpec mines(std::int64_t updates) {
    EntitySpec spec;
    spec.env.id = "MineSweeper";
    spec.env.kwargs = FieldMap{{"width", std::int64_t{4}},
                               {"height", std::int64_t{4}},
                               {"nmines", std::int64_t{2}},
                               {"orbital_cannon", true},
                               {"cooldown_period", std::int64_t{2}}};
    spec.env.maxEpisodeSteps = 9;
    spec.net.dModel = 16;
    spec.net.nLayer = 1;
    spec.rollout = {.steps = 6, .numEnvs = 8};
    spec.optim.bs = 16;
    spec.totalTimesteps = updates * spec.rollout.frames();
    spec.capture = {.file = "rollouts.samples", .logits = true};
    return spec;
}

inline EntitySpec hotdogs() {
    EntitySpec spec;
    spec.env.id = "NotHotdog";
    spec.net.dModel = 16;
    spec.net.nLayer = 1;
    spec.rollout = {.steps = 1, .numEnvs = 64};
    spec.optim.bs = 64;
    spec.optim.lr = 0.01;
    spec.totalTimesteps = 3200;
    return spec;
}

inline std::vector<Sample> samplesIn(const fs::path& file) {
    SampleReader reader(file);
    std::vector<Sample> samples;
    while (auto sample = reader.next()) samples.push_back(std::move(*sample));
    return samples;
}

inline std::string bytesIn(const fs::path& file) {
    return readFile(file, 1 << 26);
}

inline std::map<std::string, std::string> filesOf(const fs::path& folder, std::int64_t step) {
    std::map<std::string, std::string> content;
    const Checkpoint checkpoint = Checkpoint::open(folder, step);
    for (const CheckpointFile& file : checkpoint.manifest().files)
        if (file.name != "clock.safetensors") content[file.name] = file.sha256;
    return content;
}

}  // namespace orrery
