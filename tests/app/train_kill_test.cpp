#include <signal.h>

#include <QDir>
#include <QElapsedTimer>
#include <QTest>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/rng.h"
#include "tests/app/program.h"
#include "tests/core/train/victims.h"
#include "tests/support/test_program.h"

using nlohmann::json;
using orrery::Ended;
using orrery::jsonOf;
using orrery::Program;

namespace {

constexpr int kSteps = 4000;

/// Hashes of all that a checkpoint keeps but for the time it took.
std::map<std::string, std::string> contentOf(const QString& workspace, int step) {
    const QByteArray text =
        Program::read(workspace + QStringLiteral("/runs/r00001/step_%1/MANIFEST.json").arg(step));
    std::map<std::string, std::string> content;
    if (text.isEmpty()) return content;
    const json manifest = jsonOf(text);
    for (const auto& file : manifest["files"])
        if (file["name"] != "clock.safetensors") content[file["name"]] = file["sha256"];
    return content;
}

}  // namespace

/// Real trainings that are ended at any moment, and values that are not numbers.
class TrainKillTest : public QObject {
    Q_OBJECT

    Program m_program;
    QString m_world;

    QStringList training(const QString& workspace) const {
        return {"train",
                m_world,
                "--tabular",
                "--adaptive-tables",
                "--num-training-steps",
                QString::number(kSteps),
                "--warmup-v-h-e-steps",
                "500",
                "--warmup-x-h-steps",
                "500",
                "--warmup-q-r-steps",
                "500",
                "--beta-r-rampup-steps",
                "1000",
                "--num-actors",
                "2",
                "--checkpoint-steps",
                "200",
                "--checkpoint-seconds",
                "0",
                "--workspace",
                workspace};
    }

private Q_SLOTS:
    void initTestCase() { m_world = m_program.write("rock.yaml", orrery::rockWorld()); }

    void aTrainingThatIsKilledAgainAndAgainEndsAsIfItHadNotBeen() {
        const QString straight = m_program.path("straight.orrery");
        QCOMPARE(m_program.run(training(straight)).status, 0);
        const auto expected = contentOf(straight, kSteps);
        QVERIFY(expected.size() >= 5);

        const QString broken = m_program.path("broken.orrery");
        orrery::Rng rng(20);
        int interrupted = 0;
        int tries = 0;
        bool hasRun = false;
        bool isFinished = false;
        while (!isFinished && tries < 40) {
            ++tries;
            QProcess process;
            m_program.prepare(process);
            process.setArguments(hasRun ? QStringList{"resume", "1", "--workspace", broken}
                                        : training(broken));
            process.start();
            // Loading LibTorch takes a third of a second; from there on log-uniform.
            const double delay = 20 * std::exp(rng.uniform() * std::log(60.0));
            // Must wait for time: the kill comes at any moment.
            if (interrupted < 12 && !process.waitForFinished(static_cast<int>(delay))) {
                ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
                ++interrupted;
            }
            QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(60'000));
            const Ended verified = m_program.run({"verify", broken});
            const bool isThere = QDir(broken + "/runs/r00001").exists();
            if (hasRun || isThere) QVERIFY2(verified.status == 0, verified.err + verified.out);
            hasRun = isThere;
            if (process.exitStatus() == QProcess::NormalExit) {
                const QByteArray text = process.readAllStandardError();
                QVERIFY2(process.exitCode() == 0, text);
            }
            // A kill may come when all is stored already.
            isFinished = orrery::test::isFinished(broken.toStdString());
        }
        qInfo("%d of %d starts were killed", interrupted, tries);
        QVERIFY(isFinished);
        QVERIFY(interrupted >= 8);
        QCOMPARE(contentOf(broken, kSteps), expected);
    }

    void whatWasLearnedCanBeTakenAway() {
        const QString workspace = m_program.path("straight.orrery");
        const auto exported = [&](const QString& what, const QString& format) {
            const QString file = m_program.path(what + "." + format);
            QStringList arguments{"export", "1",  "--what",      what,
                                  "-o",     file, "--workspace", workspace};
            if (what != "weights") arguments << "--format" << format;
            const Ended ended = m_program.run(arguments);
            return ended.status == 0 ? Program::read(file) : ended.err;
        };
        const QByteArray weights = exported("weights", "safetensors");
        QVERIFY2(weights.mid(8, 200).contains("\"step\":\"4000\""), weights.left(200));
        const QList<QByteArray> lines = exported("policies", "csv").trimmed().split('\n');
        QVERIFY2(lines[0].startsWith("step,configuration,visits,pi_r["), lines[0]);
        QCOMPARE(lines.size() - 1, 243);  // p01's states that are not terminal
        const QList<QByteArray> first = lines[1].split(',');
        double sum = 0;
        for (qsizetype i = 3; i < first.size(); ++i) sum += first[i].toDouble();
        QVERIFY(std::abs(sum - 1) < 1e-5);
        const json table = jsonOf(exported("values", "json"));
        QCOMPARE(table["rows"].size(), std::size_t{243});
        QCOMPARE(table["columns"][3].get<std::string>(), std::string("v_r"));
        QVERIFY(table["rows"][0][3].get<double>() < 0);
        QVERIFY(exported("values", "npz").startsWith("PK"));
    }

    void oneValueThatIsNoNumberIsSkipped() {
        const QString workspace = m_program.path("once.orrery");
        const Ended ended =
            m_program.runWith("ORRERY_FAULT", "loss:nan@700", training(workspace) << "--json");
        QVERIFY2(ended.status == 0, ended.err);
        const Ended shown = m_program.run({"show", "1", "--events", "--workspace", workspace});
        QVERIFY2(shown.out.contains("skipped"), shown.out);
    }

    void threeInARowEndTheTrainingAsDiverged() {
        const QString workspace = m_program.path("diverged.orrery");
        const Ended ended = m_program.runWith("ORRERY_FAULT", "loss:nan@700+", training(workspace));
        QCOMPARE(ended.status, 4);
        QVERIFY2((ended.err + ended.out).contains("diverged"), ended.err);
        // What is kept is from before, and can be resumed.
        const Ended resumed = m_program.run({"resume", "1", "--workspace", workspace});
        QVERIFY2(resumed.status == 0, resumed.err);
    }

    void whatDivergesBeforeItsFirstCheckpointIsBegunAnew() {
        const QString workspace = m_program.path("early.orrery");
        const Ended ended = m_program.runWith("ORRERY_FAULT", "loss:nan@1+", training(workspace));
        QCOMPARE(ended.status, 4);
        const QByteArray said = ended.err + ended.out;
        QVERIFY2(said.contains("It has no checkpoint, so begin anew with another rate: orrery fork "
                               "r00001 --from start "),
                 said);
    }
};

ORRERY_APPLICATION_TEST(TrainKillTest)
#include "train_kill_test.moc"
