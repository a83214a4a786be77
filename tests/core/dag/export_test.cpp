#include "core/dag/export.h"

#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>

#include "core/base/error.h"
#include "tests/core/dag/file_content.h"
#include "tests/support/test_program.h"
#include "tests/support/test_worlds.h"

using namespace orrery;

namespace {

using Graph = std::shared_ptr<const StateGraph>;

Graph explored(TableWorldSpec spec) {
    return explore(std::make_shared<TableWorld>(std::move(spec)), {.threads = 2});
}

/// A human that can go from cell 0 to cell 1 and a robot that waits in cell 2.
TableWorldSpec tinySpec() {
    TableWorldSpec spec;
    spec.name = "a \"tiny\" world";
    spec.maxSteps = 2;
    spec.agents = {tableAgent(AgentRole::Human, 0, 2), tableAgent(AgentRole::Robot, 0, 1)};
    spec.agents[0].actions = {"stay", "go"};
    spec.agents[1].actions = {"wait"};
    spec.cells = {{0, 2}, {1, 2}};
    spec.rows = {{{{{1.0, 0}}, {{0.25, 0}, {0.75, 1}}}, {{{1.0, 1}}, {{1.0, 1}}}}};
    spec.goals = {{0, {{1, 0, 1, 0, false}, {0, 0, 1, 0, true}}, {0.5, 0.5}}};
    return spec;
}

std::vector<std::string> linesOf(const std::filesystem::path& file) {
    std::istringstream in(test::contentOf(file));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

}  // namespace

class ExportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void prismFilesOfATinyWorldAreExact() {
        const auto stem = path("tiny");
        QVERIFY(exportPrism(*explored(tinySpec()), stem));
        QCOMPARE(test::contentOf(path("tiny.tra")), std::string("5 6 8\n"
                                                                "0 0 1 1 stay_wait\n"
                                                                "0 1 2 0.75 go_wait\n"
                                                                "0 1 1 0.25 go_wait\n"
                                                                "1 0 3 1 stay_wait\n"
                                                                "1 1 4 0.75 go_wait\n"
                                                                "1 1 3 0.25 go_wait\n"
                                                                "2 0 4 1 stay_wait\n"
                                                                "2 1 4 1 go_wait\n"));
        QCOMPARE(test::contentOf(path("tiny.sta")),
                 std::string("(step,human0_x,human0_y,robot0_x,robot0_y,config)\n"
                             "0:(0,0,0,2,0,0)\n"
                             "1:(1,0,0,2,0,0)\n"
                             "2:(1,1,0,2,0,1)\n"
                             "3:(2,0,0,2,0,0)\n"
                             "4:(2,1,0,2,0,1)\n"));
        QCOMPARE(test::contentOf(path("tiny.lab")),
                 std::string("0=\"init\" 1=\"deadlock\" 2=\"terminal\" 3=\"human0_goal0_at_1_0\" "
                             "4=\"human0_goal1_in_0_0_1_0\"\n"
                             "0: 0 4\n"
                             "1: 4\n"
                             "2: 3 4\n"
                             "3: 1 2 4\n"
                             "4: 1 2 3 4\n"));
    }

    void csvOfATinyWorldIsExact() {
        QVERIFY(exportStatesCsv(*explored(tinySpec()), path("tiny.csv")));
        QCOMPARE(test::contentOf(path("tiny.csv")),
                 std::string("step,index,human0.x,human0.y,robot0.x,robot0.y,config\n"
                             "0,0,0,0,2,0,0\n"
                             "1,0,0,0,2,0,0\n"
                             "1,1,1,0,2,0,1\n"
                             "2,0,0,0,2,0,0\n"
                             "2,1,1,0,2,0,1\n"));
    }

    void dotOfATinyWorldIsExact() {
        QVERIFY(exportDot(*explored(tinySpec()), path("tiny.dot")));
        QCOMPARE(
            test::contentOf(path("tiny.dot")),
            std::string(
                "digraph \"a \\\"tiny\\\" world\" {\n"
                "  rankdir=LR;\n"
                "  node [shape=box];\n"
                "  { rank=same;\n"
                "    s0 [label=\"step 0\\nhuman0 0,0; robot0 2,0\"];\n"
                "  }\n"
                "  { rank=same;\n"
                "    s1 [label=\"step 1\\nhuman0 0,0; robot0 2,0\"];\n"
                "    s2 [label=\"step 1\\nhuman0 1,0; robot0 2,0; config\"];\n"
                "  }\n"
                "  { rank=same;\n"
                "    s3 [label=\"step 2\\nhuman0 0,0; robot0 2,0\"];\n"
                "    s4 [label=\"step 2\\nhuman0 1,0; robot0 2,0; config\"];\n"
                "  }\n"
                "  s0 -> s1 [label=\"human0: stay, robot0: wait\\nhuman0: go, robot0: wait "
                "(0.25)\"];\n"
                "  s0 -> s2 [label=\"human0: go, robot0: wait (0.75)\"];\n"
                "  s1 -> s3 [label=\"human0: stay, robot0: wait\\nhuman0: go, robot0: wait "
                "(0.25)\"];\n"
                "  s1 -> s4 [label=\"human0: go, robot0: wait (0.75)\"];\n"
                "  s2 -> s4 [label=\"human0: stay, robot0: wait\\nhuman0: go, robot0: wait\"];\n"
                "}\n"));
    }

