// Measures how fast experience is collected and stored: collectors on the trivial world (a human
// and a robot of four actions each, six goals), and a replay buffer of 10^6 transitions.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/base/bounded_queue.h"
#include "core/collect/collector.h"
#include "core/collect/facts.h"
#include "core/encode/state_encoder.h"
#include "core/grid/grid_world.h"
#include "core/replay/replay_buffer.h"
#include "core/replay/replay_snapshot.h"
#include "tests/perf/perf_rows.h"

namespace orrery::perf {

namespace {

using Clock = std::chrono::steady_clock;

constexpr ActingRates kRates{.epsilon_r = 0.1, .epsilon_h = 0.1, .beta_r = 10};

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::shared_ptr<const World> roomOf(std::vector<std::string> map, std::vector<Goal> goals,
                                    int maxSteps) {
    GridWorldSpec spec;
    spec.map = std::move(map);
    spec.possibleGoals = std::move(goals);
    spec.maxSteps = maxSteps;
    return makeWorld(spec);
}

std::shared_ptr<const World> trivialWorld() {
    std::vector<Goal> goals;
    for (int y = 1; y <= 2; ++y)
        for (int x = 1; x <= 3; ++x) goals.push_back({.x1 = x, .y1 = y, .x2 = x, .y2 = y});
    return roomOf({"WeWeWeWeWe", "WeAy..AeWe", "We......We", "WeWeWeWeWe"}, std::move(goals), 10);
}

/// Seven by seven cells and four agents, as in the seed's figures.
std::shared_ptr<const World> seedWorld() {
    return roomOf({"WeWeWeWeWeWeWe", "WeAy......AyWe", "We....Bl....We", "We..........We",
                   "We....Ro....We", "WeAe......AeWe", "WeWeWeWeWeWeWe"},
                  {Goal{1, 1, 5, 1}, Goal{1, 5, 5, 5}}, 100);
}

/// A table of Q_r by state, as a tabular learner has one.
class TableValues final : public RobotValues {
public:
    void q_r(std::span<const std::byte> state, int layout, std::span<float> out) override {
        auto& row = m_rows[fingerprintOf(state, static_cast<std::uint64_t>(layout))];
        if (row.empty())
            for (std::size_t a = 0; a < out.size(); ++a)
                row.push_back(-1.0F - 0.1F * static_cast<float>(a));
        std::ranges::copy(row, out.begin());
    }

private:
    std::unordered_map<Fingerprint, std::vector<float>> m_rows;
};

Collector collectorOf(const std::shared_ptr<const World>& world, CollectorSpec spec) {
    std::vector<CollectorWorld> worlds;
    worlds.push_back({.world = world,
                      .facts = factsOf(*world, shapeCovering(std::span(&world, 1))),
                      .policy = makeShortestPathPolicy(world, 2.0)});
    return {std::move(spec), std::move(worlds), std::make_shared<TableValues>()};
}

/// Steps a second of a collector that pushes them into a queue which another thread empties.
double queuedStepsPerSecond(bool expectsHumans) {
    constexpr int kSteps = 400'000;
    BoundedQueue<Transition> queue(10'000);
    std::jthread consumer([&](const std::stop_token& stop) {
        while (!stop.stop_requested() && !queue.closed())
            if (queue.drain().empty()) queue.popFor(std::chrono::milliseconds(1), stop);
    });
    Collector collector = collectorOf(trivialWorld(), {.expectsHumans = expectsHumans});
    for (int k = 0; k < 20'000; ++k) collector.step(kRates);
    const auto start = Clock::now();
    for (int k = 0; k < kSteps; ++k) queue.push(collector.step(kRates));
    const double seconds = secondsSince(start);
    queue.close();
    return kSteps / seconds;
}

double stepsPerSecond(const std::shared_ptr<const World>& world, int steps, int warmUp) {
    Collector collector = collectorOf(world, {.expectsHumans = false});
    for (int k = 0; k < warmUp; ++k) collector.step(kRates);
    const auto start = Clock::now();
    for (int k = 0; k < steps; ++k) collector.step(kRates);
    return steps / secondsSince(start);
}

void collecting() {
    double expected = 0, sampled = 0, alone = 0;
    for (int k = 0; k < 3; ++k) {
        expected = std::max(expected, queuedStepsPerSecond(true));
        sampled = std::max(sampled, queuedStepsPerSecond(false));
        alone = std::max(alone, stepsPerSecond(trivialWorld(), 400'000, 20'000));
    }
    rows().push_back({"collect_expected", expected, "steps/s a thread, queued", "", 1e5, false});
    rows().push_back({"collect_sampled", sampled, "steps/s a thread, queued", "", 1e5, false});
    rows().push_back({"collect_alone", alone, "steps/s a thread, no queue", "", 1e5, false});
    rows().push_back({"collect_first_visits", stepsPerSecond(seedWorld(), 10'000, 0),
                      "steps/s, 7 x 7 with 4 agents, new states", "", 1e3, false});
}

void storing() {
    constexpr std::size_t kTransitions = 1'000'000;
    const auto world = seedWorld();
    Collector collector = collectorOf(world, {.expectsHumans = false});
    ReplayBuffer buffer(collector.modeller(0).facts().shape, kTransitions);
    double adding = 0;
    double worst = 0;
    constexpr int kNew = 40'000;
    for (int k = 0; k < kNew; ++k) {
        const Transition transition = collector.step({});
        const auto start = Clock::now();
        buffer.add(transition, k);
        adding += secondsSince(start);
        const auto states = static_cast<double>(buffer.states().size());
        if (states > 200'000)
            worst = std::max(worst, static_cast<double>(buffer.states().allocatedBytes()) / states);
    }
    rows().push_back({"replay_bytes_a_state", worst, "bytes, index included",
                      "direct encoding 7644", 520, true});
    rows().push_back(
        {"replay_add_new", kNew / adding, "transitions/s with 12 new states each", "", 1e4, false});
    ReplayBuffer small(collector.modeller(0).facts().shape, 10'000);
    adding = 0;
    for (int k = 0; k < kNew; ++k) {
        const Transition transition = collector.step({});
        const auto start = Clock::now();
        small.add(transition, k);
        adding += k < 10'000 ? 0 : secondsSince(start);
    }
    rows().push_back({"replay_add_evicting", (kNew - 10'000) / adding,
                      "transitions/s, 12 states come and go each", "", 1e4, false});
    Collector trivial = collectorOf(trivialWorld(), {});
    ReplayBuffer full(trivial.modeller(0).facts().shape, kTransitions);
    std::vector<Transition> some;
    some.reserve(20'000);
    for (int k = 0; k < 20'000; ++k) some.push_back(trivial.step(kRates));
    auto start = Clock::now();
    for (std::size_t k = 0; k < kTransitions; ++k) full.add(some[k % some.size()], 0);
    rows().push_back({"replay_add_known", kTransitions / secondsSince(start),
                      "transitions/s, states known", "", 5e5, false});
    Rng rng(1);
    std::vector<ReplayBuffer::Slot> out;
    double sampling = 1e9, copying = 1e9, after = 1e9;
    for (int k = 0; k < 20; ++k) {
        start = Clock::now();
        full.sample(1024, 0, rng, out);
        sampling = std::min(sampling, secondsSince(start));
        start = Clock::now();
        const auto snapshot = full.snapshot();
        copying = std::min(copying, secondsSince(start));
        start = Clock::now();
        for (std::size_t i = 0; i < 1000; ++i) full.add(some[i], 0);
        after = std::min(after, secondsSince(start));
    }
    rows().push_back(
        {"replay_sample_1024", sampling * 1e3, "ms, of 10^6 transitions", "", 0.1, true});
    rows().push_back({"replay_snapshot", copying * 1e3, "ms, of 10^6 transitions", "", 5, true});
    rows().push_back(
        {"replay_add_frozen", after * 1e3, "ms for 1000 transitions after it", "", 20, true});
}

}  // namespace

}  // namespace orrery::perf

int main(int argc, char** argv) {
    using namespace orrery::perf;
    return measureParts(argc, argv, {{"collecting", collecting}, {"storing", storing}});
}
