#include <signal.h>

#include <QFile>
#include <QTest>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/app/train_bench.h"
#include "tests/support/fake_learner.h"
#include "tests/support/test_program.h"

using nlohmann::json;
using orrery::Ended;
using orrery::Program;

namespace {

/// True once the condition holds, which bounds a hang only. Reads what the live program says.
bool soon(const std::function<bool()>& condition) {
    return QTest::qWaitFor(condition, 60'000);
}

}  // namespace

/// The verbs of learned planning, with the library of tests/core/run/fake_learner.cpp.
class TrainVerbsTest : public QObject, private orrery::TrainBench {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { makePlace(); }

    void cleanup() {
        if (m_live.state() == QProcess::NotRunning) return;
        m_live.kill();
        m_live.waitForFinished();
    }

    void trainTellsWhatCameOfIt() {
        const Ended ended = train({"--num-training-steps", "60", "use_lookup_tables=on",
                                   "--metric-interval", "20", "lr_q_r=0.01", "--json"});
        QVERIFY2(ended.status == 0, ended.err);
        const json report = ended.json();
        QCOMPARE(report["state"].get<std::string>(), std::string("finished"));
        QCOMPARE(report["steps"].get<int>(), 60);
        QCOMPARE(report["last_metrics"]["Loss/q_r"]["step"].get<int>(), 60);
        QCOMPARE(report["checkpoints"][0]["step"].get<int>(), 60);
        m_first = QString::fromStdString(report["run"].get<std::string>());

        const json details = run({"show", m_first, "--json"}).json();
        QCOMPARE(details["spec"]["train"]["q_r_kind"].get<std::string>(), std::string("table"));
        QCOMPARE(details["spec"]["train"]["lr_q_r"].get<double>(), 0.01);
        QCOMPARE(details["checkpoints"][0]["step"].get<int>(), 60);
        const Ended shown = run({"show", m_first});
        QVERIFY2(
            shown.out.contains("checkpoint of step") && shown.out.contains("num_training_steps"),
            shown.out);
        QVERIFY2(!shown.out.contains("batch_size"), shown.out);  // it is at its default

        const json list = run({"ls", "--json"}).json();
        QCOMPARE(list[0]["job"].get<std::string>(), std::string("train"));
        QCOMPARE(list[0]["checkpoint"].get<int>(), 60);
        QCOMPARE(list[0]["world"].get<std::string>(), m_world.toStdString());
    }

    void aSweepOfTrainingsHasARunForEachValueAndSeed() {
        const QString csv = m_program.path("trainings.csv"), folder = m_program.path("s.orrery");
        const Ended ended =
            m_program.run({"train", m_world, "--tabular", "--num-training-steps", "20",
                           "--metric-interval", "10", "--sweep", "lr_q_r=0.01,0.001", "--seeds",
                           "2", "--seed", "7", "--csv", csv, "--workspace", folder, "--json"});
        QVERIFY2(ended.status == 0, ended.err);
        const json sweep = ended.json();
        QCOMPARE(sweep["parameters"].dump(), std::string("[\"lr_q_r\",\"seed\"]"));
        QStringList values;
        for (const json& run : sweep["runs"]) {
            QCOMPARE(run["state"].get<std::string>(), std::string("finished"));
            values << QString::fromStdString(run["values"].dump());
            QVERIFY(run["metrics"].contains("Loss/q_r"));
            const Ended shown =
                m_program.run({"show", QString::fromStdString(run["run"].get<std::string>()),
                               "--workspace", folder, "--json"});
            const json spec = shown.json()["spec"];
            QCOMPARE(spec["seed"].dump(), run["values"]["seed"].get<std::string>());
            QCOMPARE(spec["train"]["lr_q_r"].get<double>(), run["values"]["lr_q_r"].get<double>());
        }
        QCOMPARE(values.join(' '),
                 QString(R"({"lr_q_r":0.01,"seed":"7"} {"lr_q_r":0.01,"seed":"8"} )"
                         R"({"lr_q_r":0.001,"seed":"7"} {"lr_q_r":0.001,"seed":"8"})"));
        const QByteArrayList lines = Program::read(csv).trimmed().split('\n');
        QCOMPARE(lines.size(), 5);
        QVERIFY2(
            lines[0].startsWith("run,lr_q_r,seed,state,seconds,") && lines[0].contains("Loss/q_r"),
            lines[0]);
        // A report of them has the columns of trainings, and no empty one of solves.
        const QString page = m_program.path("trainings.html");
        QStringList report{"report", "--workspace", folder, "-o", page};
        for (const json& run : sweep["runs"])
            report << QString::fromStdString(run["run"].get<std::string>());
        const Ended made = m_program.run(report);
        QVERIFY2(made.status == 0, made.err);
        const QByteArray html = Program::read(page);
        QVERIFY(html.contains("<th>Training steps</th>"));
        QVERIFY(!html.contains("<th>Solving"));
        // A run alone with the same seed learns the same.
        const Ended alone = train({"--tabular", "--num-training-steps", "20", "--metric-interval",
                                   "10", "--lr-q-r", "0.001", "--seed", "8", "--json"});
        QCOMPARE(alone.json()["last_metrics"]["Loss/q_r"]["value"].dump(),
                 sweep["runs"][3]["metrics"]["Loss/q_r"].dump());
    }

