#include <sys/resource.h>

#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using nlohmann::json;
using orrery::Ended;
using orrery::Program;

namespace {

/// Verbs and their sub-verbs, as `orrery VERB --help` takes them.
const QList<QStringList> kVerbs{{"solve"},
                                {"ls"},
                                {"show"},
                                {"diff"},
                                {"export"},
                                {"report"},
                                {"rollout"},
                                {"world"},
                                {"graph"},
                                {"world", "show"},
                                {"world", "validate"},
                                {"world", "step"},
                                {"world", "random"},
                                {"world", "list"},
                                {"graph", "build"},
                                {"graph", "stats"},
                                {"graph", "find"},
                                {"graph", "export"},
                                {"verify"},
                                {"parse"},
                                {"doctor"},
                                {"selfcheck"},
                                {"help"},
                                {"train"},
                                {"resume"},
                                {"fork"},
                                {"eval"},
                                {"act"},
                                {"env"},
                                {"env", "list"},
                                {"env", "show"},
                                {"env", "check"},
                                {"env", "bench"},
                                {"env", "play"},
                                {"steer"}};

bool hasControlCharacters(const QByteArray& text) {
    for (const char c : text)
        if (static_cast<unsigned char>(c) < 32 && c != '\n') return true;
    return false;
}

}  // namespace

class VerbsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_world = m_program.write("rock.yaml", orrery::rockWorld()); }

    void theDescriptionOfSpecsHasTheFieldsAsTheyAre_data() {
        QTest::addColumn<QString>("section");
        QTest::addColumn<QStringList>("verb");
        QTest::newRow("solve") << "solve" << QStringList{"solve"};
        QTest::newRow("train") << "train" << QStringList{"train"};
        QTest::newRow("entity") << "entity" << QStringList{"train", "--method", "entity"};
    }
    void theDescriptionOfSpecsHasTheFieldsAsTheyAre() {
        QFETCH(QString, section);
        QFETCH(QStringList, verb);
        QFile file(QString::fromStdString(orrery::sourcePath("resources/specs/README.md")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString begin = QStringLiteral("<!-- fields of %1 -->\n").arg(section);
        const QString text = QString::fromUtf8(file.readAll());
        QVERIFY(text.contains(begin));
        const QString kept = text.section(begin, 1).section(QStringLiteral("<!-- end -->"), 0, 0);
        const Ended listed = m_program.run(verb + QStringList{"--options"});
        QCOMPARE(listed.status, 0);
        QVERIFY2(kept == QString::fromUtf8(listed.out),
                 "Run packaging/spec_tables.sh: the table in resources/specs/README.md is old.");
        QVERIFY(kept.contains(section == QStringLiteral("entity")
                                  ? QStringLiteral("| `optim.bs` |")
                                  : QStringLiteral("| `beta_h` | >= 0 or inf | 10 |")));
    }

    void everyVerbHasHelpWithAnExample_data() {
        QTest::addColumn<QStringList>("verb");
        for (const QStringList& verb : kVerbs) QTest::newRow(qPrintable(verb.join(' '))) << verb;
    }
    void everyVerbHasHelpWithAnExample() {
        QFETCH(QStringList, verb);
        const Ended ended = m_program.run(verb + QStringList{"--help"});
        QCOMPARE(ended.status, 0);
        QVERIFY2(ended.out.contains("Example"), ended.out);
        QVERIFY2(ended.out.contains("orrery " + verb.join(' ').toUtf8()), ended.out);
        QCOMPARE(m_program.run(QStringList{"help"} + verb).out, ended.out);
    }

    void manPageHasEveryVerbAndOption() {
        const Ended ended = m_program.run({"help", "--man"});
        QCOMPARE(ended.status, 0);
        QVERIFY(ended.out.startsWith(".TH ORRERY 1"));
        for (const QStringList& verb : kVerbs)
            QVERIFY2(ended.out.contains(".SS orrery " + verb.join(' ').toUtf8() + "\n"),
                     qPrintable(verb.join(' ')));
        for (const char* option : {"\\-\\-beta\\-h", "\\-\\-no\\-history", "\\-\\-at\\-least"})
            QVERIFY2(ended.out.contains(option), option);
        for (const QByteArray& line : ended.out.split('\n'))
            QVERIFY2(
                !line.startsWith('.') || QRegularExpression("^\\.(TH|SH|SS|TP|PP|B|br|nf|fi)\\b")
                                             .match(QString::fromUtf8(line))
                                             .hasMatch(),
                line);
    }

    void badUsageIsOneLineWithAdvice_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("part");
        QTest::newRow("verb") << QStringList{"slove"} << QByteArray("Did you mean 'solve'?");
        QTest::newRow("option") << QStringList{"solve", m_world, "--beta-g", "3"}
                                << QByteArray("Did you mean '--beta-");
        QTest::newRow("value") << QStringList{"solve", m_world, "--beta-h", "hot"}
                               << QByteArray("beta_h must be >= 0 or inf, got 'hot'");
        QTest::newRow("range") << QStringList{"solve", m_world, "--gamma-r", "1.5"}
                               << QByteArray("gamma_r must be in (0, 1]");
        QTest::newRow("field") << QStringList{"solve", m_world, "beta_g=3"}
                               << QByteArray("There is no field 'beta_g'. Did you mean 'beta_");
        QTest::newRow("value of a field") << QStringList{"solve", m_world, "gamma_r=1.5"}
                                          << QByteArray("gamma_r must be in (0, 1]");
        QTest::newRow("two worlds")
            << QStringList{"solve", m_world, "first_steps"} << QByteArray("A solve has one world");
        QTest::newRow("alias") << QStringList{"train", m_world, "use_lookup_table=on"}
                               << QByteArray("Did you mean 'use_lookup_tables'?");
        QTest::newRow("no world") << QStringList{"solve"} << QByteArray("Name a world");
        QTest::newRow("sub-verb") << QStringList{"world", "sow"} << QByteArray("'show'");
        QTest::newRow("choice") << QStringList{"parse", "--kind", "soup", "x"}
                                << QByteArray("soup");
        QTest::newRow("hostile") << QStringList{"\x1b[2Jnothing"} << QByteArray("orrery --help");
        QTest::newRow("built-in") << QStringList{"world", "show", "builtin:nowhere"}
                                  << QByteArray("nowhere");
        QTest::newRow("joint action") << QStringList{"world", "step", m_world, "robot0=fly"}
                                      << QByteArray("still, left, right, forward");
    }
    void badUsageIsOneLineWithAdvice() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, part);
        const Ended ended = m_program.run(arguments);
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains(part), ended.err);
        QCOMPARE(ended.err.count('\n'), 1);
        QVERIFY(!hasControlCharacters(ended.err));
        QVERIFY(ended.out.isEmpty());
    }

    void parseSaysNothingOfGoodFiles() {
        const QString config =
            m_program.write("run.json", "{\"solve\": {\"world\": \"rock.yaml\"}}");
        const Ended map = m_program.run({"parse", "--kind", "map", m_world});
        QVERIFY2(map.status == 0 && map.out.isEmpty() && map.err.isEmpty(), map.err);
        const Ended spec = m_program.run({"parse", "--kind", "config", config});
        QVERIFY2(spec.status == 0 && spec.out.isEmpty() && spec.err.isEmpty(), spec.err);
    }

    void parseNamesThePlaceInEachBadFile() {
        const QString bad =
            m_program.write("bad.yaml", orrery::rockWorld() + "max_Steps: 3\nmap: 4\n");
        const QString config = m_program.write("bad.json", "{\"solve\": {\"beta_h\": -1}}");
        const QRegularExpression line("^[^\\n]*:\\d+:\\d+: error E\\d+: [^\\n]*\\n$");
        for (const auto& [kind, file] : {std::pair("map", bad), std::pair("config", config)}) {
            const Ended ended = m_program.run({"parse", "--kind", kind, file});
            QCOMPARE(ended.status, 2);
            QVERIFY2(line.match(ended.err).hasMatch(), ended.err);
        }
        const Ended batch = m_program.run({"parse", "--batch", "--kind", "map", bad, m_world,
                                           m_program.path("missing.yaml"), bad});
        QCOMPARE(batch.status, 2);
        QCOMPARE(batch.err.count('\n'), 3);
        const json list = m_program.run({"parse", "--kind", "map", "--json", bad, m_world}).json();
        QCOMPARE(list[0]["valid"].get<bool>(), false);
        QVERIFY(list[0]["error"]["line"].get<int>() > 1);
        QCOMPARE(list[1]["valid"].get<bool>(), true);
    }

    void worldsAreDrawnWithALegend() {
        const Ended ended = m_program.run({"world", "show", m_world});
        QCOMPARE(ended.status, 0);
        for (const char* words : {"robot0", "human0", "rock", "6 x 4 cells", "6 steps"})
            QVERIFY2(ended.out.contains(words), ended.out);
        QVERIFY(!ended.out.contains('\x1b'));
        QCOMPARE(m_program.run({"show", m_world}).status, 0);
    }

    void coloursAppearOnATerminalUnlessForbidden() {
        const Ended colored = m_program.runWith("", "", {"world", "show", m_world});
        QVERIFY2(colored.out.contains("\x1b["), colored.out);
        const Ended plain = m_program.runWith("NO_COLOR", "1", {"world", "show", m_world});
        QVERIFY2(!plain.out.contains("\x1b["), plain.out);
        QVERIFY(plain.out.contains("robot0"));
    }

    void worldPicturesAreWritten() {
        const QString png = m_program.path("w.png");
        const QString svg = m_program.path("w.svg");
        const Ended ended = m_program.run({"world", "show", m_world, "--png", png, "--svg", svg});
        QVERIFY2(ended.status == 0, ended.err);
        QVERIFY(Program::read(png).startsWith("\x89PNG"));
        QVERIFY(Program::read(svg).contains("<svg"));
        QCOMPARE(m_program.run({"world", "show", m_world, "--png", m_program.path("w.gif")}).status,
                 2);
        const QString nowhere = m_program.path("no/such/folder.png");
        QCOMPARE(m_program.run({"world", "show", m_world, "--png", nowhere}).status, 6);
    }

    void stepPrintsTheDistribution() {
        const QString file =
            m_program.write("unsteady.yaml",
                            "map: |\n  We We We We We\n  We Un Un Un We\n"
                            "  We Un Ay Un We\n  We Un Un Un We\n  We We We We We\n"
                            "max_steps: 3\norientations: 3\n"
                            "stumble_probability: 0.4\npossible_goals: [[1,1,3,3]]\n");
        // The agent has just left plain floor, so the second step is the one that may stumble.
        const json result =
            m_program.run({"world", "step", file, "forward", "forward", "--json"}).json();
        QCOMPARE(result["step"].get<int>(), 1);
        std::vector<double> probabilities;
        for (const json& outcome : result["outcomes"])
            probabilities.push_back(outcome["probability"].get<double>());
        // North is the wall: straight ahead stays, and both turns move along it.
        QCOMPARE(probabilities, (std::vector<double>{0.6, 0.2, 0.2}));
        QCOMPARE(result["state"]["human0.y"].get<int>(), 1);
        QCOMPARE(m_program.run({"world", "step", file, "forward", "left", "left", "left"}).status,
                 2);
    }

    void randomWorldsAreValidAndRepeatable() {
        const Ended first = m_program.run({"world", "random", "--seed", "5"});
        QCOMPARE(m_program.run({"world", "random", "--seed", "5"}).out, first.out);
        QVERIFY(m_program.run({"world", "random", "--seed", "6"}).out != first.out);
        for (int seed = 0; seed < 5; ++seed) {
            const QString file = m_program.path(QStringLiteral("random%1.yaml").arg(seed));
            QCOMPARE(m_program
                         .run({"world", "random", "--seed", QString::number(seed), "--humans", "2",
                               "-o", file})
                         .status,
                     0);
            const Ended valid = m_program.run({"world", "validate", file});
            QVERIFY2(valid.status == 0, valid.err);
        }
        QCOMPARE(m_program.run({"world", "random", "--width", "2"}).status, 2);
    }

    void everyExampleWorldIsListedAndValid() {
        const json list = m_program.run({"world", "list", "--json"}).json();
        QVERIFY(list.size() >= 1);
        for (const json& world : list) {
            const QString name = QString::fromStdString(world["name"].get<std::string>());
            const Ended ended = m_program.run({"world", "validate", "builtin:" + name});
            QVERIFY2(ended.status == 0, ended.err);
        }
    }

    void graphCountsAreThoseOfTheOracle() {
        const json stats = m_program.run({"graph", "stats", m_world, "--json"}).json();
        QCOMPARE(stats["states"].get<int>(), 366);
        QCOMPARE(stats["transition_entries"].get<int>(), 3890);
        QCOMPARE(stats["states_per_level"], json({1, 12, 32, 47, 64, 87, 123}));
    }

    void aSavedGraphIsTheSame() {
        const QString file = m_program.path("rock.graph");
        QCOMPARE(m_program.run({"graph", "build", m_world, "-o", file}).status, 0);
        QCOMPARE(m_program.run({"graph", "stats", m_world, "--graph", file, "--json"}).json(),
                 m_program.run({"graph", "stats", m_world, "--json"}).json());
        QFile damaged(file);
        QVERIFY(damaged.open(QIODevice::ReadWrite));
        damaged.seek(damaged.size() / 2);
        const char byte = damaged.read(1)[0];
        damaged.seek(damaged.size() / 2);
        damaged.write(QByteArray(1, static_cast<char>(byte ^ 1)));
        damaged.close();
        QCOMPARE(m_program.run({"graph", "stats", m_world, "--graph", file}).status, 5);
    }

    void findCountsStatesThatFit() {
        const json found =
            m_program.run({"graph", "find", m_world, "human0.at(2,2) and step == 0", "--json"})
                .json();
        QCOMPARE(found["total"].get<int>(), 1);
        QCOMPARE(found["states"][0]["step"].get<int>(), 0);
        const json all =
            m_program.run({"graph", "find", m_world, "true", "--json", "--limit", "3"}).json();
        QCOMPARE(all["total"].get<int>(), 366);
        QCOMPARE(all["states"].size(), std::size_t{3});
        const Ended bad = m_program.run({"graph", "find", m_world, "hman0.at(2,2)"});
        QCOMPARE(bad.status, 2);
        QVERIFY2(bad.err.contains("human0"), bad.err);
    }

    void graphsAreExported() {
        const QString dot = m_program.path("g.dot");
        QCOMPARE(m_program.run({"graph", "export", "dot", m_world, "-o", dot}).status, 0);
        QVERIFY(Program::read(dot).contains("digraph"));
        const QString csv = m_program.path("g.csv");
        QCOMPARE(m_program.run({"graph", "export", "csv", m_world, "-o", csv}).status, 0);
        QCOMPARE(Program::read(csv).count('\n'), 367);
        QCOMPARE(
            m_program.run({"graph", "export", "prism", m_world, "-o", m_program.path("g")}).status,
            0);
        for (const char* extension : {".sta", ".tra", ".lab"})
            QVERIFY(QFile::exists(m_program.path("g") + extension));
    }

    void doctorNamesThePieces() {
        const Ended ended = m_program.run({"doctor", "--json"});
        const json result = ended.json();
        QCOMPARE(ended.status, result["whole"].get<bool>() ? 0 : 6);
        QStringList names;
        for (const json& finding : result["findings"])
            names << QString::fromStdString(finding["what"].get<std::string>());
        for (const char* name :
             {"GPU", "OpenGL", "font Inter", "disk", "SQLite", "Qt", "LibTorch", "workspace"})
            QVERIFY2(names.contains(name), name);
    }

    void aFullDiskUnderTheOutputIsNoticed() {
        QProcess process;
        m_program.prepare(process);
        process.setArguments({"help", "--man"});
        process.setStandardOutputFile("/dev/full");
        process.start(QIODevice::ReadOnly);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 6);
        QVERIFY(process.readAllStandardError().contains("could not be written"));
    }

    void quickVerbsDoNotWaitForLibraries() {
        const double begin = cpuSecondsOfChildren();
        for (int i = 0; i < 5; ++i) m_program.run({"parse", "--kind", "map", m_world});
        const double taken = cpuSecondsOfChildren() - begin;
        QVERIFY2(taken > 0 && taken < 5, qPrintable(QString::number(taken)));
    }

private:
    /// Processor time of all programs that have ended so far.
    static double cpuSecondsOfChildren() {
        rusage usage{};
        ::getrusage(RUSAGE_CHILDREN, &usage);
        const auto seconds = [](const timeval& time) {
            return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
        };
        return seconds(usage.ru_utime) + seconds(usage.ru_stime);
    }

    Program m_program;
    QString m_world;
};

ORRERY_APPLICATION_TEST(VerbsTest)
#include "verbs_test.moc"
