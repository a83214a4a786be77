#include <signal.h>

#include <QElapsedTimer>
#include <QProcess>
#include <QTest>
#include <functional>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;
using nlohmann::json;

/// The verbs of trainings by a method, and of worlds of a family, that the program got by its lists
/// alone (tests/app/guest).
class GuestVerbsTest : public QObject {
    Q_OBJECT

private:
    Ended run(const QStringList& arguments) const { return m_program.run(arguments); }
    Ended inWorkspace(QStringList arguments) const {
        return run(arguments << QStringLiteral("--workspace") << m_workspace);
    }
    Ended train(const QStringList& fields) const {
        return inWorkspace(QStringList{"train", "--method", "corridor", "--json"} + fields);
    }
    static bool soon(const std::function<bool()>& isSo) {
        QElapsedTimer clock;
        clock.start();
        while (!isSo())
            if (clock.elapsed() > 60'000) return false;
        return true;
    }
    json shown(const std::string& id) const {
        return inWorkspace({"show", QString::fromStdString(id), "--json"}).json();
    }

    Program m_program;
    QString m_workspace = m_program.path(QStringLiteral("guest.orrery"));

private Q_SLOTS:
    void initTestCase() {
        qputenv("ORRERY_TESTED_PROGRAM", builtPath("tests/orrery_guest").c_str());
    }
    void cleanupTestCase() { qunsetenv("ORRERY_TESTED_PROGRAM"); }

    void itsFieldsAreListedAndWrongOnesRefused() {
        const Ended fields = run({"train", "--method", "corridor", "--options"});
        QCOMPARE(fields.status, 0);
        QVERIFY2(fields.out.contains("learning_rate") && fields.out.contains("checkpoint_seconds"),
                 fields.out);
        const Ended wrong = train({"length=1"});
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains("length must be"), wrong.err);
        const Ended world = train({"first_steps"});
        QCOMPARE(world.status, 2);
        QVERIFY2(world.err.contains("method corridor, which has no worlds"), world.err);
        const Ended option = train({"--batch-size", "8"});
        QCOMPARE(option.status, 2);
        QVERIFY2(option.err.contains("written FIELD=VALUE"), option.err);
        const Ended method = inWorkspace({"train", "--method", "corrido"});
        QVERIFY2(method.err.contains("did you mean 'corridor'"), method.err);
    }

