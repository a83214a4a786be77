#include "core/train/empo/empo_memory.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/collect/collector.h"
#include "core/collect/facts.h"
#include "core/collect/human_prior.h"
#include "core/empo/batch_room.h"
#include "core/empo/network_size.h"
#include "core/replay/replay_buffer.h"
#include "core/trace/span_recorder.h"

namespace orrery {

namespace {

constexpr std::size_t kSampled = 512;         ///< transitions in all worlds together
constexpr std::int64_t kMostStates = 20'000;  ///< that sampling may find
constexpr std::int64_t kRowBytes = 48;    ///< of an index: a fingerprint and a row, half of it free
constexpr std::int64_t kEntryBytes = 16;  ///< of a table: value, two moments, count
constexpr std::int64_t kNumberBytes = 4;

/// What acting brought along.
struct Sampled {
    double statesPerTransition = 0;  ///< new ones, in the later half
    double modelBytesPerTransition = 0;
    BatchSize batch = {};  ///< of all that was sampled
    std::int64_t transitions = 0;
};

Collector collectorOf(const EmpoSpec& spec, const std::vector<std::shared_ptr<const World>>& worlds,
                      const std::vector<WorldFacts>& facts) {
    CollectorSpec collector;
    collector.seed = spec.seed;
    collector.expectsHumans = spec.humanModel == HumanModel::Expected;
    collector.stepsPerEpisode = std::min(spec.stepsPerEpisode, 20);  // so that all worlds are met
    collector.modeller.includesStepCount = spec.includesStepCount;
    collector.modeller.hidesWhatIsUnder = spec.originalRules;
    std::vector<CollectorWorld> acted;
    for (std::size_t w = 0; w < worlds.size(); ++w)
        acted.push_back({worlds[w], facts[w], makeUniformPolicy(*worlds[w])});
    return Collector(std::move(collector), std::move(acted));
}

std::int64_t goalsOf(const WorldFacts& facts) {
    std::int64_t goals = 0;
    for (const WorldFacts::Human& human : facts.humans) goals += std::ssize(human.goals);
    return goals;
}

Sampled sample(const EmpoSpec& spec, const std::vector<std::shared_ptr<const World>>& worlds,
               const std::vector<WorldFacts>& facts, const std::stop_token& stop) {
    Collector collector = collectorOf(spec, worlds, facts);
    ReplayBuffer buffer(facts.front().shape, kSampled);
    std::vector<std::int64_t> states{0};  ///< [transitions + 1] so far
    while (states.size() <= kSampled && states.back() < kMostStates && !stop.stop_requested()) {
        buffer.add(collector.step({}), 0);
        states.push_back(buffer.statistics().states);
    }
    const std::size_t all = states.size() - 1, half = all / 2;
    Sampled sampled{.transitions = static_cast<std::int64_t>(all)};
    if (all == 0) return sampled;
    sampled.statesPerTransition =
        static_cast<double>(states[all] - states[half]) / static_cast<double>(all - half);
    sampled.modelBytesPerTransition =
        static_cast<double>(buffer.statistics().modelBytes) / static_cast<double>(all);
    std::vector<ReplayBuffer::Slot> slots;
    for (std::size_t i = 0; i < all; ++i) slots.push_back(static_cast<ReplayBuffer::Slot>(i));
    sampled.batch = sizeOf(buffer, slots, goalsOf(facts.front()));
    return sampled;
}

std::int64_t bufferBytes(const EmpoSpec& spec, const EncodingShape& shape, const Sampled& sampled) {
    // A transition's own state, and what it may lead to; 12 bytes beside each.
    const double stateBytes = static_cast<double>(shape.bytes() + 12);
    const double each = sizeof(StoredTransition) + sampled.modelBytesPerTransition +
                        sampled.statesPerTransition * stateBytes;
    return static_cast<std::int64_t>(static_cast<double>(spec.bufferCapacity) * each);
}

std::int64_t tableBytes(const EmpoSpec& spec, const std::vector<WorldFacts>& facts,
                        const Sampled& sampled) {
    std::int64_t columns = 0, humanActions = 0;
    const WorldFacts& first = facts.front();
    for (const WorldFacts::Human& human : first.humans)
        humanActions = std::max<std::int64_t>(humanActions, human.numActions);
    const auto add = [&](Quantity quantity, std::int64_t own) {
        if (spec.of(quantity).kind == Approximator::Table) columns += own;
    };
    add(Quantity::V_h_e, goalsOf(first));
    add(Quantity::X_h, std::ssize(first.humans));
    add(Quantity::U_r, 1);
    add(Quantity::Q_r, first.numRobotActions());
    add(Quantity::V_r, 1);
    if (spec.hasHumanTable()) columns += goalsOf(first) * humanActions;
    if (columns == 0) return 0;
    const double transitions =
        static_cast<double>(spec.trainingSteps) * spec.environmentStepsPerTrainingStep;
    const double rows =
        static_cast<double>(sampled.batch.states) + transitions * sampled.statesPerTransition;
    // The target is a copy of the values; rows come in blocks, of which one is not full.
    return static_cast<std::int64_t>(
        rows * static_cast<double>(kRowBytes + columns * (kEntryBytes + kNumberBytes)));
}

BatchSize scaled(const BatchSize& size, double factor) {
    const auto times = [factor](std::int64_t count) {
        return static_cast<std::int64_t>(std::ceil(static_cast<double>(count) * factor));
    };
    return {
        .states = times(size.states), .pairs = times(size.pairs), .entries = times(size.entries)};
}

}  // namespace

std::vector<MemoryPart> empoMemory(const EmpoSpec& spec,
                                   const std::vector<std::shared_ptr<const World>>& worlds,
                                   const std::stop_token& stop) {
    const std::vector<WorldFacts> facts = factsOf(worlds, spec.encodingRules());
    const EncodingShape& shape = facts.front().shape;
    const Sampled sampled = sample(spec, worlds, facts, stop);
    int humanActions = 0;
    for (const WorldFacts::Human& human : facts.front().humans)
        humanActions = std::max(humanActions, human.numActions);
    const std::int64_t numbers =
        numNetworkParameters(spec, shape, facts.front().numRobotActions(), humanActions);
    const double share = sampled.transitions > 0 ? static_cast<double>(spec.batchSize) /
                                                       static_cast<double>(sampled.transitions)
                                                 : 0;
    std::vector<MemoryPart> parts{
        {"replay buffer", bufferBytes(spec, shape, sampled)},
        {"tables", tableBytes(spec, facts, sampled)},
        {"networks", 2 * kNumberBytes * numbers},  // a target copy each
        {"optimisers", 2 * kNumberBytes * numbers},
        {"a batch", bytesOf(scaled(sampled.batch, share), spec, shape.width, shape.height)},
        {"recording",
         static_cast<std::int64_t>(SpanRecorder::mostBytes()) * (1 + spec.numCollectors)}};
    std::erase_if(parts, [](const MemoryPart& part) { return part.bytes == 0; });
    return parts;
}

}  // namespace orrery
