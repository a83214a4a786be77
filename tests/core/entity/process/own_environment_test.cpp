#include <sys/types.h>

#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "core/base/error.h"
#include "core/base/thread_team.h"
#include "core/entity/process/own_games.h"
#include "core/entity/random_choices.h"
#include "core/entity/vec_env.h"
#include "core/env/hand_play.h"
#include "core/env/random_actions.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace std::chrono_literals;

namespace {

/// A class of tests/data/own/hunts.py, served by orrery_env.
OwnGame gameOfClass(const std::string& name) {
    OwnGame game{.name = name,
                 .command = {.words = {"python3", "-m", "orrery_env", "hunts:" + name},
                             .folder = sourcePath("tests/data/own"),
                             .pythonPath = sourcePath("resources/python")}};
    static std::map<std::string, GameSpaces> asked;
    if (!asked.contains(name)) {
        try {
            asked[name] = GameProcess({.command = game.command, .name = name}).spaces();
        } catch (const GameFault& fault) {
            throw Error(fault.text);
        }
    }
    game.told = asked[name];
    return game;
}

std::string faultOptions(const char* way, const std::string& once = {}) {
    nlohmann::json options{{"way", way}};
    if (!once.empty()) options["once"] = once;
    return options.dump();
}

TogetherMaker maker(const std::string& name, const std::string& options = "{}",
                    const OutsideRules& rules = {}) {
    return entryOfOwnGame(gameOfClass(name)).together(options, rules);
}

/// What an environment was and showed over some steps by chance.
struct Played {
    std::vector<Observation> seen = {};
    std::vector<double> rewards = {};
    int ends = 0;
};

Played play(Environment& environment, std::uint64_t seed, int steps) {
    Played played;
    Rng rng(seed, 9);
    Observation seen;
    StepResult result;
    std::vector<ActionTaken> taken;
    environment.reset(seed, seen);
    for (int i = 0; i < steps; ++i) {
        played.seen.push_back(seen);
        drawActions(environment.spaces(), seen, rng, taken);
        environment.step(taken, result, seen);
        played.rewards.push_back(result.rewards.at(0));
        if (result.end == EpisodeEnd::None) continue;
        ++played.ends;
        environment.reset(++seed, seen);
    }
    return played;
}

/// What goes wrong when four steps are made in an environment that goes wrong in its third.
std::string troubleOf(Environment& environment) {
    try {
        play(environment, 1, 4);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// One that nobody has reaped yet is not.
bool isAlive(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string stat;
    std::getline(file, stat);
    const std::size_t name = stat.rfind(')');
    return name != std::string::npos && !stat.substr(name).starts_with(") Z");
}

/// Steps of many environments by chance.
struct ManyPlayed {
    std::vector<float> rewards = {};
    std::int64_t done = 0, truncated = 0;
};

ManyPlayed playMany(VecEnv& env, int steps, std::uint64_t seed = 3) {
    ManyPlayed played;
    Rng rng(seed, 1);
    for (int i = 0; i < steps; ++i) {
        const VecObs& frames = env.act(drawChoices(env.layout(), env.frames(), rng));
        played.rewards.insert(played.rewards.end(), frames.reward.begin(), frames.reward.end());
        for (std::size_t k = 0; k < frames.done.size(); ++k) {
            played.done += frames.done[k];
            played.truncated += frames.truncated[k];
        }
    }
    return played;
}

}  // namespace

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

    void eachFaultIsOneLineWithEnvironmentStepAndField_data() {
        QTest::addColumn<QByteArray>("way");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* way, const char* says) {
            QTest::newRow(way) << QByteArray(way) << QByteArray(says);
        };
        row("death", "the process ended with status 3, its last words: the dog ate it.");
        row("silence", "the process said nothing for 2 s, its last words: ");
        row("error", "the game says: ValueError: no way out.");
        row("line", "the line is no JSON object: \"this is no JSON\".");
        row("width", "features.Trap[0]: has 3 features; the type has 2.");
        row("mask", "actions.move.mask: has a row of 2; there are 4 choices.");
        row("nothing", "action \"move\" allows decider 0 nothing.");
        row("nan", "features.Treasure[0]: must be a number, got \"NaN\".");
        row("infinity", "global_features: must be a number, got \"-Infinity\".");
        row("name", "features: there is no type \"Tressure\"; did you mean \"Treasure\"?.");
        row("reward", "reward: must be a finite number, got \"much\".");
        row("ids", "ids.Treasure: names 1 things; there are ");
    }
    void eachFaultIsOneLineWithEnvironmentStepAndField() {
        QFETCH(const QByteArray, way);
        QFETCH(const QByteArray, says);
        const bool isSilent = way == "silence";
        const auto game =
            maker("Faulty", faultOptions(way.constData()), {.silence = isSilent ? 2s : 60s})();
        const std::string trouble = troubleOf(*game);
        if (isSilent && trouble.find("spaces") != std::string::npos)
            QSKIP("the machine is too busy: it begins too slowly");
        QVERIFY2(trouble.starts_with("Faulty: environment 0, step 3: "), trouble.c_str());
        QVERIFY2(trouble.find(says.constData()) != std::string::npos, trouble.c_str());
        QVERIFY(trouble.find('\n') == std::string::npos);
        if (isSilent) return;
        Observation seen;
        game->reset(1, seen);  // it can be begun again
    }