    void dotNamesThreeJointActionsAndCountsTheRest() {
        TableWorldSpec spec = tinySpec();
        spec.maxSteps = 1;
        spec.agents[0] = tableAgent(AgentRole::Human, 0, 5);
        spec.rows = {{{{{1.0, 1}}, {{1.0, 1}}, {{1.0, 1}}, {{1.0, 1}}, {{1.0, 1}}},
                      {{{1.0, 1}}, {{1.0, 1}}, {{1.0, 1}}, {{1.0, 1}}, {{1.0, 1}}}}};
        QVERIFY(exportDot(*explored(spec), path("many.dot")));
        QVERIFY(QByteArray::fromStdString(test::contentOf(path("many.dot")))
                    .contains("s0 -> s1 [label=\"human0: a0, robot0: wait\\nhuman0: a1, robot0: "
                              "wait\\nhuman0: a2, robot0: wait\\n+ 2 more\"];"));
    }

    void dotOfALargeGraphIsRefusedWithAdvice() {
        TableWorldSpec spec = tinySpec();
        spec.maxSteps = 2499;  // 1 + 2 x 2499 = 4999 states
        QVERIFY(exportDot(*explored(spec), path("limit.dot")));
        spec.maxSteps = 2500;
        try {
            exportDot(*explored(spec), path("large.dot"));
            QFAIL("accepted 5001 states");
        } catch (const Error& e) {
            QVERIFY(QByteArray(e.what()).contains("5001 states"));
            QVERIFY(QByteArray(e.what()).contains("PRISM or as CSV"));
            QCOMPARE(e.kind(), Error::Kind::BadInput);
        }
        QVERIFY(!std::filesystem::exists(path("large.dot")));
    }

    void prismFilesReadBackGiveTheWorld_data() {
        QTest::addColumn<bool>("byStep");
        QTest::addColumn<int>("keyBits");
        for (int seed = 0; seed < 12; ++seed)
            QTest::addRow("seed %d", seed) << (seed % 3 == 2) << (seed % 2 == 1 ? 70 : 0);
    }
    void prismFilesReadBackGiveTheWorld() {
        QFETCH(bool, byStep);
        QFETCH(int, keyBits);
        Rng rng(static_cast<std::uint64_t>(qHash(QTest::currentDataTag())));
        RandomTableShape shape;
        shape.configs = 60;
        shape.maxSteps = 6;
        shape.others = 1;
        shape.maxOutcomes = 2;
        shape.byStep = byStep;
        shape.keyBits = keyBits;
        const TableWorld world(randomTableWorld(shape, rng));
        const Graph graph = explored(world.spec());
        QVERIFY(exportPrism(*graph, path("random")));

        const auto [steps, configs] = readStates(path("random.sta"));
        const std::vector<std::string> lines = linesOf(path("random.tra"));
        std::int64_t states = 0, choices = 0, entries = 0;
        std::istringstream(lines.at(0)) >> states >> choices >> entries;
        const GraphCounts counts = graph->counts();
        QCOMPARE(states, counts.states);
        QCOMPARE(states, std::ssize(steps));
        QCOMPARE(choices, counts.actionRows);
        QCOMPARE(entries, counts.transitionEntries);
        QCOMPARE(entries, std::ssize(lines) - 1);

        // (state, choice) -> successor's number in the table -> probability
        std::map<std::pair<int, ActionProfileIndex>, std::map<int, double>> rows;
        for (std::size_t i = 1; i < lines.size(); ++i) {
            int source = -1, target = -1;
            ActionProfileIndex choice = 0;
            std::string probability, action;
            std::istringstream(lines[i]) >> source >> choice >> target >> probability >> action;
            QCOMPARE(steps.at(target), steps.at(source) + 1);
            rows[{source, choice}][configs[target]] += std::stod(probability);
        }
        QCOMPARE(std::ssize(rows), choices);
        for (const auto& [key, successors] : rows) {
            std::map<int, double> expected;
            for (const auto& [p, successor] :
                 world.row(configs[key.first], steps[key.first], key.second))
                expected[successor] = p;
            QCOMPARE(successors, expected);
            double sum = 0;
            for (const auto& [successor, p] : successors) sum += p;
            QVERIFY(std::abs(sum - 1) < 1e-12);
        }
    }

