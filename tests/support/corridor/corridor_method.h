#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/trace/span_recorder.h"
#include "core/train/method.h"
#include "tests/support/corridor/corridor_environment.h"
#include "tests/support/corridor/corridor_spec.h"

namespace orrery::test {

/// What it does in its steps, and what any training does beside.
const std::vector<SpanWords>& corridorSpans();

struct CorridorSnapshot : TrainingSnapshot {
    int cell = 0, stepOfEpisode = 0;
    std::vector<double> values = {};  ///< [length] of the better direction
};

/// Q-learning from one step at a time in a CorridorEnvironment, whose episodes follow each other.
class CorridorMethod : public Method {
public:
    explicit CorridorMethod(const CorridorSpec& spec);

    std::int64_t stepsDone() const override { return m_step; }
    std::int64_t totalSteps() const override { return m_spec.trainingSteps; }
    void begin(TrainHost& host, const Checkpoint* checkpoint, const TensorMap* progress) override;
    MethodStep step(bool wantsNumbers) override;
    std::vector<MetricValue> numbers(const TrainingSnapshot& common) override;
    std::string summary() const override;
    std::shared_ptr<const TrainingSnapshot> snapshot(const TrainingSnapshot& common) override;
    AppliedChange change(const TrainChange& change) override;
    void save(CheckpointWriter& writer, TensorMap& progress) override;
    MemoryUse memoryUse() const override;
    void enter(TrainPhase phase) override;
    void showLast() override { m_spans.flush(); }

    void load(const Checkpoint& checkpoint);
    /// Largest difference of a cell's value to gamma^(steps to the goal - 1).
    double error() const;

private:
    double& q(int cell, int direction) {
        return m_q[2 * static_cast<std::size_t>(cell) + static_cast<std::size_t>(direction)];
    }
    double best(int cell) const;

    CorridorSpec m_spec;
    Rng m_rng;
    CorridorEnvironment m_environment;
    Observation m_observation;
    StepResult m_result;
    std::vector<ActionTaken> m_taken;
    std::vector<double> m_q;  ///< [length, 2] left, right
    std::int64_t m_step = 0, m_episodes = 0;
    int m_stepsOfEpisode = 0;
    double m_loss = 0;       ///< of the newest step
    double m_lastSteps = 0;  ///< of the newest episode
    SpanRecorder m_spans{"learner"};
};

}  // namespace orrery::test
