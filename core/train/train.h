#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/run_event.h"
#include "core/empo/learner_desk.h"
#include "core/empo/snapshot.h"
#include "core/empo/spec.h"
#include "core/solve/solution.h"
#include "core/train/steering.h"
#include "core/train/train_trouble.h"
#include "core/world/world.h"

namespace orrery {

/// A checkpoint that is durable.
struct TrainCheckpoint {
    std::int64_t step = 0;
    std::filesystem::path folder = {};
    std::string sha256 = {};  ///< of its manifest
    std::uint64_t bytes = 0;  ///< of all its files
};

struct TrainRequest {
    EmpoSpec spec = {};
    std::vector<std::shared_ptr<const World>> worlds = {};  ///< at least one
    /// The exact solution of each world, or null: then the error to exact is not computed.
    /// Its parameters are the spec's.
    std::vector<std::shared_ptr<const Solution>> exact = {};
    std::filesystem::path folder = {};      ///< where checkpoints are made; empty: none are
    std::filesystem::path resumeFrom = {};  ///< a checkpoint's folder; empty: from the start
    std::string specJson = {};              ///< of the whole run, kept in checkpoints
    std::vector<TrainChange> changes = {};  ///< known beforehand, ascending by step
    StopConditions stop = {};
    /// Somebody is there who decides what becomes of a skipped step: after the first in a row, and
    /// after each with which the training would end, TrainHooks::boundary is called at once and
    /// shall block; a stop then ends the training as diverged, or as stopped where a checkpoint is
    /// wanted after the first in a row.
    bool pausesAtTrouble = false;
};

/// What TrainHooks::boundary says of a paused run that was asked for something.
inline constexpr std::int64_t kCallAgain = -1;

/// Called on the thread that calls trainEmpo, none may throw anything but Error.
struct TrainHooks {
    std::function<void(std::int64_t step, const std::string& key, double value)> metric = {};
    std::function<void(const event::Message&)> message = {};
    /// Between training steps, after each slow one or 30 ms; blocks while the run is paused.
    /// @return training steps that may be done before the next call; 0: any number; kCallAgain:
    ///         the run is paused and there are changes, a wish for a checkpoint or questions at the
    ///         desk: they are taken, then this is called again at the same step
    std::function<std::int64_t(const Progress&)> boundary = {};
    std::function<void(std::shared_ptr<const EmpoSnapshot>)> snapshot = {};
    /// The least time between two snapshots now; 0, or without it: 100 ms.
    std::function<std::chrono::milliseconds()> snapshotPause = {};
    /// The changes that people asked for since the last call; `step` is not looked at.
    std::function<std::vector<TrainChange>()> takeChanges = {};
    std::function<void(const AppliedChange&)> changed = {};
    /// A step was skipped; one message was told of it. If it asks, the next boundary shall block.
    std::function<void(const TrainTrouble&)> troubled = {};
    /// Runs what writes, again while the disk is full.
    std::function<void(const std::function<void()>&)> writing = {};
    /// A checkpoint is durable.
    std::function<void(const TrainCheckpoint&)> saved = {};
    std::function<bool()> wantsCheckpoint = {};  ///< someone asked for one now
    /// Exact solutions of the worlds for these parameters, [worlds], null where not solved. Called
    /// before a comparison with them, once after each change of beta_r or several. Without it there
    /// are none while beta_r differs from the request's, which one message says.
    std::function<std::vector<std::shared_ptr<const Solution>>(const EmpoSpec&)> solveAgain = {};
};

struct TrainOutcome {
    RunState state = RunState::Finished;  ///< Finished, Stopped or Diverged
    std::string summary = {};             ///< one line
    std::int64_t steps = 0;
};

/// Trains until the spec's steps are done, a stop condition holds or a stop is requested; then, and
/// at the spec's intervals, makes a checkpoint. Synchronous training is bit-exact: the same request
/// gives the same numbers, and a resumed run continues as if it had not been interrupted.
/// @throws Error (BadInput) what cannot be learned, (Resource) no GPU, (Damaged) a checkpoint
/// Numbers that are not finite never get into a checkpoint: the training has diverged before.
/// Fault points: train.step, actor.step (of any actor), actor.N.step.
/// Source: seeds 000 and 003; spec empo section 6.
TrainOutcome trainEmpo(const TrainRequest& request, const TrainHooks& hooks, std::stop_token stop);

/// How far learned values are from exact ones.
struct ExactError {
    double v_h_e = 0;         ///< mean |learned - exact| over states, humans and goals
    double pi_r = 0;          ///< mean total variation over states
    double x_h = 0, v_r = 0;  ///< mean |learned / exact - 1|
    double worst_v_h_e = 0, worst_pi_r = 0;  ///< the mean of the worst 1 %
    /// Where the humans' policies are learned: mean total variation over states, humans and the
    /// goals that do not hold there.
    std::optional<double> pi_h = {};
    std::int64_t states = 0;     ///< reachable and not terminal, all are counted alike
    std::int64_t unvisited = 0;  ///< of them, without an update (tables) or a visit
    /// One state each, in the order of states (step, then configuration).
    struct StateError {
        State state = {};
        float v_h_e = 0, pi_r = 0;
        bool visited = false;
        std::uint32_t visits = 0;  ///< transitions of the training that started there
    };
    /// What is compared, row by row as byState; V_r and Q_r in the scale of the exact solution.
    /// U_r is weighted in neither.
    struct Numbers {
        std::vector<float> v_h_e = {};  ///< [S, sum of G]: all goals of the first human, ...
        std::vector<float> x_h = {};    ///< [S, H]
        std::vector<float> v_r = {};    ///< [S]
        std::vector<float> pi_r = {};   ///< [S, A_r]
        std::vector<float> q_r = {};    ///< [S, A_r]
        std::vector<float> u_r = {};    ///< [S]
    };
    Numbers learned = {}, exact = {};             ///< filled where byState is
    std::vector<std::uint8_t> isSeen_v_h_e = {};  ///< [S, sum of G] 0: a table's default
    std::vector<std::uint8_t> isSeen = {};        ///< [S] 0: all numbers are tables' defaults
    std::vector<StateError> byState = {};
};

struct EvaluateRequest {
    EmpoSpec spec = {};
    std::vector<std::shared_ptr<const World>> worlds = {};
    std::vector<std::shared_ptr<const Solution>> exact = {};  ///< as in TrainRequest
    std::filesystem::path checkpoint = {};
    std::int64_t episodes = 0;  ///< sampled from the learned policy
};

struct Evaluation {
    std::int64_t step = 0;                ///< of the checkpoint
    std::vector<ExactError> errors = {};  ///< [worlds] if there is an exact solution, else empty
    struct Episode {
        std::int64_t steps = 0;
        std::vector<int> attainedAt = {};  ///< [H] step from 1 on, -1 never
    };
    std::vector<Episode> episodes = {};
};

/// Rollouts of a checkpoint, and its error to the exact solution.
Evaluation evaluateEmpo(const EvaluateRequest& request, const TrainHooks& hooks,
                        std::stop_token stop);

/// What a checkpoint says of encoded states.
struct ValuesRequest {
    EmpoSpec spec = {};
    std::vector<std::shared_ptr<const World>> worlds = {};
    std::filesystem::path checkpoint = {};
    ValueQuestion question = {};
};

/// Learned values of a checkpoint, live ones and the copies that targets are computed from.
/// @throws Error (Damaged) a checkpoint, (BadInput) states of another size
ValueAnswer valuesOfCheckpoint(const ValuesRequest& request);

/// What the shared library of the learners offers; its one symbol is orreryLearnLibrary.
struct LearnLibrary {
    int version = 5;
    TrainOutcome (*train)(const TrainRequest&, const TrainHooks&, std::stop_token) = nullptr;
    Evaluation (*evaluate)(const EvaluateRequest&, const TrainHooks&, std::stop_token) = nullptr;
    ValueAnswer (*values)(const ValuesRequest&) = nullptr;
};
inline constexpr int kLearnLibraryVersion = 5;

}  // namespace orrery

extern "C" const orrery::LearnLibrary* orreryLearnLibrary();
