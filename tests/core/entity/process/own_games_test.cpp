#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <string>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/entity/process/own_games.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

OwnGame untriedGame(const std::string& name, const std::string& what = "hunts:TreasureHunt") {
    return {.name = name,
            .command = {.words = {"python3", "-m", "orrery_env", what},
                        .folder = sourcePath("tests/data/own"),
                        .pythonPath = sourcePath("resources/python")}};
}

std::string problemOfTrying(const OwnGame& game) {
    try {
        tryOwnGame(game, {}, {});
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

class OwnGamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGameIsTriedAndWrittenDown() {
        std::int64_t told = 0;
        const OwnGameTrial trial =
            tryOwnGame(untriedGame("Hunt", "hunts:Untold"),
                       [&](const Progress& progress) { told = progress.done; }, {});
        QCOMPARE(trial.steps, std::int64_t{300});
        QCOMPARE(told, trial.steps);
        QVERIFY(trial.episodes > 3 && trial.secondsPerStep > 0);
        QTemporaryDir folder;
        const std::filesystem::path file =
            folder.filePath("deep/er/environments.json").toStdString();
        QVERIFY(readOwnGames(file).empty());
        addOwnGame(file, trial.game);
        OwnGame other = trial.game;
        other.name = "Another";
        addOwnGame(file, other);
        addOwnGame(file, trial.game);  // in the place of itself
        const std::vector<OwnGame> games = readOwnGames(file);
        QCOMPARE(games.size(), std::size_t{2});
        QCOMPARE(games[0].name, std::string("Another"));
        QCOMPARE(games[1].command.words, trial.game.command.words);
        QCOMPARE(games[1].command.folder, trial.game.command.folder);
        QVERIFY(games[1].told == trial.game.told);
        removeOwnGame(file, "Another");
        QCOMPARE(readOwnGames(file).size(), std::size_t{1});
        try {
            removeOwnGame(file, "Hund");
            QFAIL("nothing was removed");
        } catch (const Error& error) {
            QVERIFY2(std::string(error.what()).find("\"Hunt\"") != std::string::npos, error.what());
        }
    }

    void anEntryStartsNothingUntilItActs() {
        OwnGame game = tryOwnGame(untriedGame("Hunt"), {}, {}).game;
        game.command.words = {"no_such_program"};
        const EnvironmentEntry entry = entryOfOwnGame(game);
        QVERIFY(entry.isOwn() && !entry.isExact);
        const auto environment = entry.make("{}");
        QCOMPARE(environment->spaces().actions.size(), std::size_t{1});
        Observation seen;
        QVERIFY_THROWS_EXCEPTION(Error, environment->reset(1, seen));
    }

    void whatTheGameTellsBesidesBecomesAMetric() {
        const OwnGame game = untriedGame("Hunt", "hunts:Untold");
        const OwnGameTrial trial = tryOwnGame(game, {}, {});
        QCOMPARE(trial.game.told.spaces.metrics, std::vector<std::string>{"luck"});
    }

    void whatIsWrongIsOneLine_data() {
        QTest::addColumn<QByteArray>("what");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* what, const char* says) {
            QTest::newRow(what) << QByteArray(what) << QByteArray(says);
        };
        row("hunts:Tresure", "has no attribute 'Tresure'");
        row("hunters:TreasureHunt", "No module named 'hunters'");
        row("hunts", "MODULE lies in this folder");
        row("gymnasium:CartPole-v1", "ymnasium");
        row("hunts:SIDE", "TypeError");
    }
    void whatIsWrongIsOneLine() {
        QFETCH(const QByteArray, what);
        QFETCH(const QByteArray, says);
        const std::string problem = problemOfTrying(untriedGame("Hunt", what.toStdString()));
        if (problem.empty() && what.startsWith("gymnasium")) QSKIP("Gymnasium is installed");
        QVERIFY2(problem.find(says.constData()) != std::string::npos, problem.c_str());
        QVERIFY2(problem.starts_with("Hunt: ") && problem.find('\n') == std::string::npos,
                 problem.c_str());
    }

    void namesAreChecked() {
        for (const char* good : {"Hunt", "my-game_2.1", "7"}) QVERIFY(ownNameProblem(good).empty());
        for (const char* bad : {"", "-x", "a b", "a/b", "..", "h\xC3\xBCpf"})
            QVERIFY2(!ownNameProblem(bad).empty(), bad);
        QVERIFY(!ownNameProblem(std::string(61, 'a')).empty());
    }

    void aDamagedListIsToldAndKept() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("environments.json").toStdString();
        for (
            const char* text :
            {"", "{", "[]", R"({"version": 2, "environments": []})",
             R"({"version": 1, "environments": [{"name": "x"}]})",
             R"({"version": 1, "environments": [{"name": "../x", "command": ["a"], "folder": "/", "spaces": {}}]})"}) {
            std::ofstream(file) << text;
            QVERIFY_THROWS_EXCEPTION(Error, readOwnGames(file));
            QVERIFY_THROWS_EXCEPTION(Error, addOwnGame(file, untriedGame("Hunt")));
            QCOMPARE(readFile(file, 1000), std::string(text));
        }
    }
};

ORRERY_TEST(OwnGamesTest)
#include "own_games_test.moc"
