#include <QProcess>
#include <QTest>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;
using nlohmann::json;

/// Environments of things by the program's verbs: list, play, learn, measure.
class EntityVerbsTest : public QObject {
    Q_OBJECT

    Ended run(const QStringList& arguments) const { return m_program.run(arguments); }
    Ended inWorkspace(QStringList arguments) const {
        return run(arguments << QStringLiteral("--workspace") << m_workspace);
    }
    /// Plays with these lines on the standard input.
    QByteArray played(const QStringList& arguments, const QByteArray& lines) const {
        QProcess process;
        m_program.prepare(process);
        process.setArguments(QStringList{"env", "play"} + arguments);
        process.start();
        process.write(lines);
        process.closeWriteChannel();
        if (!process.waitForFinished(30'000)) return "it does not end";
        return process.readAllStandardOutput() + process.readAllStandardError();
    }
    static QStringList smallTraining() {
        return {"train",
                "NotHotdog",
                "--json",
                "optim.bs=64",
                "rollout.steps=1",
                "rollout.num_envs=64",
                "net.d_model=16",
                "net.n_layer=1",
                "total_timesteps=2048",
                "metric_interval=64"};
    }

    Program m_program;
    QString m_workspace = m_program.path(QStringLiteral("entities.orrery"));

private Q_SLOTS:
    void environmentsAreListedAndShown() {
        const json listed = run({"env", "list", "--json"}).json();
        QCOMPARE(listed.size(), std::size_t{14});
        for (const json& entry : listed) QVERIFY(entry["kind"] != json("sequences"));
        const Ended shown = run({"env", "show", "MineSweeper", "nmines=3", "--json"});
        QVERIFY2(shown.status == 0, shown.err);
        QCOMPARE(shown.json()["state"]["mines"].size(), std::size_t{3});
        const Ended wrong = run({"env", "show", "MineSweper"});
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains("MineSweeper"), wrong.err);
        const Ended option = run({"env", "show", "MineSweeper", "nmine=3"});
        QCOMPARE(option.status, 2);
        QVERIFY2(option.err.contains("nmines"), option.err);
    }

    void allEnvironmentsPassTheirCheck_data() {
        QTest::addColumn<QString>("id");
        for (const json& entry : run({"env", "list", "--json"}).json()) {
            const auto id = entry["id"].get<std::string>();
            QTest::newRow(id.c_str()) << QString::fromStdString(id);
        }
    }
    void allEnvironmentsPassTheirCheck() {
        QFETCH(const QString, id);
        const Ended checked = run({"env", "check", id, "--episodes", "10", "--json"});
        QVERIFY2(checked.status == 0, checked.err);
        QCOMPARE(checked.json()["episodes"].get<int>(), 10);
    }

    void aGameIsPlayedByNumbersAndNames() {
        const QByteArray said = played({"Xor", "--seed", "2"}, "zero\n0\n");
        QVERIFY2(said.contains("negate="), said);
        QVERIFY2(said.contains("'zero' is none of them"), said);
        QVERIFY2(said.contains("; the end"), said);
        const QByteArray back = played({"TreasureHunt"}, "up\nback\ndown\nquit\n");
        QCOMPARE(back.count("step 0"), 2);
        QCOMPARE(back.count("step 1"), 2);
    }

    void aBenchTellsARate() {
        const Ended bench = run({"env", "bench", "Count", "--steps", "20", "--json"});
        QVERIFY2(bench.status == 0, bench.err);
        QVERIFY(bench.json()["environment_steps_per_second"].get<double>() > 1000);
    }

    void mistakesAreToldTogether() {
        const Ended wrong = run({"train", "NotHotdog", "optim.learning_rate=1", "netto=3"});
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains("optim.learning_rate") && wrong.err.contains("netto"),
                 wrong.err);
        const Ended unknown = run({"train", "--method", "entity", "NotHotdogs"});
        QCOMPARE(unknown.status, 2);
        QVERIFY2(unknown.err.contains("NotHotdog"), unknown.err);
        const Ended option = run({"train", "Count", "env.kwargs.masked=2"});
        QCOMPARE(option.status, 2);
        QVERIFY2(option.err.contains("masked_choices"), option.err);
    }

