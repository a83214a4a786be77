#include <QDir>
#include <QFile>
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// Curves of other programs become runs.
class ImportTest : public QObject {
    Q_OBJECT

private:
    static nlohmann::json metricsOf(const Program& program, const QString& run) {
        const QString file = program.path("out.json");
        const Ended ended = program.run(
            {"export", run, "--what", "metrics", "--format", "json", "-o", file, "--force"});
        return ended.status == 0 ? jsonOf(Program::read(file)) : nlohmann::json();
    }
    static QString idOf(const Ended& ended) {
        return QString::fromStdString(ended.json()[0]["run"].get<std::string>());
    }

private Q_SLOTS:
    void aTableWithACurveAColumnBecomesARun() {
        const Program program;
        const QString file = program.write(
            "loss.csv", "step,loss,\"acc, top 1\"\r\n0,1.5,\r\n10,0.25,0.5\r\n\r\n20,nan,inf\r\n");
        const Ended ended = program.run({"import", file, "--json"});
        QVERIFY2(ended.status == 0, ended.err);
        QCOMPARE(ended.json()[0]["points"].get<int>(), 5);
        QCOMPARE(ended.json()[0]["name"].get<std::string>(), std::string("loss"));
        const Ended shown = program.run({"show", idOf(ended), "--json"});
        QCOMPARE(shown.status, 0);
        QCOMPARE(shown.json()["state"].get<std::string>(), std::string("finished"));
        QCOMPARE(shown.json()["tags"][0].get<std::string>(), std::string("imported"));
        QCOMPARE(shown.json()["last_metrics"]["loss"]["step"].get<int>(), 20);
        QCOMPARE(shown.json()["last_metrics"]["acc, top 1"]["value"].get<std::string>(),
                 std::string("inf"));
        // The workspace is sound, the run among it.
        const QString workspace = program.path("data/orrery/default.orrery");
        QVERIFY(QDir(workspace).exists());
        QCOMPARE(program.run({"verify", workspace}).status, 0);
        // It has no values, and says so.
        const Ended values =
            program.run({"export", idOf(ended), "--what", "values", "-o", program.path("v.csv")});
        QVERIFY(values.status != 0 && !values.err.isEmpty());
        QVERIFY(program.run({"ls"}).out.contains("import  finished"));
        for (const QStringList& verb :
             {QStringList{"resume", idOf(ended)}, QStringList{"fork", idOf(ended), "beta_r=1"},
              QStringList{"eval", idOf(ended)}}) {
            const Ended refused = program.run(verb);
            QCOMPARE(refused.status, 2);
            QVERIFY2(refused.err.contains("is a record of imported curves"), refused.err);
        }
    }

    void whatWasExportedComesBackTheSame() {
        const Program program;
        const Ended solved = program.run({"solve", "builtin:first_steps", "--json"});
        QCOMPARE(solved.status, 0);
        const QString table = program.path("metrics.csv");
        QCOMPARE(program.run({"export", "1", "--what", "metrics", "-o", table}).status, 0);
        const Ended ended = program.run({"import", table, "--name", "again", "--json"});
        QVERIFY2(ended.status == 0, ended.err);
        auto before = metricsOf(program, "1"), after = metricsOf(program, idOf(ended));
        QVERIFY(!before.empty());
        QCOMPARE(after.size(), before.size());
        QCOMPARE(
            program
                .run({"export", idOf(ended), "--what", "metrics", "-o", program.path("second.csv")})
                .status,
            0);
        const auto valuesIn = [&](const QString& name) {
            QStringList rows;
            for (const QByteArray& line : Program::read(program.path(name)).split('\n')) {
                const QList<QByteArray> cells = line.trimmed().split(',');
                // key, seq, step, value: seq counts what was written before, events included
                if (cells.size() == 4) rows << cells[0] + ' ' + cells[2] + ' ' + cells[3];
            }
            rows.sort();
            return rows;
        };
        QVERIFY(valuesIn("metrics.csv").size() > 20);
        QCOMPARE(valuesIn("second.csv"), valuesIn("metrics.csv"));
    }

    void aFolderOfTensorBoardIsARunAFolder() {
        const Program program;
        for (const char* beta : {"2", "5"})
            QCOMPARE(program.run({"solve", "builtin:first_steps", "--beta-r", beta}).status, 0);
        const QString logs = program.path("logs");
        QCOMPARE(program.run({"export", "1", "2", "--tensorboard", logs}).status, 0);
        const Ended ended = program.run({"import", logs, "--json"});
        QVERIFY2(ended.status == 0, ended.err);
        QCOMPARE(ended.json().size(), std::size_t(2));
        const Ended original = program.run({"show", "1", "--json"});
        const auto wanted = original.json()["last_metrics"];
        const auto got = program.run({"show", idOf(ended), "--json"}).json()["last_metrics"];
        QCOMPARE(got.size(), wanted.size());
        for (const auto& [key, metric] : wanted.items()) {
            QVERIFY2(got.contains(key), key.c_str());
            QCOMPARE(got[key]["step"], metric["step"]);
            if (!metric["value"].is_number()) continue;
            const double value = metric["value"].get<double>();
            // Seven digits are kept there.
            QVERIFY(std::abs(got[key]["value"].get<double>() - value) <=
                    1e-6 * std::abs(value) + 1e-30);
        }
        QVERIFY(program.run({"ls", "--tag", "imported"}).out.contains("r00004"));
        QCOMPARE(program.run({"import", logs, "--name", "one"}).status, 2);
    }

    void mistakesAreToldWithTheirLineAndNothingIsStored() {
        const Program program;
        const auto refuse = [&](const char* content, const char* place) {
            const Ended ended = program.run({"import", program.write("bad.csv", content)});
            return ended.status == 2 && ended.err.contains(place);
        };
        QVERIFY(refuse("step,loss\n1,2\nx,3\n", "bad.csv:3:"));
        QVERIFY(refuse("step,loss\n1,2\n2,three\n", "bad.csv:3:"));
        QVERIFY(refuse("step,loss\n1,2,3\n", "bad.csv:2:"));
        QVERIFY(refuse("step,loss\n1.5,2\n", "bad.csv:2:"));
        QVERIFY(refuse("only\n1\n", "bad.csv:1:"));
        QCOMPARE(program.run({"import", program.path("none.csv")}).status, 2);
        QDir().mkpath(program.path("empty"));
        QCOMPARE(program.run({"import", program.path("empty")}).status, 2);
        QCOMPARE(program.run({"import", program.write("noise", "no event file at all")}).status, 5);
        QVERIFY(!QFile::exists(program.path("data/orrery/default.orrery/workspace.db")));
    }
};

ORRERY_TEST(ImportTest)
#include "import_test.moc"
