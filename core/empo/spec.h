#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/encode/compact_state.h"
#include "core/spec/problem.h"
#include "core/spec/theory.h"

namespace orrery {

/// The learned quantities, in the order in which they are listed and warmed up everywhere. They are
/// parts of a learner, with settings, weights and losses; what a solution says of a state is a
/// ValueKind.
enum class Quantity : std::uint8_t { V_h_e, X_h, U_r, Q_r, V_r };
inline constexpr int kNumQuantities = 5;
inline constexpr std::array<Quantity, kNumQuantities> kQuantities = {
    Quantity::V_h_e, Quantity::X_h, Quantity::U_r, Quantity::Q_r, Quantity::V_r};
/// "v_h_e", "x_h", "u_r", "q_r", "v_r".
const char* nameOf(Quantity quantity);
/// As people write it: "V_h^e".
std::string symbolOf(Quantity quantity);

/// How a quantity is represented.
enum class Approximator : std::uint8_t {
    Network,
    Table,     ///< one row a state, made on demand
    Computed,  ///< from the others; not for V_h^e and Q_r
};

/// Which human actions the targets sum over.
enum class HumanModel : std::uint8_t {
    Expected,  ///< all, by the prior; goals are drawn anew at each sampling of the buffer
    Sampled,   ///< those that were taken, as the original: biased, because goals persist
};

/// Where the collectors' human policies come from.
enum class HumanPrior : std::uint8_t {
    Auto,           ///< exact where the world can be solved, else by shortest paths
    Exact,          ///< phase 1 solved exactly
    ShortestPaths,  ///< goal-directed: softmax over the decrease of the distance to the goal
    Uniform,
    Learned,  ///< phase 1 learned first, in the run's first stage; then the policies stand still
};

/// How exploring robots draw their actions. Source: spec empo 6.3, "exploration policies".
enum class RobotExploration : std::uint8_t {
    Policy,   ///< by the exploration policy, the same in every state
    Forward,  ///< by it, but never forward where that moves nothing
    Macro,    ///< so for the first step; then on the same way for some steps
};

/// How novelty is measured where exploration is drawn to it.
enum class Curiosity : std::uint8_t {
    None,
    Counts,     ///< scale / sqrt(n + 1)
    CountsUcb,  ///< scale sqrt(ln N / (n + 1))
    Rnd,        ///< random network distillation
};

enum class RateDecay : std::uint8_t { None, Inverse, InverseSqrt };  ///< lr d/t, lr sqrt(d/t)
enum class BufferClearing : std::uint8_t { Gradual, Hard, None };
enum class Device : std::uint8_t { Auto, Cpu, Cuda };

/// The own encoders of X_h, U_r, Q_r and V_r, which read beside the shared one of V_h^e.
enum class OwnEncoders : std::uint8_t {
    Own,       ///< trained by their quantity; the shared features enter detached
    None,      ///< the shared features alone, detached
    Attached,  ///< own ones too, and the shared features are trained by every quantity
};

/// One quantity's own settings. Field names carry the quantity's name for `*`.
struct QuantitySpec {
    Approximator kind = Approximator::Network;  ///< *_kind
    double learningRate = 1e-4;                 ///< lr_*: > 0
    /// lookup_default_*: what a row without an update says; Q_r, U_r, V_r below 0, V_h^e and X_h in
    /// [0, 1]
    double tableDefault = 0;
    std::int64_t targetCopySteps = 100;  ///< *_target_update_freq: >= 1, training steps
    std::int64_t warmupSteps = 0;        ///< warmup_*_steps: >= 0, length of its first stage
    bool operator==(const QuantitySpec&) const = default;
};

/// The rate at which the clipping norm is taken as it is. Source: spec empo 6.1.
inline constexpr double kClipRate = 1e-4;

/// Parameters of learned planning. Defaults are the documented ones of the original, except where
/// its faults are mended. The text in front of each comment is the field's name in files.
/// Source: seeds 000 and 003; spec empo section 6.
struct EmpoSpec : Theory {
    // What is learned.
    double gamma_h = 0.99;                         ///< gamma_h: (0, 1]
    double gamma_r = 0.99;                         ///< gamma_r: (0, 1]
    HumanModel humanModel = HumanModel::Expected;  ///< human_model
    HumanPrior humanPrior = HumanPrior::Auto;      ///< human_prior
    bool includesStepCount = true;                 ///< include_step_count

