#pragma once

#include "core/run/jobs/train_job.h"
#include "core/run/run_spec.h"
#include "small_world.h"

namespace orrery {

/// A training of smallWorld by the library of fake_learner.cpp.
inline RunSpec smallTraining(std::int64_t steps = 100) {
    RunSpec spec;
    spec.name = "small training";
    TrainJob job = trainingIn({"small.yaml"});
    job.worldTexts = {smallWorld(4)};
    job.empo.trainingSteps = steps;
    job.cadence.metricInterval = 1;
    job.cadence.checkpointSeconds = 0;
    job.empo.bufferCapacity = 1000;
    job.empo.of(Quantity::Q_r).learningRate = 0.01;
    spec.job = job;
    return spec;
}

inline TrainJob& trainingOf(RunSpec& spec) {
    return spec.job.as<TrainJob>();
}

}  // namespace orrery
