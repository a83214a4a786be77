#include "core/collect/collector.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "core/base/error.h"
#include "core/grid/grid_spec.h"
#include "tests/core/collect/collect_worlds.h"
#include "tests/core/collect/made_collector.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr ActingRates kMixed{.epsilon_r = 0.3, .epsilon_h = 0.2, .beta_r = 1.5};

std::shared_ptr<const World> twoHumans() {
    GridWorldSpec spec;
    spec.map = {"WeWeWeWeWe", "WeAyUnAeWe", "We....AyWe", "WeWeWeWeWe"};
    spec.maxSteps = 7;
    spec.possibleGoals = {Goal{1, 1, 1, 1}, Goal{3, 1, 3, 2}, Goal{1, 1, 3, 2}};
    spec.goalWeights = {0.5, 1.0, 0.5};
    return makeWorld(spec);
}

class NotANumber final : public RobotValues {
public:
    void q_r(std::span<const std::byte>, int, std::span<float> out) override {
        std::ranges::fill(out, -1.0F);
        out[2] = std::numeric_limits<float>::quiet_NaN();
    }
};

}  // namespace

/// What a collector does step by step, and how it goes on when it is loaded.
class CollectorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTransitionFitsItsModel_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<bool>("expects");
        for (std::size_t i = 0; i < learnableWorlds().size(); ++i)
            for (const bool expects : {true, false})
                QTest::addRow("%s, %s", learnableWorlds()[i].name.c_str(),
                              expects ? "expected" : "sampled")
                    << static_cast<int>(i) << expects;
    }
    void everyTransitionFitsItsModel() {
        QFETCH(int, index);
        QFETCH(bool, expects);
        const auto& world = learnableWorlds()[static_cast<std::size_t>(index)].world;
        Collector collector = collectorOf({world}, {.seed = 5, .expectsHumans = expects});
        const WorldFacts facts = collector.modeller(0).facts();
        StateEncoder encoder(*world);
        std::vector<std::byte> here(encoder.shape().bytes());
        std::vector<std::byte> bytes(here.size());
        int step = 0;
        std::int64_t episode = 0;
        encoder.encode(world->initialConfiguration(), 0, here);
        for (int k = 0; k < 60; ++k) {
            const Transition t = collector.step(kMixed);
            QCOMPARE(t.step, step);
            QCOMPARE(t.episode, episode);
            QVERIFY(t.model->state == here);
            int profile = 0;
            for (std::size_t h = 0; h < facts.humans.size(); ++h)
                profile = profile * facts.humans[h].numActions + t.humanActions[h];
            QCOMPARE(t.model->profile, expects ? -1 : profile);
            const auto row =
                static_cast<std::size_t>(expects ? profile : 0) * facts.numRobotActions() +
                t.robotAction;
            const auto begin = t.model->successor.begin();
            QVERIFY(std::find(begin + t.model->rowBegin[row], begin + t.model->rowBegin[row + 1],
                              t.reached) != begin + t.model->rowBegin[row + 1]);
            ++step;
            encoder.encode(collector.configuration(), step, bytes);
            QVERIFY(std::ranges::equal(t.model->successorBytes(t.reached), bytes));
            QCOMPARE(t.endsEpisode, step == std::min(50, world->maxSteps()));
            here = bytes;
            if (!t.endsEpisode) continue;
            step = 0;
            ++episode;
            encoder.encode(world->initialConfiguration(), 0, here);
        }
    }

    void oneSeedIsOneTrajectory() {
        const std::vector<std::shared_ptr<const World>> worlds{twoHumans()};
        Collector a = collectorOf(worlds, {.seed = 9}), b = collectorOf(worlds, {.seed = 9});
        Collector tight = collectorOf(worlds, {.seed = 9, .modeller = {.cacheBytes = 0}});
        Collector otherSeed = collectorOf(worlds, {.seed = 10});
        Collector otherIndex = collectorOf(worlds, {.index = 1, .seed = 9});
        int differentSeed = 0, differentIndex = 0;
        for (int k = 0; k < 400; ++k) {
            const Transition t = a.step(kMixed);
            QVERIFY(areEqual(t, b.step(kMixed)));
            QVERIFY(areEqual(t, tight.step(kMixed)));
            const Transition u = otherSeed.step(kMixed), v = otherIndex.step(kMixed);
            differentSeed += t.humanActions != u.humanActions || t.robotAction != u.robotAction;
            differentIndex += t.humanActions != v.humanActions || t.robotAction != v.robotAction;
        }
        QVERIFY(differentSeed > 200 && differentIndex > 200);
    }

    void whatIsLoadedGoesOnAsTheOther_data() {
        QTest::addColumn<bool>("expects");
        QTest::addColumn<int>("curiosity");
        QTest::newRow("expected") << true << 0;
        QTest::newRow("sampled") << false << 0;
        QTest::newRow("expected, counts") << true << 1;
        QTest::newRow("sampled, counts with bound") << false << 2;
    }
    void whatIsLoadedGoesOnAsTheOther() {
        QFETCH(bool, expects);
        QFETCH(int, curiosity);
        const auto kind = static_cast<CuriositySpec::Kind>(curiosity);
        const CollectorSpec spec{.index = 3,
                                 .seed = 4,
                                 .expectsHumans = expects,
                                 .goalResampleProbability = 0.2,
                                 .drawsWorlds = true,
                                 .curiosity_r = {.kind = kind},
                                 .curiosity_h = {.kind = kind}};
        ActingRates rates = kMixed;
        rates.curiosity = 1;
        const std::vector<std::shared_ptr<const World>> worlds{smallRoom(5), smallRoom(8)};
        for (const int before : {0, 1, 5, 33, 100}) {
            Collector a = collectorOf(worlds, spec), b = collectorOf(worlds, spec);
            stepsOf(a, before, rates);
            stepsOf(b, 17, rates);
            const auto bytes = a.save();
            b.load(bytes);
            QVERIFY(b.save() == bytes);
            QVERIFY(std::ranges::equal(a.configuration(), b.configuration()));
            for (int k = 0; k < 100; ++k) QVERIFY(areEqual(a.step(rates), b.step(rates)));
            QVERIFY(a.save() == b.save());
        }
    }

    void damagedBytesAreRefusedAndChangeNothing() {
        Collector collector =
            collectorOf({smallRoom()}, {.curiosity_r = {.kind = CuriositySpec::Kind::Counts}});
        stepsOf(collector, 33, kMixed);
        const auto good = collector.save();
        Rng rng(3);
        int refused = 0;
        const auto isRefused = [&](std::span<const std::byte> bytes) {
            try {
                collector.load(bytes);
            } catch (const Error& e) {
                ++refused;
                return e.kind() == Error::Kind::Damaged && collector.save() == good;
            }
            return false;
        };
        for (int k = 0; k < 500; ++k) {
            auto bad = good;
            bad[rng.below(bad.size())] ^= static_cast<std::byte>(1U << rng.below(8));
            QVERIFY(isRefused(bad));
        }
        for (const std::size_t size : {std::size_t{0}, std::size_t{3}, good.size() - 1})
            QVERIFY(isRefused(std::span(good).first(size)));
        Collector other = collectorOf({smallRoom(11)}, {});
        QVERIFY_THROWS_EXCEPTION(Error, other.load(good));
        collector.load(good);
        qInfo("%d refused", refused);
    }

    void humansFollowTheirPriorAndExplore_data() {
        QTest::addColumn<double>("epsilon");
        for (const double epsilon : {0.0, 0.35, 1.0}) QTest::addRow("%g", epsilon) << epsilon;
    }
    void humansFollowTheirPriorAndExplore() {
        QFETCH(double, epsilon);
        const auto world = twoHumans();
        Collector collector = collectorOf(
            {world}, {.seed = 2, .stepsPerEpisode = 1, .exploration_h = {1, 0, 2, 1}}, 0.7);
        const WorldFacts facts = collector.modeller(0).facts();
        const auto prior = collector.modeller(0).state(world->initialConfiguration(), 0).prior;
        std::vector<std::vector<double>> found(6, std::vector<double>(4)), expected = found;
        const double exploration[] = {0.25, 0, 0.5, 0.25};
        std::vector<double> goals(3);
        constexpr int kSteps = 40'000;
        for (int k = 0; k < kSteps; ++k) {
            const Transition t = collector.step({.epsilon_r = 1, .epsilon_h = epsilon});
            ++goals[static_cast<std::size_t>(t.goals[0])];
            for (std::size_t h = 0; h < 2; ++h) {
                const std::size_t list = h * 3 + static_cast<std::size_t>(t.goals[h]);
                ++found[list][t.humanActions[h]];
                for (std::size_t a = 0; a < 4; ++a)
                    expected[list][a] += epsilon * exploration[a] +
                                         (1 - epsilon) * static_cast<double>(prior[list * 4 + a]);
                QCOMPARE(t.goalWeights[h], 2.0F);
            }
        }
        // 3 degrees of freedom a list: above 16.3 with a chance of 0.001.
        for (std::size_t list = 0; list < 6; ++list)
            QVERIFY(chiSquare(found[list], expected[list]) < 16.3);
        // Goals by their weights 0.5, 1, 0.5.
        QVERIFY(chiSquare(goals, {kSteps * 0.25, kSteps * 0.5, kSteps * 0.25}) < 13.8);
    }

    void robotsFollowTheirPolicyAndExplore_data() {
        QTest::addColumn<double>("epsilon");
        QTest::addColumn<double>("beta");
        QTest::newRow("uniform") << 0.0 << 0.0;
        QTest::newRow("policy") << 0.0 << 1.5;
        QTest::newRow("both") << 0.4 << 3.0;
        QTest::newRow("exploration") << 1.0 << 3.0;
        QTest::newRow("a great power") << 0.1 << 500.0;
        QTest::newRow("the best only") << 0.0 << std::numeric_limits<double>::infinity();
    }
    void robotsFollowTheirPolicyAndExplore() {
        QFETCH(double, epsilon);
        QFETCH(double, beta);
        const auto world = smallRoom();
        Collector collector = collectorOf(
            {world}, {.seed = 2, .stepsPerEpisode = 1, .exploration_r = {.weights = {3, 1, 0, 1}}});
        std::vector<float> q_r(4);
        MadeValues().q_r(collector.modeller(0).state(world->initialConfiguration(), 0).state, 0,
                         q_r);
        std::vector<double> policy;
        double sum = 0;
        for (const float q : q_r) {
            const double share = static_cast<double>(q / q_r[0]);  // the first is the best
            policy.push_back(std::isinf(beta) ? (share == 1 ? 1 : 0) : std::pow(share, -beta));
            sum += policy.back();
        }
        constexpr int kSteps = 40'000;
        std::vector<double> found(4), expected;
        const double exploration[] = {0.6, 0.2, 0, 0.2};
        for (std::size_t a = 0; a < 4; ++a)
            expected.push_back(kSteps *
                               (epsilon * exploration[a] + (1 - epsilon) * policy[a] / sum));
        for (int k = 0; k < kSteps; ++k)
            ++found[static_cast<std::size_t>(
                collector.step({.epsilon_r = epsilon, .epsilon_h = 1, .beta_r = beta})
                    .robotAction)];
        QVERIFY(chiSquare(found, expected) < 16.3);
    }

    void successorsComeWithTheirProbabilities() {
        GridWorldSpec spec;  // the human stands on ground where it stumbles
        spec.map = {"WeWeWeWeWe", "WeUn..AeWe", "WeUnUn..We", "WeAyUn..We", "WeWeWeWeWe"};
        spec.possibleGoals = {Goal{1, 1, 3, 3}};
        spec.maxSteps = 8;
        spec.stumbleProbability = 0.6;
        const std::shared_ptr<const World> world = makeWorld(spec);
        Collector collector =
            collectorOf({world}, {.seed = 8, .modeller = {.includesStepCount = false}});
        std::map<std::pair<Fingerprint, std::size_t>, std::vector<double>> found;
        std::map<std::pair<Fingerprint, std::size_t>, Transition> first;
        for (int k = 0; k < 60'000; ++k) {
            const Transition t = collector.step({});
            const auto row = static_cast<std::size_t>(t.humanActions[0]) * 4 + t.robotAction;
            auto& counts = found[{t.model->fingerprint, row}];
            counts.resize(t.model->numSuccessors());
            ++counts[t.reached];
            first.emplace(std::pair{t.model->fingerprint, row}, t);
        }
        double sum = 0;
        int degrees = 0;
        for (const auto& [key, counts] : found) {
            const StepModel& model = *first.at(key).model;
            const auto begin = model.rowBegin[key.second], end = model.rowBegin[key.second + 1];
            double visits = 0;
            for (const double n : counts) visits += n;
            if (end - begin < 2 || visits < 60) continue;
            std::vector<double> expected(counts.size());
            for (auto e = begin; e < end; ++e)
                expected[model.successor[e]] = visits * static_cast<double>(model.probability[e]);
            sum += chiSquare(counts, expected);
            degrees += static_cast<int>(end - begin) - 1;
        }
        qInfo("chi square %.1f with %d degrees of freedom", sum, degrees);
        QVERIFY(degrees > 20);
        QVERIFY(sum < degrees + 3.1 * std::sqrt(2.0 * degrees) + 5);
    }

    void goalsAreKeptUntilTheyAreAttainedOrDrawnAnew() {
        const auto world = smallRoom(30);
        const auto changesOf = [&](double probability) {
            Collector collector =
                collectorOf({world}, {.seed = 2, .goalResampleProbability = probability});
            int changes = 0, chances = 0;
            Transition before = collector.step({});
            for (int k = 0; k < 20'000; ++k) {
                const bool isAttained =
                    (world->attainedGoals(collector.configuration(), 0) >> before.goals[0] & 1U) !=
                    0;
                const Transition now = collector.step({});
                if (!isAttained && !before.endsEpisode) {
                    ++chances;
                    changes += now.goals[0] != before.goals[0];
                }
                before = now;
            }
            return static_cast<double>(changes) / chances;
        };
        QCOMPARE(changesOf(0), 0.0);
        // Another of six goals comes in five of six draws.
        QVERIFY(std::abs(changesOf(1) - 5.0 / 6) < 0.015);
        QVERIFY(std::abs(changesOf(0.1) - 0.5 / 6) < 0.01);
    }

    void worldsComeInTurnOrAreDrawn() {
        const std::vector<std::shared_ptr<const World>> worlds{smallRoom(2), smallRoom(3),
                                                               smallRoom(4)};
        Collector inTurn = collectorOf(worlds, {.index = 1});
        std::vector<int> layouts;
        while (layouts.size() < 6) {
            const Transition t = inTurn.step({});
            if (t.endsEpisode) layouts.push_back(t.layout);
            QCOMPARE(inTurn.layout(), static_cast<int>(t.layout));
        }
        QCOMPARE(layouts, (std::vector<int>{1, 2, 0, 1, 2, 0}));
        Collector drawn = collectorOf(worlds, {.drawsWorlds = true});
        std::vector<double> counts(3);
        for (int k = 0; k < 20'000; ++k) {
            const Transition t = drawn.step({});
            if (t.endsEpisode) ++counts[t.layout];
        }
        const double third = (counts[0] + counts[1] + counts[2]) / 3;
        QVERIFY(chiSquare(counts, {third, third, third}) < 13.8);
    }

    void wrongPartsAreRefused() {
        const auto worlds = [] { return collectorWorlds({smallRoom()}); };
        const auto make = [&](CollectorSpec spec) { Collector(std::move(spec), worlds()); };
        QVERIFY_THROWS_EXCEPTION(Error, make({.exploration_r = {.weights = {1, 1, 1}}}));
        QVERIFY_THROWS_EXCEPTION(Error, make({.exploration_h = {0, 0, 0, 0}}));
        QVERIFY_THROWS_EXCEPTION(Error, make({.exploration_h = {1, -1, 1, 1}}));
        QVERIFY_THROWS_EXCEPTION(Error, make({.stepsPerEpisode = 0}));
        QVERIFY_THROWS_EXCEPTION(Error,
                                 make({.curiosity_r = {.kind = CuriositySpec::Kind::Given}}));
        QVERIFY_THROWS_EXCEPTION(Error, Collector({}, {}));
        Collector broken({}, worlds(), std::make_shared<NotANumber>());
        try {
            stepsOf(broken, 5, {.epsilon_r = 0, .beta_r = 2});
            QFAIL("acted by a value that is no number");
        } catch (const Error& e) {
            QCOMPARE(e.kind(), Error::Kind::Diverged);
        }
    }
};

ORRERY_TEST(CollectorTest)
#include "collector_test.moc"
