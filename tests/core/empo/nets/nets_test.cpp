#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <QTest>
#include <cmath>

#include "core/empo/nets/activations.h"
#include "core/empo/nets/quantity_nets.h"
#include "core/empo/nets/state_tensors.h"
#include "tests/core/empo/nets/compact_states.h"
#include "tests/core/empo/nets/difference.h"
#include "tests/support/test_program.h"

using namespace orrery;
using orrery::test::difference;
using orrery::test::pointersTo;
using orrery::test::randomStates;

namespace {

constexpr EncodingShape kNetShape{.width = 7, .height = 7, .numAgents = 4};

NetSpec smallSpec() {
    NetSpec spec;
    spec.shape = kNetShape;
    spec.numRobotActions = 5;
    spec.hiddenSize = 32;
    return spec;
}

/// A batch that owns its numbers.
StateTensors batchOf(const EncodingShape& shape, int count, std::uint64_t seed = 4) {
    StateGatherer gatherer(shape);
    return gatherer.gather(pointersTo(randomStates(shape, count, seed)));
}

HumanPlaces twoHumans() {
    return {at::tensor({2, 0}, at::kLong), at::tensor({1, 3}, at::kLong)};
}

at::Tensor someGoals() {
    return at::tensor({1.0F, 1.0F, 1.0F, 1.0F, 5.0F, 2.0F, 6.0F, 3.0F, 3.0F, 3.0F, 3.0F, 3.0F})
        .view({3, 4});
}

at::Tensor find(const std::vector<NetParameter>& parameters, const std::string& name) {
    for (const auto& parameter : parameters)
        if (parameter.name == name) return parameter.tensor;
    qFatal("no parameter %s", name.c_str());
}

/// One forward pass of every head, joined.
at::Tensor everything(const QuantityNets& nets, const StateTensors& states, NetPass pass) {
    const HumanPlaces humans = twoHumans();
    const StateFeatures shared = nets.encodeShared(states, &humans);
    const auto own = [&](NetHead head) { return nets.encodeOwn(head, states, &humans); };
    const at::Tensor goals = nets.encodeGoals(someGoals());
    const at::Tensor goalHuman = at::tensor({0, 1, 1}, at::kLong);
    return at::cat(
        {nets.v_h_eOfAll(shared, goals, goalHuman, pass), nets.x_h(shared, own(NetHead::X_h), pass),
         nets.u_rY(shared, own(NetHead::U_r), pass).unsqueeze(1),
         nets.q_r(shared, own(NetHead::Q_r), pass).value,
         nets.v_r(shared, own(NetHead::V_r), pass).value.unsqueeze(1)},
        1);
}

bool hasGradient(const std::vector<NetParameter>& parameters, const char* part) {
    bool any = false;
    for (const auto& parameter : parameters)
        if (parameter.name.find(part) != std::string::npos)
            any = any || (parameter.tensor.grad().defined() &&
                          parameter.tensor.grad().abs().max().item<float>() > 0);
    return any;
}

void forgetGradients(const QuantityNets& nets) {
    for (const auto& parameter : nets.parameters()) parameter.tensor.mutable_grad() = at::Tensor();
}

}  // namespace

class NetsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void featuresAndValuesHaveTheirShapes() {
        const QuantityNets nets(smallSpec(), 1);
        const StateTensors states = batchOf(kNetShape, 6);
        const HumanPlaces humans = twoHumans();
        const StateFeatures shared = nets.encodeShared(states, &humans);
        QVERIFY((shared.state.sizes() == at::IntArrayRef{6, 32}));
        QVERIFY((shared.humans.sizes() == at::IntArrayRef{6, 2, 80}));
        QVERIFY((nets.encodeGoals(someGoals()).sizes() == at::IntArrayRef{3, 64}));
        const at::Tensor all = everything(nets, states, {});
        QVERIFY((all.sizes() == at::IntArrayRef{6, 3 + 2 + 1 + 5 + 1}));
        QVERIFY(all.isfinite().all().item<bool>());
        QVERIFY(all.narrow(1, 0, 3).ge(0).all().item<bool>());
        QVERIFY(all.narrow(1, 0, 5).le(1).all().item<bool>());
        QVERIFY(all.narrow(1, 3, 2).gt(0).all().item<bool>());
        QVERIFY(all.narrow(1, 5, 1).gt(1).all().item<bool>());
        QVERIFY(all.narrow(1, 6, 6).lt(0).all().item<bool>());
    }

    void theSizesAreThoseOfTheSpecification() {
        NetSpec spec = smallSpec();
        spec.hiddenSize = 256;
        const QuantityNets nets(spec, 1);
        const auto sizes = [&](const char* name) { return find(nets.parameters(), name).sizes(); };
        QVERIFY((sizes("v_h_e.state_encoder.conv1.weight") == at::IntArrayRef{64, 40, 3, 3}));
        QVERIFY((sizes("v_h_e.state_encoder.conv2.weight") == at::IntArrayRef{64, 64, 3, 3}));
        QVERIFY((sizes("v_h_e.state_encoder.grid.weight") == at::IntArrayRef{128, 64 * 9 + 4}));
        QVERIFY((sizes("v_h_e.state_encoder.agents.0.weight") == at::IntArrayRef{128, 52}));
        QVERIFY((sizes("v_h_e.state_encoder.agents.1.weight") == at::IntArrayRef{64, 128}));
        QVERIFY((sizes("v_h_e.state_encoder.interactive.weight") == at::IntArrayRef{32, 96}));
        QVERIFY((sizes("v_h_e.state_encoder.joined.weight") == at::IntArrayRef{256, 224}));
        QVERIFY((sizes("v_h_e.agent_encoder.embedding.weight") == at::IntArrayRef{10, 16}));
        QVERIFY((sizes("v_h_e.head.0.weight") == at::IntArrayRef{256, 256 + 64 + 80}));
        QVERIFY((sizes("x_h.head.0.weight") == at::IntArrayRef{256, std::int64_t{2} * (256 + 80)}));
        QVERIFY((sizes("q_r.head.0.weight") == at::IntArrayRef{256, 512}));
        QVERIFY((sizes("q_r.head.2.weight") == at::IntArrayRef{5, 256}));
    }

    void aNetworkOfKnownWeightsGivesWhatOneComputesByHand() {
        // Identity features; the head reads the first agent's x (times 2) and y (times -3).
        NetSpec spec = smallSpec();
        spec.usesEncoders = false;
        spec.encoders = NetSpec::Encoders::Shared;
        spec.numRobotActions = 2;
        spec.hiddenSize = 8;
        const QuantityNets nets(spec, 1);
        StateTensors states = batchOf(kNetShape, 3);
        const at::NoGradGuard off;
        for (const auto& parameter : nets.parametersOf(NetHead::Q_r))
            at::Tensor(parameter.tensor).zero_();
        const std::int64_t agentsAt = 40 * 49 + 4;
        const auto weight = [&](int layer) {
            return find(nets.parameters(), "q_r.head." + std::to_string(layer) + ".weight");
        };
        weight(0)[0][agentsAt].fill_(2.0);
        weight(0)[1][agentsAt + 1].fill_(-3.0);
        find(nets.parameters(), "q_r.head.0.bias")[1].fill_(10.0);
        weight(1)[5][0].fill_(1.0);
        weight(1)[6][1].fill_(0.5);
        weight(2)[0][5].fill_(1.0);
        weight(2)[1][6].fill_(-1.0);
        states.agents.zero_();
        states.agents[0][0].fill_(1.5);  // x = 1.5: hidden 3; y = 0: 10
        states.agents[1][1].fill_(4.0);  // y = 4: 10 - 12 < 0
        const at::Tensor q_r = nets.q_r(nets.encodeShared(states, nullptr), {}, {}).value;
        const auto softplus = [](double x) { return std::log1p(std::exp(x)); };
        const auto at = [&](int n, int a) { return q_r[n][a].item<double>(); };
        QVERIFY(std::abs(at(0, 0) + softplus(3)) < 1e-6);
        QVERIFY(std::abs(at(0, 1) + softplus(-5)) < 1e-6);
        QVERIFY(std::abs(at(1, 0) + softplus(0)) < 1e-6);
        QVERIFY(std::abs(at(1, 1) + softplus(0)) < 1e-6);
        QVERIFY(std::abs(at(2, 1) + softplus(-5)) < 1e-6);
    }

    void identityFeaturesAreTheInputs() {
        NetSpec spec = smallSpec();
        spec.usesEncoders = false;
        spec.planes = PlaneLayout::Seed;
        const QuantityNets nets(spec, 1);
        const StateTensors states = batchOf(kNetShape, 4);
        const HumanPlaces humans = twoHumans();
        const StateFeatures features = nets.encodeShared(states, &humans);
        QCOMPARE(nets.stateFeatures(), std::int64_t{39 * 49 + 4 + 52 + 96});
        QVERIFY(at::equal(features.state.narrow(1, 0, std::int64_t{39} * 49),
                          decompressCells(states.cells, PlaneLayout::Seed).flatten(1)));
        QVERIFY(at::equal(features.state.narrow(1, 39 * 49 + 4, 52), states.agents));
        QCOMPARE(nets.humanFeatures(), std::int64_t{10 + 49 + 13});
        QVERIFY(at::equal(features.humans.narrow(2, 59, 13).select(1, 0),
                          states.agents.narrow(1, 26, 13)));
        QCOMPARE(features.humans[0][0].narrow(0, 0, 10).argmax().item<int>(), 1);
        QCOMPARE(features.humans[0][1].narrow(0, 0, 10).argmax().item<int>(), 3);
        QVERIFY(at::equal(nets.encodeGoals(someGoals()), someGoals()));
        QVERIFY(everything(nets, states, {}).isfinite().all().item<bool>());
    }

    void bothConvolutionsGiveTheSameNetworks() {
        NetSpec spec = smallSpec();
        const QuantityNets cells(spec, 1);
        spec.usesCellConvolution = false;
        const QuantityNets planes(spec, 1);
        const StateTensors states = batchOf(kNetShape, 50);
        QVERIFY(difference(everything(cells, states, {}), everything(planes, states, {})) < 1e-5);
        StateTensors prepared = states;
        cells.prepare(prepared);
        QVERIFY(at::equal(everything(cells, prepared, {}), everything(cells, states, {})));
    }

    void positionsAreEncodedAlikeInSmallAndLargeBatches() {
        const QuantityNets nets(smallSpec(), 1);
        const StateTensors states = batchOf(kNetShape, 60);
        const HumanPlaces humans = twoHumans();
        const at::Tensor large = nets.encodeShared(states, &humans).humans;  // 120 humans, 49 cells
        const at::Tensor small = nets.encodeShared(states.narrow(10, 5), &humans).humans;
        QVERIFY(difference(small, large.narrow(0, 10, 5)) < 1e-6);
        // The same who, state by state.
        const HumanPlaces spelt{humans.slots.expand({60, 2}).contiguous(),
                                humans.agents.expand({60, 2}).contiguous()};
        QVERIFY(at::equal(nets.encodeShared(states, &spelt).humans, large));
    }

    void triplesGiveWhatTheWholeTableGives() {
        const QuantityNets nets(smallSpec(), 1);
        const StateTensors states = batchOf(kNetShape, 9);
        const HumanPlaces humans = twoHumans();
        const StateFeatures shared = nets.encodeShared(states, &humans);
        const at::Tensor goals = nets.encodeGoals(someGoals());
        const at::Tensor goalHuman = at::tensor({0, 1, 1}, at::kLong);
        const at::Tensor all = nets.v_h_eOfAll(shared, goals, goalHuman, {});
        const at::Tensor state = at::tensor({8, 0, 3, 3}, at::kLong);
        const at::Tensor goal = at::tensor({2, 0, 1, 0}, at::kLong);
        const at::Tensor some =
            nets.v_h_e(shared, goals, state, goalHuman.index_select(0, goal), goal, {});
        QVERIFY(at::allclose(some, all.index({state, goal}), 0, 1e-6));
    }

    void softClampIsLinearInsideAndApproachesItsLimits() {
        // [2, 6]: tails of length 4. Slope 1 at the borders, limits -2 and 10.
        const at::Tensor x =
            at::tensor({2.0F, 3.5F, 6.0F, 10.0F, 1000.0F, -2.0F, -1000.0F}).requires_grad_();
        const at::Tensor y = softClamp(x, 2, 6);
        const double tail = 4 * (1 - std::exp(-1.0));
        const at::Tensor expected =
            at::tensor({2.0, 3.5, 6.0, 6 + tail, 10.0, 2 - tail, -2.0}, at::kFloat);
        QVERIFY(at::allclose(y, expected, 0, 1e-6));
        y.sum().backward();
        const double slope = std::exp(-1.0);
        const at::Tensor slopes = at::tensor({1.0, 1.0, 1.0, slope, 0.0, slope, 0.0}, at::kFloat);
        // At the borders both branches meet; each sub-gradient in between would be right.
        const at::Tensor inner = at::tensor({1, 3, 4, 5, 6}, at::kLong);
        QVERIFY(
            at::allclose(x.grad().index_select(0, inner), slopes.index_select(0, inner), 0, 1e-6));
        const at::Tensor near = at::tensor({1.9999F, 2.0001F, 5.9999F, 6.0001F}).requires_grad_();
        softClamp(near, 2, 6).sum().backward();
        QVERIFY(at::allclose(near.grad(), at::ones({4}), 0, 1e-3));
    }

    void zSpaceAndBackIsTheSame() {
        const at::Tensor q = at::tensor({-0.001, -0.5, -1.0, -7.0, -1e4}, at::kDouble);
        const at::Tensor z = zOfQ(q, 1.1, 0.7);
        QVERIFY(at::allclose(qOfZ(z, 1.1, 0.7), q, 1e-12, 0));
        QVERIFY(std::abs(zOfQ(at::tensor({-8.0}, at::kDouble), 1.5, 2).item<double>() - 0.5) <
                1e-12);
        const at::Tensor y = at::tensor({1.0, 1.5, 300.0}, at::kDouble);
        QVERIFY(at::allclose(yOfZ(zOfY(y, 2.5), 2.5), y, 1e-12, 0));
        QVERIFY(at::allclose(u_rOfY(at::tensor({4.0}, at::kDouble), 1.5),
                             at::tensor({-8.0}, at::kDouble), 1e-12, 0));
    }

    void zSpaceNetworksGiveBothSides() {
        NetSpec spec = smallSpec();
        spec.usesZSpace = true;
        spec.eta = 1.3;
        spec.xi = 0.8;
        const QuantityNets nets(spec, 1);
        const StateTensors states = batchOf(kNetShape, 5);
        const RobotOutput out = nets.q_r(nets.encodeShared(states, nullptr),
                                         nets.encodeOwn(NetHead::Q_r, states, nullptr), {});
        QVERIFY(out.z.gt(0).logical_and(out.z.lt(1)).all().item<bool>());
        QVERIFY(at::allclose(qOfZ(out.z, 1.3, 0.8), out.value, 1e-5, 0));
        const at::NoGradGuard off;
        find(nets.parameters(), "q_r.head.2.bias").fill_(-1e6);
        const RobotOutput far = nets.q_r(nets.encodeShared(states, nullptr),
                                         nets.encodeOwn(NetHead::Q_r, states, nullptr), {});
        QVERIFY(far.value.isfinite().all().item<bool>());
    }

    void theSeedDecidesTheWeights() {
        const QuantityNets first(smallSpec(), 17);
        const QuantityNets same(smallSpec(), 17);
        const QuantityNets other(smallSpec(), 18);
        NetSpec fewer = smallSpec();
        fewer.has[static_cast<std::size_t>(NetHead::U_r)] = false;
        const QuantityNets partial(fewer, 17);
        for (std::size_t i = 0; i < first.parameters().size(); ++i) {
            const auto& [name, tensor] = first.parameters()[i];
            QCOMPARE(same.parameters()[i].name, name);
            QVERIFY(at::equal(same.parameters()[i].tensor, tensor));
            QVERIFY(!at::equal(other.parameters()[i].tensor, tensor));
            if (!name.starts_with("u_r."))
                QVERIFY(at::equal(find(partial.parameters(), name), tensor));
        }
        QVERIFY(partial.parametersOf(NetHead::U_r).empty());
        // Uniform within 1 / sqrt(52): mean 0, deviation bound / sqrt(3).
        const at::Tensor weight = find(first.parameters(), "v_h_e.state_encoder.agents.0.weight");
        const double bound = 1 / std::sqrt(52.0);
        QVERIFY(weight.abs().max().item<double>() <= bound);
        QVERIFY(std::abs(weight.mean().item<double>()) < 0.1 * bound);
        QVERIFY(std::abs(weight.std().item<double>() - bound / std::sqrt(3.0)) < 0.1 * bound);
    }

    void whatIsDroppedFollowsFromTheStream() {
        const QuantityNets nets(smallSpec(), 1);
        const StateTensors states = batchOf(kNetShape, 8);
        const auto trained = [&](std::uint64_t seed) {
            Rng rng(seed);
            return everything(nets, states, {.training = &rng});
        };
        QVERIFY(at::equal(trained(3), trained(3)));
        QVERIFY(!at::equal(trained(3), trained(4)));
        QVERIFY(at::equal(everything(nets, states, {}), everything(nets, states, {})));
        // Dropping keeps the mean: with nothing dropped it is the evaluation, but for the clamp.
        NetSpec spec = smallSpec();
        spec.dropout = 0;
        const QuantityNets kept(spec, 1);
        Rng rng(3);
        const at::Tensor a = everything(kept, states, {.training = &rng});
        const at::Tensor b = everything(kept, states, {});
        QVERIFY(at::allclose(a.narrow(1, 5, 7), b.narrow(1, 5, 7), 1e-6, 0));
        QVERIFY(at::allclose(a.narrow(1, 0, 3).clamp(0, 1), b.narrow(1, 0, 3), 0, 1e-6));
    }

    void lossesTrainTheirOwnEncodersAlone() {
        const StateTensors states = batchOf(kNetShape, 8);
        const HumanPlaces humans = twoHumans();
        for (const auto encoders : {NetSpec::Encoders::SharedAndOwn, NetSpec::Encoders::Shared,
                                    NetSpec::Encoders::SharedTrained}) {
            NetSpec spec = smallSpec();
            spec.encoders = encoders;
            const QuantityNets nets(spec, 1);
            const bool hasOwn = encoders != NetSpec::Encoders::Shared;
            const bool trainsShared = encoders == NetSpec::Encoders::SharedTrained;
            const StateFeatures shared = nets.encodeShared(states, &humans);
            nets.q_r(shared, nets.encodeOwn(NetHead::Q_r, states, &humans), {})
                .value.sum()
                .backward();
            QVERIFY(hasGradient(nets.parameters(), "q_r.head"));
            QCOMPARE(hasGradient(nets.parameters(), "q_r.own_state_encoder"), hasOwn);
            QCOMPARE(hasGradient(nets.parameters(), "v_h_e."), trainsShared);
            forgetGradients(nets);
            const StateFeatures again = nets.encodeShared(states, &humans);
            nets.x_h(again, nets.encodeOwn(NetHead::X_h, states, &humans), {}).sum().backward();
            QCOMPARE(hasGradient(nets.parameters(), "x_h.own_agent_encoder.conv1"), hasOwn);
            QCOMPARE(hasGradient(nets.parameters(), "v_h_e.agent_encoder"), trainsShared);
            QVERIFY(!hasGradient(nets.parameters(), "q_r."));
            forgetGradients(nets);
            const at::Tensor goals = nets.encodeGoals(someGoals());
            nets.v_h_eOfAll(nets.encodeShared(states, &humans), goals,
                            at::tensor({0, 1, 1}, at::kLong), {})
                .sum()
                .backward();
            for (const char* part : {"v_h_e.state_encoder.conv1", "v_h_e.state_encoder.agents.0",
                                     "v_h_e.agent_encoder.embedding", "v_h_e.goal_encoder"})
                QVERIFY2(hasGradient(nets.parameters(), part), part);
            QVERIFY(!hasGradient(nets.parameters(), "x_h."));
        }
    }

    void copiesStandStillUntilTheyAreCopiedAgain() {
        const QuantityNets nets(smallSpec(), 1);
        const auto target = nets.frozen();
        const StateTensors states = batchOf(kNetShape, 4);
        const at::Tensor before = everything(*target, states, {});
        QVERIFY(at::equal(before, everything(nets, states, {})));
        QVERIFY(!before.requires_grad());
        {
            const at::NoGradGuard off;
            for (const auto& parameter : nets.parameters()) at::Tensor(parameter.tensor).mul_(1.5);
        }
        QVERIFY(at::equal(before, everything(*target, states, {})));
        target->copyFrom(nets, NetHead::Q_r);
        QVERIFY(!at::equal(find(target->parameters(), "v_h_e.head.0.weight"),
                           find(nets.parameters(), "v_h_e.head.0.weight")));
        for (const auto& parameter : target->parametersOf(NetHead::Q_r))
            QVERIFY(at::equal(parameter.tensor, find(nets.parameters(), parameter.name)));
        for (int h = 0; h < kNumNetHeads; ++h) target->copyFrom(nets, static_cast<NetHead>(h));
        QVERIFY(at::equal(everything(*target, states, {}), everything(nets, states, {})));
    }
};

ORRERY_TEST(NetsTest)
#include "nets_test.moc"
