#include <QDir>
#include <QFileInfo>
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/files/tensorboard.h"
#include "tests/app/program.h"
#include "tests/support/test_program.h"

using nlohmann::json;
using orrery::Ended;
using orrery::jsonOf;
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

    void exportingAgainReplacesTheFileIfItIsAskedTo() {
        const QStringList again{"export", m_runs[0], "--tensorboard", m_program.path("tb")};
        const Ended ended = run(again);
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains(m_runs[0].toUtf8()) && ended.err.contains("--force"),
                 ended.err);
        QCOMPARE(run(again + QStringList{"--force"}).status, 0);
        QVERIFY(events(QDir(m_program.path("tb/rock-5 - " + m_runs[0]))).isWhole);
    }

    void aWrongCallIsExplained_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no file") << QStringList{} << QByteArray("-o FILE");
        QTest::newRow("both") << QStringList{"-o", "x", "--tensorboard", "y"}
                              << QByteArray("excludes");
        QTest::newRow("unknown second run")
            << QStringList{"r99999", "-o", "x"} << QByteArray("r99999");
    }
    void aWrongCallIsExplained() {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, says);
        const Ended ended = run(QStringList{"export", m_runs[0]} + options);
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains(says), ended.err);
    }

    /// Several runs share a file: the rows of each are those that it has alone.
    void severalRunsShareAFile() {
        for (const char* what : {"metrics", "values", "policies"}) {
            const QString both = m_program.path("both.csv");
            QCOMPARE(
                run({"export", m_runs[0], m_runs[1], "--what", what, "-o", both, "--force"}).status,
                0);
            const QList<QByteArray> all = Program::read(both).trimmed().split('\n');
            QList<QByteArray> expected;
            for (const QString& one : m_runs) {
                const QString file = m_program.path("one.csv");
                QCOMPARE(run({"export", one, "--what", what, "-o", file, "--force"}).status, 0);
                QList<QByteArray> lines = Program::read(file).trimmed().split('\n');
                if (expected.isEmpty()) expected << "run," + lines.front();
                lines.removeFirst();
                for (const QByteArray& line : lines) expected << one.toUtf8() + ',' + line;
            }
            QVERIFY(all.size() > 20);
            QCOMPARE(all, expected);
        }
        const QString list = m_program.path("both.json");
        QCOMPARE(run({"export", m_runs[0], m_runs[1], "--format", "json", "-o", list}).status, 0);
        const json tables = jsonOf(Program::read(list));
        QCOMPARE(tables.size(), std::size_t{2});
        QCOMPARE(tables[1]["run"].get<std::string>(), m_runs[1].toStdString());
        QCOMPARE(tables[0]["rows"].size(), std::size_t{366});
        const QString arrays = m_program.path("both.npz");
        QCOMPARE(run({"export", m_runs[0], m_runs[1], "--format", "npz", "-o", arrays}).status, 0);
        const QByteArray npz = Program::read(arrays);
        for (const QString& one : m_runs) QVERIFY(npz.contains((one + "/v_r.npy").toUtf8()));
    }

    void runsOfDifferentWorldsHaveNoCommonColumns() {
        const Ended other = run({"solve", "first_steps", "--json"});
        QCOMPARE(other.status, 0);
        const QString id = QString::fromStdString(other.json()["run"].get<std::string>());
        const Ended csv = run({"export", m_runs[0], id, "-o", m_program.path("no.csv")});
        QCOMPARE(csv.status, 2);
        QVERIFY2(csv.err.contains("different columns"), csv.err);
        QVERIFY(!QFileInfo::exists(m_program.path("no.csv")));
        QCOMPARE(run({"export", m_runs[0], id, "--format", "json", "-o", m_program.path("no.json")})
                     .status,
                 0);
    }

    /// The rows of a file are what `rollout --json` prints.
    void episodesShareAFile() {
        const QString csv = m_program.path("e.csv");
        const QStringList how{"rollout", m_runs[0], "--episodes", "3", "--seed", "5"};
        QCOMPARE(run(how + QStringList{"-o", csv}).status, 0);
        const json told = run(how + QStringList{"--json"}).json();
        const QList<QByteArray> lines = Program::read(csv).trimmed().split('\n');
        const QList<QByteArray> names = lines[0].split(',');
        const auto at = [&](const char* name) { return names.indexOf(name); };
        qsizetype row = 0;
        for (std::size_t e = 0; e < told["episodes"].size(); ++e)
            for (const json& step : told["episodes"][e]["steps"]) {
                // The joint action stands in quotes where it has a comma: read what is before.
                const QList<QByteArray> cells = lines[++row].split(',');
                QCOMPARE(cells[at("episode")].toULongLong(), e);
                QCOMPARE(cells[at("step")].toInt(), step["step"].get<int>());
                QCOMPARE(cells[at("config")].toLongLong(), step["config"].get<std::int64_t>());
                QCOMPARE(cells[at("profile")].isEmpty(), !step.contains("joint_action"));
                QVERIFY(
                    lines[row].contains(QByteArray::fromStdString(step["v_r"].dump()).left(12)));
            }
        QCOMPARE(lines.size(), row + 1);
        const QString list = m_program.path("e.json");
        QCOMPARE(run(how + QStringList{"-o", list, "--format", "json"}).status, 0);
        const json table = jsonOf(Program::read(list));
        QCOMPARE(static_cast<qsizetype>(table["rows"].size()), row);
        QCOMPARE(table["columns"][0].get<std::string>(), std::string("episode"));
        QCOMPARE(run(how + QStringList{"-o", m_program.path("e.npz"), "--format", "npz"}).status,
                 0);
        QVERIFY(Program::read(m_program.path("e.npz")).contains("profile.npy"));
    }

    /// One page with the runs, what differs, their curves as text in SVG and where they differ.
    void runsBecomeAReport() {
        const QString page = m_program.path("both.html");
        const Ended ended = run({"report", m_runs[0], m_runs[1], m_runs[0], "-o", page, "--json"});
        QVERIFY2(ended.status == 0, ended.err);
        QCOMPARE(ended.err, QByteArray());
        QCOMPARE(ended.json()["runs"].size(), std::size_t{2});
        const QByteArray html = Program::read(page);
        for (const char* part :
             {"<h1>rock/7 · rock/5</h1>", ">beta_r 7<", "2 runs, made with Orrery", ">rock/5<",
              ">rock/7<", "<h2>Config diff</h2>", "<svg", "</svg>", "V_r",
              "<h2>Where they differ</h2>", "rock/7 minus rock/5",
              "<figcaption>raw values</figcaption>", "data:image/png;base64,"})
            QVERIFY2(html.contains(part), part);
        QCOMPARE(html.count("<svg"), html.count("</svg>"));
        for (const char* outside : {"src=\"http", "href=\"http", "<script", "<link"})
            QVERIFY2(!html.contains(outside), outside);
        QVERIFY(html.endsWith("</body></html>\n"));
        const Ended one = run({"report", "rock/5", "--output", m_program.path("one.html")});
        QVERIFY2(one.status == 0, one.err);
        QVERIFY(Program::read(m_program.path("one.html")).contains("1 run, made with Orrery"));
    }

    void aReportThatCannotBeMadeIsExplained_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no run") << QStringList{} << 2 << QByteArray("RUN is required");
        QTest::newRow("an unknown run")
            << QStringList{m_runs[0], "r99999"} << 2 << QByteArray("r99999");
        QTest::newRow("not a page")
            << QStringList{m_runs[0], "-o", "x.pdf"} << 2 << QByteArray("must end in .html");
        QTest::newRow("no folder") << QStringList{m_runs[0], "-o", m_program.path("none/x.html")}
                                   << 6 << QByteArray("cannot be written");
    }
    void aReportThatCannotBeMadeIsExplained() {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QByteArray, says);
        const Ended ended = run(QStringList{"report"} + arguments);
        QCOMPARE(ended.status, status);
        QVERIFY2(ended.err.contains(says), ended.err);
        QCOMPARE(ended.err.count('\n'), 1);
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

    /// The options that name what is written. Figures and weights have tests of their own.
    void nothingIsReplacedWithoutForce_data() {
        QTest::addColumn<QStringList>("command");  // ends before the file's name
        QTest::addColumn<QString>("ending");
        const auto add = [](const char* name, const QStringList& command, const char* ending) {
            QTest::newRow(name) << command << QString::fromLatin1(ending);
        };
        add("values", {"export", "RUN", "-o"}, ".csv");
        add("metrics", {"export", "RUN", "--what", "metrics", "-o"}, ".csv");
        add("report", {"report", "RUN", "-o"}, ".html");
        add("episodes", {"rollout", "RUN", "-o"}, ".csv");
        add("gif", {"rollout", "RUN", "--gif"}, ".gif");
        add("mp4", {"rollout", "RUN", "--mp4"}, ".mp4");
        add("webm", {"rollout", "RUN", "--webm"}, ".webm");
        add("graph", {"graph", "build", "WORLD", "-o"}, ".graph");
        add("dot", {"graph", "export", "dot", "WORLD", "-o"}, ".dot");
        add("prism", {"graph", "export", "prism", "WORLD", "-o"}, ".tra");
        add("plot", {"solve", "WORLD", "--no-history", "--plot"}, ".png");
        add("levels", {"solve", "WORLD", "--no-history", "--csv"}, ".csv");
        add("sweep", {"solve", "WORLD", "--no-history", "--sweep", "beta_r=1,2", "--csv"}, ".csv");
        add("world", {"world", "random", "-o"}, ".yaml");
        add("png", {"world", "show", "WORLD", "--png"}, ".png");
        add("svg", {"world", "show", "WORLD", "--svg"}, ".svg");
    }
    void nothingIsReplacedWithoutForce() {
        QFETCH(QStringList, command);
        QFETCH(QString, ending);
        command.replaceInStrings("RUN", m_runs[0]).replaceInStrings("WORLD", m_world);
        const QString name = QStringLiteral("kept") + ending;
        const QString file = m_program.write(name, "of the user's");
        command += file;
        if (command.contains(m_runs[0])) command += QStringList{"--workspace", m_workspace};
        const Ended refused = m_program.run(command);
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains(name.toUtf8()) && refused.err.contains("--force"),
                 refused.err);
        QCOMPARE(refused.out, QByteArray());
        QCOMPARE(Program::read(file), QByteArray("of the user's"));
        const Ended forced = m_program.run(command + QStringList{"--force"});
        QVERIFY2(forced.status == 0, forced.err);
        QVERIFY(Program::read(file) != "of the user's");
    }

    void aFilmReplacesTheFramesOfAnotherAndNothingElse() {
        const QString folder = m_program.path("film");
        const QStringList film{"rollout", m_runs[0], "--png-sequence", folder};
        QCOMPARE(run(film).status, 0);
        QCOMPARE(run(film).status, 2);
        QCOMPARE(run(film + QStringList{"--force"}).status, 0);
        const QString note = m_program.write("film/note.txt", "of the user's");
        const Ended refused = run(film + QStringList{"--force"});
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains("film"), refused.err);
        QCOMPARE(Program::read(note), QByteArray("of the user's"));
    }

    void oneFilmShowsOneEpisode() {
        const Ended ended =
            run({"rollout", m_runs[0], "--episodes", "2", "--gif", m_program.path("two.gif")});
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains("one episode"), ended.err);
        QVERIFY(!QFileInfo::exists(m_program.path("two.gif")));
    }
};

ORRERY_APPLICATION_TEST(ExportTest)
#include "export_test.moc"
