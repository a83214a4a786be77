#include <QDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using nlohmann::json;
using orrery::Ended;
using orrery::jsonOf;
using orrery::Program;

namespace {

QString oracle(const QString& name) {
    return QString::fromStdString(orrery::sourcePath("tests/data/empo/")) + name + ".json";
}

QString entityOracle(const QString& name) {
    return QString::fromStdString(orrery::sourcePath("tests/data/entity/")) + name + ".json";
}

json readOracle(const QString& name) {
    return jsonOf(Program::read(oracle(name)));
}

Ended check(const Program& program, const json& document) {
    const std::string text = document.dump();
    const QString file = program.write("oracle.json", QByteArray::fromStdString(text));
    return program.run({"selfcheck", "--oracle", "empo", file});
}

QByteArray lastLine(const QByteArray& text) {
    return text.trimmed().split('\n').last();
}

}  // namespace

class SelfcheckTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPublicOraclePasses_data() {
        QTest::addColumn<QString>("file");
        const QDir folder(QString::fromStdString(orrery::sourcePath("tests/data/empo")));
        const QStringList names = folder.entryList({"p*.json"}, QDir::Files, QDir::Name);
        QCOMPARE(names.size(), 12);
        for (const QString& name : names) QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
    void everyPublicOraclePasses() {
        QFETCH(QString, file);
        const Ended ended = m_program.run({"selfcheck", "--oracle", "empo", file});
        QVERIFY2(lastLine(ended.out).endsWith(" passed, 0 failed"), ended.out + ended.err);
        QCOMPARE(ended.status, 0);
        QVERIFY(ended.out.contains("encodings: not compared, faults"));
        const int compared = lastLine(ended.out).split(' ').first().toInt();
        QVERIFY2(compared > 1000, ended.out);
    }

