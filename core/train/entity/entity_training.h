#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/entity/vec_metrics.h"
#include "core/env/advice.h"
#include "core/env/environment.h"
#include "core/train/entity/entity_spec.h"
#include "core/train/method.h"

namespace orrery {

/// Makes an environment; each call one of the same spaces. Any thread.
using EnvironmentMaker = std::function<std::unique_ptr<Environment>()>;

/// Learning among things as a method: what it needs beside what every training has.
struct EntityRequest {
    EntitySpec spec = {};
    EnvironmentMaker environment = {};
    EnvironmentMaker evalEnvironment = {};  ///< where spec.eval is set
    /// Of the run; empty: no samples are kept.
    std::filesystem::path folder = {};
};

/// What a training among things does in its steps, each of which is an update.
enum class EntityWork : std::uint8_t {
    Act,       ///< environments do a step
    Choose,    ///< the policy says what they do
    Estimate,  ///< advantages
    Gather,    ///< frames of a minibatch
    Learn,     ///< forwards and backwards
    Optimise,  ///< parameters follow
    Evaluate,
};
const std::vector<SpanWords>& entitySpans();

/// A training among things at one moment.
struct EntitySnapshot : TrainingSnapshot {
    std::int64_t update = 1, updates = 1;         ///< the one at work, counted from 1
    std::int64_t rolloutStep = 0;                 ///< steps of its rollout that are done
    std::int64_t minibatch = 0, minibatches = 0;  ///< of it, over all epochs
    PpoRates rates = {};                          ///< of the update
    std::int64_t episodes = 0;                    ///< that ended so far
    double recentReward = 0;                      ///< mean of the last ones; NaN: none ended
    std::int64_t recentEpisodes = 0;              ///< how many that are
    std::int64_t parameters = 0;                  ///< numbers of all networks
    std::map<std::string, std::int64_t> memory = {};
    /// What some of the environments are like: the first ones.
    struct Place {
        Picture picture = {};
        std::int64_t step = 0;  ///< of the episode
        double reward = 0;      ///< of the episode so far
        double value = 0;       ///< what the rest of it is expected to bring
    };
    std::vector<Place> places = {};
    std::int64_t numEnvironments = 0;
    double throughput = 0;  ///< frames a second, evaluations and pauses left out

    std::map<std::string, std::int64_t> memoryByName() const override { return memory; }
};

/// What is asked about a checkpoint.
struct EntityEvaluateRequest {
    EntitySpec spec = {};
    EnvironmentMaker environment = {};
    std::filesystem::path checkpoint = {};
    std::int64_t episodes = 100;
    bool isGreedy = false;
    std::uint64_t seed = 1;
};

/// Episodes that were played to their end, in the order of environments, then of time.
struct EntityEvaluation {
    std::int64_t step = 0;  ///< of the checkpoint
    std::vector<double> rewards = {};
    std::vector<std::int64_t> lengths = {};  ///< steps
};

/// The policy of a checkpoint.
struct EntityPolicyRequest {
    EntitySpec spec = {};
    EnvironmentSpaces spaces = {};
    std::filesystem::path checkpoint = {};
};

/// A number that was computed, and what stored values say of it.
struct OracleValue {
    std::string where;  ///< "cases[3].value[0]"
    double inFile = 0, computed = 0;
    double relative = 0, absolute = 0;  ///< that they may differ
};

/// What the learners' library offers for learning among things.
struct EntityLibrary {
    /// Bit-exact for any number of threads. Snapshots are EntitySnapshots.
    /// @throws Error (BadInput) what cannot be learned
    /// Source: seed 004; spec entity, section 6.
    std::unique_ptr<Method> (*make)(const EntityRequest&) = nullptr;
    /// Episodes by the policy of a checkpoint. @return fewer if stopped
    /// @throws Error (Damaged) a checkpoint
    EntityEvaluation (*evaluate)(const EntityEvaluateRequest&, const ProgressSink&,
                                 std::stop_token) = nullptr;
    /// @throws Error (Damaged) a checkpoint, (BadInput) spaces that the spec does not fit
    std::unique_ptr<AdvisingPolicy> (*policy)(const EntityPolicyRequest&) = nullptr;
    /// Computes what a file of stored values has of networks with their gradients, or of losses,
    /// advantages, AdamW and schedules, number by number.
    /// @throws Error (BadInput) a file that has neither
    void (*compare)(std::string_view json, const std::function<void(const OracleValue&)>& tell,
                    std::stop_token) = nullptr;
};

/// Loads it.
/// @throws Error (Resource) if it cannot be had
const EntityLibrary& entityLibrary();

}  // namespace orrery
