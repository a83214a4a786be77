#include "core/run/archive/stored_facts.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/atomic_write.h"
#include "core/files/tensorboard.h"
#include "core/run/archive/largest_differences.h"
#include "core/run/archive/reopen.h"
#include "core/run/jobs/import_metrics.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run.h"
#include "core/run/run_kind.h"
#include "tests/core/run/small_world.h"
#include "tests/support/test_program.h"

using namespace orrery;

class RunFactsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<Workspace> m_workspace;

    std::string solve(double beta_r, std::uint64_t seed) {
        RunSpec spec = smallSolve();
        spec.seed = seed;
        spec.job.as<SolveJob>().solve.beta_r = beta_r;
        const auto run = Run::start(spec, {.workspace = m_workspace.get()});
        run->wait();
        return run->id();
    }

    static std::int64_t numPoints(const std::vector<ImportedRun>& runs) {
        std::int64_t points = 0;
        for (const ImportedRun& run : runs) points += std::ssize(run.points);
        return points;
    }

private Q_SLOTS:
    void initTestCase() {
        m_workspace =
            Workspace::open(m_folder.filePath("w.orrery").toStdString(), Workspace::Mode::Create);
        QCOMPARE(solve(2, 7), std::string("r00001"));
        QCOMPARE(solve(5, 8), std::string("r00002"));
    }

    void parametersAndResultsAreThoseOfTheRun() {
        const auto run = *m_workspace->reader().run("r00001");
        const RunFacts facts = readRunFacts(m_workspace->folder(), run);
        QCOMPARE(facts.worldName, std::string("small"));
        QCOMPARE(facts.find("beta_r")->number, std::optional(2.0));
        QCOMPARE(facts.find("seed")->text, std::string("7"));
        QCOMPARE(facts.find("storage")->text, std::string("double"));
        QVERIFY(facts.find("world") == nullptr);
        const auto solved = reopenSolution(*m_workspace, "r00001");
        const StateValues root = solved->solution->values(State{});
        QCOMPARE(facts.find("v_r")->number, std::optional(root.v_r));
        QCOMPARE(facts.find("x_h")->number, std::optional(root.x_h[0]));
        QCOMPARE(facts.find("states")->number,
                 std::optional(static_cast<double>(solved->graph->counts().states)));
    }

    void resultsAloneAreThoseOfTheFacts() {
        const auto run = *m_workspace->reader().run("r00001");
        const RunFacts all = readRunFacts(m_workspace->folder(), run);
        const RunFacts results = readRunResults(m_workspace->folder(), run);
        QVERIFY(results.parameters.empty());
        QCOMPARE(results.job, all.job);
        QVERIFY(!all.results.empty());
        QVERIFY(std::ranges::equal(results.results, all.results,
                                   [](const RunFact& a, const RunFact& b) {
                                       return a.key == b.key && a.number == b.number;
                                   }));
        QVERIFY(results.workSeconds() && results.workSeconds() == all.workSeconds());
    }

    void aRunWithoutFilesHasNoResults() {
        RunRecord run;
        run.id = "r00099";
        run.configJson = "no json";
        const RunFacts facts = readRunFacts(m_workspace->folder(), run);
        QVERIFY(facts.results.empty());
        QCOMPARE(facts.parameters.size(), std::size_t(1));  // the seed
    }

    void aRunWithoutAResultHasTheNameOfItsWorld() {
        RunRecord run;
        run.id = "r00098";
        const auto nameFor = [&](const std::string& world) {
            RunSpec spec;
            spec.job.as<SolveJob>().world.name = world;
            run.kind = spec.job.kind().name;
            run.configJson = toJson(spec);
            return readRunFacts(m_workspace->folder(), run).worldName;
        };
        QCOMPARE(nameFor("builtin:slippery_bridge"), std::string("Slippery bridge"));
        QCOMPARE(nameFor("/home/me/my worlds/hedge_maze.yaml"), std::string("Hedge maze"));
    }

    void aRunThatFailedHasTheNameThatItsWorldGivesItself() {
        const auto failed = [&](const std::string& world) {
            RunRecord run;
            run.id = "r00097";
            RunSpec spec = smallSolve();
            run.kind = spec.job.kind().name;
            run.configJson = toJson(spec);
            const auto folder = m_workspace->folder() / "runs" / run.id;
            std::filesystem::create_directories(folder);
            atomicWrite(folder / "world.yaml", world);
            std::string name = readRunFacts(m_workspace->folder(), run).worldName;
            std::filesystem::remove_all(folder);
            return name;
        };
        QCOMPARE(failed("metadata: {name: Walled in}\nmap: |\n  We We\n"),
                 std::string("Small"));  // no world: it has nobody
        std::string world = smallWorld(3);
        world.replace(world.find("small"), 5, "Walled in");
        QCOMPARE(failed(world), std::string("Walled in"));
    }

    void theJobOfEveryRunIsItsFirstParameter() {
        const auto run = *m_workspace->reader().run("r00001");
        const RunFacts facts = readRunFacts(m_workspace->folder(), run);
        QCOMPARE(facts.parameters[0].key, std::string("job"));
        QCOMPARE(facts.parameters[0].text, std::string("solve"));
    }

    void importedCurvesHaveNoParametersOfASolver() {
        const std::string id = storeImport(
            *m_workspace, {.name = "loss", .source = "loss.csv", .points = {{"loss", 1, 0.5}}});
        const RunFacts facts = readRunFacts(m_workspace->folder(), *m_workspace->reader().run(id));
        QCOMPARE(facts.job, std::string("import"));
        QCOMPARE(facts.worldName, std::string("Imported"));
        QCOMPARE(facts.parameters.size(), std::size_t(2));
        QCOMPARE(facts.parameters[0].key, std::string("job"));
        QCOMPARE(facts.parameters[1].text, std::string("loss.csv"));
        m_workspace->writer().editRuns(std::array{RunEdit{.run = id, .isTrashed = true}});
        m_workspace->writer().deleteRows(std::array{id});
    }

    void readingCurvesTellsHowFarItIsAndCanBeStopped() {
        constexpr std::int64_t kPoints = 3000;
        const std::filesystem::path folder = m_folder.filePath("logs").toStdString();
        const std::filesystem::path table = m_folder.filePath("loss.csv").toStdString();
        const std::filesystem::path events = folder / tensorBoardFileName(1, "test");
        std::filesystem::create_directory(folder);
        std::string rows = "step,loss\n";
        for (std::int64_t i = 0; i < kPoints; ++i) rows += std::to_string(i) + ",0.5\n";
        atomicWrite(table, rows);
        atomicWrite(events, [](FileWriter& out) {
            TensorBoardWriter writer(out, 1);
            for (std::int64_t i = 0; i < kPoints; ++i) writer.scalar("loss", i, 1, 0.5);
        });
        for (const std::filesystem::path& path : {table, events, folder}) {
            std::vector<Progress> told;
            const auto keep = [&](const Progress& now) { told.push_back(now); };
            QCOMPARE(numPoints(readImport(path, {}, keep)), kPoints);
            QVERIFY(!told.empty());
            for (std::size_t i = 0; i < told.size(); ++i) {
                QCOMPARE(told[i].unit, std::string(path == table ? "rows" : "bytes"));
                QVERIFY(i == 0 || told[i].done >= told[i - 1].done);
                if (path != table)
                    QCOMPARE(told[i].total,
                             static_cast<std::int64_t>(std::filesystem::file_size(events)));
            }
            if (path == events) QCOMPARE(told.back().done, told.back().total);

            std::stop_source before;
            before.request_stop();
            QCOMPARE(numPoints(readImport(path, before.get_token())), std::int64_t{0});
            std::stop_source during;
            const auto stopAtOnce = [&](const Progress&) { during.request_stop(); };
            QVERIFY(numPoints(readImport(path, during.get_token(), stopAtOnce)) < kPoints);
        }
    }

    void rowsTellWhatDiffersAndWhatLeavesValuesAlone() {
        const auto runs = m_workspace->reader().listRuns({.newestFirst = false});
        std::vector<RunFacts> facts;
        facts.reserve(runs.size());
        for (const RunRecord& run : runs) facts.push_back(readRunFacts(m_workspace->folder(), run));
        std::vector<std::string> differing;
        for (const ConfigRow& row : configRows(runs, facts)) {
            QCOMPARE(row.values.size(), std::size_t(2));
            if (row.differs) differing.push_back(row.field);
            QCOMPARE(row.isIgnorable, !changesValues(row.field));
        }
        QCOMPARE(differing, (std::vector<std::string>{"beta_r", "seed"}));
        QVERIFY(changesValues("beta_r"));
        QVERIFY(!changesValues("threads"));
    }

    void theLargestDifferencesAreThoseOfAFullSearch() {
        const auto a = reopenSolution(*m_workspace, "r00001")->solution;
        const auto b = reopenSolution(*m_workspace, "r00002")->solution;
        for (const ValueOf& quantity : {ValueOf{ValueKind::V_r}, ValueOf{ValueKind::V_h_e, 0, 0},
                                        ValueOf{ValueKind::X_h, 0}}) {
            const auto found = largestDifferences(*a, *b, quantity, 5);
            std::vector<double> all;
            const StateGraph& graph = a->graph();
            for (int step = 0; step < graph.numLevels(); ++step)
                for (std::int64_t k = 0; k < graph.levelSize(step); ++k) {
                    const State state{step, graph.levelMember(step, k)};
                    all.push_back(
                        std::abs(*valueOf(*a, state, quantity) - *valueOf(*b, state, quantity)));
                }
            std::ranges::sort(all, std::ranges::greater{});
            QCOMPARE(found->states, static_cast<std::int64_t>(all.size()));
            QCOMPARE(found->rows.size(), std::size_t(5));
            for (std::size_t i = 0; i < 5; ++i)
                QCOMPARE(std::abs(found->rows[i].difference()), all[i]);
        }
        QCOMPARE(largestDifferences(*a, *a, {}, 5)->unequal, std::int64_t(0));
    }
};

ORRERY_TEST(RunFactsTest)
#include "run_facts_test.moc"
