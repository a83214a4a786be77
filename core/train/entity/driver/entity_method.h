#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/thread_team.h"
#include "core/entity/vec_env.h"
#include "core/entity/vec_metrics.h"
#include "core/trace/span_recorder.h"
#include "core/train/entity/driver/actor_critic.h"
#include "core/train/entity/driver/evaluation.h"
#include "core/train/entity/driver/oracle.h"
#include "core/train/entity/driver/policy.h"
#include "core/train/entity/driver/ppo_update.h"
#include "core/train/entity/driver/rollout.h"
#include "core/train/entity/driver/sample_recorder.h"
#include "core/train/entity/entity_training.h"
#include "core/train/method.h"
#include "core/train/rollout_desk.h"

namespace orrery {

/// Learning among things as the trainer drives it: a step is an update, which counts the frames of
/// its rollout. collect() does it piece by piece: perhaps an evaluation, then steps of all
/// environments, then shards of minibatches. One thread, and a team below it.
class EntityMethod : public Method {
public:
    /// @throws Error (BadInput) what cannot be learned
    explicit EntityMethod(const EntityRequest& request);

    std::int64_t stepsDone() const override { return m_stepsDone; }
    std::int64_t totalSteps() const override { return m_spec.updates() * m_spec.rollout.frames(); }
    std::string stepUnit() const override { return "frames"; }
    std::int64_t stepSize() const override { return m_spec.rollout.frames(); }
    bool isWithinStep() const override;

    void begin(TrainHost& host, const Checkpoint* checkpoint, const TensorMap* progress) override;
    bool collect() override;
    MethodStep step(bool wantsNumbers) override;
    void finish() override;

    std::vector<MetricValue> numbers(const TrainingSnapshot& common) override;
    std::string summary() const override;
    std::shared_ptr<const TrainingSnapshot> snapshot(const TrainingSnapshot& common) override;
    bool answer() override;
    void showLast() override { m_spans.flush(); }
    AppliedChange change(const TrainChange& change) override;
    void save(CheckpointWriter& writer, TensorMap& progress) override;
    MemoryUse memoryUse() const override;
    void enter(TrainPhase phase) override;

private:
    using Clock = std::chrono::steady_clock;

    void work(EntityWork work) { m_spans.enter(ownSpan(static_cast<int>(work))); }
    void beginUpdate();
    void beginSamples(const TensorMap* state);
    bool evaluate();
    bool act();
    std::vector<float> cutValues() const;
    void estimate();
    void countChoices(const VecActions& chosen);
    void noteEpisodes();
    double recentReward() const;
    void beginEvaluation();
    std::shared_ptr<const RolloutCopy> rolloutNow(bool isLearned) const;
    void endEvaluation();
    std::string placeText() const;
    std::string updateText() const;
    bool load(const Checkpoint& checkpoint);
    void loadPlace(const Checkpoint& checkpoint, const TensorMap& state);
    void cutLostEpisodes();
    TensorMap stateNow();

    const EntityRequest m_request;
    EntitySpec m_spec;  ///< with the changes made so far
    ThreadTeam m_team;
    VecEnv m_env;
    ActorCritic m_nets;
    Rollout m_rollout;
    PpoUpdate m_update;
    VecMetrics m_metrics;
    TrainHost* m_host = nullptr;

    Rng m_choosing, m_shuffling;
    std::int64_t m_stepsDone = 0, m_episodes = 0;
    bool m_hasBegun = false;                     ///< the update at work
    std::optional<PolicyEpisodes> m_evaluation;  ///< at work
    EntityLayout m_evalLayout = {};              ///< of its samples
    std::optional<SampleRecorder> m_samples, m_evalSamples;
    std::int64_t m_nextEvaluation = 0;  ///< frames
    std::vector<std::uint8_t> m_done;   ///< [environments] the frame is the first of an episode
    std::vector<float> m_values;        ///< [environments] of the frames acted in last
    std::deque<double> m_recent;        ///< rewards of the last episodes
    std::vector<std::vector<std::int64_t>> m_chosen;  ///< [actions][choices] since the last numbers
    std::int64_t m_skippedInARow = 0;
    bool m_isRuined = false;   ///< the networks, as the last step of the environments found them
    double m_workSeconds = 0;  ///< since the last numbers
    std::int64_t m_workFrames = 0;  ///< likewise
    double m_throughput = 0;        ///< frames a second, as it was told last
    SpanRecorder m_spans{"learner"};
    std::shared_ptr<RolloutDesk> m_desk = std::make_shared<RolloutDesk>();
    std::shared_ptr<const std::int64_t> m_wish;  ///< that was answered last
    bool m_isWished = false;                     ///< the whole rollout, at the end of the update
};

std::unique_ptr<Method> makeEntity(const EntityRequest& request);

inline constexpr EntityLibrary kEntityLibrary{.make = makeEntity,
                                              .evaluate = evaluateEntity,
                                              .policy = policyOfCheckpoint,
                                              .compare = compareWithOracle};

}  // namespace orrery