    // Curricula: a discount factor rises in a straight line over so many training steps, counted
    // from where the humans' policies are learned. Unset: it is the final one from the start.
    std::optional<double> gammaStart_h;  ///< gamma_h_start: (0, gamma_h]
    std::optional<double> gammaStart_r;  ///< gamma_r_start: (0, gamma_r]
    std::int64_t gammaSteps_h = 20'000;  ///< gamma_h_rampup_steps: >= 0
    std::int64_t gammaSteps_r = 20'000;  ///< gamma_r_rampup_steps: >= 0

    /// original_rules: terminal successors are evaluated by the network, a goal reached on the last
    /// step of an episode does not count, table defaults pass through the output function, what
    /// lies under things is hidden.
    bool originalRules = false;
    /// whole_encoding: no two states are encoded alike; without it, or by the original's rules, a
    /// warning says what is lost.
    bool wholeEncoding = true;
    EncodingRules encodingRules() const {
        return wholeEncoding && !originalRules ? EncodingRules::Whole : EncodingRules::Former;
    }

    std::array<QuantitySpec, kNumQuantities> quantities = {{
        {.learningRate = 1e-3, .tableDefault = 0.5, .warmupSteps = 10'000},
        {.tableDefault = 0.5, .warmupSteps = 10'000},
        {.kind = Approximator::Computed, .tableDefault = -1, .warmupSteps = 5'000},
        {.tableDefault = -1, .warmupSteps = 10'000},
        {.kind = Approximator::Computed, .tableDefault = -1, .warmupSteps = 5'000},
    }};
    /// Q_h of a learned prior, not Computed: q_h_kind, lr_q_h, lookup_default_q_h ([0, 1]),
    /// q_h_target_update_freq, warmup_human_steps (>= 1 where it is learned).
    QuantitySpec q_h = {.learningRate = 1e-3, .tableDefault = 0.5, .warmupSteps = 10'000};
    QuantitySpec& of(Quantity quantity) { return quantities[static_cast<std::size_t>(quantity)]; }
    const QuantitySpec& of(Quantity quantity) const {
        return quantities[static_cast<std::size_t>(quantity)];
    }

    // Networks and tables.
    int hiddenSize = 256;                        ///< hidden_dim: F, in [8, 4096]
    double dropout = 0.5;                        ///< dropout: [0, 1)
    bool usesEncoders = true;                    ///< use_encoders: false, identity features
    OwnEncoders ownEncoders = OwnEncoders::Own;  ///< own_encoders
    bool has39Planes = false;                    ///< seed_planes: the seed's layout of planes
    bool usesZSpace = false;                     ///< use_z_space: Q_r through z in (0, 1)
    bool usesZLoss = false;                      ///< use_z_based_loss: until the rates decay
    double weightDecay = 1e-4;                   ///< weight_decay: >= 0, Adam's, of networks
    bool adaptiveTables = false;                 ///< adaptive_tables: step 1/n for Adam's
    double tableRateFloor = 1e-6;                ///< table_rate_floor: (0, 1], the least 1/n
    bool clipsGradients = true;                  ///< clip_gradients
    double clipNorm = 10.0;                      ///< grad_clip: > 0
    bool autoClip = true;                        ///< auto_grad_clip: norm times rate / kClipRate
    bool weightsActions = false;                 ///< weight_actions: Q_r's loss by pi(1-pi)+floor
    double actionWeightFloor = 0.1;              ///< action_weight_floor: > 0

    // Steps.
    std::int64_t trainingSteps = 100'000;     ///< num_training_steps: >= 1
    int batchSize = 64;                       ///< batch_size: >= 1
    std::optional<int> xhBatchSize;           ///< x_h_batch_size: >= 1; unset, batch_size
    int stepsPerEpisode = 50;                 ///< steps_per_episode: >= 1
    int environmentStepsPerTrainingStep = 1;  ///< env_steps_per_training_step: >= 1
    int trainingStepsPerEnvironmentStep = 1;  ///< training_steps_per_env_step: >= 1
    /// num_steps: n of n-step targets; 1, full model-based ones; 0, to the episode's end
    int numSteps = 1;
    std::int64_t rampSteps = 20'000;           ///< beta_r_rampup_steps: >= 0
    RateDecay rateDecay = RateDecay::Inverse;  ///< lr_decay
    double constantRateFraction = 0.7;         ///< lr_constant_fraction: [0, 1] of all steps
    std::int64_t bufferCapacity = 100'000;     ///< buffer_size: >= batch_size
    BufferClearing bufferClearing = BufferClearing::Gradual;  ///< buffer_clearing

    // Acting.
    double epsilonStart_r = 1.0;            ///< epsilon_r_start: [0, 1]
    double epsilonEnd_r = 0.01;             ///< epsilon_r_end: [0, 1]
    double epsilonStart_h = 1.0;            ///< epsilon_h_start: [0, 1]
    double epsilonEnd_h = 0.01;             ///< epsilon_h_end: [0, 1]
    std::int64_t epsilonSteps = 10'000;     ///< epsilon_decay_steps: >= 0, training steps
    double goalResampleProbability = 0.01;  ///< goal_resample_prob: [0, 1]
    int goalsPerHuman = 5;                  ///< goals_per_human: >= 1, drawn for computed X_h
    RobotExploration exploration_r = RobotExploration::Policy;  ///< robot_exploration
    /// exploration_policy: [A], robots; empty: all alike, or by robot_exploration forward and macro
    /// 0.58 for forward, 0.06 for still and 0.18 for others
    std::vector<double> explorationPolicy = {};
    double macroSteps = 4.0;  ///< macro_steps: >= 1, mean number of steps that go on the same way
    std::vector<double> explorationPolicy_h = {};  ///< human_exploration_policy: [A]; empty uniform
    Curiosity curiosity_r = Curiosity::None;       ///< curiosity_r
    Curiosity curiosity_h = Curiosity::None;       ///< curiosity_h
    double curiosityCoefficient = 0.1;             ///< curiosity_coef: >= 0
    double curiosityScale = 1.0;                   ///< curiosity_scale: > 0
    double rndLearningRate = 1e-4;                 ///< lr_rnd: > 0
    bool rndScalesRates = false;                   ///< rnd_adaptive_lr: gradients follow novelty

    // Collectors and learner.
    bool isAsync = false;                   ///< async_training
    int numCollectors = 1;                  ///< num_actors: >= 1
    std::int64_t collectorSyncSteps = 100;  ///< actor_sync_freq: >= 1, training steps
    std::int64_t minBufferSize = 1000;      ///< async_min_buffer_size: >= 1
    std::int64_t queueCapacity = 10'000;    ///< async_queue_size: >= 1
    /// max_env_steps_per_training_step: > 0; unset, collectors are never held back
    std::optional<double> maxEnvironmentStepsPerTrainingStep = 10.0;
    int minLivingCollectors = 1;    ///< min_living_actors: [1, num_actors]
    int restartsPerTenMinutes = 3;  ///< actor_restarts: >= 0

    // Machine and records.
    Device device = Device::Auto;        ///< device
    std::uint64_t seed = 0;              ///< seed
    bool profilesBatching = false;       ///< profile_batching: prints the profile
    std::int64_t profileInterval = 100;  ///< profile_batching_interval: >= 1

    bool operator==(const EmpoSpec&) const = default;

    bool isUsed(Quantity quantity) const { return of(quantity).kind != Approximator::Computed; }
    bool hasNetworks() const;  ///< among the five quantities
    bool hasTables() const;    ///< of states, Q_h's included
    bool learnsHumans() const { return humanPrior == HumanPrior::Learned; }
    bool hasHumanNetwork() const { return learnsHumans() && q_h.kind == Approximator::Network; }
    bool hasHumanTable() const { return learnsHumans() && q_h.kind == Approximator::Table; }
    bool hasRnd() const { return curiosity_r == Curiosity::Rnd || curiosity_h == Curiosity::Rnd; }
};

/// Every problem that can be seen without the worlds; empty if none.
std::vector<SpecProblem> validate(const EmpoSpec& spec);

}  // namespace orrery
