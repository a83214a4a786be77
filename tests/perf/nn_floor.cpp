#include "tests/perf/nn_floor.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <memory>

#include "core/base/cpu.h"
#include "core/empo/nets/quantity_nets.h"
#include "core/empo/nets/state_tensors.h"
#include "core/nn/adam.h"
#include "tests/core/empo/nets/compact_states.h"

namespace orrery::perf {

namespace {

constexpr std::array<NetHead, 3> kHeads = {NetHead::V_h_e, NetHead::X_h, NetHead::Q_r};

/// Multiplications and additions of one forward pass, by what they are needed for.
struct Flops {
    double firstConvolution, encoder;  ///< of one state; without the first convolution
    double agents;                     ///< of one human
    double goalHead, humanHead, robotHead;

    explicit Flops(const NetSpec& spec) {
        const double f = spec.hiddenSize;
        const double c = std::max(8.0, f / 4), g = std::max(16.0, f / 2), m = std::max(8.0, f / 4),
                     i = std::max(4.0, f / 8);
        const auto cells = static_cast<double>(spec.shape.cells());
        const double blocks = (spec.shape.height / 2) * (spec.shape.width / 2);
        const auto agentNumbers = static_cast<double>(spec.shape.agentNumbers());
        firstConvolution = 2 * cells * 9 * numPlanes(spec.planes) * c;
        encoder = 2 * (blocks * 9 * c * c + (c * blocks + 4) * g + agentNumbers * 2 * m +
                       2 * m * m + 96 * i + (g + m + i) * f);
        agents = 2 * (13 * 32.0);
        goalHead = 2 * (80 * f + f * f + f);
        humanHead = 2 * (2 * 80 * f + f * f + f);
        robotHead = 2 * (2 * f * f + f * f + f * spec.numRobotActions);
    }
};

double gigaflopOf(const FloorShape& shape) {
    const Flops flops(shape.spec);
    const auto states = static_cast<double>(shape.states);
    const auto current = static_cast<double>(shape.current);
    const auto humans = static_cast<double>(shape.humans);
    const auto pass = [&](double count, double pairs, double times) {
        const double first = flops.firstConvolution * (times > 1 ? 2 : 1);
        const double encoders = 3 * count * (first + times * flops.encoder);
        const double heads = pairs * flops.goalHead +
                             count * humans * (flops.humanHead + 2 * flops.agents) +
                             count * flops.robotHead;
        return encoders + times * heads;
    };
    return 1e-9 * (pass(states, static_cast<double>(shape.targetPairs), 1) +
                   pass(current, static_cast<double>(shape.trainedPairs), 3));
}

class FloorLoop {
public:
    explicit FloorLoop(const FloorShape& shape)
        : m_nets(shape.spec, 1), m_target(m_nets.frozen()), m_gatherer(shape.spec.shape) {
        for (const NetHead head : kHeads)
            m_optimisers.push_back(std::make_unique<Adam>(m_nets.parametersOf(head),
                                                          AdamSettings{.weightDecay = 1e-4}));
        m_bytes = test::roomStates(shape.spec.shape, static_cast<int>(shape.states), 1);
        m_all = m_gatherer.gather(test::pointersTo(m_bytes));
        m_current = m_all.narrow(0, shape.current);
        m_nets.prepare(m_all);
        m_nets.prepare(m_current);
        m_humans = {at::arange(shape.humans, at::kLong), at::arange(shape.humans, at::kLong)};
        m_goals = at::ones({shape.goals, 4});
        const auto pairs = [&](std::int64_t count, std::int64_t states) {
            const at::Tensor k = at::arange(count, at::kLong);
            const at::Tensor goal = k.remainder(shape.goals);
            return Pairs{k.div(shape.goals, "floor").remainder(states),
                         goal.remainder(shape.humans), goal};
        };
        m_targetPairs = pairs(shape.targetPairs, shape.states);
        m_trainedPairs = pairs(shape.trainedPairs, shape.current);
    }

    void step() {
        {
            const at::NoGradGuard off;
            const StateFeatures shared = m_target->encodeShared(m_all, &m_humans);
            (void)valuesOf(*m_target, shared, m_targetPairs, {});
            (void)m_target->x_h(shared, m_target->encodeOwn(NetHead::X_h, m_all, &m_humans), {});
            (void)m_target->q_r(shared, m_target->encodeOwn(NetHead::Q_r, m_all, nullptr), {});
        }
        for (const auto& optimiser : m_optimisers) optimiser->zeroGradients();
        const NetPass pass{.training = &m_rng};
        const StateFeatures shared = m_nets.encodeShared(m_current, &m_humans);
        valuesOf(m_nets, shared, m_trainedPairs, pass).square().mean().backward();
        m_nets.x_h(shared, m_nets.encodeOwn(NetHead::X_h, m_current, &m_humans), pass)
            .square()
            .mean()
            .backward();
        m_nets.q_r(shared, m_nets.encodeOwn(NetHead::Q_r, m_current, nullptr), pass)
            .value.square()
            .mean()
            .backward();
        for (const auto& optimiser : m_optimisers) optimiser->step(1e-4);
    }

private:
    struct Pairs {
        at::Tensor state, human, goal;
    };
    at::Tensor valuesOf(const QuantityNets& nets, const StateFeatures& shared, const Pairs& pairs,
                        NetPass pass) const {
        return nets.v_h_e(shared, nets.encodeGoals(m_goals), pairs.state, pairs.human, pairs.goal,
                          pass);
    }

    QuantityNets m_nets;
    std::unique_ptr<QuantityNets> m_target;
    std::vector<std::unique_ptr<Adam>> m_optimisers;
    StateGatherer m_gatherer;
    std::vector<std::vector<std::byte>> m_bytes;
    StateTensors m_all, m_current;
    HumanPlaces m_humans;
    at::Tensor m_goals;
    Pairs m_targetPairs, m_trainedPairs;
    Rng m_rng{7};
};

}  // namespace

FloorSpeed measureFloor(const FloorShape& shape, double seconds) {
    at::set_num_threads(1);
    FloorLoop loop(shape);
    for (int k = 0; k < 3; ++k) loop.step();
    int steps = 0;
    const double start = threadCpuMs();
    while (threadCpuMs() - start < 1e3 * seconds) {
        loop.step();
        ++steps;
    }
    return {.stepsPerSecond = 1e3 * steps / (threadCpuMs() - start),
            .gigaflopPerStep = gigaflopOf(shape)};
}

}  // namespace orrery::perf
