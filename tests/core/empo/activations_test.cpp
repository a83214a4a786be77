#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/empo/learner/quantity_values.h"
#include "core/empo/nets/quantity_nets.h"
#include "core/replay/replay_snapshot.h"
#include "tests/core/empo/training.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// Encoded states of a training's buffer, each a row.
std::vector<std::vector<std::byte>> statesOf(test::Training& training, std::size_t count) {
    const auto snapshot = training.buffer().snapshot();
    std::vector<std::vector<std::byte>> states;
    for (std::size_t i = 0; i < snapshot->size() && states.size() < count; i += 7) {
        const auto bytes = snapshot->stateBefore(i);
        states.emplace_back(bytes.begin(), bytes.end());
    }
    return states;
}

std::vector<const std::byte*> pointersTo(const std::vector<std::vector<std::byte>>& states) {
    std::vector<const std::byte*> pointers;
    pointers.reserve(states.size());
    for (const auto& state : states) pointers.push_back(state.data());
    return pointers;
}

const LayerNumbers& layerOf(const NetActivations& net, const std::string& name) {
    const auto at = std::ranges::find(net.layers, name, &LayerNumbers::name);
    if (at == net.layers.end()) qFatal("no layer %s", name.c_str());
    return *at;
}

/// A parameter of the target networks, row-major.
std::vector<float> parameterOf(const QuantityNets& nets, const std::string& name) {
    for (const auto& parameter : nets.parameters())
        if (parameter.name == name) {
            const at::Tensor numbers = parameter.tensor.detach().contiguous();
            const float* first = numbers.const_data_ptr<float>();
            return {first, first + numbers.numel()};
        }
    qFatal("no parameter %s", name.c_str());
}

/// weight x + bias, as on paper.
std::vector<double> linear(const QuantityNets& nets, const std::string& layer,
                           const std::vector<float>& x) {
    const std::vector<float> weight = parameterOf(nets, layer + ".weight");
    const std::vector<float> bias = parameterOf(nets, layer + ".bias");
    std::vector<double> y(bias.begin(), bias.end());
    for (std::size_t row = 0; row < y.size(); ++row)
        for (std::size_t i = 0; i < x.size(); ++i)
            y[row] += static_cast<double>(weight[row * x.size() + i]) * static_cast<double>(x[i]);
    return y;
}

std::vector<float> joined(std::initializer_list<const std::vector<float>*> parts) {
    std::vector<float> all;
    for (const auto* part : parts) all.insert(all.end(), part->begin(), part->end());
    return all;
}

void compareRectified(const std::vector<double>& expected, const std::vector<float>& got) {
    QCOMPARE(expected.size(), got.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        QVERIFY2(std::abs(std::max(0.0, expected[i]) - static_cast<double>(got[i])) < 1e-4,
                 qPrintable(QString("unit %1: %2, not %3")
                                .arg(i)
                                .arg(expected[i])
                                .arg(static_cast<double>(got[i]))));
}

EmpoSpec allNetworks() {
    EmpoSpec spec = test::networkSpec();
    for (const Quantity quantity : kQuantities) {
        spec.of(quantity).kind = Approximator::Network;
        spec.of(quantity).warmupSteps = 0;
    }
    spec.rampSteps = 0;
    return spec;
}

}  // namespace

class ActivationsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLastLayerLeadsToTheValueShown_data() {
        QTest::addColumn<int>("quantity");
        QTest::addColumn<int>("goal");
        QTest::addColumn<bool>("isTarget");
        for (int q = 0; q < kNumQuantities; ++q)
            for (const bool isTarget : {false, true})
                QTest::newRow((std::string(nameOf(static_cast<Quantity>(q))) +
                               (isTarget ? " target" : " live"))
                                  .c_str())
                    << q << (q == 0 ? 4 : 0) << isTarget;
    }
    void theLastLayerLeadsToTheValueShown() {
        QFETCH(int, quantity);
        QFETCH(int, goal);
        QFETCH(bool, isTarget);
        test::Training training(allNetworks(), {test::pairRoom(5)});
        training.collect(200);
        for (int k = 0; k < 6; ++k) training.step();
        const auto states = statesOf(training, 9);
        const auto pointers = pointersTo(states);
        const ActivationWish wish{.quantity = static_cast<Quantity>(quantity),
                                  .human = 0,
                                  .goal = goal,
                                  .copy = isTarget ? ValueCopy::Target : ValueCopy::Live};
        const NetActivations net = training.learner().activations(0, pointers, wish);
        const LearnedValues values =
            training.learner().evaluate(0, std::span(pointers).first(1), wish.copy);
        std::vector<float> expected;
        switch (wish.quantity) {
            case Quantity::V_h_e:
                expected = {values.v_h_e[0][static_cast<std::size_t>(goal)]};
                break;
            case Quantity::X_h:
                expected = {values.x_h[0]};
                break;
            case Quantity::U_r:
                expected = {values.u_r[0]};
                break;
            case Quantity::Q_r:
                expected = values.q_r;
                break;
            case Quantity::V_r:
                expected = {values.v_r[0]};
                break;
        }
        QCOMPARE(net.value.size(), expected.size());
        const LayerNumbers& output = net.layers.back();
        QCOMPARE(output.name, std::string(nameOf(wish.quantity)) + ".head.2");
        QCOMPARE(output.values.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QVERIFY(std::abs(net.value[i] - expected[i]) <= 2e-6F * std::abs(expected[i]) + 1e-6F);
            // What the head gives becomes the value by the quantity's own rule.
            const auto x = static_cast<double>(output.values[i]);
            double value = -std::log1p(std::exp(x));
            if (wish.quantity == Quantity::V_h_e) value = std::clamp(x, 0.0, 1.0);
            if (wish.quantity == Quantity::X_h) value = std::clamp(x, 1e-6, double{6});
            if (wish.quantity == Quantity::U_r)
                value = -std::pow(1 + std::exp(x), training.learner().spec().eta);
            QVERIFY2(
                std::abs(value - static_cast<double>(net.value[i])) <=
                    1e-4 * std::abs(value) + 1e-5,
                qPrintable(QString("%1 and %2").arg(value).arg(static_cast<double>(net.value[i]))));
        }
    }

    void everyDenseLayerIsWhatPaperSays() {
        test::Training training(allNetworks(), {test::pairRoom(5)});
        training.collect(200);
        for (int k = 0; k < 6; ++k) training.step();
        const auto states = statesOf(training, 1);
        const auto pointers = pointersTo(states);
        const QuantityNets& nets = *training.learner().targetValues().nets;
        const NetActivations q_r = training.learner().activations(
            0, pointers, {.quantity = Quantity::Q_r, .copy = ValueCopy::Target});
        const std::string own = "q_r.own_state_encoder";
        const auto& of = [&](const std::string& name) -> const std::vector<float>& {
            return layerOf(q_r, name).values;
        };
        compareRectified(linear(nets, own + ".agents.1", of(own + ".agents.0")),
                         of(own + ".agents.1"));
        compareRectified(
            linear(nets, own + ".joined",
                   joined({&of(own + ".grid"), &of(own + ".agents.1"), &of(own + ".interactive")})),
            of(own + ".joined"));
        compareRectified(linear(nets, "q_r.head.0",
                                joined({&of("v_h_e.state_encoder.joined"), &of(own + ".joined")})),
                         of("q_r.head.0"));
        compareRectified(linear(nets, "q_r.head.1", of("q_r.head.0")), of("q_r.head.1"));
        const std::vector<double> output = linear(nets, "q_r.head.2", of("q_r.head.1"));
        for (std::size_t i = 0; i < output.size(); ++i)
            QVERIFY(std::abs(output[i] - static_cast<double>(of("q_r.head.2")[i])) < 1e-4);
        // V_h^e reads the state, the goal and the human; its layers are of this goal and human.
        const NetActivations v_h_e = training.learner().activations(
            0, pointers,
            {.quantity = Quantity::V_h_e, .human = 0, .goal = 3, .copy = ValueCopy::Target});
        const GoalRectangle& box = training.facts()[0].humans[0].goals[3];
        const std::vector<float> rectangle = {
            static_cast<float>(box.x1), static_cast<float>(box.y1), static_cast<float>(box.x2),
            static_cast<float>(box.y2)};
        const auto& goal = layerOf(v_h_e, "v_h_e.goal_encoder.linear").values;
        compareRectified(linear(nets, "v_h_e.goal_encoder.linear", rectangle), goal);
        compareRectified(linear(nets, "v_h_e.head.0",
                                joined({&layerOf(v_h_e, "v_h_e.state_encoder.joined").values, &goal,
                                        &layerOf(v_h_e, "v_h_e.agent_encoder.embedding").values,
                                        &layerOf(v_h_e, "v_h_e.agent_encoder.position").values,
                                        &layerOf(v_h_e, "v_h_e.agent_encoder.numbers").values})),
                         layerOf(v_h_e, "v_h_e.head.0").values);
    }

    void unitsAreCountedOverAllStates() {
        test::Training training(allNetworks(), {test::pairRoom(5)});
        training.collect(300);
        const auto states = statesOf(training, 30);
        const auto pointers = pointersTo(states);
        const ActivationWish wish{.quantity = Quantity::V_h_e, .goal = 1};
        const NetActivations all = training.learner().activations(0, pointers, wish);
        QCOMPARE(all.states, 30);
        std::map<std::string, std::vector<std::uint32_t>> counted;
        for (const std::byte* state : pointers)
            for (const LayerNumbers& layer :
                 training.learner().activations(0, {&state, 1}, wish).layers) {
                auto& counts = counted[layer.name];
                counts.resize(layer.values.size());
                for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += layer.values[i] != 0;
            }
        QCOMPARE(counted.size(), all.layers.size());
        for (const LayerNumbers& layer : all.layers) {
            const bool isOfGoal = layer.name.starts_with("v_h_e.goal_encoder");
            if (isOfGoal)  // over all goals
                QVERIFY(std::ranges::all_of(layer.active,
                                            [](std::uint32_t n) { return n == 0 || n == 30; }));
            else
                QCOMPARE(layer.active, counted.at(layer.name));
            std::int64_t size = 1;
            for (const std::int64_t part : layer.shape) size *= part;
            QCOMPARE(static_cast<std::size_t>(size), layer.values.size());
            if (layer.isRectified)
                QVERIFY(std::ranges::all_of(layer.values, [](float x) { return x >= 0; }));
        }
        const LayerNumbers& maps = layerOf(all, "v_h_e.state_encoder.conv2");
        QCOMPARE(maps.shape.size(), 3U);
        // Some units are dead, and some are not.
        const auto& hidden = layerOf(all, "v_h_e.head.0").active;
        QVERIFY(std::ranges::count(hidden, 0U) < std::ssize(hidden));
    }

    void aTableShowsItsRow() {
        EmpoSpec spec = test::tabularSpec();
        for (const Quantity quantity : kQuantities) spec.of(quantity).warmupSteps = 0;
        test::Training training(spec, {test::pairRoom(5)});
        training.collect(200);
        for (int k = 0; k < 50; ++k) training.step();
        const auto states = statesOf(training, 1);
        const auto pointers = pointersTo(states);
        const NetActivations net =
            training.learner().activations(0, pointers, {.quantity = Quantity::Q_r});
        QCOMPARE(static_cast<int>(net.kind), static_cast<int>(Approximator::Table));
        QVERIFY(net.layers.empty());
        QVERIFY(net.row >= 0);
        const LearnedValues values = training.learner().evaluate(0, pointers);
        QCOMPARE(net.value, values.q_r);
        QCOMPARE(net.entries.size(), values.q_r.size());
        for (std::size_t i = 0; i < net.entries.size(); ++i)
            QCOMPARE(std::min(net.entries[i], -1e-12F), values.q_r[i]);
        // A state that was never met has no row, only defaults.
        std::vector<std::byte> other = states[0];
        other[0] ^= std::byte{1};
        const std::byte* place = other.data();
        const NetActivations unseen =
            training.learner().activations(0, {&place, 1}, {.quantity = Quantity::Q_r});
        QCOMPARE(unseen.row, -1);
        QVERIFY(std::ranges::all_of(unseen.updates, [](std::uint32_t n) { return n == 0; }));
    }

    void memoryIsCounted() {
        MemoryNumbers networks, tables;
        test::Training(allNetworks(), {test::pairRoom(5)}).learner().addBytes(networks);
        test::Training(test::tabularSpec(), {test::pairRoom(5)}).learner().addBytes(tables);
        QVERIFY(networks.parameters > 10'000);
        QVERIFY(networks.optimisers > networks.parameters / 2);
        QCOMPARE(tables.parameters, 0);
        QVERIFY(tables.tables > 0);
        // Where the humans' policies are learned, theirs is counted, too.
        EmpoSpec learned = test::tabularSpec();
        learned.humanPrior = HumanPrior::Learned;
        learned.q_h.kind = Approximator::Network;
        MemoryNumbers both;
        test::Training(learned, {test::pairRoom(5)}).learner().addBytes(both);
        QVERIFY(both.parameters > 10'000);
        QVERIFY(both.optimisers > 0);
    }
};

ORRERY_TEST(ActivationsTest)
#include "activations_test.moc"
