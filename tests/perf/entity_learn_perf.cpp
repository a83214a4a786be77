#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

#include "tests/perf/entity_parts.h"
#include "tests/perf/entity_training.h"

namespace orrery::perf {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kUpdates = 5;  // in a row, whose mean is the score

/// What an environment's learning must come to.
struct Bar {
    const char* name;  // of the row
    const char* spec;
    double score;
    std::int64_t frames;
    std::int64_t medianFrames;  // 0: not asked for
    int seeds, reached;         // how many of them
    const char* curve = "episodic_reward.mean";
    double times = 1;  // the curve, to the score
    void (*change)(EntitySpec&) = nullptr;
};

/// Mean of the last points, times what makes it the score.
std::optional<double> scoreOf(const Curves& curves, const Bar& bar) {
    const auto found = curves.find(bar.curve);
    if (found == curves.end() || found->second.size() < kUpdates) return {};
    double sum = 0;
    for (std::size_t i = 0; i < kUpdates; ++i)
        sum += found->second[found->second.size() - 1 - i].second;
    return bar.times * sum / kUpdates;
}

/// Frames after which a seed comes to the score; nothing if it does not.
std::optional<std::int64_t> framesTo(const Bar& bar, std::uint64_t seed) {
    EntitySpec spec = entitySpecNamed(bar.spec);
    spec.seed = seed;
    if (bar.change != nullptr) bar.change(spec);
    std::optional<std::int64_t> reached;
    double best = -1e30;
    std::int64_t done = 0;
    const auto begin = Clock::now();
    entityCurves(spec, [&](const Curves& curves) {
        const auto score = scoreOf(curves, bar);
        if (!score) return false;
        done = curves.at(bar.curve).back().first;
        best = std::max(best, *score);
        if (*score >= bar.score && !reached) reached = done;
        return reached.has_value() || done >= bar.frames;
    });
    std::printf("  %s, seed %d: best %.4f, %s after %lld frames, %.1f s\n", bar.name,
                static_cast<int>(seed), best, reached ? "there" : "not there",
                static_cast<long long>(done),
                std::chrono::duration<double>(Clock::now() - begin).count());
    std::fflush(stdout);
    if (reached && *reached > bar.frames) reached.reset();
    return reached;
}

void measure(const Bar& bar) {
    std::vector<double> frames;
    int reached = 0;
    const auto begin = Clock::now();
    for (int seed = 1; seed <= bar.seeds; ++seed) {
        const auto to = framesTo(bar, static_cast<std::uint64_t>(seed));
        reached += to ? 1 : 0;
        frames.push_back(to ? static_cast<double>(*to) : 1e12);
    }
    const std::string name = std::string("learn_") + bar.name;
    rows().push_back(
        {.name = name,
         .value = static_cast<double>(reached),
         .unit = "of " + std::to_string(bar.seeds) + " seeds",
         .reference = std::to_string(bar.score) + " by " + std::to_string(bar.frames) + " frames",
         .target = static_cast<double>(bar.reached)});
    if (bar.medianFrames > 0)
        rows().push_back({.name = name + "_frames",
                          .value = medianOf(frames),
                          .unit = "frames, median",
                          .reference = "",
                          .target = static_cast<double>(bar.medianFrames),
                          .lessIsBetter = true});
    rows().push_back({.name = name + "_time",
                      .value = std::chrono::duration<double>(Clock::now() - begin).count(),
                      .unit = "s, all seeds",
                      .reference = "",
                      .target = 600,
                      .lessIsBetter = true});
}

/// It must not be learned.
void measureBlind() {
    EntitySpec spec = entitySpecNamed("floor_is_lava");
    spec.net.relpos.reset();
    const Bar bar{"floor_is_lava_blind", "floor_is_lava", 0.3, 0, 0, 1, 1};
    double most = -1e30;
    entityCurves(spec, [&](const Curves& curves) {
        if (const auto score = scoreOf(curves, bar)) most = std::max(most, *score);
        return false;
    });
    rows().push_back({.name = "learn_floor_is_lava_blind",
                      .value = most,
                      .unit = "score",
                      .reference = "without relative positions",
                      .target = 0.3,
                      .lessIsBetter = true});
}

}  // namespace

std::vector<Part> learningCurves() {
    static const std::vector<Bar> kBars{
        {"bandit", "multi_armed_bandit", 0.99, 32'768, 5'400, 5, 4, "reward.mean", 32},
        {"not_hotdog", "not_hotdog", 0.99, 32'768, 7'300, 5, 4},
        {"count", "count", 0.99, 2'000, 400, 5, 4},
        {"floor_is_lava", "floor_is_lava", 0.99, 32'768, 32'768, 5, 4},
        {"treasure_hunt", "treasure_hunt", 4.0, 100'000, 100'000, 5, 4},
        {"rock_paper_scissors", "rock_paper_scissors", 0.9, 4'000, 0, 5, 4},
        {"rock_paper_scissors_cheat", "rock_paper_scissors_cheat", 1.9, 4'000, 0, 5, 4},
        {"cart_pole", "cart_pole", 475, 300'000, 0, 5, 4},
        {"mine_sweeper", "mine_sweeper", 0.98, 400'000, 338'000, 3, 2},
        {"xor", "xor", 0.99, 500'000, 489'000, 3, 2},
        {"cherry_pick", "cherry_pick", 0.80, 74'000, 71'000, 3, 2},
        {"move_to_origin", "move_to_origin", 0.95, 1'000'000, 0, 3, 2},
    };
    std::vector<Part> parts;
    parts.reserve(kBars.size() + 1);
    for (const Bar& bar : kBars)
        parts.push_back({std::string("learn_") + bar.name, [&bar] { measure(bar); }});
    parts.push_back({"learn_floor_is_lava_blind", measureBlind});
    return parts;
}

}  // namespace orrery::perf