    void trainIsReadableForPeople() {
        const Ended ended = train({"--num-training-steps", "30", "--metric-interval", "10"});
        QVERIFY2(ended.status == 0, ended.err);
        QVERIFY2(ended.out.contains("30 training steps") && ended.out.contains("Loss/q_r") &&
                     ended.out.contains("newest checkpoint: step 30") &&
                     ended.out.contains(": finished"),
                 ended.out);
    }

    void showTellsHowOftenCheckpointsAreMade() {
        const Ended ended = train({"--num-training-steps", "20", "--json"});
        const QString id = QString::fromStdString(ended.json()["run"].get<std::string>());
        const Ended shown = run({"show", id});
        QVERIFY2(shown.out.contains("checkpoints   every 60 s and at each stage's end"), shown.out);
        const Ended told = run({"show", id, "--json"});
        QVERIFY2(told.json()["checkpoint_interval"].get<std::string>().starts_with("every 60 s"),
                 told.out);
    }

    void presetsAndOtherNamesAreOptions() {
        const Ended exact = train({"--preset", "exact-tables", "--num-training-steps", "10",
                                   "--q-r-target-update-interval", "7", "--name", "preset"});
        QVERIFY2(exact.status == 0, exact.err);
        const auto spec = run({"show", "preset", "--json"}).json()["spec"]["train"];
        QCOMPARE(spec["batch_size"].get<int>(), 32);
        QCOMPARE(spec["num_training_steps"].get<int>(), 10);
        QCOMPARE(spec["q_r_target_update_freq"].get<int>(), 7);
        const Ended unknown = train({"--preset", "exact-table"});
        QCOMPARE(unknown.status, 2);
        QVERIFY2(unknown.err.contains("did you mean 'exact-tables'?"), unknown.err);
        const Ended twice = train({"--checkpoint-steps", "5", "--checkpoint-interval", "5"});
        QCOMPARE(twice.status, 2);
        QVERIFY2(twice.err.contains("checkpoint_interval and checkpoint_steps say the same"),
                 twice.err);
    }

