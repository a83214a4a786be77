#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <QTest>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/entity/entity_game.h"
#include "core/entity/net/rogue_net.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// Two types, global features, and every kind of action.
EntityLayout layoutOfPlaces(std::vector<ObservedSpace> observations) {
    return entityLayoutOf({.observations = std::move(observations),
                           .actions = {choiceOf("move", {"n", "e", "s"}), selectionOf("aim"),
                                       globalChoiceOf("say", {"yes", "no"})}});
}

/// A number that a thing's feature has, whatever its column is.
float featureOf(std::int64_t frame, const std::string& type, std::int64_t thing,
                const std::string& feature) {
    Rng rng(static_cast<std::uint64_t>(100 * frame + thing),
            std::hash<std::string>()(type + '.' + feature));
    return static_cast<float>(rng.uniform() * 4 - 2);
}

/// Four frames: A moves and aims at B; of each type so many.
VecObs framesIn(const EntityLayout& layout) {
    const std::map<std::string, std::vector<std::int64_t>> counts{
        {"A", {1, 2, 0, 3}}, {"B", {2, 0, 1, 2}}, {kGlobals, {1, 1, 1, 1}}};
    VecObs frames(layout);
    for (std::int64_t frame = 0; frame < 4; ++frame) {
        const auto at = static_cast<std::size_t>(frame);
        std::map<std::string, std::int64_t> first;
        std::int64_t things = 0;
        for (std::size_t i = 0; i < layout.types.size(); ++i) {
            const EntityLayout::Type& type = layout.types[i];
            const std::int64_t count = counts.at(type.name)[at];
            first[type.name] = things;
            things += count;
            std::vector<float> cells;
            for (std::int64_t thing = 0; thing < count; ++thing)
                for (const std::string& feature : type.features)
                    cells.push_back(featureOf(frame, type.name, thing, feature));
            frames.things[i].push(count, cells);
        }
        std::vector<std::int64_t> movers, targets;
        for (std::int64_t k = 0; k < counts.at("A")[at]; ++k) movers.push_back(first["A"] + k);
        for (std::int64_t k = 0; k < counts.at("B")[at]; ++k) targets.push_back(first["B"] + k);
        frames.offers[0].actors.push(std::ssize(movers), movers);
        if (targets.empty()) movers.clear();
        frames.offers[1].actors.push(std::ssize(movers), movers);
        frames.offers[1].candidates.push(std::ssize(targets), targets);
        const std::vector<std::int64_t> game{things - 1};
        frames.offers[2].actors.push(1, game);
    }
    frames.reward.assign(4, 0);
    frames.done.assign(4, 0);
    frames.truncated.assign(4, 0);
    return frames;
}

}  // namespace

/// A network whose environment has come to show more, or in another order.
class ObsFilterTest : public QObject {
    Q_OBJECT

    const EntityLayout m_learned = layoutOfPlaces(
        {thingsOf("A", {"x", "y"}), thingsOf("B", {"x", "y", "hp"}), globalsOf({"t"})});

private Q_SLOTS:
    void whatIsAddedOrElsewhereChangesNothing_data() {
        QTest::addColumn<int>("change");
        QTest::newRow("added") << 0;
        QTest::newRow("reordered") << 1;
        QTest::newRow("added, reordered, types too") << 2;
    }
    void whatIsAddedOrElsewhereChangesNothing() {
        QFETCH(const int, change);
        const EntityLayout offered =
            change == 0   ? layoutOfPlaces({thingsOf("A", {"x", "y", "z"}),
                                            thingsOf("B", {"x", "y", "hp"}), globalsOf({"t", "u"})})
            : change == 1 ? layoutOfPlaces({thingsOf("A", {"y", "x"}),
                                            thingsOf("B", {"hp", "x", "y"}), globalsOf({"t"})})
                          : layoutOfPlaces({thingsOf("B", {"hp", "new", "y", "x"}),
                                            thingsOf("A", {"z", "y", "x"}), globalsOf({"u", "t"})});
        const RogueNetSpec spec{.dModel = 16, .nLayer = 2};
        RogueNet net(spec, m_learned, 3);
        const at::NoGradGuard off;
        for (const NetParameter& parameter : net.parameters())
            if (parameter.name.starts_with("auxiliary") || parameter.name.starts_with("action"))
                at::Tensor(parameter.tensor).add_(0.125);
        net.takeIn(netFramesOf(net.inputs(), framesIn(m_learned)));
        const NetOutput due = net.forward(netFramesOf(net.inputs(), framesIn(m_learned)));
        net.setObsFilter(offered);
        const NetOutput got = net.forward(netFramesOf(net.inputs(), framesIn(offered)));
        QVERIFY(at::equal(got.embeddings, due.embeddings));
        QVERIFY(at::equal(got.value, due.value));
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY(at::equal(got.actions[i].logProbabilities, due.actions[i].logProbabilities));
        // And back.
        net.setObsFilter(m_learned);
        QVERIFY(at::equal(net.forward(netFramesOf(net.inputs(), framesIn(m_learned))).embeddings,
                          due.embeddings));
    }

    void aMissingFeatureIsNamed() {
        RogueNet net({.dModel = 16, .nLayer = 1}, m_learned, 3);
        try {
            net.setObsFilter(layoutOfPlaces(
                {thingsOf("A", {"x", "y"}), thingsOf("B", {"y", "x"}), globalsOf({"t"})}));
            QFAIL("it was taken");
        } catch (const Error& error) {
            QVERIFY2(QByteArray(error.what()).contains("'hp'") &&
                         QByteArray(error.what()).contains("'B'"),
                     error.what());
        }
        // It reads what it read before.
        net.forward(netFramesOf(net.inputs(), framesIn(m_learned)));
    }
};

ORRERY_TEST(ObsFilterTest)
#include "obs_filter_test.moc"
