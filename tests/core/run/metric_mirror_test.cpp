#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <thread>

#include "core/base/fault.h"
#include "core/files/tensorboard.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/jobs/import_metrics.h"
#include "core/run/jobs/train_job.h"
#include "core/run/metric_mirror.h"
#include "core/run/run.h"
#include "meet_run.h"
#include "small_training.h"
#include "tests/support/fake_learner.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"
#include "train_runs.h"

using namespace orrery;
using namespace std::chrono_literals;
using orrery::test::openIn;
using orrery::test::waitUntil;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> filesBelow(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error))
        if (it->is_regular_file()) files.push_back(it->path());
    std::ranges::sort(files);
    return files;
}

/// What stands in the one event file; empty while there is none or no version in it.
std::vector<TensorBoardValue> valuesBelow(const fs::path& folder) {
    const std::vector<fs::path> files = filesBelow(folder);
    if (files.size() != 1 || fs::file_size(files[0]) < 40) return {};
    return readTensorBoardFile(files[0]).values;
}

MetricMirror::Options quick(const fs::path& folder) {
    return {.folder = folder,
            .runName = "two rooms",
            .runId = "r00007",
            .pause = 5ms,
            .retryPause = 5ms};
}

using Curve = std::map<std::int64_t, float>;  ///< by step

std::map<std::string, Curve> curvesOf(const Workspace& workspace, const std::string& run) {
    std::map<std::string, Curve> curves;
    for (const std::string& key : workspace.reader().metricKeys(run))
        if (!key.starts_with("superseded"))
            for (const MetricRow& row : workspace.reader().metrics(run, key))
                curves[key][row.step] = static_cast<float>(row.value);
    return curves;
}

std::map<std::string, Curve> curvesOf(const ImportedRun& run) {
    std::map<std::string, Curve> curves;
    for (const ImportedPoint& point : run.points)
        curves[point.key][point.step] = static_cast<float>(point.value);
    return curves;
}

}  // namespace

class MetricMirrorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_learner.emplace(); }
    void cleanup() {
        setFaults("");
        m_learner.reset();
    }

    void pointsCanBeReadWhileTheRunGoesOn() {
        const QTemporaryDir folder;
        const fs::path logs = folder.filePath("logs/below").toStdString();
        MetricMirror mirror(quick(logs));
        for (int i = 1; i <= 3; ++i) {
            mirror.point(std::int64_t{10} * i, "Loss/q_r", 0.5 * i);
            QVERIFY(
                waitUntil([&] { return valuesBelow(logs).size() == static_cast<std::size_t>(i); }));
        }
        const fs::path file = filesBelow(logs)[0];
        QCOMPARE(file.parent_path(), logs / "two rooms - r00007");
        QVERIFY(file.filename().string().starts_with("events.out.tfevents."));
        const auto values = valuesBelow(logs);
        QCOMPARE(values[2].tag, std::string("Loss/q_r"));
        QCOMPARE(values[2].step, std::int64_t{30});
        QCOMPARE(values[2].value, 1.5F);
        QVERIFY(values[0].wallTime > 1.7e9 && values[0].wallTime <= values[2].wallTime);
        mirror.close();
        QVERIFY(mirror.takeMessages().empty());
        mirror.point(40, "Loss/q_r", 1);  // too late, and no trouble
        QCOMPARE(valuesBelow(logs).size(), std::size_t{3});
    }

    void whoIsKilledLeavesAFileThatCanBeRead() {
        for (const int milliseconds : {30, 37, 51}) {
            const QTemporaryDir folder;
            const fs::path logs = folder.filePath("logs").toStdString();
            const pid_t child = ::fork();
            if (child == 0) {
                MetricMirror::Options options = quick(logs);
                options.pause = 1ms;
                MetricMirror mirror(options);
                for (std::int64_t i = 0;; ++i) {
                    mirror.point(i, "Loss/v_h_e", static_cast<double>(i));
                    // Must wait for time: this is the pace of a run, which waits for no disk.
                    if (i % 100 == 99) std::this_thread::sleep_for(1ms);
                }
            }
            QVERIFY(waitUntil([&] { return valuesBelow(logs).size() > 100; }));
            // Must wait for time: the kill comes at any instant.
            std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
            ::kill(child, SIGKILL);
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            QVERIFY(WIFSIGNALED(status));
            const auto values = valuesBelow(logs);
            QVERIFY(values.size() > 100);
            for (std::size_t i = 0; i < values.size(); ++i)
                QCOMPARE(values[i].step, static_cast<std::int64_t>(i));
        }
    }

    void aFullDiskIsToldOnceAndPointsWait() {
        const QTemporaryDir folder;
        const fs::path logs = folder.filePath("logs").toStdString();
        MetricMirror mirror(quick(logs));
        mirror.point(1, "a", 1);
        QVERIFY(waitUntil([&] { return valuesBelow(logs).size() == 1; }));
        setFaults("mirror.write:enospc@1+");
        mirror.point(2, "a", 2);
        QVERIFY(waitUntil([&] { return faultHits() > 5; }));
        const std::vector<std::string> told = mirror.takeMessages();
        QCOMPARE(told.size(), std::size_t{1});
        QVERIFY2(told[0].find("ENOSPC") != std::string::npos &&
                     told[0].find("the run goes on") != std::string::npos &&
                     told[0].find('\n') == std::string::npos,
                 told[0].c_str());
        QVERIFY(mirror.takeMessages().empty());
        setFaults("");
        QVERIFY(waitUntil([&] { return valuesBelow(logs).size() == 2; }));
    }

    void aRecordThatWasHalfWrittenIsTakenBack() {
        const QTemporaryDir folder;
        const fs::path logs = folder.filePath("logs").toStdString();
        MetricMirror mirror(quick(logs));
        mirror.point(1, "a", 1);
        QVERIFY(waitUntil([&] { return valuesBelow(logs).size() == 1; }));
        const auto whole = fs::file_size(filesBelow(logs)[0]);
        // Half of the record goes out, then the disk is full for the rest, again and again.
        setFaults("file.write:short@1,file.write:enospc@2+");
        mirror.point(2, "a", 2);
        QVERIFY(waitUntil([&] { return !mirror.takeMessages().empty(); }));
        QCOMPARE(fs::file_size(filesBelow(logs)[0]), whole);
        setFaults("");
        QVERIFY(waitUntil([&] { return valuesBelow(logs).size() == 2; }));
        QVERIFY(readTensorBoardFile(filesBelow(logs)[0]).isWhole);
    }

    void aSlowDiskHoldsTheEndUpForAWhileOnly() {
        const QTemporaryDir folder;
        MetricMirror::Options options = quick(folder.filePath("logs").toStdString());
        options.pause = 10s;
        options.endPatience = 100ms;
        MetricMirror mirror(options);
        setFaults("mirror.write:delay=1000@1+");  // of each 256 KiB
        for (int i = 0; i < 100'000; ++i) mirror.point(i, "Loss/v_h_e", 1);
        const auto begin = std::chrono::steady_clock::now();
        mirror.close();
        // Two of them at most, where all would take 20 s.
        QVERIFY(std::chrono::steady_clock::now() - begin < 15s);
        const std::vector<std::string> told = mirror.takeMessages();
        QCOMPARE(told.size(), std::size_t{2});
        QVERIFY2(told[1].find("last points are missing") != std::string::npos, told[1].c_str());
    }

    void theConfigStandsAtTheBeginningOnce() {
        const QTemporaryDir folder;
        const fs::path logs = folder.filePath("logs").toStdString();
        RunSpec spec = smallTraining(10);
        trainingOf(spec).tensorBoardFolder = logs.string();
        QCOMPARE(Run::start(spec)->wait().state, RunState::Finished);
        const auto values = valuesBelow(logs);
        const auto isConfig = [](const TensorBoardValue& value) { return value.isText; };
        QCOMPARE(std::ranges::count_if(values, isConfig), 1);
        QVERIFY(values[0].isText && values[0].tag == "config");
        QVERIFY(values[0].text.find("\"num_training_steps\": 10") != std::string::npos);
    }

    void aFolderThatCannotBeMadeDoesNotStopTheRun() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const fs::path inTheWay = folder.filePath("file").toStdString();
        std::ofstream(inTheWay) << "no folder";
        RunSpec spec = smallTraining(50);
        trainingOf(spec).tensorBoardFolder = (inTheWay / "logs").string();
        const auto run = Run::start(spec, {.workspace = workspace.get()});
        QCOMPARE(run->wait().state, RunState::Finished);
        std::vector<std::string> told;
        for (const EventRow& event : workspace->reader().events(run->id()))
            if (event.code == "tensorboard") told.push_back(event.text);
        QCOMPARE(told.size(), std::size_t{2});  // what is wrong, and that points are missing
        QVERIFY2(told[0].find(inTheWay.string()) != std::string::npos, told[0].c_str());
        QCOMPARE(workspace->reader().metrics(run->id(), "Loss/q_r").size(), std::size_t{50});
    }

    void aTrainingIsMirroredWhole() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const fs::path logs = folder.filePath("logs").toStdString();
        RunSpec spec = smallTraining(300);
        trainingOf(spec).tensorBoardFolder = logs.string();
        const auto run = Run::start(spec, {.workspace = workspace.get()});
        QCOMPARE(run->wait().state, RunState::Finished);
        QVERIFY(fs::is_directory(logs / ("small training - " + run->id())));
        const auto imported = readImport(logs);
        QCOMPARE(imported.size(), std::size_t{1});
        QVERIFY(imported[0].isWhole);
        const auto curves = curvesOf(imported[0]);
        QCOMPARE(curves.at("Loss/q_r").size(), std::size_t{300});
        QVERIFY(curves == curvesOf(*workspace, run->id()));

        // Another run has a folder of its own.
        Run::start(spec, {.workspace = workspace.get()})->wait();
        QCOMPARE(readImport(logs).size(), std::size_t{2});
    }

    void aResumedRunTakesBackWhatIsBehindItsCheckpoint() {
        const QTemporaryDir folder;
        const auto workspace = openIn(folder);
        const fs::path logs = folder.filePath("logs").toStdString();
        RunSpec spec = smallTraining(400);
        TrainJob& job = trainingOf(spec);
        job.tensorBoardFolder = logs.string();
        job.empo.goalsPerHuman = 500;  // microseconds a step
        job.cadence.checkpointSteps = 100;
        const auto run = startAndMeet(spec, {.workspace = workspace.get()}, hasTrained(151),
                                      [](Run& met) { met.cancel("test"); });
        QCOMPARE(run->wait().state, RunState::Stopped);
        const std::string id = run->id();
        // As after a kill: the checkpoint that the stop made is gone.
        for (const CheckpointRow& row : workspace->reader().checkpoints(id))
            if (row.step > 100)
                fs::remove_all(workspace->runFolder(id) / ("step_" + std::to_string(row.step)));
        workspace->writer().editRuns(std::array{RunEdit{.run = id, .name = "another name"}});

        const auto resumed =
            Run::start(storedSpec(*workspace, id), {.workspace = workspace.get(), .resumedId = id});
        QCOMPARE(resumed->wait().state, RunState::Finished);
        const std::vector<fs::path> files = filesBelow(logs);
        QCOMPARE(files.size(), std::size_t{2});
        QCOMPARE(files[0].parent_path(), files[1].parent_path());
        const TensorBoardFile before = readTensorBoardFile(files[0]);
        const TensorBoardFile after = readTensorBoardFile(files[1]);
        QVERIFY(before.restarts.empty() && before.values.back().step > 140);
        QCOMPARE(after.restarts.size(), std::size_t{1});
        QCOMPARE(after.restarts[0].step, std::int64_t{101});
        QCOMPARE(after.restarts[0].before, std::size_t{0});
        QCOMPARE(after.values.front().step, std::int64_t{101});
        const auto imported = readImport(logs);
        std::size_t points = 0;
        for (const ImportedPoint& point : imported[0].points) points += point.key == "Loss/q_r";
        QCOMPARE(points, std::size_t{400});  // each step once
        QVERIFY(curvesOf(imported[0]) == curvesOf(*workspace, id));
    }

private:
    std::optional<FakeLearner> m_learner;
};

ORRERY_TEST(MetricMirrorTest)
#include "metric_mirror_test.moc"
