#include <sys/types.h>

#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <string>
#include <thread>

#include "core/base/error.h"
#include "core/base/thread_team.h"
#include "core/entity/process/own_games.h"
#include "core/entity/vec_env.h"
#include "tests/core/entity/process/served_games.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace std::chrono_literals;
using test::faultOptions;
using test::isAlive;
using test::maker;
using test::ManyPlayed;
using test::playMany;
using test::troubleOf;

/// Programs that serve environments and fail: each of their faults is one line, and nothing hangs.
class OwnFaultsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
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

ORRERY_TEST(OwnFaultsTest)
#include "own_faults_test.moc"