    void aTrainingIsListedShownComparedAndExported() {
        const Ended first = train({"num_training_steps=30000", "metric_interval=100"});
        QVERIFY2(first.status == 0, first.err);
        const std::string a = first.json()["run"];
        const Ended second =
            train({"num_training_steps=30000", "metric_interval=100", "learning_rate=0.5"});
        const std::string b = second.json()["run"];
        const json listed = inWorkspace({"ls", "--json"}).json();
        QCOMPARE(listed.size(), std::size_t{2});
        QCOMPARE(shown(a)["last_metrics"]["Error/q"]["step"].get<int>(), 30'000);
        const Ended diff =
            inWorkspace({"diff", QString::fromStdString(a), QString::fromStdString(b)});
        QVERIFY2(diff.status == 0 && diff.out.contains("learning_rate"), diff.out + diff.err);
        const QString table = m_program.path("metrics.csv");
        const Ended exported =
            inWorkspace({"export", QString::fromStdString(a), "--what", "metrics", "-o", table});
        QVERIFY2(exported.status == 0, exported.err);
        QVERIFY(Program::read(table).contains("Error/q"));
        const QString page = m_program.path("report.html");
        const Ended report = inWorkspace({"report", QString::fromStdString(a), "-o", page});
        QVERIFY2(report.status == 0, report.err);
        QVERIFY(Program::read(page).contains("corridor"));
        const Ended measured = inWorkspace({"eval", QString::fromStdString(a), "--json"});
        QVERIFY2(measured.status == 0, measured.err);
        QVERIFY(measured.json()["error_q"].get<double>() < 1e-3);
        QVERIFY(shown(a)["last_metrics"].contains("Evaluation/error_q"));
        QCOMPARE(inWorkspace({"verify"}).status, 0);
    }

    void itsOwnResultsAreToldAndTabled() {
        const QStringList few{"train", "--method", "corridor", "num_training_steps=2000"};
        const Ended alone = run(few + QStringList{"--no-history"});
        QVERIFY2(alone.status == 0, alone.err);
        QVERIFY2(alone.out.startsWith("Corridor: 2 000 training steps"), alone.out);
        QVERIFY2(alone.out.contains("Error/q") && !alone.out.contains("Episodes/"), alone.out);
        const Ended sweep = inWorkspace(few + QStringList{"--seeds", "2"});
        QVERIFY2(sweep.status == 0 && sweep.out.contains("Error/q"), sweep.out + sweep.err);
        const Ended stop = train({"stop_at_most=1"});
        QCOMPARE(stop.status, 2);
        QVERIFY2(stop.err.contains("such as Error/q"), stop.err);
    }

    void aKilledTrainingIsSteeredResumedAndForked() {
        QProcess live;
        m_program.prepare(live);
        QProcessEnvironment environment = live.processEnvironment();
        environment.insert("ORRERY_FAULT", "train.step:delay=5@1+");
        live.setProcessEnvironment(environment);
        live.setArguments({"train", "--method", "corridor", "num_training_steps=3000",
                           "metric_interval=10", "checkpoint_steps=20", "seed=9", "--workspace",
                           m_workspace});
        live.start(QIODevice::ReadOnly);
        std::string id;
        QVERIFY(soon([&] {
            const json runs = inWorkspace({"ls", "--json", "--all"}).json();
            if (!runs.empty() && runs[0]["state"] == "running") id = runs[0]["id"];
            return !id.empty() && !shown(id)["checkpoints"].empty();
        }));
        const QString run = QString::fromStdString(id);
        const Ended steered = inWorkspace({"steer", run, "learning_rate=0.5"});
        QVERIFY2(steered.status == 0 && steered.out.contains("0.1 -> 0.5"),
                 steered.out + steered.err);
        const Ended undone = inWorkspace({"steer", run, "--undo"});
        QVERIFY2(undone.out.contains("0.5 -> 0.1"), undone.out);
        const Ended refused = inWorkspace({"steer", run, "length=5"});
        QCOMPARE(refused.status, 2);
        ::kill(static_cast<pid_t>(live.processId()), SIGKILL);
        live.waitForFinished(60'000);
        const Ended resumed = inWorkspace({"resume", run, "--json"});
        QVERIFY2(resumed.status == 0, resumed.err);
        QCOMPARE(resumed.json()["steps"].get<int>(), 3000);
        const Ended repeat = inWorkspace({"fork", run, "--repeat", "--json"});
        QVERIFY2(repeat.status == 0, repeat.err);
        const QString again = QString::fromStdString(repeat.json()["run"].get<std::string>());
        const Ended same = inWorkspace({"diff", run, again, "--check"});
        QVERIFY2(same.status == 0, same.out + same.err);
        const Ended fork =
            inWorkspace({"fork", run, "learning_rate=0.9", "num_training_steps=3200", "--json"});
        QVERIFY2(fork.status == 0, fork.err);
        QCOMPARE(fork.json()["steps"].get<int>(), 3200);
    }

    void aWorldOfItsFamilyIsSolvedSearchedLearnedAndExported() {
        const QString world =
            m_program.write("line.yaml",
                            "family: line\nmap: H . R .\nslip: 0.25\n"
                            "max_steps: 3\npossible_goals: [[1, 0], [0, 0, 3, 0]]\n");
        const Ended valid = run({"world", "validate", world});
        QVERIFY2(valid.status == 0, valid.err);
        const Ended drawn = run({"world", "show", world});
        QVERIFY2(drawn.status == 0, drawn.err);
        const Ended solved = inWorkspace({"solve", world, "--json"});
        QVERIFY2(solved.status == 0, solved.err);
        const QString id = QString::fromStdString(solved.json()["run"].get<std::string>());
        const Ended found =
            run({"graph", "find", world, "human0.x = 1 and robot0.x = 2", "--json"});
        QVERIFY2(found.status == 0, found.err);
        const QString table = m_program.path("values.csv");
        const Ended exported = inWorkspace({"export", id, "-o", table});
        QVERIFY2(exported.status == 0, exported.err);
        QVERIFY(Program::read(table).contains("robot0.x"));
        const Ended small = inWorkspace({"train", world, "num_training_steps=200"});
        QCOMPARE(small.status, 2);
        QVERIFY2(small.err.contains("at least 2 x 2 cells, and this one has 4 x 1"), small.err);
        const Ended learned =
            inWorkspace({"train", world, "num_training_steps=200", "--preset", "tables", "--json"});
        QVERIFY2(learned.status == 0, learned.err);
        const Ended repeated = inWorkspace({"show", id, "--json"});
        QCOMPARE(repeated.json()["state"].get<std::string>(), std::string("finished"));
        QCOMPARE(inWorkspace({"verify"}).status, 0);
    }
};

ORRERY_APPLICATION_TEST(GuestVerbsTest)
#include "guest_verbs_test.moc"
