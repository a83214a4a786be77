#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "core/base/thread_team.h"
#include "core/entity/random_choices.h"
#include "core/entity/vec_env.h"
#include "core/train/entity/driver/actor_critic.h"
#include "core/train/entity/driver/ppo_update.h"
#include "core/train/entity/driver/rollout.h"
#include "tests/perf/entity_parts.h"
#include "tests/perf/entity_training.h"

namespace orrery::perf {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kFrames = 512, kThings = 29, kWidth = 64, kLayers = 2, kHeads = 2;

double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Frames of 29 things at first: mines, robots and a cannon, which has no place.
FieldMap mineOptions() {
    return {{"width", std::int64_t{10}},
            {"height", std::int64_t{10}},
            {"nmines", std::int64_t{26}},
            {"orbital_cannon", true}};
}

/// As many, all with places: relative positions need them of each.
FieldMap snakeOptions() {
    return {{"board_size", std::int64_t{20}}, {"num_snakes", std::int64_t{14}}};
}

EntitySpec specOf(const std::string& id, const FieldMap& options, bool hasRelativePositions,
                  int threads) {
    EntitySpec spec;
    spec.env.id = id;
    spec.env.kwargs = options;
    spec.net.dModel = kWidth;
    spec.net.nLayer = kLayers;
    spec.net.nHead = kHeads;
    if (hasRelativePositions)
        spec.net.relpos = RelposSpec{.extent = {10, 10}, .positionFeatures = {"x", "y"}};
    spec.optim.bs = kFrames;
    spec.optim.updateEpochs = 1;
    spec.rollout = {.steps = 1, .numEnvs = kFrames, .threads = threads};
    return spec;
}

/// Frames a second of a minibatch of all frames: gathered, forwards, backwards, AdamW.
double updatesOf(const EntitySpec& spec) {
    ThreadTeam team(spec.rollout.threads);
    VecEnv env(entityRequestOf(spec).environment,
               {.count = spec.rollout.numEnvs, .seed = 1, .validates = false}, team);
    ActorCritic nets(spec, env.layout(), team);
    PpoUpdate update(nets, spec, team);
    Rollout rollout(env.layout(), 1, spec.rollout.numEnvs);
    Rng rng(1);
    env.reset();
    const std::vector<FrameShard> shards = nets.shardsOf(env.frames());
    nets.takeIn(shards);
    const std::vector<std::uint8_t> done(kFrames, 1);
    const Choices choices = nets.choose(env.frames(), shards, rng, false);
    rollout.act(env.frames(), done, choices);
    rollout.outcome(std::vector<float>(kFrames, 1), std::vector<float>(kFrames, 0));
    rollout.estimate(std::vector<float>(kFrames, 0), done, spec.ppo);
    const PpoRates rates = ratesOf(spec.optim, spec.ppo, progressOf(spec, 0));
    double best = 1e30;
    for (const auto begin = Clock::now(); secondsSince(begin) < 3;) {
        update.take(spec, rates, 1);
        update.begin(rollout, rng);
        const auto from = Clock::now();
        while (!update.advance(rollout, rng, [](EntityWork) {})) {
        }
        best = std::min(best, secondsSince(from));
    }
    return kFrames / best;
}

/// A product y = x w with both of its gradients, on tensors that are there.
struct Product {
    at::Tensor x, w, y, dx, dw;
    Product(std::int64_t batch, std::int64_t rows, std::int64_t in, std::int64_t out)
        : x(at::randn({batch, rows, in})),
          w(at::randn({batch, in, out})),
          y(at::empty({batch, rows, out})),
          dx(at::empty({batch, rows, in})),
          dw(at::empty({batch, in, out})) {}
    void run() {
        at::bmm_out(y, x, w);
        at::bmm_out(dx, y, w.transpose(1, 2));
        at::bmm_out(dw, x.transpose(1, 2), y);
    }
};

/// Frames a second of all matrix products of the transformer alone, one thread.
double floorOf() {
    const at::NoGradGuard off;
    at::set_num_threads(1);
    const std::int64_t rows = kFrames * kThings, head = kWidth / kHeads;
    std::vector<Product> products;
    for (std::int64_t layer = 0; layer < kLayers; ++layer) {
        for (int i = 0; i < 4; ++i) products.emplace_back(1, rows, kWidth, kWidth);
        products.emplace_back(1, rows, kWidth, 4 * kWidth);
        products.emplace_back(1, rows, 4 * kWidth, kWidth);
        products.emplace_back(kFrames * kHeads, kThings, head, kThings);
        products.emplace_back(kFrames * kHeads, kThings, kThings, head);
    }
    double best = 1e30;
    for (const auto begin = Clock::now(); secondsSince(begin) < 3;) {
        const auto from = Clock::now();
        for (Product& product : products) product.run();
        best = std::min(best, secondsSince(from));
    }
    return kFrames / best;
}

void addRow(const std::string& name, double value, const std::string& unit,
            const std::string& reference, double target) {
    rows().push_back({.name = "net_" + name,
                      .value = value,
                      .unit = unit,
                      .reference = reference,
                      .target = target});
}

/// The median of the last two thirds of updates.
double throughputOf(const EntitySpec& spec) {
    const Curves curves = entityCurves(spec);
    std::vector<double> rates;
    const auto& points = curves.at("throughput");
    for (std::size_t i = points.size() / 3; i < points.size(); ++i)
        rates.push_back(points[i].second);
    return medianOf(rates);
}

void addUpdateRow(const std::string& name, double value, const std::string& original,
                  double target) {
    rows().push_back({.name = "ppo_" + name,
                      .value = value,
                      .unit = "frames/s",
                      .reference = original,
                      .target = target});
}

}  // namespace

