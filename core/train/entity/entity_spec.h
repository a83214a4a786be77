#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/entity/net_spec.h"
#include "core/env/spaces.h"
#include "core/ppo/spec.h"
#include "core/spec/field.h"
#include "core/spec/problem.h"
#include "core/spec/spec_table.h"

namespace orrery {

/// In what is acted.
struct EntityPlaceSpec {
    std::string id = "MineSweeper";    ///< id: of the catalogue of environments
    FieldValue kwargs = FieldMap();    ///< kwargs: its options, an object
    bool validates = true;             ///< validate
    std::int64_t maxEpisodeSteps = 0;  ///< max_episode_steps: >= 0; 0: none
    bool operator==(const EntityPlaceSpec&) const = default;

    std::string optionsJson() const { return fieldText(kwargs); }
};

/// Which samples are kept of what is seen and done.
struct CaptureSpec {
    std::optional<std::string> file = {};  ///< capture_samples: in the run's folder; none: no
    bool logits = false;                   ///< capture_logits
    std::int64_t subsample = 1;            ///< capture_samples_subsample: >= 1
    bool operator==(const CaptureSpec&) const = default;
};
/// Where a run's folder keeps them.
inline constexpr char kSampleFolder[] = "samples";

/// How the policy is measured while it is learned.
struct EntityEvalSpec {
    std::int64_t interval = 100'000;     ///< interval: >= 1, frames
    std::int64_t steps = 1000;           ///< steps: >= 1, at most in each environment
    std::int64_t numEnvs = 32;           ///< num_envs: >= 1
    std::int64_t episodes = 2;           ///< episodes: >= 0, of each environment; 0: all in steps
    bool isGreedy = false;               ///< greedy
    bool runsOnFirstStep = true;         ///< run_on_first_step
    std::optional<std::string> id = {};  ///< env.id; none: that of the training
    std::optional<FieldValue> kwargs = {};  ///< env.kwargs; none: those of the training
    CaptureSpec capture = {.logits = true};
    bool operator==(const EntityEvalSpec&) const = default;
};

/// Learning to decide as samples do, in place of learning from rewards.
struct CloningSpec {
    /// Mse: of the logarithms of the choices' probabilities. Kl: the divergence from the samples'
    /// probabilities; where they have no logits, of the choice against all others.
    enum class Loss : std::uint8_t { Mse, Kl };

    std::string file = {};      ///< file: of samples
    std::int64_t epochs = 10;   ///< epochs: >= 1
    std::int64_t bs = 512;      ///< bs: >= 1, frames of a minibatch
    double lr = 1e-4;           ///< lr: > 0
    bool annealLr = true;       ///< anneal_lr
    double weightDecay = 0.01;  ///< weight_decay: >= 0
    double maxGradNorm = 100;   ///< max_grad_norm: > 0
    Loss loss = Loss::Mse;      ///< loss
    double testShare = 0.1;     ///< test_share: [0, 1), of frames that are not learned from
    bool operator==(const CloningSpec&) const = default;
};

/// Learning to act among things by proximal policy optimisation.
struct EntitySpec {
    EntityPlaceSpec env = {};
    RogueNetSpec net = {};
    std::optional<RogueNetSpec> vfNet = {};  ///< vf_net: values have a network of their own
    OptimSpec optim = {};
    PpoSpec ppo = {};
    RolloutSpec rollout = {};
    std::optional<EntityEvalSpec> eval = {};
    std::int64_t totalTimesteps = 1'000'000;  ///< total_timesteps: >= 1, frames
    CaptureSpec capture = {};
    std::optional<CloningSpec> cloning = {};  ///< cloning: samples are learned from, not rewards
    std::uint64_t seed = 1;                   ///< that of the run
    bool operator==(const EntitySpec&) const = default;

    /// Each takes rollout.frames(); those that fit in total_timesteps, at least one.
    std::int64_t updates() const;
    /// Where evaluations act.
    EntityPlaceSpec evalPlace() const;
};

/// Fields of all but the seed.
const SpecTable<EntitySpec>& entityFields();

/// What is wrong beyond the ranges of single fields, without a look at the environment.
std::vector<SpecProblem> entityProblems(const EntitySpec& spec);
/// The same with the environment's spaces.
std::vector<SpecProblem> entityProblems(const EntitySpec& spec, const EnvironmentSpaces& spaces);

/// Where a training is when so many frames are done.
PpoProgress progressOf(const EntitySpec& spec, std::int64_t stepsDone);

/// "optim.lr" and the like: rates that fall by themselves with what is left of a training, or
/// follow a schedule. A person who sets one says what it shall be now.
/// @param stepsDone  frames, at the begin of an update
/// @return the value of the field that comes to `now` there; nothing if it is no such rate, or
///         `now` is itself a schedule, or nothing is left
std::optional<FieldValue> rateAtStart(const EntitySpec& spec, std::string_view field,
                                      const FieldValue& now, std::int64_t stepsDone);
/// What such a rate is there; nothing if it is none.
std::optional<double> rateNow(const EntitySpec& spec, std::string_view field,
                              std::int64_t stepsDone);

}  // namespace orrery
