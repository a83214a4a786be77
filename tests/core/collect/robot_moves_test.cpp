// How robots explore: by weights, without steps that lead nowhere, and by macros.

#include <QTest>
#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "core/base/byte_buffer.h"
#include "core/base/crc32c.h"
#include "core/base/error.h"
#include "core/bush/bush_world.h"
#include "core/collect/collector.h"
#include "core/collect/robot_moves.h"
#include "core/encode/compact_state.h"
#include "core/grid/grid_world.h"
#include "tests/core/collect/collect_worlds.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

using Kind = RobotExplorationSpec::Kind;
constexpr int kStill = 0, kLeft = 1, kForward = 3;

/// A robot in a corridor of 30 cells that ends in a room with the human.
std::shared_ptr<const World> corridor() {
    GridWorldSpec spec;
    std::string walls, cells = "WeAy..Ae";
    for (int x = 0; x < 34; ++x) walls += "We";
    for (int x = 4; x < 33; ++x) cells += "..";
    spec.map = {walls, cells + "We", walls};
    spec.maxSteps = 400;
    spec.possibleGoals = {Goal{1, 1, 1, 1}, Goal{1, 1, 32, 1}};
    return makeWorld(spec);
}

/// Keeps still whenever it does not explore.
class StillIsBest final : public RobotValues {
public:
    void q_r(std::span<const std::byte>, int, std::span<float> out) override {
        std::ranges::fill(out, -2.0F);
        out[kStill] = -1.0F;
    }
};

Collector wandererIn(const std::shared_ptr<const World>& world, CollectorSpec spec) {
    spec.seed = 4;
    return {std::move(spec), collectorWorlds({world}), std::make_shared<StillIsBest>()};
}

ActingRates exploring(double epsilon_r) {
    return {
        .epsilon_r = epsilon_r, .epsilon_h = 0, .beta_r = std::numeric_limits<double>::infinity()};
}

/// Where the robot, the last agent but in the order of encodings, is in a state.
std::pair<int, int> robotIn(const WorldFacts& facts, std::span<const std::byte> state) {
    const auto agents = partsOf(facts.shape, state).agents;
    const std::size_t slot = facts.humans[0].slot == 0 ? EncodingShape::kAgentNumbers : 0;
    return {agents[slot], agents[slot + 1]};
}

/// The row of a transition in its model, of another robot action.
std::size_t rowOfStep(const WorldFacts& facts, const Transition& t, int robotAction) {
    return static_cast<std::size_t>(t.humanActions[0]) * facts.numRobotActions() + robotAction;
}

bool canMove(const WorldFacts& facts, const Transition& t, int robotAction) {
    const StepModel& model = *t.model;
    const std::size_t row = rowOfStep(facts, t, robotAction);
    for (auto k = model.rowBegin[row]; k < model.rowBegin[row + 1]; ++k)
        if (robotIn(facts, model.successorBytes(model.successor[k])) != robotIn(facts, model.state))
            return true;
    return false;
}

}  // namespace

class RobotMovesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noStepIsDrawnThatLeadsNowhere() {
        Collector collector = wandererIn(smallRoom(), {.exploration_r = {.kind = Kind::Forward}});
        const WorldFacts facts = collector.modeller(0).facts();
        std::map<int, int> free, blocked;
        for (int k = 0; k < 8'000; ++k) {
            const Transition t = collector.step(exploring(1));
            ++(canMove(facts, t, kForward) ? free : blocked)[t.robotAction];
        }
        QCOMPARE(blocked[kForward], 0);
        int atWalls = 0, elsewhere = 0;
        for (const auto& [action, count] : blocked) atWalls += count;
        for (const auto& [action, count] : free) elsewhere += count;
        QVERIFY(atWalls > 1'000 && elsewhere > 1'000);
        // 0.58 for forward and 0.06 for still where it is free, 0.06 of 0.42 where it is not.
        QVERIFY(std::abs(double{1} * free[kForward] / elsewhere - 0.58) < 0.03);
        QVERIFY(std::abs(double{1} * free[kStill] / elsewhere - 0.06) < 0.015);
        QVERIFY(std::abs(double{1} * blocked[kStill] / atWalls - 0.06 / 0.42) < 0.03);
        // By the policy alone walls are run into.
        Collector plain = wandererIn(smallRoom(), {});
        int against = 0;
        for (int k = 0; k < 2'000; ++k) {
            const Transition t = plain.step(exploring(1));
            against += t.robotAction == kForward && !canMove(facts, t, kForward);
        }
        QVERIFY(against > 100);
    }

    void macrosKeepTheShareOfExploringSteps_data() {
        QTest::addColumn<double>("steps");
        QTest::addColumn<double>("epsilon");
        QTest::newRow("one step") << 1.0 << 0.3;
        QTest::newRow("five steps") << 5.0 << 0.3;
        QTest::newRow("eight steps, seldom") << 8.0 << 0.05;
    }
    void macrosKeepTheShareOfExploringSteps() {
        QFETCH(double, steps);
        QFETCH(double, epsilon);
        // It never keeps still but where it does not explore.
        Collector collector = wandererIn(
            corridor(),
            {.stepsPerEpisode = 400,
             .exploration_r = {
                 .kind = Kind::Macro, .macroSteps = steps, .weights = {0, 0.2, 0.2, 0.6}}});
        constexpr int kSteps = 30'000;
        int moved = 0, runs = 0;
        bool wasStill = true;
        for (int k = 0; k < kSteps; ++k) {
            const bool isStill = collector.step(exploring(epsilon)).robotAction == kStill;
            moved += !isStill;
            runs += wasStill && !isStill;
            wasStill = isStill;
        }
        const double begins = epsilon / (steps - epsilon * (steps - 1));
        const double run = double{1} * moved / runs;
        qInfo("share %.3f, runs of %.2f steps", double{1} * moved / kSteps, run);
        QVERIFY(std::abs(double{1} * moved / kSteps - epsilon) < 0.02);
        // One macro may follow upon another at once.
        QVERIFY(std::abs(run / (steps / (1 - begins)) - 1) < 0.15);
    }

    void aMacroWalksOnAfterATurn() {
        Collector collector = wandererIn(
            corridor(), {.stepsPerEpisode = 400,
                         .exploration_r = {.kind = Kind::Macro, .macroSteps = 1e6, .weights = {}}});
        const WorldFacts facts = collector.modeller(0).facts();
        int turns = 0, walked = 0, steps = 0;
        int before = -1;
        for (int k = 0; k < 4'000; ++k) {
            const Transition t = collector.step(exploring(1));
            if (t.step > 0 && before != kStill) {
                // Within one macro: forward wherever that leads somewhere.
                if (canMove(facts, t, kForward)) QCOMPARE(t.robotAction, kForward);
                turns += before == kLeft;
                walked += t.robotAction == kForward;
                ++steps;
            }
            before = t.robotAction;
        }
        QVERIFY(turns > 20 && steps > 500);
        QVERIFY(walked > steps / 2);
    }

    void aMacroGoesOnWhereItWasSaved_data() {
        QTest::addColumn<bool>("expects");
        QTest::newRow("every human action") << true;
        QTest::newRow("those taken") << false;
    }
    void aMacroGoesOnWhereItWasSaved() {
        QFETCH(bool, expects);
        const CollectorSpec spec{.expectsHumans = expects,
                                 .stepsPerEpisode = 30,
                                 .exploration_r = {.kind = Kind::Macro, .macroSteps = 6}};
        Collector straight = wandererIn(corridor(), spec), other = wandererIn(corridor(), spec);
        const std::vector<std::byte> begin = straight.save();
        int different = 0;
        for (int k = 0; k < 300; ++k) {
            if (k % 7 == 0) {
                other.load(straight.save());
                different += straight.save() != begin;
            }
            QVERIFY(areEqual(straight.step(exploring(0.5)), other.step(exploring(0.5))));
        }
        QVERIFY(different > 30);
    }

    void whatHadNoMacrosIsStillRead() {
        Collector collector = wandererIn(smallRoom(), {});
        for (int k = 0; k < 25; ++k) collector.step(exploring(0.5));
        // The first version: without the list of ways, which stands before the visits.
        std::vector<std::byte> bytes = collector.save();
        ByteWriter visits;
        VisitCounts().save(visits);
        const auto end = bytes.end() - 4 - std::ssize(visits.bytes());
        bytes.erase(end - 8, end);
        constexpr std::uint32_t kFirst = 1;
        std::memcpy(bytes.data(), &kFirst, sizeof(kFirst));
        const std::uint32_t sum = crc32c(std::span(bytes).first(bytes.size() - 4));
        std::memcpy(bytes.data() + bytes.size() - 4, &sum, sizeof(sum));
        Collector other = wandererIn(smallRoom(), {});
        other.load(bytes);
        for (int k = 0; k < 100; ++k)
            QVERIFY(areEqual(collector.step(exploring(0.5)), other.step(exploring(0.5))));
    }

    void robotsWithoutAFaceGoOnInTheirDirection() {
        BushWorldSpec spec;
        spec.map = {{"Hu", "0", "0", "0", "0", "0"},
                    {"0", "0", "Ro", "0", "0", "0"},
                    {"0", "0", "0", "0", "0", "0"}};
        spec.maxSteps = 60;
        const std::shared_ptr<const World> world = makeWorld(spec);
        Collector collector = wandererIn(
            world, {.stepsPerEpisode = 60,
                    .exploration_r = {
                        .kind = Kind::Macro, .macroSteps = 1e6, .weights = {1, 1, 1, 1, 0}}});
        const WorldFacts facts = collector.modeller(0).facts();
        int before = -1, kept = 0, changed = 0;  // it never keeps still
        for (int k = 0; k < 1'200; ++k) {
            const Transition t = collector.step(exploring(1));
            if (t.step > 0 && before < 4) {
                if (canMove(facts, t, before))
                    QCOMPARE(t.robotAction, before);
                else
                    ++changed;
                kept += t.robotAction == before;
            }
            before = t.robotAction;
        }
        QVERIFY(kept > 100 && changed > 50);
    }

    void weightsThatDoNotFitAreRefused() {
        for (const CollectorSpec& spec : {CollectorSpec{.exploration_r = {.weights = {1, 1}}},
                                          CollectorSpec{.exploration_r = {.weights = {0, 0, 0, 0}}},
                                          CollectorSpec{.exploration_r = {.macroSteps = 0.5}},
                                          CollectorSpec{.exploration_h = {1, 1, 1, -1}}})
            QVERIFY_THROWS_EXCEPTION(Error, wandererIn(smallRoom(), spec));
    }
};

ORRERY_TEST(RobotMovesTest)
#include "robot_moves_test.moc"
