#include <QTest>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/dag/predicate.h"
#include "core/dag/state_graph.h"
#include "core/encode/state_encoder.h"
#include "core/files/world_file.h"
#include "core/files/world_writer.h"
#include "core/solve/solution.h"
#include "tests/core/solve/solve_checks.h"
#include "tests/support/line/line_world.h"
#include "tests/support/plain_solver.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

const std::string kFile =
    "family: line\nmap: H . R .\nslip: 0.25\nmax_steps: 3\npossible_goals: [[1, 0], [0, 0, 3, "
    "0]]\n";

std::string linesOf(const WorldFile& file) {
    std::string lines;
    for (const Diagnostic& diagnostic : file.diagnostics)
        lines += diagnosticLine(diagnostic) + "\n";
    return lines;
}

}  // namespace

/// A family of worlds that the program got by the list of families alone.
class LineFamilyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        std::vector<const WorldFamily*> families = ownFamilies();
        families.push_back(&test::lineFamily());
        useFamilies(std::move(families));
    }
    void cleanupTestCase() { useFamilies(ownFamilies()); }

    void itsFilesAreReadAndWritten() {
        const WorldFile file = parseWorld(kFile, "line.yaml");
        QVERIFY2(!file.hasErrors, linesOf(file).c_str());
        const auto* spec = file.spec.as<test::LineSpec>();
        QVERIFY(spec != nullptr);
        QCOMPARE(spec->slip, 0.25);
        QCOMPARE(spec->maxSteps, 3);
        for (const std::string& text : {writeWorldYaml(file.spec), writeWorldJson(file.spec)}) {
            const WorldFile again = parseWorld(text, "again");
            QVERIFY2(!again.hasErrors, linesOf(again).c_str());
            QVERIFY(again.spec.as<test::LineSpec>()->cells == spec->cells);
            QCOMPARE(makeWorld(again.spec)->contentHash(), makeWorld(file.spec)->contentHash());
        }
        // A key of its own tells the family, too.
        QVERIFY(parseWorld("map: H . R\nslip: 0\n", "f").spec.is<test::LineSpec>());
    }

    void whatIsWrongInThemIsSaidWithItsPlace_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("line");
        const auto add = [](const char* name, const std::string& text, const std::string& line) {
            QTest::newRow(name) << "family: " + text << line;
        };
        add("cell", "line\nmap: |\n  H . W\n", "f:3:7: error E130: map: 'W' is none of H, R and .");
        add("key of another", "line\nmap: H . R\nB: 3\n", "a line world has no key 'B'");
        add("family", "lines\nmap: H . R\n", "'line'");
        add("rows", "line\nmap: |\n  H .\n  R .\n", "a line has one row");
        add("range", "line\nmap: H . R\nslip: 2\n", "0 to 1");
        add("robot's goals", "line\nmap: H . R\nhuman_goals: {robot0: [[0, 0]]}\n",
            "is not a human");
    }
    void whatIsWrongInThemIsSaidWithItsPlace() {
        QFETCH(std::string, text);
        QFETCH(std::string, line);
        const WorldFile file = parseWorld(text, "f");
        QVERIFY(file.hasErrors);
        QVERIFY2(linesOf(file).find(line) != std::string::npos, linesOf(file).c_str());
    }

    void aStepIsAsOnPaper() {
        const auto world = makeWorld(parseWorld(kFile, "f").spec);
        QCOMPARE(world->numAgents(), 2);
        const Configuration start = world->initialConfiguration();
        const std::vector<Outcome> outcomes =
            world->outcomes(start, 0, world->profileIndex(std::vector{2, 1}));
        // The human goes right, or slips; the robot then finds the cell taken, or free.
        QCOMPARE(outcomes.size(), std::size_t{2});
        QCOMPARE(outcomes[0].probability, 0.75);
        QCOMPARE(world->cellOf(outcomes[0].successor, 0), 1);
        QCOMPARE(world->cellOf(outcomes[0].successor, 1), 2);
        QCOMPARE(outcomes[1].probability, 0.25);
        QCOMPARE(world->cellOf(outcomes[1].successor, 0), 0);
        QCOMPARE(world->cellOf(outcomes[1].successor, 1), 1);
    }

    void itIsExploredAndSolvedLikeAnyOther() {
        const auto world = makeWorld(parseWorld(kFile, "f").spec);
        const auto graph = explore(world, {.threads = 2});
        // Four cells, and no agent passes the other.
        QCOMPARE(graph->numConfigs(), ConfigIndex{6});
        const SolveSpec spec;
        const auto solution = solve(graph, spec);
        const PlainSolver plain(*world, spec);
        std::size_t states = 0;
        for (int step = 0; step < graph->numLevels(); ++step)
            for (ConfigIndex c = graph->levelBegin(step); c < graph->levelEnd(step); ++c) {
                if (!graph->inLevel(step, c)) continue;
                const auto key = graph->configuration(c);
                const auto found = test::differences(
                    solution->values({step, c}),
                    plain.values().at({step, Configuration(key.begin(), key.end())}));
                for (const std::string& line : found) qWarning("%s", line.c_str());
                QVERIFY(found.empty());
                ++states;
            }
        QCOMPARE(states, plain.values().size());
    }

    void predicatesKnowItsVariables() {
        const auto world = makeWorld(parseWorld(kFile, "f").spec);
        const auto graph = explore(world, {});
        const Predicate predicate(*world, "human0.x = 1 and robot0.x > 2 and step = 2");
        QCOMPARE(findStates(*graph, predicate, 10, 1).total, std::int64_t{1});
    }

    void noTwoStatesAreEncodedAlike() {
        const auto world = makeWorld(parseWorld(kFile, "f").spec);
        QVERIFY(notEncoded(*world).empty());
        const auto graph = explore(world, {});
        StateEncoder encoder(*world);
        std::set<std::vector<std::byte>> seen;
        for (ConfigIndex c = 0; c < graph->numConfigs(); ++c) {
            std::vector<std::byte> bytes(encoder.shape().bytes());
            encoder.encode(graph->configuration(c), 0, bytes);
            seen.insert(std::move(bytes));
        }
        QCOMPARE(seen.size(), static_cast<std::size_t>(graph->numConfigs()));
    }
};

ORRERY_TEST(LineFamilyTest)
#include "line_family_test.moc"