    void everyOracleOfTheEntityStackPasses_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("least");  // values that it has
        QTest::newRow("ragged buffers") << "ragged" << 10'000;
        QTest::newRow("environments") << "envs" << 20'000;
        QTest::newRow("batches") << "vecenv" << 500;
    }
    void everyOracleOfTheEntityStackPasses() {
        QFETCH(QString, name);
        QFETCH(int, least);
        const Ended ended = m_program.run({"selfcheck", "--oracle", "entity", entityOracle(name)});
        QVERIFY2(lastLine(ended.out).endsWith(" passed, 0 failed"), ended.out + ended.err);
        QCOMPARE(ended.status, 0);
        const int compared = lastLine(ended.out).split(' ').first().toInt();
        QVERIFY2(compared > least, ended.out);
    }
    void aChangedValueOfTheEntityStackFails_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("pointer");
        QTest::newRow("a buffer") << "ragged"
                                  << "/cases/0/steps/0/expect/buffer/data/3";
        QTest::newRow("a reward") << "envs"
                                  << "/rollouts/0/steps/0/obs/reward";
        QTest::newRow("a state") << "envs"
                                 << "/rollouts/0/steps/0/state/robots/0/1";
        QTest::newRow("an actor") << "vecenv"
                                  << "/batch/0/expect/action_masks/sel/actors/data/1";
        QTest::newRow("a metric") << "vecenv"
                                  << "/list_env/0/rows/2/metrics/m/sum";
    }
    void aChangedValueOfTheEntityStackFails() {
        QFETCH(QString, name);
        QFETCH(QString, pointer);
        json document = jsonOf(Program::read(entityOracle(name)));
        json& value = document.at(json::json_pointer(pointer.toStdString()));
        value = value.get<double>() + 1;
        const QString file =
            m_program.write("oracle.json", QByteArray::fromStdString(document.dump()));
        const Ended ended = m_program.run({"selfcheck", "--oracle", "entity", file});
        QCOMPARE(ended.status, 3);
        QVERIFY2(!lastLine(ended.out).endsWith(" 0 failed"), ended.out);
    }

    void oneChangedValueFails_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        const auto row = [](const char* pointer, const char* value) {
            QTest::newRow(pointer) << QString(pointer) << QString(value);
        };
        row("/family", "\"bushworld\"");
        row("/world/width", "7");
        row("/world/action_names/1", "\"port\"");
        row("/world/agent_colors/0", "\"red\"");
        row("/world/orientations/0", "1");
        row("/world/max_steps", "5");
        row("/world/can_push_rocks_colors", "\"y\"");
        row("/world/duration_per_nonzero_action", "0.5");
        row("/goals/specs/0", "[3, 1]");
        row("/goals/weights/0", "0.2");
        row("/dag/num_states", "367");
        row("/dag/states_per_level/2", "33");
        row("/dag/num_action_rows", "3889");
        row("/dag/num_transition_entries", "3891");
        row("/dag/num_distinct_edges", "2464");
        row("/dag/row_probability_checksum", "3887.001");
        row("/dag/state_set_sha256",
            "\"b1a3d5693675b5a7d00228e856ddbcb1ae786fa3b73a7fad524049e1d4f1ef3d\"");
        row("/upstream_notes/get_dag/num_states", "365");
        row("/transitions/0/rows/0/succ/0/0", "0.999999");
        row("/transitions/0/rows/0/succ/0/1", "2");
        row("/transitions/0/rows/0/actions", "[1, 0]");
        row("/transitions/0/complete", "false");
        row("/settings/0/params/beta_h", "10.001");
        row("/settings/1/params/beta_h", "9.0");
        row("/settings/2/params/optimistic", "false");
        row("/settings/2/terminal_V_r", "-1e-9");
        row("/settings/0/robot_action_profiles/1", "[2]");
        row("/settings/0/phase1/1/policy/0", "0.3");
        row("/settings/0/phase1/1/V", "0.25");
        row("/settings/0/phase2/0/V_r", "-13.3490906");
        row("/settings/0/phase2/0/Q_r/2", "-15.28080106");
        row("/settings/0/phase2/0/pi_r/0", "0.157627733");
        row("/settings/0/phase2/0/U_r", "-2.159499772");
        row("/settings/0/phase2/0/X_h/1", "0.4966410115");
        row("/settings/0/phase2/0/V_h_e/1/0", "0.829511416");
        row("/settings/0/phase2/0/human_marginal/1/3", "0.1666666668");
        row("/settings/0/checksums/sum_V_r", "-1616.67424");
        row("/settings/0/checksums/sum_V_phase1", "63.1144405");
        row("/settings/0/upstream_float16/phase1/4/V", "0.01");
        row("/settings/0/upstream_float16/phase2/0/V_r", "-13.37");
        row("/settings/0/upstream_float16/checksums/sum_V_r", "-1619.0");
        row("/states/3/1/0/2", "2");
        row("/encodings/0/compressed/1/2", "7173");
        row("/encodings/1/direct_nonzero/20/3", "2.0");
        row("/encodings/1/direct_nonzero/20/1", "0");
        row("/encodings/2/global_features/0", "7.0");
        row("/encodings/1/agent_features/14", "3.0");
        row("/encodings/0/interactive_features/5", "1.0");
    }
    void oneChangedValueFails() {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        json document = readOracle("p01_rock");
        const json::json_pointer place(pointer.toStdString());
        const json before = document.at(place);
        document[place] = jsonOf(value.toUtf8());
        QVERIFY2(document.at(place) != before, "the change changes nothing");
        const Ended ended = check(m_program, document);
        QVERIFY2(ended.status == 3, ended.out + ended.err);
        QVERIFY2(!lastLine(ended.out).endsWith(" 0 failed"), ended.out);
    }

    void mismatchLineHasBothValues() {
        json document = readOracle("p01_rock");
        document["dag"]["num_states"] = 367;
        const Ended ended = check(m_program, document);
        QVERIFY2(ended.out.contains("dag.num_states: the file has 367, Orrery has 366"), ended.out);
        QVERIFY2(lastLine(ended.out).endsWith(" passed, 1 failed"), ended.out);
    }

    void missingEmptyAndUnknownSectionsFail_data() {
        QTest::addColumn<QString>("section");
        for (const char* section :
             {"name", "family", "world", "goals", "dag", "upstream_notes", "transitions",
              "settings", "encodings", "states", "settings/0/phase1", "settings/1/phase2",
              "settings/2/checksums", "settings/0/params", "settings/0/upstream_float16",
              "settings/0/believed_others", "dag/state_set_sha256", "transitions/0/rows",
              "world/map"})
            QTest::newRow(section) << QString(section);
    }
    void missingEmptyAndUnknownSectionsFail() {
        QFETCH(QString, section);
        const json::json_pointer place("/" + section.toStdString());
        const std::string& key = place.back();
        json document = readOracle("p01_rock");
        json& parent = document[place.parent_pointer()];

        const json kept = parent[key];
        parent.erase(key);
        Ended ended = check(m_program, document);
        QVERIFY2(ended.status == 3 && ended.out.contains((key + ": missing").c_str()),
                 ended.out + ended.err);

        if (key != "believed_others") {  // null is a value there
            parent[key] = kept.is_array()    ? json::array()
                          : kept.is_object() ? json::object()
                                             : json("");
            ended = check(m_program, document);
            QVERIFY2(ended.status == 3 && ended.out.contains((key + ": empty").c_str()),
                     ended.out + ended.err);
        }

        parent[key] = kept;
        parent[key + "_new"] = kept.is_null() ? json(1) : kept;
        ended = check(m_program, document);
        QVERIFY2(ended.status == 3 && ended.out.contains((key + "_new: unknown").c_str()),
                 ended.out + ended.err);
    }

    void badFilesAreRefusedInOneLine_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("{\"schema\": \"empo-oracle/1\",\n \"name\": }");
        QTest::newRow("not an object") << QByteArray("[1, 2]");
        QTest::newRow("another schema") << QByteArray("{\"schema\": \"empo-oracle/2\"}");
        QTest::newRow("deep") << QByteArray(100'000, '[');
        QTest::newRow("a key twice")
            << QByteArray("{\"schema\": \"empo-oracle/1\", \"schema\": 1}");
        QTest::newRow("number too large") << QByteArray("{\"schema\": 1e999}");
        QTest::newRow("no UTF-8") << QByteArray("{\"schema\": \"\xff\xfe\"}");
        const auto changed = [](const char* name, const char* pointer, const char* value) {
            json document = readOracle("p01_rock");
            document[json::json_pointer(pointer)] = jsonOf(value);
            QTest::newRow(name) << QByteArray::fromStdString(document.dump());
        };
        changed("map is a number", "/world/map", "3");
        changed("steps are a text", "/world/max_steps", "\"many\"");
        changed("steps are endless", "/world/max_steps", "2000000000");
        changed("a row of the map is short", "/world/map/1", "\"We Ae\"");
        changed("states are an object", "/states", "{\"a\": 1}");
        changed("a state index is a text", "/transitions/0/state", "\"0\"");
        changed("a value is an object", "/settings/0/phase2/0/V_r", "{\"x\": 1}");
        changed("believed others is a text", "/settings/0/believed_others", "\"them\"");
        changed("a goal has three numbers", "/goals/specs/0", "[1, 2, 3]");
        changed("no such action set", "/world/actions", "\"ManyActions\"");
        changed("beta is below 0", "/settings/0/params/beta_r", "\"-inf\"");
        changed("control characters", "/world/actions", "\"\\u001b[2J\\u202e\"");
    }
    void badFilesAreRefusedInOneLine() {
        QFETCH(QByteArray, content);
        const QString file = m_program.write("bad.json", content);
        const Ended ended = m_program.run({"selfcheck", "--oracle", "empo", file});
        QVERIFY2(ended.status == 2 || ended.status == 3, ended.out + ended.err);
        QVERIFY2(!lastLine(ended.out).endsWith(" 0 failed"), ended.out);
        const QByteArray all = ended.out + ended.err;
        QVERIFY2(!all.contains('\x1b') && !all.contains("\u202e"), all);
        if (ended.status == 2) QCOMPARE(ended.err.count('\n'), 1);
    }

    void missingFileIsBadInput() {
        const Ended ended = m_program.run({"selfcheck", "--oracle", "empo", "/nowhere/x.json"});
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains("/nowhere/x.json"), ended.err);
    }

    void unknownOracleIsNamed() {
        const Ended ended = m_program.run({"selfcheck", "--oracle", "emop", oracle("p01_rock")});
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains("empo"), ended.err);
    }

    void jsonHoldsTheCounts() {
        const Ended ended =
            m_program.run({"selfcheck", "--oracle", "empo", "--json", oracle("p01_rock")});
        const json result = ended.json();
        QCOMPARE(result["failed"].get<int>(), 0);
        QVERIFY(result["passed"].get<int>() > 1000);
        QCOMPARE(result["files"][0]["compared"], result["passed"]);
    }

private:
    Program m_program;
};

ORRERY_APPLICATION_TEST(SelfcheckTest)
#include "selfcheck_test.moc"
