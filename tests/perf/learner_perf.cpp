// Measures training steps of the learner on the trivial world: a human and a robot of four actions
// each, six goals, 3 x 2 free cells, three quantities. One thread, CPU time.
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "core/base/cpu.h"
#include "core/empo/flat_batch.h"
#include "tests/core/empo/training.h"
#include "tests/perf/learn_parts.h"
#include "tests/perf/nn_floor.h"
#include "tests/perf/perf_rows.h"

namespace orrery::perf {

namespace {

constexpr int kMaxSteps = 10;
constexpr int kCollected = 10'000;
constexpr Quantity kLearned[] = {Quantity::V_h_e, Quantity::X_h, Quantity::Q_r};

/// All quantities active, at full power.
EmpoSpec specOf(Approximator kind, int batchSize) {
    EmpoSpec spec;
    for (const Quantity quantity : kLearned) spec.of(quantity).kind = kind;
    for (const Quantity quantity : kQuantities) spec.of(quantity).warmupSteps = 0;
    spec.rampSteps = 0;
    spec.batchSize = batchSize;
    spec.bufferCapacity = 2 * kCollected;
    spec.bufferClearing = BufferClearing::None;
    return spec;
}

/// Training steps a second, with one environment step each, as the original does.
double stepsPerSecond(test::Training& training, double seconds) {
    for (int k = 0; k < 5; ++k) training.step();
    training.learner().profile().reset();
    int steps = 0;
    const double start = threadCpuMs();
    while (threadCpuMs() - start < 1e3 * seconds)
        for (int k = 0; k < 5; ++k, ++steps) training.step();
    return 1e3 * steps / (threadCpuMs() - start);
}

void printProfile(test::Training& training) {
    const StageSums stats = training.learner().profile().sums();
    std::fprintf(stderr, "%s%s", batchingTable(stats).c_str(), tableBeside(stats).c_str());
}

/// The same learner with `rows` states in its tables, those that it met spread among the others.
std::unique_ptr<test::Training> amongOthers(const test::Training& training, const EmpoSpec& spec,
                                            const test::Worlds& worlds, std::int64_t rows) {
    test::Training::Saved saved = training.save();
    auto& prints = saved.learner.integers.at("table.rows");
    const std::int64_t known = prints.shape.at(0);
    const std::int64_t stride = rows / known;
    const auto spread = [&](auto& array, auto other) {
        const std::int64_t columns = array.shape.at(1);
        std::vector<decltype(other)> values(static_cast<std::size_t>(rows * columns), other);
        for (std::int64_t row = 0; row < array.shape.at(0); ++row)
            std::copy_n(array.values.begin() + row * columns, columns,
                        values.begin() + row * stride * columns);
        array.values = std::move(values);
        array.shape.at(0) = rows;
    };
    for (auto& [name, array] : saved.learner.floats)
        if (name.starts_with("table.") || name.find("/table.") != std::string::npos)
            spread(array, 0.5F);
    for (auto& [name, array] : saved.learner.integers)
        if (name.ends_with(".updates")) spread(array, std::int64_t{1});
    spread(prints, std::int64_t{0});
    Rng rng(1);
    for (std::int64_t row = 0; row < rows; ++row)
        if (row % stride != 0 || row / stride >= known)
            for (std::int64_t k = 0; k < 2; ++k)
                prints.values.at(static_cast<std::size_t>(2 * row + k)) =
                    static_cast<std::int64_t>(rng.next());
    auto among = std::make_unique<test::Training>(spec, worlds);
    among->load(saved);
    return among;
}

/// The mean sizes of the learner's batches.
FloorShape shapeOf(test::Training& training, const EmpoSpec& spec) {
    constexpr int kBatches = 20;
    const std::vector<WorldFacts>& facts = training.facts();
    const GoalList goals(facts);
    Flattener flattener(facts, goals, spec);
    Rng rng(3);
    std::vector<ReplayBuffer::Slot> slots;
    FloorShape shape;
    for (int k = 0; k < kBatches; ++k) {
        training.buffer().sample(static_cast<std::size_t>(spec.batchSize), 0, rng, slots);
        const FlatNeeds needs{
            .forV_h_e = true, .forX_h = true, .forRobot = true, .usesEveryGoal = false};
        const FlatBatch& batch = flattener.flatten(training.buffer(), slots, {}, needs, rng);
        shape.states += std::ssize(batch.states);
        shape.current += batch.numCurrentX;
        shape.targetPairs +=
            std::ssize(batch.successorPairs.state) + std::ssize(batch.xPairs.state);
        shape.trainedPairs += std::ssize(batch.ownPairs.state);
    }
    for (std::int64_t* count :
         {&shape.states, &shape.current, &shape.targetPairs, &shape.trainedPairs})
        *count /= kBatches;
    shape.humans = goals.maxHumans;
    shape.goals = std::ssize(goals.rectangles);
    shape.spec.shape = facts.front().shape;
    shape.spec.numRobotActions = facts.front().numRobotActions();
    shape.spec.hiddenSize = spec.hiddenSize;
    shape.spec.dropout = spec.dropout;
    return shape;
}

}  // namespace

void learningTables() {
    at::set_num_threads(1);
    const test::Worlds worlds = {test::pairRoom(kMaxSteps)};
    for (const int batch : {32, 64}) {
        const EmpoSpec spec = specOf(Approximator::Table, batch);
        test::Training training(spec, worlds);
        training.collect(kCollected);
        const std::string name = "learn_tables_" + std::to_string(batch);
        const std::string original = batch == 32 ? "54 the original" : "41 the original";
        rows().push_back({name, stepsPerSecond(training, 2), "training steps/s, acting once each",
                          original, 5000});
        printProfile(training);
        const StageSums stats = training.learner().profile().sums();
        rows().push_back({name + "_profiler",
                          100 * static_cast<double>(stats.probes) * StageClock::probeNs() /
                              static_cast<double>(stats.totalNs()),
                          "% of a step: probe cost x count, spans recorded", "", 1, true});
        rows().push_back({name + "_recording",
                          static_cast<double>(SpanRecorder::mostBytes()) / 1024,
                          "KiB of recorded spans of the learner, at most", "", 700, true});
        const auto among = amongOthers(training, spec, worlds, 1'000'000);
        rows().push_back({name + "_million", stepsPerSecond(*among, 2),
                          "training steps/s, 10^6 rows there", original, 5000});
    }
}

void learningNetworks() {
    at::set_num_threads(1);
    const test::Worlds worlds = {test::pairRoom(kMaxSteps)};
    for (const int batch : {32, 64}) {
        const EmpoSpec spec = specOf(Approximator::Network, batch);
        test::Training training(spec, worlds);
        training.collect(kCollected);
        FloorShape shape = shapeOf(training, spec);
        shape.spec.usesCellConvolution = false;
        // In turns, so that what else the machine does meets both.
        double floor = 0, learner = 0, gigaflop = 0;
        for (int k = 0; k < 3; ++k) {
            const FloorSpeed speed = measureFloor(shape, 2);
            floor = std::max(floor, speed.stepsPerSecond);
            gigaflop = speed.gigaflopPerStep;
            learner = std::max(learner, stepsPerSecond(training, 2));
        }
        printProfile(training);
        const std::string name = "learn_networks_" + std::to_string(batch);
        const double original = batch == 32 ? 8.87 : 5.64;
        rows().push_back({name, learner, "training steps/s, acting once each, hidden 256",
                          batch == 32 ? "8.9 the original" : "5.6 the original", original});
        rows().push_back({name + "_floor", floor,
                          "steps/s: " + std::to_string(shape.states) + " states, " +
                              std::to_string(shape.current) + " trained, " +
                              std::to_string(shape.targetPairs) + " and " +
                              std::to_string(shape.trainedPairs) + " pairs",
                          "", 0});
        rows().push_back({name + "_gflop", gigaflop, "GFLOP a step of the floor", "", 0});
        rows().push_back({name + "_speed", floor * gigaflop, "GFLOP/s of the floor", "", 0});
        rows().push_back({name + "_ratio", learner / floor, "of the floor", "", 0.75});
    }
}

void learningEpisode() {
    constexpr int kEpisode = 50;
    at::set_num_threads(1);
    EmpoSpec spec = specOf(Approximator::Network, 32);
    spec.stepsPerEpisode = kEpisode;
    for (const HumanModel model : {HumanModel::Sampled, HumanModel::Expected}) {
        spec.humanModel = model;
        test::Training training(spec, {test::fourInRoom(kEpisode)});
        training.collect(500);
        FloorShape shape = shapeOf(training, spec);
        shape.spec.usesCellConvolution = false;
        double floor = 0;
        double episode = 0;  // seconds
        for (int k = 0; k < 3; ++k) {
            floor = std::max(floor, measureFloor(shape, 3).stepsPerSecond);
            const double start = threadCpuMs();
            for (int step = 0; step < kEpisode; ++step) training.step();
            const double took = 1e-3 * (threadCpuMs() - start);
            episode = k == 0 ? took : std::min(episode, took);
        }
        printProfile(training);
        const std::string name =
            model == HumanModel::Sampled ? "episode_sampled" : "episode_expected";
        rows().push_back({name, episode,
                          "s: 50 steps, 7 x 7 cells, 2 humans, 2 robots, batch 32, hidden 256", "",
                          0});
        rows().push_back({name + "_ratio", episode * floor / kEpisode,
                          "of the floor: " + std::to_string(shape.states) + " states, " +
                              std::to_string(shape.current) + " trained",
                          "", 1.3, true});
    }
}

}  // namespace orrery::perf
