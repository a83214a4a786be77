#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/app/program.h"
#include "tests/support/test_program.h"

using nlohmann::json;
using orrery::Ended;
using orrery::jsonOf;
using orrery::Program;

namespace {

QByteArray room(const QByteArray& name, const QByteArray& goals, int steps) {
    return "metadata: {name: " + name +
           "}\nmap: |\n  We We We We We\n  We Ay .. Ae We\n  We .. .. .. We\n  We We We We We\n"
           "max_steps: " +
           QByteArray::number(steps) + "\npossible_goals: [" + goals + "]\n";
}

std::size_t placeOf(const json& table, const std::string& column) {
    const auto columns = table["columns"].get<std::vector<std::string>>();
    return static_cast<std::size_t>(std::ranges::find(columns, column) - columns.begin());
}

bool hasColumn(const json& table, const std::string& column) {
    return placeOf(table, column) < table["columns"].size();
}

}  // namespace

/// What true learners say of states, written for other programs.
class TrainExportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_near = m_program.write("near.yaml", room("near", "'1,1', '3,2'", 4));
        m_far = m_program.write("far.yaml", room("far", "'2,2', '3,2'", 6));
        m_both = trained({m_near, m_far});
    }

    void aSolvedWorldIsListedWhole() {
        const json table = exported(trained({m_near}), "values");
        QCOMPARE(table["columns"][0].get<std::string>(), std::string("step"));
        QVERIFY(!hasColumn(table, "world") && !hasColumn(table, "human0.x"));
        for (const json& row : table["rows"]) QVERIFY(row[1].is_number());
    }

    void ofAWorldBeyondSolvingTheVisitedStatesAreListed() {
        const QString run = trained({m_near, "--exact-states", "5", "--buffer-size", "300"});
        const json values = exported(run, "values");
        const std::size_t v_r = placeOf(values, "v_r");
        QCOMPARE(v_r, std::size_t{9});  // behind the places of two agents
        QCOMPARE(values["columns"][5].get<std::string>(), std::string("human0.direction"));
        std::set<std::string> states;
        int visits = 0, last = 0, learned = 0;
        for (const json& row : values["rows"]) {
            QVERIFY(row[0].get<int>() >= last && row[0].get<int>() < 4);
            last = row[0].get<int>();
            QVERIFY(row[1].is_null());
            visits += row[2].get<int>();
            for (const std::size_t i : {3, 4, 6, 7}) QVERIFY(row[i].get<int>() >= 1);
            if (!row[v_r].is_null()) {
                ++learned;
                QVERIFY(row[v_r].get<double>() < 0);
            }
            std::string state = row[0].dump();
            for (std::size_t i = 3; i < v_r; ++i) state += row[i].dump();
            states.insert(state);
        }
        QCOMPARE(visits, 300);  // one for each transition of the buffer
        QVERIFY(states.size() > 20 && learned > 20);
        QCOMPARE(states.size(), values["rows"].size());  // each once

        const json policies = exported(run, "policies");
        QCOMPARE(policies["rows"].size(), values["rows"].size());
        for (const json& row : policies["rows"]) {
            if (row.back().is_null()) continue;
            double sum = 0;
            for (std::size_t i = 9; i < row.size(); ++i) sum += row[i].get<double>();
            QVERIFY(std::abs(sum - 1) < 1e-5);
        }
        for (const char* format : {"csv", "npz"})
            QCOMPARE(
                this->run({"export", run, "--format", format, "-o", m_program.path("t") + format})
                    .status,
                0);
    }

    void severalWorldsAreOneTable() {
        const json both = exported(m_both, "values");
        QCOMPARE(both["columns"][0].get<std::string>(), std::string("world"));
        const std::size_t first = placeOf(both, "v_h_e.human0[1,1]");
        const std::size_t second = placeOf(both, "v_h_e.human0[2,2]");
        QVERIFY(second < both["columns"].size());
        std::set<int> worlds;
        for (const json& row : both["rows"]) {
            worlds.insert(row[0].get<int>());
            QVERIFY(row[row[0] == 1 ? second : first].is_null());
        }
        QVERIFY((worlds == std::set<int>{1, 2}));
        // The smaller one is solved, the larger one is not.
        const json mixed = exported(trained({m_near, m_far, "--exact-states", "400"}), "values");
        const std::size_t configuration = placeOf(mixed, "configuration");
        std::set<std::string> kinds;
        for (const json& row : mixed["rows"])
            kinds.insert(std::to_string(row[0].get<int>()) +
                         (row[configuration].is_null() ? " visited" : " solved"));
        QVERIFY2((kinds == std::set<std::string>{"1 solved", "2 visited"}),
                 json(kinds).dump().c_str());
    }

    void curvesOfTheSecondWorldEndInTwo() {
        QCOMPARE(run({"eval", m_both, "--episodes", "0"}).status, 0);
        const json curves = run({"show", m_both, "--json"}).json()["last_metrics"];
        for (const char* curve : {"Exact/v_h_e", "Exact/pi_r", "Evaluation/v_h_e_error"}) {
            QVERIFY(curves.contains(curve) && curves.contains(curve + std::string("_2")));
            QVERIFY(!curves.contains(curve + std::string("_1")));
        }
    }

private:
    Ended run(QStringList arguments) const {
        arguments << "--workspace" << m_program.path("work.orrery");
        return m_program.run(arguments);
    }

    QString trained(const QStringList& more) const {
        const Ended ended = run(
            QStringList{"train", "--tabular", "--num-training-steps", "600", "--warmup-v-h-e-steps",
                        "100", "--warmup-x-h-steps", "100", "--warmup-q-r-steps", "100",
                        "--beta-r-rampup-steps", "100", "--checkpoint-seconds", "0", "--json"} +
            more);
        if (ended.status != 0) qWarning("%s", ended.err.constData());
        return ended.status == 0 ? QString::fromStdString(ended.json()["run"].get<std::string>())
                                 : QString();
    }

    json exported(const QString& id, const QString& what) const {
        const QString file = m_program.path("table.json");
        const Ended ended =
            run({"export", id, "--what", what, "--format", "json", "-o", file, "--force"});
        if (ended.status != 0) qWarning("%s", ended.err.constData());
        return jsonOf(Program::read(file));
    }

    Program m_program;
    QString m_near, m_far, m_both;
};

ORRERY_APPLICATION_TEST(TrainExportTest)
#include "train_export_test.moc"
