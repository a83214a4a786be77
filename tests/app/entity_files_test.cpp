#include <QDir>
#include <QFile>
#include <QTest>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;
using nlohmann::json;

/// Files of the entity stack's original by the program's verbs: checkpoints in and out, samples,
/// curves.
class EntityFilesTest : public QObject {
    Q_OBJECT

    Ended inWorkspace(QStringList arguments) const {
        return m_program.run(arguments << QStringLiteral("--workspace") << m_workspace);
    }
    static QString original() {
        return QString::fromStdString(sourcePath("tests/data/entity/enn/latest-step000000002048"));
    }
    static QString idIn(const json& entry) {
        return QString::fromStdString(entry["run"].get<std::string>());
    }
    QString runFolder(const QString& run) const {
        return m_workspace + QStringLiteral("/runs/") + run;
    }
    static QStringList small() {
        return {"train",          "NotHotdog",         "--json",
                "optim.bs=64",    "rollout.steps=1",   "rollout.num_envs=64",
                "net.d_model=16", "net.n_layer=1",     "total_timesteps=1024",
                "optim.lr=0.01",  "metric_interval=64"};
    }

    Program m_program;
    QString m_workspace = m_program.path(QStringLiteral("files.orrery"));

private Q_SLOTS:
    void aCheckpointComesInIsUsedAndGoesOut() {
        const Ended imported = inWorkspace({"import", original(), "--json"});
        QVERIFY2(imported.status == 0, imported.err);
        QVERIFY2(imported.err.contains("wandb_project_name"), imported.err);
        QCOMPARE(imported.json()[0]["step"].get<int>(), 2048);
        QCOMPARE(imported.json()[0]["name"].get<std::string>(), std::string("hotdogs"));
        const QString run = idIn(imported.json()[0]);
        const json shown = inWorkspace({"show", run, "--json"}).json();
        QVERIFY(shown["spec"].contains("entity"));
        QCOMPARE(shown["tags"][0].get<std::string>(), std::string("imported"));
        // Measured, played, forked.
        const Ended measured = inWorkspace({"eval", run, "--episodes", "40", "--json"});
        QVERIFY2(measured.status == 0, measured.err);
        QCOMPARE(measured.json()["rewards"].size(), std::size_t{40});
        QProcess process;
        m_program.prepare(process);
        process.setArguments(
            {"env", "play", "NotHotdog", "--agent", run, "--workspace", m_workspace});
        process.start();
        process.write("\n");
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(30'000));
        QVERIFY(process.readAllStandardOutput().contains("the agent expects"));
        const Ended forked = inWorkspace({"fork", run, "total_timesteps=3072", "--json"});
        QVERIFY2(forked.status == 0, forked.err);
        // Out, and in again: the same networks, bit for bit.
        const QString folder = m_program.path(QStringLiteral("out/enn"));
        const Ended exported = inWorkspace({"export", run, "--what", "enn", "-o", folder});
        QVERIFY2(exported.status == 0, exported.err);
        const Ended parsed = m_program.run({"parse", "--kind", "ron", folder + "/config.ron"});
        QVERIFY2(parsed.status == 0, parsed.err);
        const Ended again = inWorkspace({"import", folder, "--name", "again", "--json"});
        QVERIFY2(again.status == 0, again.err);
        const QString model = QStringLiteral("/step_2048/model.safetensors");
        const QByteArray weights = Program::read(runFolder(run) + model);
        QVERIFY(!weights.isEmpty());
        QVERIFY(Program::read(runFolder(idIn(again.json()[0])) + model) == weights);
        const Ended diff = inWorkspace({"diff", run, idIn(again.json()[0])});
        QVERIFY2(diff.status == 0, diff.err);
        const Ended verified = inWorkspace({"verify"});
        QVERIFY2(verified.status == 0, verified.err + verified.out);
        const Ended resumed = inWorkspace({"resume", run, "--json"});
        QVERIFY2(resumed.status == 0, resumed.err);
    }

    void whatDoesNotFitLeavesNothing() {
        const auto runs = [this] { return inWorkspace({"ls", "--json"}).json().size(); };
        const std::size_t before = runs();
        const auto refused = [&](const char* name, const QByteArray& from, const QByteArray& to,
                                 const char* file) {
            const QString folder = m_program.path(QString::fromUtf8(name));
            QDir().mkpath(folder);
            for (const char* each : {"config.ron", "state.ron", "state.agent.msgpack"}) {
                QByteArray content = Program::read(original() + '/' + each);
                if (QByteArray(each) == file) content.replace(from, to);
                m_program.write(QString::fromUtf8(name) + '/' + each, content);
            }
            const Ended ended = inWorkspace({"import", folder});
            // One line, behind the warning of what means nothing here.
            const QList<QByteArray> lines = ended.err.trimmed().split('\n');
            return ended.status == 2 && lines.size() <= 2 ? lines.last() : QByteArray();
        };
        QVERIFY(
            refused("env", "\"NotHotdog\"", "\"NotHotDig\"", "config.ron").contains("NotHotdog"));
        QVERIFY(refused("width", "d_model: 8", "d_model: 16", "config.ron").contains("networks"));
        QVERIFY(
            refused("feature", "\"is_hotdog\"", "\"is_cat\"", "state.ron").contains("'is_cat'"));
        const QByteArray pickle = refused("pickle", "<blob:msgpack>", "<blob:pickle>", "state.ron");
        QVERIFY2(pickle.contains("pickle") && pickle.contains("enn_msgpack.py"), pickle);
        QCOMPARE(runs(), before);
    }

    void samplesAreKeptCheckedAndLearnedFrom() {
        const Ended trained = inWorkspace(small() << "capture_samples=seen.samples");
        QVERIFY2(trained.status == 0, trained.err);
        const QString file =
            runFolder(idIn(trained.json())) + QStringLiteral("/samples/seen.samples");
        QVERIFY(QFile::exists(file));
        const Ended parsed = m_program.run({"parse", "--kind", "samples", file});
        QVERIFY2(parsed.status == 0, parsed.err);
        const Ended verified = inWorkspace({"verify"});
        QVERIFY2(verified.status == 0, verified.err + verified.out);
        // A cut one is told, and its whole samples are learned from all the same.
        QByteArray bytes = Program::read(file);
        bytes.chop(3);
        const QString cut = m_program.write("cut.samples", bytes);
        const Ended told = m_program.run({"parse", "--kind", "samples", cut});
        QCOMPARE(told.status, 2);
        QVERIFY2(told.err.contains("15 whole samples"), told.err);
        const Ended cloned =
            inWorkspace({"train", "NotHotdog", "cloning.file=" + cut, "cloning.epochs=3",
                         "cloning.bs=64", "net.d_model=16", "metric_interval=64", "--json"});
        QVERIFY2(cloned.status == 0, cloned.err);
        QVERIFY2(cloned.err.contains("cut off"), cloned.err);
        const QString run = idIn(cloned.json());
        const json shown = inWorkspace({"show", run, "--json"}).json();
        // 15 samples of 64 frames, two of them for tests.
        QCOMPARE(shown["last_metrics"]["cloning/train_loss"]["step"].get<int>(), 3 * 13 * 64);
        QVERIFY(shown["last_metrics"].contains("cloning/test_loss"));
        const Ended measured = inWorkspace({"eval", run, "--episodes", "20", "--json"});
        QVERIFY2(measured.status == 0, measured.err);
        // Of another environment.
        const Ended other = inWorkspace({"train", "Xor", "cloning.file=" + cut, "--json"});
        QCOMPARE(other.status, 2);
        QVERIFY2(other.err.contains("do not fit"), other.err);
        const Ended none = inWorkspace({"train", "Xor", "cloning.epochs=2"});
        QCOMPARE(none.status, 2);
        QVERIFY2(none.err.contains("cloning.file"), none.err);
    }

    void curvesOfStableBaselinesGetOurNames() {
        const QString file = m_program.write(
            "sb3.csv",
            "key,step,value\nrollout/ep_rew_mean,10,5\ntrain/entropy_loss,10,-0.5\n"
            "train/value_loss,10,3\ntrain/clip_fraction,10,0.25\ntrain/loss,10,1\n");
        const Ended imported = inWorkspace({"import", file, "--names", "sb3", "--json"});
        QVERIFY2(imported.status == 0, imported.err);
        const json last =
            inWorkspace({"show", idIn(imported.json()[0]), "--json"}).json()["last_metrics"];
        QCOMPARE(last["episodic_reward.mean"]["value"].get<double>(), 5.0);
        QCOMPARE(last["losses/entropy"]["value"].get<double>(), 0.5);
        QCOMPARE(last["losses/value_loss"]["value"].get<double>(), 1.5);
        QCOMPARE(last["losses/clipfrac"]["value"].get<double>(), 0.25);
        QCOMPARE(last["train/loss"]["value"].get<double>(), 1.0);
        QCOMPARE(last.size(), std::size_t{5});
    }
};

ORRERY_TEST(EntityFilesTest)
#include "entity_files_test.moc"
