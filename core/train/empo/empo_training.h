#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/progress.h"
#include "core/empo/learner_desk.h"
#include "core/empo/spec.h"
#include "core/solve/solution.h"
#include "core/train/method.h"
#include "core/world/world.h"

namespace orrery {

/// Learned planning as a method: what it needs beside what every training has.
struct EmpoRequest {
    EmpoSpec spec = {};
    std::vector<std::shared_ptr<const World>> worlds = {};  ///< at least one
    /// The exact solution of each world, or null: then the error to exact is not computed.
    /// Its parameters are the spec's.
    std::vector<std::shared_ptr<const Solution>> exact = {};
    /// Exact solutions of the worlds for these parameters, [worlds], null where not solved. Called
    /// before a comparison with them, once after each change of beta_r or several. Without it there
    /// are none while beta_r differs from the request's, which one message says.
    std::function<std::vector<std::shared_ptr<const Solution>>(const EmpoSpec&)> solveAgain = {};
};

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
    std::vector<std::shared_ptr<const Solution>> exact = {};  ///< as in EmpoRequest
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

/// What a checkpoint says of encoded states.
struct ValuesRequest {
    EmpoSpec spec = {};
    std::vector<std::shared_ptr<const World>> worlds = {};
    std::filesystem::path checkpoint = {};
    ValueQuestion question = {};
};

/// What the learners' library offers for learned planning.
struct EmpoLibrary {
    /// Synchronous training is bit-exact, with collectors on threads it is reproducible in
    /// distribution. Snapshots are EmpoSnapshots.
    /// @throws Error (BadInput) what cannot be learned, (Resource) no GPU
    /// Fault points: actor.step (of any actor), actor.N.step.
    /// Source: seeds 000 and 003; spec empo section 6.
    std::unique_ptr<Method> (*make)(const EmpoRequest&) = nullptr;
    /// Rollouts of a checkpoint, and its error to the exact solution.
    Evaluation (*evaluate)(const EvaluateRequest&, const ProgressSink&, std::stop_token) = nullptr;
    /// Learned values of a checkpoint, live ones and the copies that targets are computed from.
    /// @throws Error (Damaged) a checkpoint, (BadInput) states of another size
    ValueAnswer (*values)(const ValuesRequest&) = nullptr;
};

/// Loads it.
/// @throws Error (Resource) if it cannot be had
const EmpoLibrary& empoLibrary();

}  // namespace orrery
