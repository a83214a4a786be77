#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/spec/problem.h"
#include "core/spec/schedule.h"
#include "core/spec/spec_table.h"

namespace orrery {

/// How parameters follow gradients.
struct OptimSpec {
    Schedule lr = 0.001;                       ///< lr: > 0
    std::int64_t lrWarmupSteps = 0;            ///< lr_warmup_steps: >= 0, frames
    bool originalWarmup = false;               ///< original_warmup
    std::int64_t bs = 1024;                    ///< bs: >= 1, frames of a minibatch
    std::optional<std::int64_t> microBs = {};  ///< micro_bs: frames at once; none: all of them
    bool originalMicroBatches = false;         ///< original_micro_batches
    double weightDecay = 0;                    ///< weight_decay: >= 0
    bool annealLr = true;                      ///< anneal_lr
    std::int64_t updateEpochs = 3;             ///< update_epochs: >= 1
    Schedule maxGradNorm = 2;                  ///< max_grad_norm: > 0
    double epsilon = 1e-5;                     ///< adam_eps: > 0
    bool operator==(const OptimSpec&) const = default;
};

/// What proximal policy optimisation makes of a rollout.
struct PpoSpec {
    bool gae = true;                      ///< gae
    double gamma = 0.99;                  ///< gamma: [0, 1]
    double gaeLambda = 0.95;              ///< gae_lambda: [0, 1]
    bool normAdv = true;                  ///< norm_adv
    Schedule clipCoef = 0.2;              ///< clip_coef: > 0
    bool clipVloss = true;                ///< clip_vloss
    Schedule entCoef = 0.1;               ///< ent_coef: >= 0
    bool annealEntropy = true;            ///< anneal_entropy
    Schedule vfCoef = 0.5;                ///< vf_coef: >= 0
    std::optional<double> targetKl = {};  ///< target_kl: > 0; none: all epochs
    bool bootstrapTruncated = true;       ///< bootstrap_truncated
    bool operator==(const PpoSpec&) const = default;
};

/// What is gathered before each update.
struct RolloutSpec {
    std::int64_t steps = 16;     ///< steps: >= 1
    std::int64_t numEnvs = 128;  ///< num_envs: >= 1
    int threads = 1;             ///< threads: [1, 1024]
    std::int64_t frames() const { return steps * numEnvs; }
    bool operator==(const RolloutSpec&) const = default;
};

const SpecTable<OptimSpec>& optimFields();
const SpecTable<PpoSpec>& ppoFields();
const SpecTable<RolloutSpec>& rolloutFields();

/// What is wrong beyond the ranges of single fields: a minibatch that is larger than a rollout.
/// Names are those of sections "optim", "ppo" and "rollout".
std::vector<SpecProblem> ppoProblems(const OptimSpec& optim, const PpoSpec& ppo,
                                     const RolloutSpec& rollout);

/// Where a training is: its updates are counted from 1.
struct PpoProgress {
    std::int64_t update = 1;          ///< the one that is made now
    std::int64_t updates = 1;         ///< of the whole training
    std::int64_t framesOfUpdate = 1;  ///< of a rollout
    /// Of a training that ends by the clock: the share of its time that is left, in [0, 1].
    std::optional<double> timeLeft = {};
};

/// What an update uses of what follows the steps.
struct PpoRates {
    double lr = 0, maxGradNorm = 0, clipCoef = 0, entCoef = 0, vfCoef = 0;
};

/// The share of the training that is left when an update begins: 1 - (update - 1) / updates, or
/// that of its time if that is less.
double shareLeft(const PpoProgress& progress);

/// Schedules at the frames before the update; the learning rate and the weight of the entropy then
/// fall with what is left where they are annealed. With warm-up frames w the rate rises from near
/// 0: lr min(1, update * frames / w) while the frames before the update are fewer, from there on it
/// falls to 0 at the end. The original's warm-up leaves the update's own frames out, so that it
/// begins at 0.
/// Source: spec entity, section 6.
PpoRates ratesOf(const OptimSpec& optim, const PpoSpec& ppo, const PpoProgress& progress);

}  // namespace orrery
