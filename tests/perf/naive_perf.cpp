// Measures what evaluating a batch's successors at once saves, in the setting of seed 000: 7 x 7
// cells, two humans and two robots (16 joint actions), batch 32. One thread, CPU time.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/cpu.h"
#include "core/empo/learner/state_batches.h"
#include "core/empo/learner/targets.h"
#include "tests/core/empo/training.h"
#include "tests/perf/learn_parts.h"
#include "tests/perf/perf_rows.h"

namespace orrery::perf {

namespace {

constexpr int kBatchSize = 32;
constexpr std::size_t kAlone = 150;   ///< successors that are evaluated one by one
constexpr std::size_t kChunk = 1024;  ///< of states evaluated at once
constexpr std::size_t kRepeats = 7;

/// Everything that targets need of successors: Q_r, X_h, and V_h^e of both humans.
void evaluate(const QuantityValues& values, const StateBatch& states,
              const FlatBatch::Pairs& pairs) {
    ValueReader reader(values, states);
    (void)reader.q_r();
    (void)reader.x_h();
    (void)reader.v_h_e(pairs);
}

/// One goal of each human in each of `count` states.
FlatBatch::Pairs pairsOf(const GoalList& goals, std::size_t count) {
    FlatBatch::Pairs pairs;
    for (std::size_t s = 0; s < count; ++s)
        for (int h = 0; h < goals.maxHumans; ++h)
            pairs.add(static_cast<std::int64_t>(s), h, goals.humans[0][h].first,
                      std::int64_t{h} * goals.maxGoals);
    return pairs;
}

/// CPU milliseconds of evaluating states in chunks of `chunk`.
double msOf(const QuantityValues& values, const std::vector<const std::byte*>& states,
            std::size_t chunk) {
    const at::NoGradGuard withoutGradients;
    StateBatcher batcher(values.facts);
    const std::vector<std::uint16_t> layouts(chunk, 0);
    const double start = threadCpuMs();
    for (std::size_t first = 0; first < states.size(); first += chunk) {
        const std::size_t count = std::min(chunk, states.size() - first);
        const StateBatch& batch =
            batcher.make(std::span(states).subspan(first, count), std::span(layouts).first(count),
                         {}, values.nets.get());
        evaluate(values, batch, pairsOf(values.facts->goals, count));
    }
    return threadCpuMs() - start;
}

/// The median of several measurements between which the heap changes: where the buffers of a batch
/// lie moves a single one by a tenth.
double medianMsOf(const QuantityValues& values, const std::vector<const std::byte*>& states,
                  std::size_t chunk) {
    std::vector<double> times;
    std::vector<std::vector<char>> between;
    for (std::size_t k = 0; k < kRepeats; ++k) {
        between.emplace_back(100'000 + 4112 * k);
        times.push_back(msOf(values, states, chunk));
    }
    return medianOf(std::move(times));
}

}  // namespace

void learningAtOnce() {
    at::set_num_threads(1);
    EmpoSpec spec = test::networkSpec();
    spec.hiddenSize = 256;
    spec.batchSize = kBatchSize;
    test::Training training(spec, {test::fourInRoom(50)});
    training.collect(500);
    const QuantityValues& values = training.learner().targetValues();
    Flattener flattener(values.facts->worlds, values.facts->goals, spec);
    Rng rng(1);
    std::vector<ReplayBuffer::Slot> slots;
    training.buffer().sample(kBatchSize, 0, rng, slots);
    const FlatBatch& batch = flattener.flatten(
        training.buffer(), slots, {}, {.forV_h_e = true, .forX_h = true, .forRobot = true}, rng);

    const auto bytesOf = [&](std::int64_t local) {
        return training.buffer().states().at(batch.states[local]).data();
    };
    std::vector<const std::byte*> all, unique, alone;
    for (const std::int64_t successor : batch.qSuccessor) all.push_back(bytesOf(successor));
    for (std::size_t s = 0; s < batch.states.size(); ++s)
        unique.push_back(bytesOf(static_cast<std::int64_t>(s)));
    for (std::size_t i = 0; i < kAlone; ++i) alone.push_back(all[i * all.size() / kAlone]);
    (void)msOf(values, alone, kAlone);
    const double naive = medianMsOf(values, alone, 1) * static_cast<double>(all.size()) / kAlone;
    const double batched = medianMsOf(values, all, kChunk);
    const double deduplicated = medianMsOf(values, unique, kChunk);
    const std::string counts = std::to_string(all.size()) + " successors, " +
                               std::to_string(unique.size()) + " different states";
    rows().push_back({"at_once", naive / batched, "times the speed of one by one; " + counts,
                      "34, mostly Python's cost", 6});
    rows().push_back({"at_once_unique", naive / deduplicated,
                      "times the speed of one by one, unique states", "", 15});
}

}  // namespace orrery::perf
