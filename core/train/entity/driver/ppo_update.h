#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/base/thread_team.h"
#include "core/checkpoint/tensor_map.h"
#include "core/nn/adam.h"
#include "core/ppo/learner/ppo_loss.h"
#include "core/ppo/minibatches.h"
#include "core/train/entity/driver/actor_critic.h"
#include "core/train/entity/driver/rollout.h"
#include "core/train/entity/entity_training.h"

namespace orrery {

/// What an update came to. Losses are those of the last minibatch, `clipped` is the mean over all.
struct PpoNumbers {
    double policyLoss = 0, valueLoss = 0, entropy = 0, approxKl = 0, clipped = 0;
    double gradientNorm = 0, valueGradientNorm = 0;  ///< before they were scaled down
    double explainedVariance = 0;                    ///< of the rollout
};

/// The updates of networks from rollouts: each shard by shard, so that it can be halted, kept and
/// resumed between two. Shards are shared by a team; their gradients are summed in their order.
class PpoUpdate {
public:
    /// @param nets, team  live as long
    PpoUpdate(ActorCritic& nets, const EntitySpec& spec, ThreadTeam& team);

    /// Takes what the update goes by, before its rollout: what is changed in the spec meanwhile
    /// holds from the next one on.
    /// @param number  of the update, from 1: draws what is dropped
    void take(const EntitySpec& spec, const PpoRates& rates, std::int64_t number);
    const PpoRates& rates() const { return m_rates; }  ///< of the one that was taken last
    /// Begins to learn from a whole rollout with its advantages.
    void begin(const Rollout& rollout, Rng& rng);
    bool isUnderWay() const { return m_isUnderWay; }
    /// Some of it: shards, as many as the team has threads, or a step of the optimiser.
    /// @param tell  is told what it does
    /// @return whether the update is done
    bool advance(const Rollout& rollout, Rng& rng, const std::function<void(EntityWork)>& tell);
    /// Ends it where it is.
    void abandon();

    /// What the last pass over each frame of the rollout found, if somebody wants to know.
    struct Record {
        std::vector<float> ratio, entropy;  ///< [frames] means over what is decided; NaN: nothing
    };
    void setRecords(bool records) { m_records = records; }
    const Record& record() const { return m_record; }

    const PpoNumbers& numbers() const { return m_numbers; }   ///< of the last one
    const std::string& trouble() const { return m_trouble; }  ///< why it was abandoned; empty: not
    std::int64_t minibatch() const { return m_epoch * perEpoch() + m_index; }
    std::int64_t minibatches() const { return m_epochs * perEpoch(); }
    std::int64_t optimiserBytes() const;

    /// The networks are new ones: so are the optimisers.
    void renew(const EntitySpec& spec);
    /// The optimisers' numbers; what the update goes by, and how far it is.
    void save(TensorMap& optimiser, TensorMap& state) const;
    void loadOptimiser(const TensorMap& optimiser);
    /// @param spec     for what cannot be changed while it trains
    /// @param rollout  that the update learns from, with its advantages if it is whole
    void load(const TensorMap& state, const EntitySpec& spec, const Rollout& rollout);

private:
    /// Frames over which means are taken: a minibatch, or a micro batch as the original has it.
    struct Part {
        PpoTotals totals;
        double weight = 1;
    };
    struct Minibatch {
        std::vector<FrameShard> shards;
        std::vector<std::size_t> partOf;  // [shards]
        std::vector<Part> parts;
        std::vector<std::vector<float>> advantages;  // [shards][frames]
        std::size_t nextShard = 0;
        std::vector<at::Tensor> gradients;  // [parameters] summed so far; undefined: none
        PpoNumbers numbers;
    };
    struct ShardResult {
        std::vector<at::Tensor> gradients;
        PpoNumbers numbers;
        Record record;  ///< [frames of the shard], if it is wanted
    };

    std::int64_t perEpoch() const { return m_plan ? m_plan->perEpoch() : 0; }
    void prepare(const Rollout& rollout);
    void note(const Record& record, std::span<const std::int64_t> frames, std::int64_t all);
    void addPart(const Rollout& rollout, std::span<const std::int64_t> frames, double weight);
    ShardResult learn(const Rollout& rollout, const Minibatch& minibatch, std::size_t shard) const;
    PpoFrames framesOf(const Rollout& rollout, const Minibatch& minibatch, std::size_t shard,
                       const ActorCritic::Output& output) const;
    void optimise();
    void next(Rng& rng);

    ActorCritic& m_nets;
    ThreadTeam& m_team;
    Adam m_policyAdam;
    std::optional<Adam> m_valueAdam;

    bool m_isUnderWay = false;
    bool m_records = false;
    Record m_record;
    std::uint64_t m_seed = 1;
    OptimSpec m_optim = {};  // of the update
    PpoSpec m_ppo = {};
    PpoRates m_rates = {};
    std::int64_t m_number = 0, m_epochs = 0;
    std::optional<MinibatchPlan> m_plan;
    std::int64_t m_epoch = 0, m_index = 0;
    bool m_hasTakenIn = false;  // of the minibatch at work
    std::unique_ptr<Minibatch> m_minibatch;
    double m_clippedSum = 0;
    std::int64_t m_clippedCount = 0;
    PpoNumbers m_numbers;
    std::string m_trouble;
};

}  // namespace orrery
