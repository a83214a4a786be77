#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <fstream>
#include <map>

#include "core/base/fault.h"
#include "core/base/file_descriptor.h"
#include "core/run/archive/compare_runs.h"
#include "core/run/archive/reopen.h"
#include "core/run/archive/verify_run.h"
#include "core/run/jobs/kept_graphs.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run.h"
#include "error_of.h"
#include "reaches.h"
#include "small_world.h"
#include "tests/support/test_program.h"
#include "train_runs.h"

using namespace orrery;
using namespace std::chrono_literals;
using orrery::test::openIn;

namespace {

/// Solves in the workspace and returns the id of the run.
std::string solved(Workspace& workspace, const RunSpec& spec) {
    const auto run = Run::start(spec, {.workspace = &workspace});
    const RunOutcome outcome = run->wait();
    if (outcome.state != RunState::Finished) qWarning("%s", outcome.text.c_str());
    return run->id();
}

std::map<std::string, ArtefactRow> artefactsOf(const Workspace& workspace, const std::string& id) {
    std::map<std::string, ArtefactRow> rows;
    for (const ArtefactRow& row : workspace.reader().artefacts(id)) rows[row.kind] = row;
    return rows;
}

void overwriteByte(const std::filesystem::path& file, std::streamoff offset) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(offset);
    const char old = static_cast<char>(stream.get());
    stream.seekp(offset);
    stream.put(static_cast<char>(old ^ 0x40));
}

}  // namespace

class StoredRunTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { setFaults(""); }

    void aRunLeavesSpecEventsMetricsAndFiles() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        RunSpec spec = smallSolve();
        spec.seed = 11;
        spec.note = "first";
        const std::string id = solved(*workspace, spec);
        const RunRecord record = workspace->reader().findRun(id);
        QCOMPARE(record.state, std::optional(RunState::Finished));
        QCOMPARE(record.name, std::string("small"));
        QCOMPARE(record.note, std::string("first"));
        QCOMPARE(record.seed, std::uint64_t{11});
        QCOMPARE(record.worldHash.size(), std::size_t{64});
        QVERIFY(!record.codeVersion.empty() && !record.endedUtc.empty());

        spec.job = SolveJob{.world = {.name = "small.yaml"}};
        spec.job.as<SolveJob>().solve.threads = 1;
        spec.job.as<SolveJob>().solve.seed = 11;
        QVERIFY(runSpecFromJson(record.configJson, "stored") == spec);

        const auto reader = workspace->reader();
        QCOMPARE(reader.metrics(id, "solve/states").size(), std::size_t{9});
        QCOMPARE(reader.metrics(id, "explore/states").front().value, 1.0);
        const auto files = artefactsOf(*workspace, id);
        for (const char* kind : {"spec", "world", "values", "levels", "result", "manifest"}) {
            QVERIFY2(files.contains(kind), kind);
            QCOMPARE(std::filesystem::file_size(workspace->folder() / files.at(kind).file),
                     files.at(kind).bytes);
        }
        QCOMPARE(readFile(workspace->runFolder(id) / "world.yaml", 10'000), smallWorld(8));
        QVERIFY(verifyRun(*workspace, id).empty());
        QVERIFY(verifyWorkspace(workspace->folder()).findings.empty());
    }

    void aReopenedRunHasTheSameValues() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const auto run = Run::start(smallSolve(), {.workspace = workspace.get()});
        run->wait();
        const auto solved = std::get<SolveSnapshot>(run->snapshot()->job).solution;
        for (const bool keepsGraph : {true, false}) {
            if (!keepsGraph) QCOMPARE(trimGraphs(workspace->folder(), 0), 1);
            const auto reopened = reopenSolution(*workspace, "1");
            QVERIFY(reopened.has_value());
            QCOMPARE(reopened->record.id, run->id());
            const auto comparison = compareSolutions(*solved, *reopened->solution);
            QVERIFY(comparison->same());
            QCOMPARE(comparison->v_r->compared, solved->graph().counts().states);
            QVERIFY(comparison->v_r->compared > 50);
            QCOMPARE(comparison->v_h_e->compared, 3 * solved->graph().counts().states);
        }
    }

    void aStopEndsTheOpeningOfGraphAndValues() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        solved(*workspace, smallSolve());
        for (const int filesBefore : {0, 1}) {
            std::stop_source source;
            int filesBegun = 0;
            std::int64_t done = 0;
            const auto reopened =
                reopenSolution(*workspace, "1", source.get_token(), [&](const Progress& progress) {
                    QCOMPARE(progress.phase, std::string("open"));
                    if (filesBegun == 0 || progress.done <= done) ++filesBegun;
                    done = progress.done;
                    if (filesBegun > filesBefore) source.request_stop();
                });
            QCOMPARE(filesBegun, filesBefore + 1);
            QVERIFY(!reopened.has_value());
        }
    }

    void theSecondSolveOfAWorldOpensItsGraph_data() {
        QTest::addColumn<bool>("unrolled");
        QTest::newRow("folded") << false;
        QTest::newRow("unrolled") << true;
    }
    void theSecondSolveOfAWorldOpensItsGraph() {
        QFETCH(bool, unrolled);
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        RunSpec spec = smallSolve();
        spec.job.as<SolveJob>().unrolled = unrolled;
        solved(*workspace, spec);
        spec.job.as<SolveJob>().solve.beta_r = 5;
        const auto run = Run::start(spec, {.workspace = workspace.get()});
        QCOMPARE(run->wait().state, RunState::Finished);
        const SolveSnapshot& snapshot = std::get<SolveSnapshot>(run->snapshot()->job);
        QVERIFY(snapshot.graphWasKept);
        QCOMPARE(snapshot.graph->isFolded(), !unrolled);
    }

    void aDamagedGraphIsExploredAgain() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        solved(*workspace, smallSolve());
        for (const auto& entry :
             std::filesystem::directory_iterator(workspace->folder() / "graphs"))
            overwriteByte(entry.path(),
                          static_cast<std::streamoff>(std::filesystem::file_size(entry) / 2));
        const auto run = Run::start(smallSolve(), {.workspace = workspace.get()});
        QCOMPARE(run->wait().state, RunState::Finished);
        QVERIFY(!std::get<SolveSnapshot>(run->snapshot()->job).graphWasKept);
        const auto comparison = compareRuns(*workspace, "1", "2");
        QVERIFY(comparison->same());
        const auto third = Run::start(smallSolve(), {.workspace = workspace.get()});
        third->wait();
        QVERIFY(std::get<SolveSnapshot>(third->snapshot()->job).graphWasKept);
    }

    void twoRunsAreComparedByFieldAndValue() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        RunSpec spec = smallSolve();
        const std::string a = solved(*workspace, spec);
        spec.job.as<SolveJob>().solve.beta_r = 5;
        spec.name = "other";
        const std::string b = solved(*workspace, spec);
        const auto comparison = compareRuns(*workspace, a, b);
        QCOMPARE(comparison->fields.size(), std::size_t{1});
        QCOMPARE(comparison->fields[0].field, std::string("beta_r"));
        QCOMPARE(comparison->fields[0].a, std::string("10"));
        QCOMPARE(comparison->fields[0].b, std::string("5"));
        QVERIFY(comparison->sameWorld && comparison->whyNoValues.empty());
        QVERIFY(!comparison->same());
        const ValueDifference& v_r = *comparison->v_r;
        QVERIFY(v_r.unequal > 0 && v_r.largest > 0 && v_r.mean > 0 && v_r.mean <= v_r.largest);
        const auto first = reopenSolution(*workspace, a);
        const auto second = reopenSolution(*workspace, b);
        QCOMPARE(first->solution->v_r(v_r.where), v_r.a);
        QCOMPARE(second->solution->v_r(v_r.where), v_r.b);
        QCOMPARE(std::abs(v_r.a - v_r.b), v_r.largest);
    }

    void runsOfDifferentWorldsHaveNoValuesToCompare() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const std::string a = solved(*workspace, smallSolve(3));
        const std::string b = solved(*workspace, smallSolve(4));
        const auto comparison = compareRuns(*workspace, a, b);
        QVERIFY(!comparison->sameWorld && !comparison->v_r);
        QCOMPARE(comparison->whyNoValues, std::string("the worlds differ"));
    }

    void aBrokenWorldIsAFailedRunWithItsText() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        RunSpec spec = smallSolve();
        spec.job.as<SolveJob>().world.text = "mapp: 1\n";
        const auto run = Run::start(spec, {.workspace = workspace.get()});
        const RunOutcome outcome = run->wait();
        QCOMPARE(outcome.state, RunState::Failed);
        const auto reader = workspace->reader();
        QCOMPARE(reader.findRun(run->id()).state, std::optional(RunState::Failed));
        bool isTold = false;
        for (const EventRow& event : reader.events(run->id()))
            isTold = isTold || event.text.find("mapp") != std::string::npos;
        QVERIFY(isTold);
        QVERIFY(verifyWorkspace(workspace->folder()).findings.empty());
    }

    void aStoppedRunKeepsWhatWasDone() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        setFaults("run.level:delay=100@1+");
        const auto run = Run::start(smallSolve(60), {.workspace = workspace.get()});
        QVERIFY(test::reaches(*run, [](const RunSnapshot& now) {
            return !std::get<SolveSnapshot>(now.job).levels.empty();
        }));
        run->pause("test");
        run->cancel("test");
        QCOMPARE(run->wait().state, RunState::Stopped);
        const auto reader = workspace->reader();
        QCOMPARE(reader.findRun(run->id()).state, std::optional(RunState::Stopped));
        const auto files = artefactsOf(*workspace, run->id());
        QVERIFY(files.contains("levels") && files.contains("manifest") &&
                !files.contains("values"));
        QVERIFY(files.at("levels").bytes > 60);
        QVERIFY(!reader.metrics(run->id(), "solve/states").empty());
        bool isStored = false;
        for (const EventRow& event : reader.events(run->id()))
            isStored = isStored || event.code == "command.cancel";
        QVERIFY(isStored);
        QVERIFY(verifyRun(*workspace, run->id()).empty());
        QVERIFY(errorOf([&] {
                    reopenSolution(*workspace, run->id());
                }).contains("kept no values (it is stopped)"));
    }

    void aFullDiskIsWaitedForOrReported() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        for (const auto patience : {60'000ms, 0ms}) {
            setFaults("file.rename:enospc@1");
            const auto run =
                Run::start(smallSolve(), {.workspace = workspace.get(), .diskPatience = patience});
            const RunOutcome outcome = run->wait();
            setFaults("");
            const bool isWaited = patience > 0ms;
            QCOMPARE(outcome.state, isWaited ? RunState::Finished : RunState::Failed);
            QCOMPARE(outcome.exitStatus, isWaited ? 0 : 6);
            bool isBlocked = false;
            for (const EventRow& event : workspace->reader().events(run->id()))
                isBlocked = isBlocked || event.code == "disk.blocked";
            QCOMPARE(isBlocked, isWaited);
        }
        QVERIFY(verifyWorkspace(workspace->folder()).findings.empty());
    }

    void changedFilesAreFound_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"world.yaml", "solution.bin", "levels.csv", "MANIFEST.json"})
            QTest::newRow(file) << file;
    }
    void changedFilesAreFound() {
        QFETCH(QString, file);
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const std::string id = solved(*workspace, smallSolve());
        overwriteByte(workspace->runFolder(id) / file.toStdString(), 30);
        const auto findings = verifyRun(*workspace, id);
        QVERIFY(!findings.empty());
        QCOMPARE(QString::fromStdString(findings[0].where),
                 QString("runs/%1/%2").arg(QString::fromStdString(id), file));
    }

    void laterEditsOfTheWorldFileDoNotMatter() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const std::string file = folder.filePath("w.yaml").toStdString();
        std::ofstream(file) << smallWorld(5);
        RunSpec spec = smallSolve();
        spec.job.as<SolveJob>().world.name = file;
        spec.job.as<SolveJob>().world.text.reset();
        const std::string id = solved(*workspace, spec);
        std::ofstream(file) << smallWorld(9);
        QCOMPARE(reopenSolution(*workspace, id)->world->maxSteps(), 5);
    }

    void twoRunsShareAWorkspace() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const auto first = Run::start(smallSolve(), {.workspace = workspace.get()});
        const auto second = Run::start(smallSolve(), {.workspace = workspace.get()});
        QCOMPARE(first->wait().state, RunState::Finished);
        QCOMPARE(second->wait().state, RunState::Finished);
        QVERIFY(first->id() != second->id());
        QVERIFY(compareRuns(*workspace, first->id(), second->id())->same());
    }
};

ORRERY_TEST(StoredRunTest)
#include "stored_run_test.moc"