void trainingTransformer() {
    const auto mines = [](int threads) {
        return updatesOf(specOf("MineSweeper", mineOptions(), false, threads));
    };
    const auto snakes = [](bool hasRelativePositions) {
        return updatesOf(specOf("MultiSnake", snakeOptions(), hasRelativePositions, 1));
    };
    const double floor = floorOf(), one = mines(1), two = mines(2), plain = snakes(false),
                 relative = snakes(true);
    addRow("floor", floor, "frames/s", "its matrix products alone", 0);
    addRow("frames", one, "frames/s", "original 2.0 k", 2000);
    addRow("share_of_floor", one / floor, "of the floor", "", 0.75);
    addRow("two_threads", two / one, "times one", "", 1.6);
    addRow("relpos", relative, "frames/s", "original 0.36 k", 1100);
    addRow("relpos_share", relative / plain, "of the same without", "", 0.55);
}

void makingUpdates() {
    EntitySpec mines = entitySpecNamed("mine_sweeper");
    mines.env.validates = false;
    mines.net.dModel = 64;
    mines.optim.bs = 512;
    mines.totalTimesteps = 9 * mines.rollout.frames();
    const double one = throughputOf(mines);
    addUpdateRow("mine_sweeper", one, "original 3,050", 3200);
    mines.rollout.threads = 2;
    rows().push_back({.name = "ppo_two_threads",
                      .value = throughputOf(mines) / one,
                      .unit = "times one",
                      .reference = "MineSweeper",
                      .target = 1.6});
    addUpdateRow("not_hotdog", throughputOf(entitySpecNamed("not_hotdog")), "original 7,100",
                 15'000);
    EntitySpec cherries = entitySpecNamed("cherry_pick");
    cherries.totalTimesteps = 3 * cherries.rollout.frames();
    addUpdateRow("cherry_pick", throughputOf(cherries), "original 203", 240);
    EntitySpec pole = entitySpecNamed("cart_pole");
    pole.totalTimesteps = 30 * pole.rollout.frames();
    addUpdateRow("cart_pole", throughputOf(pole), "Stable-Baselines3 10.9 k", 40'000);
}

}  // namespace orrery::perf