    void aSignalMakesACheckpointAndResumeGoesOn() {
        const QString id = QString::fromStdString(startSlow("3000"));
        QVERIFY(soon([&] { return lossPoints(id) > 3; }));
        ::kill(static_cast<pid_t>(m_live.processId()), SIGTERM);
        QVERIFY(m_live.waitForFinished(60'000));
        QCOMPARE(m_live.exitCode(), 143);
        QVERIFY(m_live.readAllStandardError().contains("What was done so far is kept"));
        const json stopped = run({"show", id, "--json"}).json();
        QCOMPARE(stopped["state"].get<std::string>(), std::string("stopped"));
        const int at = stopped["checkpoints"][0]["step"].get<int>();
        QVERIFY(at > 20 && at < 3000);

        const Ended resumed = run({"resume", id, "--json"});
        QVERIFY2(resumed.status == 0, resumed.err);
        QCOMPARE(resumed.json()["run"].get<std::string>(), id.toStdString());
        QCOMPARE(resumed.json()["steps"].get<int>(), 3000);
        const Ended straight =
            train({"--num-training-steps", "3000", "--metric-interval", "10", "--json"});
        const QString other = QString::fromStdString(straight.json()["run"].get<std::string>());
        const Ended same = run({"diff", id, other, "--check"});
        QVERIFY2(same.status == 0, same.out);
        QVERIFY2(same.out.contains("the same, bit for bit, at step 3"), same.out);
        const Ended again = run({"resume", id});
        QCOMPARE(again.status, 2);
        QVERIFY2(again.err.contains("orrery fork " + id.toUtf8()), again.err);
    }

    void aKilledTrainingIsResumedFromItsCheckpoint() {
        const QString id = QString::fromStdString(startSlow("2000", {"--checkpoint-steps", "100"}));
        QVERIFY(soon([&] { return !run({"show", id, "--json"}).json()["checkpoints"].empty(); }));
        ::kill(static_cast<pid_t>(m_live.processId()), SIGKILL);
        m_live.waitForFinished(60'000);
        const Ended resumed = run({"resume", id, "--json"});
        QVERIFY2(resumed.status == 0, resumed.err);
        QVERIFY2(resumed.err.contains("was interrupted"), resumed.err);
        QCOMPARE(resumed.json()["steps"].get<int>(), 2000);
        QCOMPARE(m_program.run({"verify", m_workspace}).status, 0);
    }

    void steerReachesARunOfAnotherProcess() {
        const QString id = QString::fromStdString(startSlow("100000"));
        QVERIFY(soon([&] { return lossPoints(id) > 0; }));
        const Ended changed = run({"steer", id, "lr_q_r=0.002", "beta_r=5"});
        QVERIFY2(changed.status == 0, changed.err);
        QVERIFY2(changed.out.contains("lr_q_r 1e-04 -> 0.002"), changed.out);
        QVERIFY2(changed.out.contains("beta_r") && changed.out.contains("-> 5 ("), changed.out);
        const Ended refused = run({"steer", id, "hidden_dim=64", "--json"});
        QCOMPARE(refused.status, 2);
        QVERIFY(refused.json()[0]["refused"].get<bool>());
        QVERIFY(refused.json()[0]["text"].get<std::string>().find("fork") != std::string::npos);
        const Ended undone = run({"steer", id, "--undo"});
        QVERIFY2(undone.status == 0 && undone.out.contains("beta_r 5 -> 10"), undone.out);
        const Ended undoneToo = run({"steer", id, "--undo"});
        QVERIFY2(undoneToo.out.contains("lr_q_r 0.002 -> 1e-04"), undoneToo.out);
        QCOMPARE(run({"steer", id, "--undo"}).status, 2);

        QCOMPARE(run({"steer", id, "--pause"}).status, 0);
        QVERIFY(soon([&] { return run({"show", id, "--json"}).json()["state"] == "paused"; }));
        const Ended stopped = run({"steer", id, "--resume", "--checkpoint", "--stop"});
        QVERIFY2(stopped.status == 0, stopped.err);
        QVERIFY(m_live.waitForFinished(60'000));
        QCOMPARE(m_live.exitCode(), 0);
        const Ended late = run({"steer", id, "beta_r=2"});
        QCOMPARE(late.status, 2);
        QVERIFY2(late.err.contains("only a live run can be steered"), late.err);
    }

    void aSteeredRunIsReadAndForkedAsItWasSteered() {
        const QString id = QString::fromStdString(startSlow("1500"));
        QVERIFY(soon([&] { return lossPoints(id) > 0; }));
        QCOMPARE(run({"steer", id, "lr_q_r=0.002", "beta_r=5"}).status, 0);
        QVERIFY(m_live.waitForFinished(60'000));
        QCOMPARE(m_live.exitCode(), 0);
        const json evaluated = run({"eval", id, "--episodes", "1", "--json"}).json();
        QCOMPARE(evaluated["worlds"][0]["x_h"].get<double>(), 5.0);
        const auto forked = [&](const QStringList& more) {
            const json report = run(QStringList{"fork", id, "--json"} + more).json();
            return QString::fromStdString(report["run"].get<std::string>());
        };
        const auto specOf = [&](const QString& of) {
            return run({"show", of, "--json"}).json()["spec"]["train"];
        };
        const json on = specOf(forked({"num_training_steps=1510"}));
        QVERIFY(on["beta_r"] == 5.0 && on["lr_q_r"] == 0.002 && on["from_step"] == 1500);
        const json chosen = specOf(forked({"num_training_steps=1510", "beta_r=7"}));
        QVERIFY(chosen["beta_r"] == 7.0);

        const QString again = forked({"--repeat"});
        const json repeated = specOf(again);
        QVERIFY(repeated["beta_r"] == 10.0 && repeated["changes"].size() == 2);
        const Ended same = run({"diff", id, again, "--check"});
        QVERIFY2(same.status == 0 && same.out.contains("the specs are the same"), same.out);
        const json other = run({"diff", id, m_first, "--json"}).json()["fields"];
        QCOMPARE(other.back()["field"].get<std::string>(), std::string("steering"));
        QVERIFY(other.back()["a"].get<std::string>().find("beta_r=5") != std::string::npos);
        QCOMPARE(run({"fork", id, "--repeat", "--from", "1500"}).status, 2);
    }

    void forkBeginsANewRunWithChanges() {
        const Ended ended = run({"fork", m_first, "lr_q_r=0.5", "num_training_steps=70", "--json"});
        QVERIFY2(ended.status == 0, ended.err);
        const json report = ended.json();
        QCOMPARE(report["steps"].get<int>(), 70);
        const QString id = QString::fromStdString(report["run"].get<std::string>());
        const json details = run({"show", id, "--json"}).json();
        QCOMPARE(details["parent"].get<std::string>(), m_first.toStdString());
        QCOMPARE(details["spec"]["train"]["from_step"].get<int>(), 60);
        QCOMPARE(details["spec"]["train"]["lr_q_r"].get<double>(), 0.5);
        QVERIFY(details["name"].get<std::string>().find("lr_q_r 0.5") != std::string::npos);

        const Ended wider = run({"fork", m_first, "hidden_dim=64", "num_training_steps=20"});
        QVERIFY2(wider.status == 0 && wider.err.contains("begins at the start"), wider.err);
        QCOMPARE(run({"fork", m_first, "hidden_dim=64", "--from", "60"}).status, 2);
        const Ended wrong = run({"fork", m_first, "lr_qr=1"});
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains("Did you mean 'lr_q_r'?"), wrong.err);
        QCOMPARE(run({"fork", m_first, "--from", "17"}).status, 5);
    }

    void evalMeasuresACheckpointAndKeepsTheFigures() {
        const Ended ended = run({"eval", m_first, "--episodes", "4", "--json"});
        QVERIFY2(ended.status == 0, ended.err);
        const json report = ended.json();
        QCOMPARE(report["checkpoint"].get<int>(), 60);
        QCOMPARE(report["worlds"][0]["v_h_e"].get<double>(), 0.25);
        QCOMPARE(report["worlds"][0]["worst"][0]["v_h_e"].get<double>(), 0.75);
        QCOMPARE(report["worlds"][0]["worst"].size(), std::size_t{3});
        QCOMPARE(report["episodes"].size(), std::size_t{4});
        QCOMPARE(report["attained"].get<double>(), 0.5);
        const json metrics = run({"show", m_first, "--json"}).json()["last_metrics"];
        QCOMPARE(metrics["Evaluation/pi_r_error"]["value"].get<double>(), 0.5);
        QCOMPARE(metrics["Evaluation/pi_r_error"]["step"].get<int>(), 60);
        const Ended text = run({"eval", m_first, "--exact-states", "3"});
        QVERIFY2(text.status == 0 && text.out.contains("no exact values to compare with") &&
                     text.out.contains("more than 3 states"),
                 text.out);
        QCOMPARE(run({"eval", m_first, "--checkpoint", "7"}).status, 5);
    }

    void theBestCheckpointIsMarkedAndCanBeNamed() {
        // The learning rate is least at step 20.
        const QByteArray text = "train: {world: '" + m_world.toUtf8() +
                                "', lr_q_r: 0.01, best_metric: LearningRate/q_r, changes: "
                                "[\"10 lr_q_r=0.001\", \"20 lr_q_r=0.05\"]}";
        const QString file = spec("best.yaml", text);
        const Ended ended =
            train({"--spec", file, "--num-training-steps", "50", "--metric-interval", "1",
                   "--checkpoint-steps", "10", "--kept-checkpoints", "1", "--json"});
        QVERIFY2(ended.status == 0, ended.err);
        const QString id = QString::fromStdString(ended.json()["run"].get<std::string>());
        const json rows = run({"show", id, "--json"}).json()["checkpoints"];
        QCOMPARE(rows.size(), std::size_t{2});
        QVERIFY(rows[0]["step"] == 50 && !rows[0]["best"].get<bool>());
        QVERIFY(rows[1]["step"] == 20 && rows[1]["best"].get<bool>());
        QVERIFY(run({"show", id}).out.contains("best"));
        const auto evaluated = [&](const QStringList& more) {
            return run(QStringList{"eval", id, "--episodes", "1", "--json"} + more)
                .json()["checkpoint"]
                .get<int>();
        };
        QCOMPARE(evaluated({}), 50);
        QCOMPARE(evaluated({"--checkpoint", "best"}), 20);
        QCOMPARE(run({"eval", id, "--checkpoint", "worst"}).status, 2);
        const QString weights = m_program.path("best.safetensors");
        QCOMPARE(
            run({"export", id, "--what", "weights", "--checkpoint", "best", "-o", weights}).status,
            0);
        QVERIFY(Program::read(weights).contains("\"step\":\"20\""));
        const Ended fork = run({"fork", id, "--from", "best", "num_training_steps=60", "--json"});
        QVERIFY2(fork.status == 0, fork.err);
        const QString child = QString::fromStdString(fork.json()["run"].get<std::string>());
        QCOMPARE(run({"show", child, "--json"}).json()["spec"]["train"]["from_step"].get<int>(),
                 20);

        // The checkpoint is what `parse` takes, whole and file by file, and one bit is too much.
        const QString folder = m_workspace + "/runs/" + id + "/step_20";
        const QString model = folder + "/model.safetensors";
        // So is its copy.
        const QString copy = m_program.path("taken/step_20");
        const QStringList taking{"export",       id,     "--what", "checkpoint",
                                 "--checkpoint", "best", "-o",     copy};
        const Ended taken = run(taking);
        QVERIFY2(taken.status == 0, taken.err);
        QCOMPARE(run(taking).status, 2);
        QCOMPARE(run(taking + QStringList{"--force"}).status, 0);
        for (const QString& good : {folder, copy, folder + "/MANIFEST.json", model, weights}) {
            const Ended parsed = m_program.run({"parse", "--kind", "checkpoint", good});
            QVERIFY2(parsed.status == 0 && parsed.out.isEmpty() && parsed.err.isEmpty(),
                     parsed.err);
        }
        QByteArray bytes = Program::read(model);
        bytes[bytes.size() - 3] = static_cast<char>(bytes[bytes.size() - 3] ^ 1);
        QFile damaged(model);
        QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.write(bytes) == bytes.size());
        damaged.close();
        for (const QString& bad : {folder, folder + "/MANIFEST.json", model,
                                   m_program.path("none.safetensors"), m_workspace}) {
            const Ended parsed = m_program.run({"parse", "--kind", "checkpoint", bad});
            QCOMPARE(parsed.status, 2);
            QCOMPARE(parsed.err.count('\n'), 1);
        }
    }

    void curvesAreMirroredForTensorBoard() {
        const QString logs = m_program.path("logs");
        const Ended ended = train({"--num-training-steps", "40", "--metric-interval", "1",
                                   "--tensorboard-dir", logs, "--json"});
        QVERIFY2(ended.status == 0, ended.err);
        const Ended imported = run({"import", logs, "--json"});
        QVERIFY2(imported.status == 0, imported.err);
        const auto curves = [&](const json& of) {
            return run({"show", QString::fromStdString(of["run"].get<std::string>()), "--json"})
                .json()["last_metrics"];
        };
        const json wanted = curves(ended.json());
        const json got = curves(imported.json()[0]);
        QCOMPARE(got.size(), wanted.size());
        QCOMPARE(got["Loss/q_r"]["step"].get<int>(), 40);
        QVERIFY(std::abs(got["Loss/q_r"]["value"].get<double>() -
                         wanted["Loss/q_r"]["value"].get<double>()) < 1e-6);
    }

    void aSolveIsNoTraining() {
        const Ended solved = run({"solve", m_world, "--json", "--no-plot"});
        const QString id = QString::fromStdString(solved.json()["run"].get<std::string>());
        for (const char* verb : {"resume", "fork", "eval"}) {
            const Ended ended = run({verb, id});
            QCOMPARE(ended.status, 2);
            QVERIFY2(ended.err.contains("is a solve"), ended.err);
        }
        const Ended weights =
            run({"export", id, "--what", "weights", "-o", m_program.path("w.safetensors")});
        QVERIFY2(weights.status == 2 && weights.err.contains("no weights"), weights.err);
    }

    void doctorAndHelpKnowOfLearning() {
        QVERIFY(run({"doctor"}).out.contains("learning"));
        const QByteArray help = m_program.run({"train", "--help"}).out;
        for (const char* option : {"--num-actors", "--use-lookup-tables", "--x-h-use-network",
                                   "--lr-v-h-e", "--tabular", "--stop-metric"})
            QVERIFY2(help.contains(option), option);
        for (const char* verb : {"train", "resume", "fork", "eval", "steer"})
            QVERIFY2(m_program.run({"help", "--man"}).out.contains(verb), verb);
    }

private:
    std::size_t lossPoints(const QString& id) const {
        const json metrics = run({"show", id, "--json"}).json()["last_metrics"];
        return metrics.contains("Loss/q_r") ? metrics["Loss/q_r"]["step"].get<std::size_t>() / 10
                                            : 0;
    }

    /// Starts a training in the background, which lasts long enough to be met by other programs on
    /// a busy machine: 5 ms a step, which its spec does not tell, so that what resumes it or
    /// repeats it is fast. @return its id
    std::string startSlow(const QString& steps, const QStringList& more = {}) {
        const json before = run({"ls", "--json", "--all"}).json();
        m_program.prepare(m_live);
        QProcessEnvironment environment = m_live.processEnvironment();
        environment.insert("ORRERY_FAULT", "train.step:delay=5@1+");
        m_live.setProcessEnvironment(environment);
        m_live.setArguments(QStringList{"train", m_world, "--num-training-steps", steps,
                                        "--metric-interval", "10", "--workspace", m_workspace} +
                            more);
        m_live.start(QIODevice::ReadOnly);
        std::string id;
        soon([&] {
            const json now = run({"ls", "--json", "--all"}).json();
            if (now.size() > before.size()) id = now[0]["id"].get<std::string>();
            return !id.empty();
        });
        return id;
    }

    orrery::FakeLearner m_learner;
    QProcess m_live;
    QString m_first;
};

ORRERY_APPLICATION_TEST(TrainVerbsTest)
#include "train_verbs_test.moc"
