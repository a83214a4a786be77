#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/empo/batch_profile.h"
#include "core/empo/schedule.h"
#include "core/empo/spec.h"
#include "core/train/metric_value.h"
#include "core/train/training_flow.h"
#include "core/train/training_snapshot.h"

namespace orrery {

/// One quantity's newest numbers. NaN where there is none yet.
struct QuantityNumbers {
    bool isActive = false;
    double loss = 0;  ///< mean squared error of the newest batch; a network of U_r: of y
    double mean = 0, deviation = 0;  ///< of its predictions
    double targetMean = 0, targetDeviation = 0;
    double gradientNorm = 0;        ///< before clipping; tables: of the rows touched
    double parameterNorm = 0;       ///< networks; 0 for tables
    double learningRate = 0;        ///< in force
    std::int64_t updates = 0;       ///< steps of its optimiser
    std::int64_t tableRows = 0;     ///< rows that exist
    std::int64_t tableEntries = 0;  ///< numbers that an update reached
};

/// A training step's outcome as plain numbers. Made where metrics are taken, not at every step.
struct LearnerNumbers {
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    std::int64_t step = 0;  ///< training steps done
    double powerFactor = 0, beta_eff = 0;
    double rateFactor = 1;
    double epsilon_r = 0, epsilon_h = 0;
    int stage = 0;  ///< index in EmpoSnapshot::stages
    bool isWarmup = true, isDecaying = false;
    std::array<QuantityNumbers, kNumQuantities> quantities = {};
    QuantityNumbers q_h = {};               ///< of the humans' stage
    double gamma_h = 1, gamma_r = 1;        ///< that targets have
    double qLossTaken = 0;                  ///< Q_r: of the taken actions alone
    double z_rMean = 0, z_rTargetMean = 0;  ///< Q_r in z-space
    double y_rMean = 0, y_rDeviation = 0;   ///< U_r as y, predictions of its network
    double y_rTargetMean = 0;
    // RND: one predictor tells robots and humans what is new. NaN before it is trained.
    double rndLoss = kNone;         ///< its mean error in the newest batch
    double rndNovelty = kNone;      ///< mean of what collectors are drawn by: normalised and scaled
    double rndScale = 1;            ///< what rnd_adaptive_lr multiplied the gradients by
    std::int64_t skippedSteps = 0;  ///< for NaN or infinity
};

/// A collector at one moment.
struct CollectorNumbers {
    using State = ActorState;
    State state = State::Running;
    std::int64_t environmentSteps = 0, episodes = 0, dropped = 0;
    double stepsPerSecond = 0;
    std::int64_t weightsStep = 0;  ///< the training step whose weights it acts by
    int restarts = 0;
    int world = 0;  ///< index of the run's world
    int episodeStep = 0;
    std::vector<std::uint8_t> goals = {};           ///< [H] pursued
    std::vector<std::uint64_t> configuration = {};  ///< of its world: [keyWords]
    std::string trouble = {};                       ///< its last error
};

/// Error of the learned numbers against the exact ones, over all states.
struct ErrorNumbers {
    std::int64_t step = 0;
    double v_h_e = 0, pi_r = 0, x_h = 0, v_r = 0;
    double worst_v_h_e = 0, worst_pi_r = 0;
    std::optional<double> pi_h;  ///< where the humans' policies are learned: total variation
    std::int64_t states = 0, unvisited = 0;
};

/// Where a training's memory is, bytes.
struct MemoryNumbers {
    std::int64_t buffer = 0;      ///< transitions, models and encoded states
    std::int64_t tables = 0;      ///< with their index of states and their target copies
    std::int64_t parameters = 0;  ///< of networks, target copies included; on their device
    std::int64_t optimisers = 0;  ///< moments of networks
    std::int64_t recording = 0;   ///< of spans, at most
    std::int64_t process = 0;     ///< all of this process that is in memory; 0: not known
};

/// By the members' names.
std::map<std::string, std::int64_t> memoryByName(const MemoryNumbers& memory);

/// How the visits of a training spread over the states that it visited.
struct VisitNumbers {
    std::int64_t states = 0, total = 0;
    std::int64_t median = 0, percentile90 = 0, most = 0;  ///< visits of one state
    std::int64_t revisited = 0;  ///< states that were visited more than once
    double meanRoot = 0;         ///< mean of 1 / sqrt(visits + 1) over the states
};
/// @param counts  [states] visits of each, above 0, in any order. O(n log n)
VisitNumbers visitNumbersOf(std::vector<std::uint32_t> counts);

/// Learned planning at one moment. Immutable once made; anyone may keep it.
/// Its desk is a LearnerDesk.
struct EmpoSnapshot : TrainingSnapshot {
    std::int64_t environmentSteps = 0;
    std::int64_t visitedStates = 0;  ///< different states that transitions started from, ever
    std::optional<VisitNumbers> visits = {};  ///< only where it is told, at long intervals
    double environmentStepsPerSecond = 0;
    std::vector<EmpoStage> stages = {};
    LearnerNumbers learner = {};
    ReplayNumbers replay = {};
    std::vector<CollectorNumbers> collectors = {};
    StageSums profile = {};
    MemoryNumbers memory = {};
    std::vector<std::optional<ErrorNumbers>> errors = {};  ///< [worlds]
    std::int64_t published = 0;                            ///< versions of weights
    std::string device = {};                               ///< "cpu", "NVIDIA H100"

    std::map<std::string, std::int64_t> memoryByName() const override {
        return orrery::memoryByName(memory);
    }
};

/// The same object; null where it is null, or of another method.
inline const EmpoSnapshot* empoOf(const TrainingSnapshot* snapshot) {
    return dynamic_cast<const EmpoSnapshot*>(snapshot);
}

/// The scalars of spec empo 6.5 that this run has, under the original's names. Quantities that are
/// not used, and numbers that are not there yet, are left out. Losses and novelty of RND are those
/// of one predictor: rnd_* where robots are drawn by it, human_rnd_* where humans are.
/// Exploration/visit_count_*, in place of the original's histogram, and count_curiosity_* are told
/// where the snapshot has its visits.
std::vector<MetricValue> metricsOf(const EmpoSpec& spec, const EmpoSnapshot& snapshot);

/// Every name that metricsOf can give, in a fixed order.
std::vector<std::string> allMetricNames();

}  // namespace orrery
