#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QTest>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/app/program.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using nlohmann::json;
using orrery::Ended;
using orrery::Program;

namespace {

/// Two humans and a robot in a row.
QByteArray pairWorld() {
    return "map: |\n"
           "  We We We We We We\n"
           "  We Ay Ae Ay .. We\n"
           "  We We We We We We\n"
           "max_steps: 3\n"
           "seed: 5\n"
           "possible_goals: [[1, 1, 4, 1], [4, 1]]\n";
}

/// 17 agents, more than can be solved for.
QByteArray crowdedWorld() {
    QByteArray text = "map: |\n  " + QByteArray("We ").repeated(18) + "We\n  We";
    for (int i = 0; i < 17; ++i) text += i % 2 == 0 ? " Ay" : " Ae";
    return text + " We\n  " + QByteArray("We ").repeated(18) +
           "We\nmax_steps: 2\npossible_goals: [[1, 1, 17, 1]]\n";
}

}  // namespace

/// What people give the program: mistakes are told at once, with their places, and before any work.
class InputsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_world = m_program.write("pair.yaml", pairWorld());
        m_workspace = m_program.path("inputs.orrery");
    }

    void wrongRulesAreToldWithTheirPlacesBeforeAnyWork_data() {
        QTest::addColumn<QByteArray>("rules");
        QTest::addColumn<QByteArray>("line");
        const auto row = [](const char* name, const char* text, const char* line) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(line);
        };
        row("sum",
            "believed_others:\n"
            "  - agents: {human0: [0.25, 0.25, 0.25, 0.25]}\n"
            "  - agents: {human1: [0.5, 0.6]}\n",
            "rules.yaml:3:22: error E113: 'believed_others[1].agents.human1' must be probabilities "
            "that sum to 1, got 1.1");
        row("predicate",
            "habits:\n"
            "  - {when: step < 2, probability: [1, 0, 0, 0]}\n"
            "  - when: hman0.x == 1\n"
            "    probability: [1, 0, 0, 0]\n",
            "rules.yaml:3:11: error E113: 'habits[1].when' is wrong at column 1: unknown name "
            "\"hman0.x\"; did you mean \"human0.x\"");
        row("human", "habits: [{human: humn1, probability: [1, 0, 0, 0]}]\n",
            "rules.yaml:1:18: error E113: 'habits[0].human' names no human: there is no 'humn1' "
            "among human0, human1");
        row("length", "habits: [{probability: [1]}]\n",
            "rules.yaml:1:24: error E113: 'habits[0].probability' must be one probability for each "
            "of the 4 actions of human0, got 1");
        row("action", "believed_others: [{own_action: fly}]\n",
            "rules.yaml:1:32: error E113: 'believed_others[0].own_action' is no action of human0: "
            "there is no 'fly' among still, left, right, forward");
    }
    void wrongRulesAreToldWithTheirPlacesBeforeAnyWork() {
        QFETCH(QByteArray, rules);
        QFETCH(QByteArray, line);
        QDir::setCurrent(m_program.path(""));
        m_program.write("rules.yaml", rules);
        // Exploring this world would take longer than the program is given.
        const QString huge = m_program.write("slow.yaml", orrery::hugeWorld());
        const Ended ended = m_program.run(
            {"solve", huge, "--rules", "rules.yaml", "--workspace", m_program.path("rules.orrery")},
            20);
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains(line), ended.err);
        QVERIFY(!QFile::exists(m_program.path("rules.orrery")));
    }

    void aRuleInASpecFileIsToldAtItsPlace() {
        QDir::setCurrent(m_program.path(""));
        m_program.write("spec.yaml",
                        "solve:\n"
                        "  world: pair.yaml\n"
                        "  nu: 0.5\n"
                        "  habits:\n"
                        "    - when: human0.at(1\n"
                        "      probability: [1, 0, 0, 0]\n");
        const Ended ended = m_program.run({"solve", "--spec", "spec.yaml", "--no-history"});
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains("spec.yaml:5:13: error E113: 'habits[0].when' is wrong at"),
                 ended.err);
    }

    void aWorldWithNobodyToSolveForIsRefusedBeforeAnyWork_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("part");
        QTest::newRow("no human") << QByteArray("Ay") << QByteArray("Ae") << QByteArray("no human");
        QTest::newRow("no goal") << QByteArray("possible_goals: [[1, 1], [8, 1], [1, 1, 8, 5]]\n")
                                 << QByteArray() << QByteArray("gives human0 no goal");
    }
    void aWorldWithNobodyToSolveForIsRefusedBeforeAnyWork() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, part);
        QByteArray text = orrery::hugeWorld();
        const QString file = m_program.write("nobody.yaml", text.replace(from, to));
        for (const QStringList& verb : {QStringList{"solve"}, QStringList{"rollout"}}) {
            const Ended ended = m_program.run(
                verb + QStringList{file, "--workspace", m_program.path("nobody.orrery")}, 20);
            QCOMPARE(ended.status, 2);
            QVERIFY2(ended.err.contains(part), ended.err);
        }
        QVERIFY(!QFile::exists(m_program.path("nobody.orrery")));
    }

    void allProblemsOfTheOptionsAreToldAtOnce() {
        const QStringList options{"--beta-r", "abc", "--zeta", "-1", "--gamma-h", "2"};
        for (const QStringList& verb :
             {QStringList{"solve", m_world, "--seed", "x"}, QStringList{"rollout", m_world}}) {
            const Ended ended = m_program.run(verb + options);
            QCOMPARE(ended.status, 2);
            QCOMPARE(ended.err.count('\n'), 1);
            for (const char* part : {"beta_r must be", "zeta must be", "gamma_h must be"})
                QVERIFY2(ended.err.contains(part), ended.err);
            QVERIFY(verb[0] != "solve" || ended.err.contains("seed must be"));
        }
    }

    void gammaAndRhoAreNotTakenTogether() {
        for (const char* verb : {"solve", "rollout"}) {
            const Ended both = m_program.run({verb, m_world, "--gamma-h", "0.9", "--rho-h", "0.1"});
            QCOMPARE(both.status, 2);
            QVERIFY2(both.err.contains("rho_h and gamma_h say the same"), both.err);
        }
        QCOMPARE(m_program
                     .run({"solve", m_world, "--no-history", "--gamma-h", "none", "--rho-h", "0.1",
                           "--x-h-floor", "0.1"})
                     .status,
                 0);
    }

    void aMistypedWorldLeavesNoRun() {
        solve({});
        const json before = list();
        QCOMPARE(m_program.run({"solve", "pear.yaml", "--workspace", m_workspace}).status, 2);
        const QString broken = m_program.write("broken.yaml", "mapp: 1\n");
        QCOMPARE(m_program.run({"solve", broken, "--workspace", m_workspace}).status, 2);
        QCOMPARE(list(), before);
    }

    void aWarningOfTheWorldIsToldOnceAtItsPlace() {
        QByteArray text = pairWorld();
        const QString file =
            m_program.write("partial.yaml", text.replace("possible_goals: [[1, 1, 4, 1], [4, 1]]",
                                                         "possible_goals: [[1, 1, 3, 1]]"));
        for (const QStringList& verb :
             {QStringList{"solve", file, "--no-history", "--x-h-floor", "0.1"},
              QStringList{"world", "show", file}, QStringList{"world", "validate", file}}) {
            const Ended ended = m_program.run(verb);
            QCOMPARE(ended.status, 0);
            QCOMPARE(ended.err.count("no goal covers"), 1);
            QVERIFY2(ended.err.contains("partial.yaml:7:17: warning W230"), ended.err);
        }
    }

    void rolloutsTakeTheSeedOfTheRunOrOfTheWorld() {
        const QString run = QString::fromStdString(
            solve({"--seed", "7", "--json"}).json()["run"].get<std::string>());
        const auto seedOf = [this](const QStringList& arguments) {
            return m_program.run(QStringList{"rollout", "--json", "--episodes", "4"} + arguments)
                .json();
        };
        const json own = seedOf({run, "--workspace", m_workspace});
        QCOMPARE(own["seed"].get<int>(), 7);
        const json given = seedOf({run, "--workspace", m_workspace, "--seed", "7"});
        QCOMPARE(own["episodes"], given["episodes"]);
        QCOMPARE(seedOf({run, "--workspace", m_workspace, "--seed", "8"})["seed"].get<int>(), 8);
        QCOMPARE(seedOf({m_world, "--x-h-floor", "0.1"})["seed"].get<int>(), 5);
    }

    void aPipeForResultsStaysAPipe_data() {
        QTest::addColumn<QStringList>("verb");
        QTest::addColumn<QByteArray>("begin");
        const QStringList floor{"--x-h-floor", "0.1"};
        QTest::newRow("export") << QStringList{"export", m_world, "-o"} + QStringList{"PIPE"} +
                                       floor
                                << QByteArray("step,config,");
        QTest::newRow("npz") << QStringList{"export", m_world, "--format", "npz", "-o", "PIPE"} +
                                    floor
                             << QByteArray("PK\x03\x04");
        QTest::newRow("states") << QStringList{"graph", "export", "csv", m_world, "-o", "PIPE"}
                                << QByteArray("step,index,");
        QTest::newRow("levels") << QStringList{"solve", m_world, "--no-history", "--csv", "PIPE"} +
                                       floor
                                << QByteArray("step,");
        QTest::newRow("plot") << QStringList{"solve", m_world, "--no-history", "--plot",
                                             "PIPE.png"} +
                                     floor
                              << QByteArray("\x89PNG");
        QTest::newRow("svg") << QStringList{"world", "show", m_world, "--svg", "PIPE.svg"}
                             << QByteArray("<?xml");
        QTest::newRow("world") << QStringList{"world", "random", "-o", "PIPE"} << QByteArray("# ");
    }
    void aPipeForResultsStaysAPipe() {
        QFETCH(QStringList, verb);
        QFETCH(QByteArray, begin);
        QString pipe;
        for (QString& word : verb)
            if (word.startsWith("PIPE")) pipe = word = m_program.path(word);
        QFile::remove(pipe);
        QCOMPARE(::mkfifo(pipe.toUtf8().constData(), 0600), 0);
        QByteArray read;
        std::thread reader([&] { read = Program::read(pipe); });
        const Ended ended = m_program.run(verb);
        reader.join();
        QVERIFY2(ended.status == 0, ended.err);
        QVERIFY2(read.startsWith(begin), read.left(80));
        QVERIFY(std::filesystem::is_fifo(pipe.toStdString()));
    }

    void aGraphIsNotSavedIntoAPipe() {
        const QString pipe = m_program.path("graph_pipe");
        QCOMPARE(::mkfifo(pipe.toUtf8().constData(), 0600), 0);
        QCOMPARE(m_program.run({"graph", "build", m_world, "-o", pipe}).status, 2);
        QVERIFY(std::filesystem::is_fifo(pipe.toStdString()));
    }

    void aGraphSavedUnrolledIsOpenedAgain() {
        const QString file = m_program.path("u.graph");
        QCOMPARE(m_program.run({"graph", "build", m_world, "--unrolled", "-o", file}).status, 0);
        const json opened =
            m_program.run({"graph", "stats", m_world, "--graph", file, "--json"}).json();
        QCOMPARE(opened["folded"].get<bool>(), false);
        QCOMPARE(opened, m_program.run({"graph", "stats", m_world, "--unrolled", "--json"}).json());
    }

    void thePlotLiesBesideTheRunsAndOnlyOfRunsThatWorked() {
        const json solved = solve({"--json"}).json();
        const QString run = QString::fromStdString(solved["run"].get<std::string>());
        const QString plot = m_workspace + "/plots/" + run + "_levels.png";
        QVERIFY(Program::read(plot).startsWith("\x89PNG"));
        QVERIFY(!QFile::exists(m_workspace + "/runs/" + run + "/levels.png"));
        QVERIFY(solved["files"].dump().find("_levels.png") != std::string::npos);
        QByteArray text = pairWorld();
        const QString failing = m_program.write("failing.yaml", text.replace("[1, 1, 4, 1], ", ""));
        const json failed =
            m_program.run({"solve", failing, "--workspace", m_workspace, "--json"}).json();
        QCOMPARE(failed["state"].get<std::string>(), std::string("failed"));
        QVERIFY2(failed["files"].dump().find(".png") == std::string::npos,
                 failed["files"].dump().c_str());
    }

    void aWorldOfManyAgentsIsDrawnAndSteppedButNotSolved() {
        const QString file = m_program.write("crowd.yaml", crowdedWorld());
        const Ended shown = m_program.run({"world", "show", file});
        QCOMPARE(shown.status, 0);
        QVERIFY2(shown.out.contains("human8") && shown.out.contains("17179869184 joint actions"),
                 shown.out);
        QVERIFY2(shown.err.contains("too many for a solve"), shown.err);
        QCOMPARE(m_program.run({"world", "show", file, "--json"})
                     .json()["joint_actions"]
                     .get<std::int64_t>(),
                 std::int64_t{17'179'869'184});
        const Ended stepped = m_program.run({"world", "step", file, "human0=left"});
        QVERIFY2(stepped.status == 0, stepped.err);
        for (const QStringList& verb :
             {QStringList{"solve", file, "--no-history"}, QStringList{"rollout", file},
              QStringList{"graph", "stats", file}}) {
            const Ended ended = m_program.run(verb);
            QCOMPARE(ended.status, 2);
            QVERIFY2(ended.err.contains("has 17 agents with 17179869184 joint actions"), ended.err);
        }
    }

    void eachSideOfAMagicWallIsDrawnDifferently() {
        const QString file = m_program.write(
            "magic.yaml",
            "map: |\n  We We We We We We We We\n  We Mn Ms Me Mw Ma Ay We\n"
            "  We We We We We We We We\nmax_steps: 1\npossible_goals: [[1, 1, 6, 1]]\n");
        const Ended ended = m_program.run({"world", "show", file});
        QSet<QByteArray> glyphs;
        for (const QByteArray& line : ended.out.split('\n'))
            if (line.contains("magic wall")) glyphs.insert(line.left(line.indexOf("magic")));
        QVERIFY2(glyphs.size() == 5, ended.out);
    }

    void aRandomWorldComesAsJsonToo() {
        const json printed = m_program.run({"world", "random", "--seed", "5", "--json"}).json();
        const Ended plain = m_program.run({"world", "random", "--seed", "5"});
        QCOMPARE(QByteArray::fromStdString(printed["yaml"].get<std::string>()), plain.out);
        const QString file = m_program.path("r.yaml");
        const json written = m_program.run({"world", "random", "-o", file, "--json"}).json();
        QCOMPARE(QString::fromStdString(written["files"][0].get<std::string>()), file);
    }

    void aStopTellsWhetherAnythingIsKept_data() {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("solve") << "solve" << QByteArray("What was done so far is kept");
        QTest::newRow("rollout") << "rollout" << QByteArray("Nothing was written");
    }
    void aStopTellsWhetherAnythingIsKept() {
        QFETCH(QString, verb);
        QFETCH(QByteArray, words);
        QProcess process;
        m_program.prepare(process);
        process.setArguments({verb, m_program.write("huge.yaml", orrery::hugeWorld()), "--memory",
                              "2GiB", "--workspace", m_program.path("stop.orrery")});
        process.start(QIODevice::ReadOnly);
        QVERIFY(process.waitForStarted());
        // It has begun to explore, which takes nearly all of its time.
        const auto pid = static_cast<pid_t>(process.processId());
        QVERIFY(orrery::test::waitUntil([&] { return orrery::test::cpuSecondsOf(pid) > 0.8; }));
        ::kill(pid, SIGINT);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 130);
        const QByteArray text = process.readAllStandardError();
        QVERIFY2(text.contains(words), text);
    }

    void aWorkspaceThatMayNotBeReadIsNotCalledNone() {
        const QString folder = m_program.path("shut.orrery");
        QCOMPARE(
            m_program.run({"solve", m_world, "--workspace", folder, "--x-h-floor", "0.1"}).status,
            0);
        QCOMPARE(::chmod(folder.toUtf8().constData(), 0), 0);
        QProcess process;
        m_program.prepare(process);
        // The superuser may read everything.
        constexpr uid_t kNobody = 65534;
        const bool isSuperuser = ::geteuid() == 0;
        process.setChildProcessModifier([isSuperuser] {
            if (isSuperuser && ::setuid(kNobody) != 0) ::_exit(99);
        });
        process.setArguments({"ls", "--workspace", folder});
        process.start(QIODevice::ReadOnly);
        QVERIFY(process.waitForFinished(60'000));
        ::chmod(folder.toUtf8().constData(), 0700);
        QCOMPARE(process.exitCode(), 6);
        const QByteArray text = process.readAllStandardError();
        QVERIFY2(text.contains("Permission denied") && !text.contains("not a workspace"), text);
    }

private:
    Ended solve(const QStringList& options) const {
        return m_program.run(
            QStringList{"solve", m_world, "--workspace", m_workspace, "--x-h-floor", "0.1"} +
            options);
    }
    json list() const { return m_program.run({"ls", "--workspace", m_workspace, "--json"}).json(); }

    Program m_program;
    QString m_world, m_workspace;
};

ORRERY_APPLICATION_TEST(InputsTest)
#include "inputs_test.moc"
