#include <QDir>
#include <QFileInfo>
#include <QTest>
#include <cmath>

#include "core/files/tensorboard.h"
#include "tests/app/program.h"

using nlohmann::json;
using orrery::Ended;
using orrery::Program;

/// What the command line writes for other programs.
class ExportTest : public QObject {
    Q_OBJECT

private:
    Program m_program;
    QString m_world, m_workspace;
    QStringList m_runs;

    Ended run(const QStringList& arguments) {
        return m_program.run(arguments + QStringList{"--workspace", m_workspace});
    }
    /// The one event file of a run's folder.
    orrery::TensorBoardFile events(const QDir& folder) {
        const QStringList files = folder.entryList({"events.out.tfevents.*"}, QDir::Files);
        if (files.size() != 1) qFatal("not one event file");
        return orrery::readTensorBoardFile(folder.filePath(files.front()).toStdString());
    }
    /// Bytes of a GIF that begin a picture's delay: one a frame.
    static qsizetype framesOf(const QByteArray& gif) { return gif.count("\x21\xf9\x04"); }

private Q_SLOTS:
    void initTestCase() {
        m_world = m_program.write("rock.yaml", orrery::rockWorld());
        m_workspace = m_program.path("work.orrery");
        for (const char* beta : {"5", "7"}) {
            const Ended ended = run({"solve", m_world, "--beta-r", beta, "--name",
                                     QStringLiteral("rock/%1").arg(beta), "--json"});
            QVERIFY2(ended.status == 0, ended.err);
            m_runs += QString::fromStdString(ended.json()["run"].get<std::string>());
        }
    }

    void runsBecomeFoldersForTensorBoard() {
        const QString folder = m_program.path("tb");
        const Ended ended =
            run({"export", m_runs[0], m_runs[1], "--tensorboard", folder, "--json"});
        QVERIFY2(ended.status == 0, ended.err);
        QCOMPARE(ended.json()["files"].size(), std::size_t{2});
        QCOMPARE(QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot),
                 (QStringList{"rock-5 - " + m_runs[0], "rock-7 - " + m_runs[1]}));
    }

    /// Every metric that the CSV has, in its order and to the precision of a float.
    void everyPointIsThere() {
        const QString csv = m_program.path("m.csv");
        QVERIFY(run({"export", m_runs[0], "--what", "metrics", "-o", csv}).status == 0);
        const auto file = events(QDir(m_program.path("tb/rock-5 - " + m_runs[0])));
        QVERIFY(file.isWhole);
        std::vector<const orrery::TensorBoardValue*> scalars;
        bool hasConfig = false;
        double last = 0;
        for (const auto& value : file.values) {
            if (!value.isText) scalars.push_back(&value);
            hasConfig |=
                value.tag == "config" && value.text.find("\"beta_r\": 5") != std::string::npos;
            last = std::max(last, value.wallTime);
            QVERIFY(value.wallTime > 1.7e9);
        }
        QVERIFY(hasConfig);
        QVERIFY(last < 4e9);
        const QList<QByteArray> lines = Program::read(csv).trimmed().split('\n');
        QCOMPARE(static_cast<qsizetype>(scalars.size()), lines.size() - 1);
        for (qsizetype i = 1; i < lines.size(); ++i) {
            const QList<QByteArray> cells = lines[i].split(',');
            const auto& scalar = *scalars[static_cast<std::size_t>(i - 1)];
            QCOMPARE(QByteArray::fromStdString(scalar.tag), cells[0]);
            QCOMPARE(scalar.step, cells[2].toLongLong());
            QCOMPARE(scalar.value, static_cast<float>(cells[3].toDouble()));
        }
    }

    void exportingAgainReplacesTheFile() {
        QCOMPARE(run({"export", m_runs[0], "--tensorboard", m_program.path("tb")}).status, 0);
        QVERIFY(events(QDir(m_program.path("tb/rock-5 - " + m_runs[0]))).isWhole);
    }

    void aWrongCallIsExplained_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no file") << QStringList{} << QByteArray("-o FILE");
        QTest::newRow("both") << QStringList{"-o", "x", "--tensorboard", "y"}
                              << QByteArray("excludes");
        QTest::newRow("two runs, one file")
            << QStringList{"2", "-o", "x"} << QByteArray("one by one");
    }
    void aWrongCallIsExplained() {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, says);
        const Ended ended = run(QStringList{"export", m_runs[0]} + options);
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains(says), ended.err);
    }

    void anEpisodeBecomesFilms() {
        const QString gif = m_program.path("e.gif"), webm = m_program.path("e.webm"),
                      frames = m_program.path("frames");
        const Ended ended = run({"rollout", m_runs[0], "--seed", "3", "--gif", gif, "--webm", webm,
                                 "--png-sequence", frames, "--fps", "5", "--cell-size", "20",
                                 "--theme", "dark", "--json"});
        QVERIFY2(ended.status == 0, ended.err);
        const auto states = static_cast<qsizetype>(ended.json()["episodes"][0]["steps"].size());
        QCOMPARE(ended.json()["files"].size(), std::size_t{3});
        const QByteArray bytes = Program::read(gif);
        QVERIFY(bytes.startsWith("GIF89a"));
        QCOMPARE(framesOf(bytes), states);
        QCOMPARE(QDir(frames).entryList({"*.png"}, QDir::Files).size(), states);
        QVERIFY(Program::read(webm).startsWith("\x1a\x45\xdf\xa3"));
    }

    void anMp4IsWrittenToo() {
        const QString mp4 = m_program.path("e.mp4");
        const Ended ended = run({"rollout", m_world, "--mp4", mp4});
        QVERIFY2(ended.status == 0, ended.err);
        QVERIFY(ended.out.contains("written: "));
        QCOMPARE(Program::read(mp4).mid(4, 4), QByteArray("ftyp"));
    }

    void oneFilmShowsOneEpisode() {
        const Ended ended =
            run({"rollout", m_runs[0], "--episodes", "2", "--gif", m_program.path("two.gif")});
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains("one episode"), ended.err);
        QVERIFY(!QFileInfo::exists(m_program.path("two.gif")));
    }
};

QTEST_GUILESS_MAIN(ExportTest)
#include "export_test.moc"
