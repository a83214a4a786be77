// Measures what learning comes to: errors to the exact solution over all states that can be reached
// and are not terminal, unweighted, after a stated budget.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "core/files/world_file.h"
#include "tests/core/empo/training.h"
#include "tests/core/train/empo_training.h"
#include "tests/perf/learn_parts.h"
#include "tests/perf/perf_rows.h"

namespace orrery::perf {

namespace {

/// One budget for all worlds of a row.
struct Budget {
    const char* name;  ///< of the row
    std::vector<const char*> worlds;
    int seeds;
    EmpoSpec spec;
    double v_h_e, pi_r;  ///< what shall be reached
};

/// Conditions of every run: goals drawn anew at every step, humans that never explore, episodes
/// that end with the world.
EmpoSpec common() {
    EmpoSpec spec;
    spec.goalResampleProbability = 1;
    spec.epsilonStart_h = spec.epsilonEnd_h = 0;
    spec.epsilonStart_r = spec.epsilonEnd_r = 1;
    spec.stepsPerEpisode = 100;
    spec.environmentStepsPerTrainingStep = 10;
    return spec;
}

EmpoSpec tables() {
    EmpoSpec spec = common();
    for (const Quantity quantity : {Quantity::V_h_e, Quantity::X_h, Quantity::Q_r}) {
        spec.of(quantity).kind = Approximator::Table;
        spec.of(quantity).targetCopySteps = 1;
        spec.of(quantity).warmupSteps = 0;
    }
    spec.adaptiveTables = true;
    spec.tableRateFloor = 0.2;
    spec.rampSteps = 0;
    spec.trainingSteps = 60'000;
    return spec;
}

EmpoSpec networks() {
    EmpoSpec spec = common();
    for (const Quantity quantity : {Quantity::V_h_e, Quantity::X_h, Quantity::Q_r})
        spec.of(quantity).learningRate = 1e-3;
    spec.of(Quantity::V_h_e).warmupSteps = 1000;
    spec.of(Quantity::X_h).warmupSteps = 500;
    spec.of(Quantity::Q_r).warmupSteps = 500;
    spec.rampSteps = 2000;
    spec.hiddenSize = 64;
    spec.dropout = 0;
    spec.weightDecay = 0;
    spec.usesZSpace = true;  // Q_r spans ten orders of magnitude near the end
    spec.trainingSteps = 10'000;
    return spec;
}

/// Trains once. @return the last errors
ErrorNumbers trained(const Budget& budget, const std::string& worldName, std::uint64_t seed) {
    test::EmpoTraining request;
    request.cadence = {.metricInterval = 1000, .checkpointSeconds = 0};
    request.spec = budget.spec;
    request.spec.seed = seed;
    request.worlds = {
        makeWorld(requireSpec(readWorldFile(ORRERY_ORACLE_WORLDS "/" + worldName + ".yaml")))};
    request.exact = {test::solveExactly(request.worlds[0], request.spec)};
    std::shared_ptr<const EmpoSnapshot> last;
    TrainHooks hooks;
    test::keepSnapshot(hooks, last);
    test::trainEmpo(request, hooks, {});
    const ErrorNumbers errors = last->errors.at(0).value();
    std::fprintf(stderr,
                 "%s %s seed %d: V_h^e %.2g (worst 1 %%: %.2g), pi_r %.2g (%.2g), %lld of %lld "
                 "states unvisited, %.1f s\n",
                 budget.name, worldName.c_str(), static_cast<int>(seed), errors.v_h_e,
                 errors.worst_v_h_e, errors.pi_r, errors.worst_pi_r,
                 static_cast<long long>(errors.unvisited), static_cast<long long>(errors.states),
                 last->seconds);
    return errors;
}

void converge(const Budget& budget) {
    double v_h_e = 0;
    double pi_r = 0;
    for (const char* world : budget.worlds)
        for (int seed = 1; seed <= budget.seeds; ++seed) {
            const ErrorNumbers errors = trained(budget, world, static_cast<std::uint64_t>(seed));
            v_h_e = std::max(v_h_e, errors.v_h_e);
            pi_r = std::max(pi_r, errors.pi_r);
        }
    const std::string runs = "worst of " + std::to_string(budget.worlds.size()) + " worlds x " +
                             std::to_string(budget.seeds) + " seeds, " +
                             std::to_string(budget.spec.trainingSteps) + " steps";
    rows().push_back({std::string(budget.name) + "_v_h_e", v_h_e, "mean error, " + runs, "",
                      budget.v_h_e, true});
    rows().push_back({std::string(budget.name) + "_pi_r", pi_r, "total variation, " + runs, "",
                      budget.pi_r, true});
}

/// How a training with a stated error as its end went.
struct Timed {
    double seconds = 0;      ///< until the error was reached
    double actingShare = 0;  ///< of the learner's thread
    double stepsPerSecond = 0;
    double learningPerSecond = 0;  ///< steps a second without acting and waiting
};

Timed timed(const EmpoSpec& spec, const std::shared_ptr<const World>& world,
            const std::shared_ptr<const Solution>& exact) {
    test::EmpoTraining request;
    request.cadence = {.metricInterval = 1000, .checkpointSeconds = 0};
    request.spec = spec;
    request.worlds = {world};
    request.exact = {exact};
    request.stop.metric = "Exact/v_h_e";
    request.stop.atMost = 0.01;
    std::shared_ptr<const EmpoSnapshot> last;
    TrainHooks hooks;
    test::keepSnapshot(hooks, last);
    const TrainOutcome outcome = test::trainEmpo(request, hooks, {});
    const StageSums& profile = last->profile;
    const auto ns = [&](SpanKind stage) {
        return static_cast<double>(profile.ns[static_cast<std::size_t>(stage)]);
    };
    const double all = static_cast<double>(profile.totalNs());
    const auto steps = static_cast<double>(outcome.steps);
    return {last->seconds, ns(ProfileStage::kActor) / all, steps / last->seconds,
            steps / ((all - ns(ProfileStage::kActor) - ns(ProfileStage::kIdle)) * 1e-9)};
}

}  // namespace

void learningWithActors() {
    EmpoSpec spec = tables();
    spec.batchSize = 32;
    spec.environmentStepsPerTrainingStep = 220;
    spec.maxEnvironmentStepsPerTrainingStep = 220;
    spec.trainingSteps = 200'000;
    const auto world = makeWorld(requireSpec(readWorldFile(ORRERY_ORACLE_WORLDS "/p02.yaml")));
    const auto exact = test::solveExactly(world, spec);
    EmpoSpec withActors = spec;
    withActors.isAsync = true;
    withActors.numCollectors = 2;
    Timed turn, threads;
    for (int k = 0; k < 3; ++k) {  // alternating, the shortest of three each
        const Timed one = timed(spec, world, exact);
        const Timed two = timed(withActors, world, exact);
        if (k == 0 || one.seconds < turn.seconds) turn = one;
        if (k == 0 || two.seconds < threads.seconds) threads = two;
        std::fprintf(stderr,
                     "in turn %.2f s, acting %.0f %%, %.0f steps/s of learning; two actors %.2f s, "
                     "%.0f steps/s\n",
                     one.seconds, 100 * one.actingShare, one.learningPerSecond, two.seconds,
                     two.stepsPerSecond);
    }
    rows().push_back({"async_wall_time", turn.seconds / threads.seconds,
                      "times shorter to V_h^e 0.01, acting is " +
                          std::to_string(static_cast<int>(100 * turn.actingShare)) +
                          " % of a synchronous step",
                      "", 1.3, false});
    rows().push_back({"async_learner_rate", threads.stepsPerSecond / turn.learningPerSecond,
                      "of the synchronous learner's without acting", "", 0.9, false});
}

void convergingTables() {
    converge({"converge_tables", {"p01", "p02", "p09", "p10"}, 5, tables(), 0.01, 0.02});
}

void convergingNetworks() {
    converge({"converge_networks", {"p01", "p10"}, 3, networks(), 0.05, 0.1});
}

}  // namespace orrery::perf
