#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <QDir>
#include <QElapsedTimer>
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/support/test_program.h"

using nlohmann::json;
using orrery::Ended;
using orrery::jsonOf;
using orrery::Program;

namespace {

// From tests/data/empo/p01_rock.json, setting A.
constexpr double kRockRobotValue = -13.349090569918507;
constexpr double kRockGoalAbility = 0.4966410113630004;

bool close(double a, double b) {
    return std::abs(a - b) <= 1e-10 * std::abs(b) + 1e-14;
}

}  // namespace

class RunsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_world = m_program.write("rock.yaml", orrery::rockWorld());
        m_workspace = m_program.path("work.orrery");
        const Ended ended = solve({"--json"});
        QVERIFY2(ended.status == 0, ended.err);
        m_first = ended.json();
    }

    void solveComputesTheOracleValues() {
        QVERIFY(close(m_first["root"]["v_r"].get<double>(), kRockRobotValue));
        QVERIFY(close(m_first["root"]["humans"][0]["x_h"].get<double>(), kRockGoalAbility));
        QCOMPARE(m_first["states"].get<int>(), 366);
        QCOMPARE(m_first["state"].get<std::string>(), std::string("finished"));
    }

    void solveWritesAPlotAndATable() {
        bool hasPng = false, hasCsv = false;
        for (const json& entry : m_first["files"]) {
            const QString file = QString::fromStdString(entry.get<std::string>());
            const QByteArray content = Program::read(file);
            hasPng |=
                file.endsWith(".png") && content.startsWith("\x89PNG") && content.size() > 5000;
            hasCsv |= file.endsWith(".csv") && content.count('\n') == 8;
        }
        QVERIFY2(hasPng && hasCsv, m_first["files"].dump().c_str());
    }

    void solvePrintsTheResultForPeople() {
        const Ended ended = m_program.run({"solve", m_world, "--no-history"});
        QCOMPARE(ended.status, 0);
        QVERIFY2(ended.out.contains("366 states") && ended.out.contains("-13.34909056991"),
                 ended.out);
        QVERIFY2(!ended.out.contains("run r0"), ended.out);
        QVERIFY2(ended.err.isEmpty() || !ended.err.contains('\r'), ended.err);
    }

    void aBareNameMeansAnExampleWorld() {
        const json worlds = m_program.run({"world", "list", "--json"}).json();
        QVERIFY(worlds.size() >= 1);
        const QString name = QString::fromStdString(worlds[0]["name"].get<std::string>());
        QCOMPARE(m_program.run({"world", "validate", name}).status, 0);
    }

    void optionsOverrideTheSpecFile() {
        const QString spec =
            m_program.write("spec.json", "{\"name\": \"from file\", \"solve\": {\"world\": \"" +
                                             m_world.toUtf8() + "\", \"beta_r\": 5, \"zeta\": 3}}");
        const Ended ended =
            m_program.run({"solve", "--spec", spec, "--zeta", "1.5", "eta=1.3", "seed=7",
                           "--workspace", m_workspace, "--no-plot", "--json"});
        QVERIFY2(ended.status == 0, ended.err);
        const json run = show(ended.json()["run"]);
        QCOMPARE(run["name"].get<std::string>(), std::string("from file"));
        QCOMPARE(run["spec"]["solve"]["beta_r"].get<double>(), 5.0);
        QCOMPARE(run["spec"]["solve"]["zeta"].get<double>(), 1.5);
        QCOMPARE(run["spec"]["solve"]["eta"].get<double>(), 1.3);
        QCOMPARE(run["spec"]["seed"].get<int>(), 7);
    }

    void aSweepIsAGroupOfRunsThatShareAGraph() {
        const QString folder = m_program.path("sweep.orrery"), csv = m_program.path("sweep.csv");
        const Ended ended =
            m_program.run({"solve", m_world, "--sweep", "beta_r=1,5,10", "--sweep", "zeta=1:2:1",
                           "--workspace", folder, "--csv", csv, "--json"});
        QVERIFY2(ended.status == 0, ended.err);
        const json sweep = ended.json();
        QCOMPARE(sweep["runs"].size(), std::size_t{6});
        const json& same = sweep["runs"][5];  // the parameters of the oracle
        QCOMPARE(same["values"]["beta_r"].get<double>(), 10.0);
        QCOMPARE(same["values"]["zeta"].get<double>(), 2.0);
        QVERIFY(close(same["v_r"].get<double>(), kRockRobotValue));
        QVERIFY(close(same["x_h"][0]["value"].get<double>(), kRockGoalAbility));
        const json list = m_program.run({"ls", "--workspace", folder, "--json"}).json();
        QCOMPARE(list.size(), std::size_t{6});
        for (const json& run : list)
            QCOMPARE(run["state"].get<std::string>(), std::string("finished"));
        QVERIFY(Program::read(csv).startsWith("run,beta_r,zeta,state,seconds,v_r,u_r,x_h"));
        QCOMPARE(Program::read(csv).count('\n'), 7);
        const QString tag = QString::fromStdString(sweep["tag"].get<std::string>());
        QCOMPARE(m_program.run({"ls", "--workspace", folder, "--tag", tag, "--json"}).json().size(),
                 std::size_t{6});
        QCOMPARE(m_program.run({"ls", "--workspace", folder, "--tag", "x", "--json"}).json().size(),
                 std::size_t{0});
        const auto numWhere = [&](const QString& text) {
            return m_program.run({"ls", "--workspace", folder, "--where", text, "--json"})
                .json()
                .size();
        };
        QCOMPARE(numWhere("beta_r >= 5 && !(zeta = 2)"), std::size_t{2});
        QCOMPARE(numWhere("beta_r < 0.002k state: done"), std::size_t{2});
        QCOMPARE(numWhere("tag: \"" + tag + "\" or nothing"), std::size_t{6});
        QCOMPARE(numWhere("name ~ zzz"), std::size_t{0});
        QCOMPARE(numWhere("job = solve"), std::size_t{6});  // as `ls` shows it
        QCOMPARE(numWhere("job = train"), std::size_t{0});
        const Ended wrong =
            m_program.run({"ls", "--workspace", folder, "--where", "zeta = 1 or bta_r = 5"});
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains("column 13: unknown name \"bta_r\"; did you mean "
                                    "\"beta_r\"?"),
                 wrong.err);
        const json second = m_program.run({"show", "2", "--workspace", folder, "--json"}).json();
        QVERIFY2(second.dump().find(sweep["tag"].get<std::string>()) != std::string::npos,
                 second.dump().c_str());
    }

    void allProblemsOfASweepAreTold() {
        const Ended ended = m_program.run(
            {"solve", m_world, "--no-history", "--sweep", "beta_r=1,x,-1", "--sweep", "zeto=1"});
        QCOMPARE(ended.status, 2);
        for (const char* part : {"'x'", "'-1'", "did you mean zeta"})
            QVERIFY2(ended.err.contains(part), ended.err);
    }

    void aStoppedSweepLeavesNoRunAlive() {
        const QString folder = m_program.path("stopped.orrery");
        QProcess process;
        startSlowSweep(process, folder);
        if (QTest::currentTestFailed()) return;
        process.terminate();
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 143);
        const json list = m_program.run({"ls", "--workspace", folder, "--json"}).json();
        QCOMPARE(list.size(), std::size_t{3});
        for (const json& run : list)
            QCOMPARE(run["state"].get<std::string>(), std::string("stopped"));
    }

    void aKilledSweepIsInterruptedWithItsQueue() {
        const QString folder = m_program.path("killed.orrery");
        QProcess process;
        startSlowSweep(process, folder);
        if (QTest::currentTestFailed()) return;
        process.kill();
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(m_program.run({"solve", m_world, "--workspace", folder, "--no-plot"}).status, 0);
        const json list =
            m_program.run({"ls", "--workspace", folder, "--state", "interrupted", "--json"}).json();
        QCOMPARE(list.size(), std::size_t{3});
    }

    void runsAreListedAndShown() {
        const json list = m_program.run({"ls", "--workspace", m_workspace, "--json"}).json();
        QVERIFY(!list.empty());
        QCOMPARE(list.back()["id"], m_first["run"]);
        QCOMPARE(list.back()["state"].get<std::string>(), std::string("finished"));
        const json run = show(m_first["run"]);
        QCOMPARE(run["state"].get<std::string>(), std::string("finished"));
        QVERIFY(run["artefacts"].size() >= 2);
        QVERIFY(run["last_metrics"].size() >= 3);
        const Ended none =
            m_program.run({"ls", "--workspace", m_workspace, "--state", "failed", "--json"});
        QCOMPARE(none.json(), json::array());
        QCOMPARE(m_program.run({"show", "r99999", "--workspace", m_workspace}).status, 2);
        QVERIFY(m_program.run({"ls", "--workspace", m_workspace}).out.contains("finished"));
    }

    void diffTellsFieldsAndValuesApart() {
        const json other = solve({"--beta-r", "3", "--json"}).json();
        const QString a = idOf(m_first), b = idOf(other);
        const json difference =
            m_program.run({"diff", a, b, "--workspace", m_workspace, "--json"}).json();
        QCOMPARE(difference["fields"].size(), std::size_t{1});
        QCOMPARE(difference["fields"][0]["field"].get<std::string>(), std::string("beta_r"));
        QVERIFY(difference["values"]["V_r"]["largest"].get<double>() > 0);
        QCOMPARE(m_program.run({"diff", a, b, "--workspace", m_workspace, "--check"}).status, 3);
        QCOMPARE(m_program.run({"diff", a, a, "--workspace", m_workspace, "--check"}).status, 0);
    }

    void valuesAreExportedAsCsv() {
        const QString file = m_program.path("v.csv");
        QVERIFY(exportRun({"--what", "values", "--format", "csv", "-o", file}));
        const QList<QByteArray> lines = Program::read(file).split('\n');
        QCOMPARE(lines.size(), 368);  // title, 366 states, and what follows the last line end
        const QList<QByteArray> titles = lines[0].split(',');
        const QList<QByteArray> root = lines[1].split(',');
        QCOMPARE(titles.mid(0, 2), (QList<QByteArray>{"step", "config"}));
        QVERIFY(titles.contains("v_r"));
        QVERIFY(close(root[titles.indexOf("v_r")].toDouble(), kRockRobotValue));
        QVERIFY(close(root[titles.indexOf("x_h.human0")].toDouble(), kRockGoalAbility));
    }

    void policiesAreExportedAsJson() {
        const QString file = m_program.path("pi.json");
        QVERIFY(exportRun({"--what", "policies", "--format", "json", "-o", file}));
        const json table = jsonOf(Program::read(file));
        QCOMPARE(table["rows"].size(), std::size_t{366});
        double sum = 0;
        for (std::size_t c = 0; c < table["columns"].size(); ++c)
            if (table["columns"][c].get<std::string>().starts_with("pi_r["))
                sum += table["rows"][0][c].get<double>();
        QVERIFY(close(sum, 1.0));
        QVERIFY(table["rows"].back().back().is_null());  // a terminal state has no policy
    }

    void valuesAreExportedAsArrays() {
        const QString file = m_program.path("v.npz");
        QVERIFY(exportRun({"--what", "values", "--format", "npz", "-o", file}));
        const QByteArray bytes = Program::read(file);
        QVERIFY(bytes.startsWith("PK\x03\x04"));
        // The first value of v_r follows its header, which ends in a line feed.
        const auto name = bytes.indexOf("v_r.npy");
        QVERIFY(name > 0);
        const auto header =
            bytes.indexOf("{'descr': '<f8', 'fortran_order': False, 'shape': (366, ), }", name);
        QVERIFY(header > 0);
        double root = 0;
        memcpy(&root, bytes.constData() + bytes.indexOf('\n', header) + 1, sizeof root);
        QVERIFY(close(root, kRockRobotValue));
    }

    void metricsAreExported() {
        const QString file = m_program.path("m.csv");
        QVERIFY(exportRun({"--what", "metrics", "-o", file}));
        QVERIFY(Program::read(file).startsWith("key,seq,step,value\n"));
        QVERIFY(Program::read(file).contains("explore/states"));
    }

    void rolloutsRepeatWithTheirSeed() {
        const QStringList arguments{"rollout",    idOf(m_first), "--workspace", m_workspace,
                                    "--episodes", "3",           "--json",      "--seed"};
        const json first = m_program.run(arguments + QStringList{"1"}).json();
        QCOMPARE(m_program.run(arguments + QStringList{"1"}).json(), first);
        QCOMPARE(first["episodes"].size(), std::size_t{3});
        QCOMPARE(first["episodes"][0]["steps"].size(), std::size_t{7});
        QVERIFY(m_program.run(arguments + QStringList{"2"}).json()["episodes"] !=
                first["episodes"]);
        const json solved =
            m_program.run({"rollout", m_world, "--episodes", "3", "--json", "--seed", "1"}).json();
        QCOMPARE(solved["episodes"], first["episodes"]);
    }

    void verifyFindsAFlippedByte() {
        const QString folder = m_program.path("flipped.orrery");
        const Ended ended =
            m_program.run({"solve", m_world, "--workspace", folder, "--json", "--no-plot"});
        QCOMPARE(ended.status, 0);
        QCOMPARE(m_program.run({"verify", folder}).status, 0);
        QCOMPARE(m_program.run({"verify", folder, "--at-least", "5"}).status, 0);
        const Ended few = m_program.run({"verify", folder, "--at-least", "1000000"});
        QVERIFY2(few.status != 0 && few.err.count('\n') == 1, few.err);
        const json solved = ended.json();
        for (const json& entry : solved["files"]) {
            const QString name = QString::fromStdString(entry.get<std::string>());
            if (!name.endsWith("solution.bin")) continue;
            QFile file(name);
            QVERIFY(file.open(QIODevice::ReadWrite));
            QByteArray content = file.readAll();
            content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
            file.seek(0);
            file.write(content);
        }
        const Ended damaged = m_program.run({"verify", folder});
        QVERIFY2(damaged.status != 0 && damaged.err.contains("solution.bin"), damaged.err);
        QCOMPARE(damaged.err.count('\n'), 1);
    }

    void verifyLooksIntoTheDefaultWorkspace() {
        const Program program;
        QCOMPARE(program.run({"solve", "first_steps"}).status, 0);
        const Ended verified = program.run({"verify", "--json"});
        QVERIFY2(verified.status == 0, verified.err);
        QCOMPARE(verified.json()["runs"].get<int>(), 1);
    }

    void aMissingWorkspaceIsSaid() {
        QCOMPARE(m_program.run({"verify", m_program.path("none.orrery")}).status, 6);
        const Ended ended =
            m_program.run({"show", "1", "--workspace", m_program.path("none.orrery")});
        QCOMPARE(ended.status, 6);
        QVERIFY2(ended.err.contains("orrery solve"), ended.err);
        QCOMPARE(m_program.run({"ls"}).status, 0);
    }

    void aLockedWorkspaceIsNotWritten() {
        const int file = open((m_workspace + "/lock").toUtf8().constData(), O_RDWR | O_CLOEXEC);
        QVERIFY(file >= 0);
        QCOMPARE(flock(file, LOCK_EX | LOCK_NB), 0);
        const Ended ended = solve({});
        closeFile(file);
        QCOMPARE(ended.status, 6);
        QCOMPARE(ended.err.count('\n'), 1);
    }

    void anUnreachableGoalStopsTheSolve() {
        QByteArray walled = orrery::rockWorld();
        walled.replace("possible_goals: [[2, 1], [1, 1], [3, 1], [2, 2], [4, 1], [1, 1, 4, 2]]",
                       "possible_goals: [[4, 1]]");
        walled.replace("max_steps: 6", "max_steps: 2");
        const QString file = m_program.write("walled.yaml", walled);
        const Ended ended = m_program.run({"solve", file, "--workspace", m_workspace});
        QVERIFY2(ended.status != 0 && ended.err.contains("human0"), ended.err);
        QCOMPARE(m_program.run({"solve", file, "--no-history", "--x-h-floor", "1e-6"}).status, 0);
    }

    void commitsArePrintedAsTheyBecomeDurable() {
        const Ended ended = solve({"--print-commits"});
        QVERIFY2(ended.out.contains("COMMIT "), ended.out);
        qint64 last = 0;
        for (const QByteArray& line : ended.out.split('\n'))
            if (line.startsWith("COMMIT ")) {
                QVERIFY(line.mid(7).toLongLong() >= last);
                last = line.mid(7).toLongLong();
            }
        QVERIFY(last > 10);
        QCOMPARE(m_program.run({"verify", m_workspace, "--at-least", QString::number(last)}).status,
                 0);
    }

    void aSignalStopsCleanly_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("status");
        QTest::newRow("TERM") << SIGTERM << 143;
        QTest::newRow("INT") << SIGINT << 130;
    }
    void aSignalStopsCleanly() {
        QFETCH(int, signal);
        QFETCH(int, status);
        const QString folder = m_program.path("stopped" + QString::number(signal) + ".orrery");
        QProcess process;
        m_program.prepare(process);
        process.setArguments({"solve", m_program.write("huge.yaml", orrery::hugeWorld()),
                              "--workspace", folder, "--memory", "2GiB"});
        process.start(QIODevice::ReadOnly);
        QVERIFY(process.waitForStarted());
        QVERIFY(QTest::qWaitFor(
            [&] {
                return m_program.run({"ls", "--workspace", folder, "--json"})
                    .out.contains("running");
            },
            60'000));
        QCOMPARE(process.state(), QProcess::Running);
        QElapsedTimer timer;
        timer.start();
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QVERIFY(process.waitForFinished(60'000));
        // It takes a second at most; a busy machine has ten times as long.
        QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY2(process.exitCode() == status, process.readAllStandardError());
        QCOMPARE(m_program.run({"verify", folder}).status, 0);
        const json list = m_program.run({"ls", "--workspace", folder, "--json"}).json();
        QCOMPARE(list[0]["state"].get<std::string>(), std::string("stopped"));
    }

private:
    Ended solve(const QStringList& options) const {
        return m_program.run(QStringList{"solve", m_world, "--workspace", m_workspace} + options);
    }
    /// Starts a sweep of three runs whose levels take long, and waits until one of them runs.
    void startSlowSweep(QProcess& process, const QString& workspace) const {
        m_program.prepare(process);
        QProcessEnvironment environment = process.processEnvironment();
        environment.insert("ORRERY_FAULT", "run.level:delay=1000@1+");
        process.setProcessEnvironment(environment);
        process.setArguments(
            {"solve", m_world, "--sweep", "beta_r=1,2,3", "--workspace", workspace});
        process.start();
        QTRY_VERIFY_WITH_TIMEOUT(
            m_program.run({"ls", "--workspace", workspace, "--json"}).out.contains("running"),
            60'000);
    }
    json show(const json& id) const {
        return m_program
            .run({"show", QString::fromStdString(id.get<std::string>()), "--workspace", m_workspace,
                  "--json"})
            .json();
    }
    static QString idOf(const json& solved) {
        return QString::fromStdString(solved["run"].get<std::string>());
    }
    bool exportRun(const QStringList& options) const {
        return m_program
                   .run(QStringList{"export", idOf(m_first), "--workspace", m_workspace} + options)
                   .status == 0;
    }
    static void closeFile(int file) { ::close(file); }

    Program m_program;
    QString m_world, m_workspace;
    json m_first;
};

ORRERY_APPLICATION_TEST(RunsTest)
#include "runs_test.moc"
