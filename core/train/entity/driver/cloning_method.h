#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/thread_team.h"
#include "core/nn/adam.h"
#include "core/ppo/minibatches.h"
#include "core/trace/span_recorder.h"
#include "core/train/entity/driver/actor_critic.h"
#include "core/train/entity/driver/clone_data.h"
#include "core/train/entity/driver/evaluation.h"
#include "core/train/entity/entity_training.h"
#include "core/train/method.h"

namespace orrery {

/// A policy that learns to decide as samples do. A step is a minibatch, which counts its frames;
/// collect() reads the file, measures by the tests before each epoch, plays evaluations, and learns
/// from the shards of the minibatch, piece by piece. One thread, and a team below it.
/// Source: spec entity, section 7 (BC).
class CloningMethod : public Method {
public:
    /// @throws Error (BadInput) what cannot be learned, (Resource) the file
    explicit CloningMethod(const EntityRequest& request);

    std::int64_t stepsDone() const override { return m_stepsDone; }
    std::int64_t totalSteps() const override;
    std::string stepUnit() const override { return "frames"; }
    std::int64_t stepSize() const override { return m_batch; }
    bool isWithinStep() const override { return m_hasTakenIn || m_minibatch != nullptr; }

    void begin(TrainHost& host, const Checkpoint* checkpoint, const TensorMap* progress) override;
    bool collect() override;
    MethodStep step(bool wantsNumbers) override;
    void finish() override;

    std::vector<MetricValue> numbers(const TrainingSnapshot& common) override;
    std::string summary() const override;
    std::shared_ptr<const TrainingSnapshot> snapshot(const TrainingSnapshot& common) override;
    void showLast() override { m_spans.flush(); }
    AppliedChange change(const TrainChange& change) override;
    void save(CheckpointWriter& writer, TensorMap& progress) override;
    MemoryUse memoryUse() const override;
    void enter(TrainPhase phase) override;

private:
    using Clock = std::chrono::steady_clock;

    /// Frames that are learned from or measured by, with what became of their shards so far.
    struct Pass {
        std::vector<FrameShard> shards = {};
        std::vector<std::int64_t> rows = {};  // [actions] deciders
        std::size_t next = 0;                 // shard
        double loss = 0, entropy = 0;
        std::vector<at::Tensor> gradients = {};  // [parameters]; of tests: none
    };

    void work(EntityWork work) { m_spans.enter(ownSpan(static_cast<int>(work))); }
    std::int64_t epochFrames() const { return framesOfEpoch(m_data.split().trainFrames, m_batch); }
    std::int64_t epoch() const { return m_stepsDone / epochFrames(); }
    double rate() const;
    std::unique_ptr<Pass> passOf(const CloneSet& set, std::span<const std::int64_t> frames) const;
    void learn(Pass& pass, const CloneSet& set, bool isTest);
    bool prepare();
    bool measure();
    bool evaluate();
    void beginEvaluation();
    void load(const Checkpoint& checkpoint);

    const EntityRequest m_request;
    EntitySpec m_spec;  ///< with the changes made so far
    ThreadTeam m_team;
    CloneData m_data;
    std::int64_t m_batch;  ///< frames of a minibatch
    EntityLayout m_place;  ///< of the environment
    ActorCritic m_nets;
    Adam m_adam;
    TrainHost* m_host = nullptr;

    bool m_isRead = false;
    std::int64_t m_stepsDone = 0;
    std::optional<MinibatchPlan> m_plan;  ///< of an epoch
    std::int64_t m_planned = -1;          ///< that epoch
    std::unique_ptr<Pass> m_minibatch, m_test;
    bool m_hasTakenIn = false;   ///< of the minibatch at work
    std::int64_t m_tested = -1;  ///< steps at which tests were measured last
    std::int64_t m_nextEvaluation = 0;
    std::optional<PolicyEpisodes> m_evaluation;
    double m_loss = 0, m_entropy = 0, m_gradientNorm = 0, m_testLoss = 0;
    double m_usedRate = 0;
    std::int64_t m_skippedInARow = 0;
    double m_workSeconds = 0, m_throughput = 0;
    std::int64_t m_workFrames = 0;
    SpanRecorder m_spans{"learner"};
};

}  // namespace orrery