    void aLostProcessCutsItsEpisodesOff_data() {
        QTest::addColumn<QByteArray>("way");
        for (const char* way : {"death", "error", "line", "width", "nan"})
            QTest::newRow(way) << QByteArray(way);
    }
    void aLostProcessCutsItsEpisodesOff() {
        QFETCH(const QByteArray, way);
        QTemporaryDir folder;
        const std::string once = folder.filePath("happened").toStdString();
        ThreadTeam team(2);
        int restarts = 0;
        std::vector<std::string> lines;
        VecEnv env(maker("Faulty", faultOptions(way.constData(), once),
                         {.processes = 2,
                          .recordsSteps = false,
                          .mayRestart = [&] { return ++restarts <= 3; },
                          .say = [&](const std::string& line) { lines.push_back(line); }}),
                   {.count = 6, .seed = 2}, team);
        env.reset();
        const ManyPlayed before = playMany(env, 2);
        QCOMPARE(before.done, std::int64_t{0});
        // One of two processes is lost: three of six episodes are cut off, in this step or, where
        // they had been answered, in the next one.
        const ManyPlayed after = playMany(env, 2);
        QCOMPARE(after.done, std::int64_t{3});
        QCOMPARE(after.truncated, std::int64_t{3});
        QCOMPARE(restarts, 1);
        QCOMPARE(lines.size(), std::size_t{1});
        QVERIFY2(lines[0].find("step 3: ") != std::string::npos, lines[0].c_str());
        QCOMPARE(playMany(env, 20).truncated, std::int64_t{0});
    }

    void whatIsLostTooOftenEndsTheRun() {
        ThreadTeam team(1);
        int restarts = 0;
        VecEnv env(maker("Faulty", faultOptions("death"),
                         {.recordsSteps = false, .mayRestart = [&] { return ++restarts <= 3; }}),
                   {.count = 2, .seed = 2}, team);
        env.reset();
        try {
            playMany(env, 40);
            QFAIL("it went on for ever");
        } catch (const Error& error) {
            const std::string text = error.what();
            QVERIFY2(text.find("can be resumed") != std::string::npos, text.c_str());
        }
        QCOMPARE(restarts, 4);
    }

    void orItIsGivenUpAndSeenNoMore() {
        ThreadTeam team(1);
        int givenUp = 0;
        VecEnv env(maker("Faulty", faultOptions("death"),
                         {.recordsSteps = false,
                          .mayRestart = [] { return false; },
                          .giveUp = [&](const std::string&) { ++givenUp; }}),
                   {.count = 2, .seed = 2}, team);
        env.reset();
        playMany(env, 2);
        const auto seen = env.frames().things;
        const ManyPlayed after = playMany(env, 2);
        QCOMPARE(givenUp, 1);
        QCOMPARE(after.truncated, std::int64_t{4});
        QVERIFY(env.frames().things == seen);
    }

    void aStopDoesNotWaitForASilentGame() {
        std::stop_source stop;
        const auto game = maker("Faulty", faultOptions("silence"), {.stop = stop.get_token()})();
        const std::jthread stopper([&] {
            std::this_thread::sleep_for(1s);
            stop.request_stop();
        });
        const auto begin = std::chrono::steady_clock::now();
        Observation seen;
        StepResult result;
        std::vector<ActionTaken> taken(1);
        taken[0].indices = {0};
        game->reset(1, seen);
        for (int i = 0; i < 3; ++i) game->step(taken, result, seen);
        QVERIFY(result.end == EpisodeEnd::TimeOut);  // it is seen no more
        QVERIFY(std::chrono::steady_clock::now() - begin < 2500ms);
    }

    void aProcessEndsWithItsLastEnvironment() {
        std::unique_ptr<ChildProcess> child;
        child = std::make_unique<ChildProcess>(
            ChildCommand{.words = {"sh", "-c", "sleep 1000 & echo $!; wait"}});
        const std::string line = child->receive(5s, {});
        const pid_t leader = child->pid(), grandchild = std::stoi(line);
        QVERIFY(isAlive(leader) && isAlive(grandchild));
        const auto begin = std::chrono::steady_clock::now();
        child.reset();
        QVERIFY(std::chrono::steady_clock::now() - begin < 1s);
        QTRY_VERIFY_WITH_TIMEOUT(!isAlive(leader) && !isAlive(grandchild), 1000);
    }

    void whatCannotBeStartedSaysSo() {
        try {
            const ChildProcess child({.words = {"no_such_program_anywhere", "x"}});
            QFAIL("it was started");
        } catch (const Error& error) {
            QVERIFY2(
                std::string(error.what()).find("no_such_program_anywhere x") != std::string::npos,
                error.what());
        }
    }

    void longLinesGoBothWays() {
        ChildProcess cat({.words = {"cat"}});
        const std::string line(5'000'000, 'x');
        cat.send(line, 10s, {});
        QVERIFY(cat.receive(10s, {}) == line);
        ChildProcess yes({.words = {"sh", "-c", "yes y | tr -d '\\n'"}});
        try {
            yes.receive(60s, {});
            QFAIL("an endless line was read");
        } catch (const ChildLost& lost) {
            QCOMPARE(lost.text, std::string("wrote a line of more than 64 MiB"));
        }
    }
};

ORRERY_TEST(OwnEnvironmentTest)
#include "own_environment_test.moc"
