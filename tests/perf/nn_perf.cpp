// Measures tensors, tables and networks of learned planning on one thread, in CPU time.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <string>

#include "core/base/cpu.h"
#include "core/empo/nets/state_tensors.h"
#include "core/nn/learned_table.h"
#include "tests/core/empo/nets/compact_states.h"
#include "tests/perf/learn_parts.h"
#include "tests/perf/nn_floor.h"
#include "tests/perf/perf_rows.h"

namespace orrery::perf {

namespace {

/// The least time of several calls, in milliseconds.
template <typename Work>
double leastMs(int calls, Work work) {
    double least = 1e9;
    for (int k = 0; k < calls; ++k) {
        const double start = threadCpuMs();
        work();
        least = std::min(least, threadCpuMs() - start);
    }
    return least;
}

FloorShape trivialShape(std::int64_t batch, std::int64_t unique) {
    FloorShape shape;
    shape.spec.shape = {.width = 7, .height = 7, .numAgents = 2};
    shape.spec.numRobotActions = 4;
    shape.current = batch;
    shape.states = unique;
    shape.humans = 1;
    shape.goals = 6;
    shape.targetPairs = unique * 6;
    shape.trainedPairs = batch;
    return shape;
}

}  // namespace

void decompressing() {
    at::set_num_threads(1);
    const EncodingShape shape{.width = 7, .height = 7, .numAgents = 4};
    const auto states = test::roomStates(shape, 20000, 1);
    StateGatherer gatherer(shape);
    PlaneBuffer planes(shape, PlaneLayout::Seed);
    Rng rng(3);
    std::vector<const std::byte*> drawn(1024);
    const double ms = leastMs(100, [&] {
        for (const std::byte*& state : drawn) state = states[rng.below(states.size())].data();
        (void)planes.fill(gatherer.gather(drawn).cells);
    });
    rows().push_back(
        {"decompress_1024", ms, "ms, 7x7 states drawn and taken apart", "", 1.5, true});
    const double tensorMs = leastMs(
        20, [&] { (void)decompressCells(gatherer.gather(drawn).cells, PlaneLayout::Seed); });
    rows().push_back(
        {"decompress_1024_tensors", tensorMs, "ms, by tensor operations", "", 10, true});
}

void updatingTables() {
    for (const StateRows::Row there : {1000, 1'000'000}) {
        LearnedTable table({.columns = 4, .defaultValue = -1});
        table.growTo(there);
        Rng rng(4);
        std::vector<StateRows::Row> touched(64);
        const std::vector<float> gradients(64 * 4, 0.5F);
        const auto hundred = [&] {
            for (int step = 0; step < 100; ++step) {
                for (auto& row : touched)
                    row = static_cast<StateRows::Row>(rng.below(static_cast<std::uint64_t>(there)));
                table.applyRows(touched, gradients, 1e-3);
            }
            (void)table.version();
        };
        hundred();
        rows().push_back({"table_step_" + std::to_string(there), leastMs(20, hundred) * 10,
                          "us: 64 rows of 4 by Adam, a version each 100", "", 40, true});
    }
}

void trainingFloor() {
    for (const std::int64_t batch : {32, 64}) {
        FloorShape shape = trivialShape(batch, 8 * batch);
        shape.spec.usesCellConvolution = false;
        const FloorSpeed dense = measureFloor(shape, 3);
        shape.spec.usesCellConvolution = true;
        const FloorSpeed ours = measureFloor(shape, 3);
        const std::string name = "floor_" + std::to_string(batch);
        rows().push_back({name, dense.stepsPerSecond, "steps/s, hidden 256, convolution of planes",
                          "", 0, false});
        rows().push_back({name + "_gflop", dense.gigaflopPerStep, "GFLOP a step", "", 0, false});
        rows().push_back({name + "_speed", dense.gigaflops(), "GFLOP/s", "", 0, false});
        rows().push_back({name + "_cells", ours.stepsPerSecond, "steps/s, convolution of cells",
                          "above planes", dense.stepsPerSecond, false});
    }
}

}  // namespace orrery::perf