    void aTrainingIsStoredMeasuredForkedAndVerified() {
        const Ended trained = inWorkspace(smallTraining());
        QVERIFY2(trained.status == 0, trained.err);
        const std::string id = trained.json()["run"];
        const QString run = QString::fromStdString(id);
        const json shown = inWorkspace({"show", run, "--json"}).json();
        QCOMPARE(shown["last_metrics"]["episodic_reward.mean_100"]["step"].get<int>(), 2048);
        const Ended measured = inWorkspace({"eval", run, "--episodes", "50", "--json"});
        QVERIFY2(measured.status == 0, measured.err);
        const json spread = measured.json();
        QCOMPARE(spread["rewards"].size(), std::size_t{50});
        QVERIFY(spread["reward"]["interval_95"][0] <= spread["reward"]["mean"]);
        QCOMPARE(spread["length"]["mean"].get<double>(), 1.0);
        const Ended greedy = inWorkspace({"eval", run, "--episodes", "50", "--greedy", "--json"});
        QCOMPARE(greedy.json()["greedy"].get<bool>(), true);
        const Ended forked =
            inWorkspace({"fork", run, "total_timesteps=4096", "optim.lr=0.002", "--json"});
        QVERIFY2(forked.status == 0, forked.err);
        const Ended diff = inWorkspace(
            {"diff", run, QString::fromStdString(forked.json()["run"].get<std::string>())});
        QVERIFY2(diff.out.contains("optim.lr"), diff.out);
        // The agent gives advice, and decides for another program.
        const QByteArray advised =
            played({"NotHotdog", "--agent", run, "--workspace", m_workspace}, "\n");
        QVERIFY2(advised.contains("the agent expects") && advised.contains(" %") &&
                     advised.contains("; the end"),
                 advised);
        QProcess process;
        m_program.prepare(process);
        process.setArguments({"act", run, "--greedy", "--workspace", m_workspace});
        process.start();
        process.write(R"({"features": {"Player": [[0]], "Object": [[1]]}, "actions": {"classify": )"
                      R"({"actor_types": ["Player"]}}})"
                      "\n[]\n");
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(30'000));
        QCOMPARE(process.exitCode(), 2);
        const QList<QByteArray> lines = process.readAllStandardOutput().split('\n');
        QVERIFY2(lines.size() >= 2, process.readAllStandardError());
        const json decided = jsonOf(lines[0]);
        QCOMPARE(decided["actions"]["classify"]["indices"].size(), std::size_t{1});
        QVERIFY(jsonOf(lines[1]).contains("error"));
        const Ended verified = inWorkspace({"verify"});
        QVERIFY2(verified.status == 0, verified.err + verified.out);
        QVERIFY(inWorkspace({"ls"}).out.contains("NotHotdog"));
    }

    void configurationsOfTheOriginalAreTrained() {
        const QString file = m_program.write(
            "config.ron",
            "Config(version: 4, total_timesteps: 512, env: (id: \"Xor\"), optim: (bs: 64), "
            "rollout: (steps: 1, num_envs: 64), net: (d_model: 16), track: true)\n");
        const Ended trained = inWorkspace({"train", "--config", file, "optim.lr=0.002", "--json"});
        QVERIFY2(trained.status == 0, trained.err);
        QVERIFY2(trained.err.contains("track"), trained.err);
        const Ended parsed = run({"parse", "--kind", "ron", file});
        QVERIFY2(parsed.status == 0, parsed.err);
        const QString wrong = m_program.write("wrong.ron", "Config(version: 4, nett: ())\n");
        const Ended refused = run({"parse", "--kind", "ron", wrong});
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains("did you mean 'net'"), refused.err);
    }

    void specsOfTheTreeAreRight_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"cart_pole", "cherry_pick", "count", "floor_is_lava", "mine_sweeper", "minefield",
              "move_to_origin", "multi_armed_bandit", "multi_snake", "not_hotdog",
              "pick_matching_balls", "rock_paper_scissors", "rock_paper_scissors_cheat",
              "treasure_hunt", "xor"})
            QTest::newRow(name) << QString::fromUtf8(name);
    }
    void specsOfTheTreeAreRight() {
        QFETCH(const QString, name);
        const QString file = QString::fromStdString(
            sourcePath("resources/specs/entity/" + name.toStdString() + ".yaml"));
        const Ended planned = run({"train", "--spec", file, "--dry-run"});
        QVERIFY2(planned.status == 0, planned.err);
    }

    void storedValuesOfNetworksAreChecked() {
        const Ended checked =
            run({"selfcheck", "--oracle", "entity",
                 QString::fromStdString(sourcePath("tests/data/entity/ppo.json"))});
        QVERIFY2(checked.status == 0, checked.out + checked.err);
        QVERIFY2(checked.out.contains(" 0 failed"), checked.out);
    }
};

ORRERY_APPLICATION_TEST(EntityVerbsTest)
#include "entity_verbs_test.moc"
