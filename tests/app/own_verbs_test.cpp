#include <signal.h>
#include <sys/types.h>

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QTest>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;
using nlohmann::json;

/// A game of the user's own, by the program's verbs: added, checked, played, learned in; what
/// serves it is killed, and so is the program.
class OwnVerbsTest : public QObject {
    Q_OBJECT

    void prepare(QProcess& process) const {
        m_program.prepare(process);
        process.setWorkingDirectory(QString::fromStdString(sourcePath("tests/data/own")));
        QProcessEnvironment environment = process.processEnvironment();
        environment.insert("XDG_CONFIG_HOME", m_program.path("config"));
        process.setProcessEnvironment(environment);
    }
    Ended run(const QStringList& arguments, const QByteArray& lines = {}) const {
        QProcess process;
        prepare(process);
        process.setArguments(arguments);
        process.start();
        process.write(lines);
        process.closeWriteChannel();
        if (!process.waitForFinished(120'000)) return {};
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
                process.readAllStandardOutput(), process.readAllStandardError()};
    }
    Ended add(const QString& name, const QString& what) const {
        return run({"env", "add", name, "--json", "--", "python3", "-m", "orrery_env", what});
    }
    QStringList training(const QString& total) const {
        return {"train",
                "Hunt",
                "--workspace",
                m_workspace,
                "optim.bs=64",
                "rollout.steps=8",
                "rollout.num_envs=16",
                "net.d_model=16",
                "net.n_layer=1",
                "metric_interval=128",
                "checkpoint_steps=256",
                "env.max_episode_steps=40",
                "total_timesteps=" + total};
    }

    /// Processes that serve a game below this one.
    static QList<pid_t> serversOf(qint64 parent) {
        QList<pid_t> servers;
        for (const QString& entry : QDir("/proc").entryList(QDir::Dirs)) {
            bool isNumber = false;
            const int process = entry.toInt(&isNumber);
            if (!isNumber) continue;
            const QByteArray stat = Program::read("/proc/" + entry + "/stat");
            const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
            if (fields.size() > 1 && fields[1].toLongLong() == parent &&
                Program::read("/proc/" + entry + "/cmdline").contains("orrery_env"))
                servers << process;
        }
        return servers;
    }
    /// One that nobody has reaped yet is not.
    static bool isAlive(pid_t process) {
        const QByteArray stat = Program::read(QString("/proc/%1/stat").arg(process));
        return !stat.isEmpty() && !stat.mid(stat.lastIndexOf(')')).startsWith(") Z");
    }
    bool hasCheckpoint() const {
        return !QDir(m_workspace + "/runs/r00002").entryList({"step_*"}, QDir::Dirs).isEmpty();
    }

    Program m_program;
    QString m_workspace = m_program.path(QStringLiteral("own.orrery"));

private Q_SLOTS:
    void whatIsNotAddedIsNotStarted() {
        const Ended shown = run({"env", "show", "Hunt"});
        QCOMPARE(shown.status, 2);
        QVERIFY2(shown.err.contains("orrery env add NAME -- COMMAND"), shown.err);
        const QString spec = m_program.write("spec.yaml", "entity:\n  env:\n    id: Hunt\n");
        const Ended trained = run({"train", "--config", spec, "--dry-run"});
        QCOMPARE(trained.status, 2);
        QVERIFY2(trained.err.contains("orrery env add NAME -- COMMAND"), trained.err);
        const Ended command = run({"env", "show", "python3 -m orrery_env hunts:TreasureHunt"});
        QCOMPARE(command.status, 2);
    }

    void aGameIsAddedAndListed() {
        const Ended added = add("Hunt", "hunts:TreasureHunt");
        QVERIFY2(added.status == 0, added.err);
        QCOMPARE(added.json()["steps"].get<int>(), 300);
        QCOMPARE(added.json()["saves"].get<bool>(), false);
        const Ended saved = add("Saved", "hunts:SavedHunt");
        QVERIFY2(saved.status == 0, saved.err);
        const Ended wrong = add("Wrong", "hunts:Nothing");
        QVERIFY(wrong.status != 0);
        QVERIFY2(wrong.err.contains("Wrong: ") && wrong.err.contains("Nothing") &&
                     wrong.err.trimmed().count('\n') == 0,
                 wrong.err);
        QCOMPARE(add("Xor", "hunts:TreasureHunt").status, 2);
        QCOMPARE(add("a b", "hunts:TreasureHunt").status, 2);
        QCOMPARE(run({"env", "add", "Empty"}).status, 2);
        const json listed = run({"env", "list", "--json"}).json();
        QCOMPARE(listed.size(), std::size_t{16});
        QVERIFY(listed[14]["own"].get<bool>() && !listed[13]["own"].get<bool>());
        QCOMPARE(listed[14]["id"].get<std::string>(), std::string("Hunt"));
        const Ended list = run({"env", "list"});
        QVERIFY2(list.out.contains("your own") && list.out.contains("hunts:SavedHunt"), list.out);
    }

    void itIsShownCheckedTimedAndPlayed() {
        const Ended shown = run({"env", "show", "Hunt", "treasures=4", "--json"});
        QVERIFY2(shown.status == 0, shown.err);
        QCOMPARE(shown.json()["observations"].size(), std::size_t{3});
        const Ended option = run({"env", "show", "Hunt", "treasure=4"});
        QCOMPARE(option.status, 2);
        QVERIFY2(option.err.contains("treasure"), option.err);
        for (const char* name : {"Hunt", "Saved"}) {
            const Ended checked = run({"env", "check", name, "--episodes", "5", "--json"});
            QVERIFY2(checked.status == 0, checked.err);
            QCOMPARE(checked.json()["episodes"].get<int>(), 5);
            QVERIFY(checked.json()["repeats"].get<bool>());
        }
        const Ended bench = run({"env", "bench", "Hunt", "--steps", "20", "--json"});
        QVERIFY2(bench.status == 0, bench.err);
        QVERIFY(bench.json()["environment_steps_per_second"].get<double>() > 100);
        const Ended played = run({"env", "play", "Hunt"}, "up\nleft\nback\nquit\n");
        QVERIFY2(played.status == 0, played.err);
        QVERIFY2(played.out.contains("Treasure(") && played.out.count("x_pos=0, y_pos=1") >= 2,
                 played.out);
        QVERIFY2(!played.out.contains("going"), played.out);  // what the game prints
    }

    void aFaultIsOneLine() {
        const Ended added = add("Faulty", "hunts:Faulty");
        QVERIFY2(added.status == 0, added.err);
        const Ended checked = run({"env", "check", "Faulty", "way=width"});
        QCOMPARE(checked.status, 1);
        QVERIFY2(checked.err.contains("Faulty: environment 0, step 3: features.Trap[0]: has 3"),
                 checked.err);
        QCOMPARE(checked.err.trimmed().count('\n'), 0);
    }

    void aTrainingOutlivesItsProcess() {
        QProcess process;
        prepare(process);
        process.setArguments(training("12800"));
        process.start(QIODevice::ReadOnly);
        QTRY_VERIFY_WITH_TIMEOUT(
            !serversOf(process.processId()).isEmpty() || process.state() == QProcess::NotRunning,
            60'000);
        QTRY_VERIFY_WITH_TIMEOUT(
            QDir(m_workspace + "/runs/r00001").entryList({"step_*"}, QDir::Dirs).size() > 0 ||
                process.state() == QProcess::NotRunning,
            60'000);
        for (const pid_t server : serversOf(process.processId())) ::kill(server, SIGKILL);
        QVERIFY(process.waitForFinished(120'000));
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0, said);
        QVERIFY2(
            said.contains("was ended by signal 9") && said.contains("its episodes are cut off"),
            said);
        const Ended shown = run({"show", "1", "--events", "--json", "--workspace", m_workspace});
        QVERIFY2(shown.out.contains("environment.inexact"), shown.out);
        QVERIFY2(shown.out.contains("environment.lost"), shown.out);
    }

    void aKilledTrainingIsResumed() {
        QProcess process;
        prepare(process);
        process.setArguments(training("100000000"));
        process.start(QIODevice::ReadOnly);
        QTRY_VERIFY_WITH_TIMEOUT(hasCheckpoint() || process.state() == QProcess::NotRunning,
                                 60'000);
        const QList<pid_t> servers = serversOf(process.processId());
        QVERIFY(!servers.isEmpty());
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        QVERIFY(process.waitForFinished(10'000));
        for (const pid_t server : servers) QTRY_VERIFY_WITH_TIMEOUT(!isAlive(server), 1000);
        QProcess again;
        prepare(again);
        again.setArguments({"resume", "2", "--workspace", m_workspace});
        again.start(QIODevice::ReadOnly);
        QTRY_VERIFY_WITH_TIMEOUT(
            !serversOf(again.processId()).isEmpty() || again.state() == QProcess::NotRunning,
            60'000);
        QTest::qWait(500);
        const QList<pid_t> others = serversOf(again.processId());
        QElapsedTimer timer;
        timer.start();
        ::kill(static_cast<pid_t>(again.processId()), SIGTERM);
        QVERIFY(again.waitForFinished(60'000));
        QVERIFY2(again.exitCode() == 128 + SIGTERM, again.readAllStandardError());
        for (const pid_t server : others) QTRY_VERIFY_WITH_TIMEOUT(!isAlive(server), 1000);
        const Ended verified = run({"verify", "--workspace", m_workspace});
        QVERIFY2(verified.status == 0, verified.err + verified.out);
    }

    void aGameThatKeepsFailingStopsItsTraining() {
        const QString workspace = m_program.path("faulty.orrery");
        QStringList arguments = training("12800") << "env.kwargs={\"way\":\"death\"}";
        arguments[1] = "Faulty";
        arguments[3] = workspace;
        const Ended ended = run(arguments);
        QVERIFY2(ended.status != 0, ended.out);
        QVERIFY2(ended.err.contains("It was started again too often. The run stops"), ended.err);
        const json shown = run({"ls", "--json", "--workspace", workspace}).json();
        QVERIFY2(run({"ls", "--workspace", workspace}).out.contains("stopped"),
                 shown.dump().c_str());
        QVERIFY(!QDir(workspace + "/runs/r00001").entryList({"step_*"}, QDir::Dirs).isEmpty());
    }

    void answersAreParsed() {
        const QString good = m_program.write(
            "good.jsonl",
            R"({"protocol":1,"kind":"entities","obs_space":{"entities":[{"name":"A","features":["x"]}]},)"
            R"("action_space":[{"name":"go","type":"GlobalCategorical","index_to_label":["l","r"]}]})"
            "\n"
            R"({"observations":[{"features":{"A":[[1]]},"actions":{"go":{}},"reward":0}]})"
            "\n");
        QCOMPARE(run({"parse", "--kind", "protocol", good}).status, 0);
        const QString bad =
            m_program.write("bad.jsonl", Program::read(good).replace("[[1]]", "[[1,2]]"));
        const Ended parsed = run({"parse", "--kind", "protocol", bad});
        QCOMPARE(parsed.status, 2);
        QVERIFY2(parsed.err.contains("bad.jsonl:2:1") && parsed.err.contains("features.A[0]"),
                 parsed.err);
    }

    void whatIsRemovedIsGone() {
        QCOMPARE(run({"env", "remove", "Hunt"}).status, 0);
        QCOMPARE(run({"env", "remove", "Hunt"}).status, 2);
        QCOMPARE(run({"env", "list", "--json"}).json().size(), std::size_t{16});
        // What was learned is shown all the same; only to go on, the game is needed.
        const Ended shown = run({"show", "1", "--workspace", m_workspace});
        QVERIFY2(shown.status == 0, shown.err);
        QVERIFY(run({"ls", "--workspace", m_workspace}).out.contains("Hunt"));
        const Ended resumed = run({"resume", "2", "--workspace", m_workspace});
        QCOMPARE(resumed.status, 2);
        QVERIFY2(resumed.err.contains("orrery env add NAME -- COMMAND"), resumed.err);
    }
};

ORRERY_APPLICATION_TEST(OwnVerbsTest)
#include "own_verbs_test.moc"
