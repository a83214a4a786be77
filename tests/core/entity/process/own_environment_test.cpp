#include <QTest>
#include <string>

#include "core/base/error.h"
#include "core/base/thread_team.h"
#include "core/entity/process/own_games.h"
#include "core/entity/vec_env.h"
#include "core/env/hand_play.h"
#include "core/env/random_actions.h"
#include "tests/core/entity/process/served_games.h"
#include "tests/support/test_program.h"

using namespace orrery;
using test::gameOfClass;
using test::maker;
using test::ManyPlayed;
using test::play;
using test::Played;
using test::playMany;

class OwnEnvironmentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void spacesAreThoseOfTheClass() {
        const GameSpaces told = gameOfClass("TreasureHunt").told;
        QCOMPARE(told.spaces.observations.size(), std::size_t{3});
        QCOMPARE(told.spaces.observations[0].name, std::string("Trap"));
        QCOMPARE(told.spaces.observations[1].features,
                 (std::vector<std::string>{"x_pos", "y_pos"}));
        QCOMPARE(told.spaces.observations[2].name, std::string("__global__"));
        QCOMPARE(told.spaces.actions.at(0).choices,
                 (std::vector<std::string>{"up", "down", "left", "right"}));
        QVERIFY(!told.spaces.actions[0].isOfActors && !told.canSave);
        QCOMPARE(told.spaces.metrics, std::vector<std::string>{"found"});
        GameSpaces again;
        QCOMPARE(readGameSpaces(jsonOf(told), again), std::string());
        QVERIFY(again == told);
    }

    void anEpisodeFollowsFromItsSeed() {
        const TogetherMaker make = maker("TreasureHunt");
        const auto one = make(), two = make();  // in one process, side by side
        const Played first = play(*one, 4, 300), second = play(*two, 4, 300);
        QVERIFY(first.seen == second.seen && first.rewards == second.rewards);
        QVERIFY(first.ends > 3);
        QVERIFY(std::ranges::find(first.rewards, 1.0) != first.rewards.end());
        QVERIFY(play(*one, 5, 20).seen != play(*two, 6, 20).seen);
        // The other's draws do not disturb it.
        Observation seen, mixed;
        StepResult result;
        one->reset(11, seen);
        two->reset(12, mixed);
        const Played alone = play(*maker("TreasureHunt")(), 11, 1);
        QVERIFY(alone.seen.front() == seen);
    }

    void optionsGoToTheGame() {
        const auto hunt = maker("TreasureHunt", R"({"treasures":7,"traps":0})")();
        Observation seen;
        hunt->reset(1, seen);
        QCOMPARE(seen.parts[1].begins[0][1], std::int64_t{7});
        QCOMPARE(seen.metrics.at(0), 0.0);
        try {
            maker("TreasureHunt", R"({"tresures":7})")();
            QFAIL("an unknown option was taken");
        } catch (const Error& error) {
            QVERIFY2(std::string(error.what()).find("tresures") != std::string::npos, error.what());
        }
    }

    void thingsAreNamedAsTheGameNamesThem() {
        const auto robots = maker("Robots")();
        Observation seen;
        StepResult result;
        robots->reset(1, seen);
        QCOMPARE(seen.offers[0].actors, (std::vector<std::int64_t>{3, 4}));
        QCOMPARE(seen.offers[1].actors, std::vector<std::int64_t>{4});
        QCOMPARE(seen.offers[1].candidates, (std::vector<std::int64_t>{0, 1, 2}));
        std::vector<ActionTaken> taken(2);
        taken[0].indices = {0, 1};
        taken[1].indices = {1};
        robots->step(taken, result, seen);
        QCOMPARE(seen.parts[0].values, (std::vector<float>{0, 1, 2, 1}));  // the middle one is shot
        QCOMPARE(seen.parts[1].values, (std::vector<float>{0, 1}));
        QVERIFY(seen.offers[1].actors.empty() && seen.offers[1].candidates.empty());
        taken[1].indices = {};
        robots->step(taken, result, seen);
        QVERIFY(result.end == EpisodeEnd::None);
        taken[1].indices = {0};
        robots->step(taken, result, seen);
        QVERIFY(result.end == EpisodeEnd::Success && result.rewards.at(0) == 1);
        QVERIFY(seen.offers[0].actors.empty());
    }

    void gymnasiumsGamesAreOneThing() {
        const auto game = maker("ForGymnasium")();
        Observation seen;
        StepResult result;
        game->reset(9, seen);
        QCOMPARE(seen.parts[0].values, (std::vector<float>{0, 2}));
        std::vector<ActionTaken> taken(1);
        taken[0].indices = {2};
        for (int i = 0; i < 5; ++i) {
            QVERIFY(result.end == EpisodeEnd::None);
            game->step(taken, result, seen);
            QCOMPARE(seen.parts[0].values, (std::vector<float>{static_cast<float>(i + 1), 3}));
            QCOMPARE(result.rewards.at(0), 0.5);
        }
        QVERIFY(result.end == EpisodeEnd::TimeOut);
    }

    void whatIsSavedGoesOnAlike() {
        const TogetherMaker make = maker("SavedHunt");
        const auto one = make(), two = make();
        play(*one, 3, 17);
        Observation seen, again;
        StepResult result, resultAgain;
        std::vector<ActionTaken> taken;
        Rng rng(1);
        one->reset(5, seen);
        for (int i = 0; i < 30 && result.end == EpisodeEnd::None; ++i) {
            two->setState(one->state(), again);
            QVERIFY(again.parts == seen.parts && again.offers == seen.offers);
            drawActions(one->spaces(), seen, rng, taken);
            one->step(taken, result, seen);
            two->step(taken, resultAgain, again);
            QVERIFY(again.parts == seen.parts && result.rewards == resultAgain.rewards);
        }
        QVERIFY(dynamic_cast<DeferredEnvironment&>(*two).hasGoneOn());
    }

    void aHandPlayedEpisodeIsTakenBackByReplaying() {
        HandPlay play(maker("TreasureHunt")(), 2);
        const std::vector<float> first = play.seen().parts[2].values;
        const auto treasures = play.seen().parts[1].values;
        play.choose(1);
        play.choose(2);
        QCOMPARE(play.seen().parts[2].values, (std::vector<float>{-1, -1}));
        play.goBack();
        QCOMPARE(play.seen().parts[2].values, (std::vector<float>{0, -1}));
        play.goBack();
        QCOMPARE(play.seen().parts[2].values, first);
        QCOMPARE(play.seen().parts[1].values, treasures);
        QVERIFY(!play.environment().picture({}).layers.empty());
    }

    void manyGoTogetherWhateverTheirProcesses() {
        ThreadTeam team(2);
        const VecEnv::Rules rules{.count = 40, .seed = 7};
        VecEnv one(maker("TreasureHunt", "{}", {.processes = 1, .recordsSteps = false}), rules,
                   team);
        VecEnv two(maker("TreasureHunt", "{}", {.processes = 2, .recordsSteps = false}), rules,
                   team);
        QVERIFY(one.reset().things == two.reset().things);
        const ManyPlayed first = playMany(one, 60), second = playMany(two, 60);
        QVERIFY(first.rewards == second.rewards && first.done == second.done);
        QVERIFY(one.frames().things == two.frames().things);
        QVERIFY(first.done > 20);
        QCOMPARE(first.truncated, std::int64_t{0});
    }

    void manyGoOnFromTheirStates_data() {
        QTest::addColumn<QByteArray>("game");
        QTest::addColumn<bool>("goesOn");
        QTest::newRow("saves") << QByteArray("SavedHunt") << true;
        QTest::newRow("does not save") << QByteArray("TreasureHunt") << false;
    }
    void manyGoOnFromTheirStates() {
        QFETCH(const QByteArray, game);
        QFETCH(const bool, goesOn);
        ThreadTeam team(1);
        const VecEnv::Rules rules{.count = 10, .seed = 7, .maxEpisodeSteps = 30};
        const TogetherMaker make =
            maker(game.toStdString(), "{}", {.processes = 2, .recordsSteps = false});
        VecEnv one(make, rules, team), two(make, rules, team);
        one.reset();
        playMany(one, 25);
        two.setStates(one.states());
        for (std::int64_t i = 0; i < 10; ++i) {
            QCOMPARE(two.hasBegunAnew(i), !goesOn);
            if (!goesOn) QCOMPARE(two.episodeSteps(i), std::int64_t{0});
        }
        QCOMPARE(one.frames().things == two.frames().things, goesOn);
        const ManyPlayed first = playMany(one, 40, 8), second = playMany(two, 40, 8);
        QCOMPARE(first.rewards == second.rewards, goesOn);
        QVERIFY(second.done > 10);
    }

    void manyAreCutOffByTheirLimitToo() {
        ThreadTeam team(1);
        VecEnv env(maker("TreasureHunt", R"({"traps":0,"treasures":90})", {.recordsSteps = false}),
                   {.count = 3, .seed = 7, .maxEpisodeSteps = 4}, team);
        env.reset();
        const ManyPlayed played = playMany(env, 8);
        QCOMPARE(played.truncated, std::int64_t{6});
        QVERIFY(env.lastOf(0) != nullptr);
    }
};

ORRERY_TEST(OwnEnvironmentTest)
#include "own_environment_test.moc"