    void levelsThatAreNoRangesAreNumberedWithoutHoles() {
        // 0 -> 1 -> 2 -> 0 ...: level t holds configuration t mod 3 alone.
        TableWorldSpec spec = tinySpec();
        spec.maxSteps = 4;
        spec.cells = {{0, 2}, {1, 2}, {2, 2}};
        spec.rows = {
            {{{{1.0, 1}}, {{1.0, 1}}}, {{{1.0, 2}}, {{1.0, 2}}}, {{{1.0, 0}}, {{1.0, 0}}}}};
        QVERIFY(exportPrism(*explored(spec), path("cycle")));
        const auto [steps, configs] = readStates(path("cycle.sta"));
        QCOMPARE(steps, (std::vector<int>{0, 1, 2, 3, 4}));
        QCOMPARE(configs, (std::vector<int>{0, 1, 2, 0, 1}));
        const std::vector<std::string> lines = linesOf(path("cycle.tra"));
        QCOMPARE(lines.size(), std::size_t(9));
        for (int i = 1; i < 9; ++i) {
            int source = -1, choice = -1, target = -1;
            std::istringstream(lines[i]) >> source >> choice >> target;
            QCOMPARE(source, (i - 1) / 2);
            QCOMPARE(target, source + 1);
        }
        QVERIFY(exportStatesCsv(*explored(spec), path("cycle.csv")));
        QCOMPARE(linesOf(path("cycle.csv")).at(4), std::string("3,0,0,0,2,0,0"));
    }

    void aStoppedExportLeavesTheFileAsItWas() {
        const Graph graph = explored(largeSpec());
        for (int kind = 0; kind < 3; ++kind) {
            const auto file = path("kept.tra");
            std::ofstream(file) << "before";
            std::stop_source source;
            int reports = 0;
            const ProgressSink stopAtOnce = [&](const Progress& progress) {
                ++reports;
                QCOMPARE(progress.unit, std::string("states"));
                QVERIFY(progress.done > 0 && progress.done < progress.total);
                source.request_stop();
            };
            if (kind == 0) source.request_stop();
            const bool written =
                kind == 2 ? exportPrism(*graph, path("kept"), source.get_token(), stopAtOnce)
                          : exportStatesCsv(*graph, file, source.get_token(), stopAtOnce);
            QVERIFY(!written);
            QCOMPARE(reports, kind == 0 ? 0 : 1);
            QCOMPARE(test::contentOf(file), std::string("before"));
            QVERIFY(!std::filesystem::exists(path("kept.sta")));
            QVERIFY(!std::filesystem::exists(path("kept.lab")));
            for (const auto& entry : std::filesystem::directory_iterator(path("")))
                QVERIFY(entry.path().extension() != ".tmp");
        }
    }

    void progressEndsWithAllStates() {
        const Graph graph = explored(largeSpec());
        std::vector<Progress> reports;
        QVERIFY(exportStatesCsv(*graph, path("large.csv"), {},
                                [&](const Progress& progress) { reports.push_back(progress); }));
        QVERIFY(reports.size() > 1);
        for (std::size_t i = 1; i < reports.size(); ++i)
            QVERIFY(reports[i].done >= reports[i - 1].done);
        QCOMPARE(reports.back().done, graph->counts().states);
        QCOMPARE(reports.back().total, graph->counts().states);
        const auto longest = static_cast<std::size_t>(reports.back().seconds * 30) + 2;
        QVERIFY(reports.size() <= longest);
        QCOMPARE(std::ssize(linesOf(path("large.csv"))), graph->counts().states + 1);
    }

    void aFolderThatIsNotThereIsNamed() {
        try {
            exportStatesCsv(*explored(tinySpec()), path("no/such/folder.csv"));
            QFAIL("wrote into nothing");
        } catch (const Error& e) {
            QVERIFY(QByteArray(e.what()).contains("folder.csv"));
            QCOMPARE(e.kind(), Error::Kind::Resource);
        }
    }

private:
    std::filesystem::path path(const std::string& name) const {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

    /// 300 configurations in each of 1000 steps.
    static TableWorldSpec largeSpec() {
        TableWorldSpec spec = tinySpec();
        spec.maxSteps = 1000;
        spec.cells.clear();
        spec.rows = {{}};
        for (int c = 0; c < 300; ++c) {
            spec.cells.push_back({c % 3, 2});
            const int next = (c + 1) % 300;
            spec.rows[0].push_back({{{0.5, c}, {0.5, next}}, {{0.5, (c * 2) % 300}, {0.5, next}}});
        }
        return spec;
    }

    /// Step and table number of each state.
    static std::pair<std::vector<int>, std::vector<int>> readStates(
        const std::filesystem::path& file) {
        std::pair<std::vector<int>, std::vector<int>> result;
        const std::vector<std::string> lines = linesOf(file);
        for (std::size_t i = 1; i < lines.size(); ++i) {
            const std::string& line = lines[i];
            const std::size_t open = line.find('(');
            if (std::stoul(line) + 1 != i) return {};
            result.first.push_back(std::stoi(line.substr(open + 1)));
            result.second.push_back(std::stoi(line.substr(line.rfind(',') + 1)));
        }
        return result;
    }

    QTemporaryDir m_folder;
};

ORRERY_TEST(ExportTest)
#include "export_test.moc"
