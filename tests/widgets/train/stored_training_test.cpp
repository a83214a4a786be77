#include "widgets/train/stored_training.h"

#include <QTemporaryDir>
#include <QTest>

#include "core/history/workspace.h"
#include "core/run/archive/run_reach.h"
#include "core/run/jobs/train_job.h"
#include "core/train/checkpoint_clock.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// What the events of a stored training say of its marks.
class StoredTrainingTest : public QObject {
    Q_OBJECT

private:
    static EventRow event(const char* code, std::string text, std::int64_t step) {
        return {.code = code, .text = std::move(text), .step = step};
    }
    static EventRow skipped(int step) {
        return event("nan", "Training step " + std::to_string(step) + " was skipped: NaN", step);
    }
    static EventRow saved(int step) {
        return event("train.saved", "checkpoint of step " + std::to_string(step), step);
    }
    static QStringList texts(const std::vector<ChartEvent>& marks) {
        QStringList texts;
        for (const ChartEvent& mark : marks)
            texts << QStringLiteral("%1 %2: %3").arg(mark.x).arg(nameOf(mark.kind), mark.text);
        return texts;
    }

private Q_SLOTS:
    void skippedStepsAndRemovedCheckpointsAreMarked() {
        const std::vector<EventRow> events{saved(100), skipped(141), saved(200)};
        const std::vector<CheckpointRow> kept{{.generation = 2, .step = 200}};
        QCOMPARE(texts(marksIn(events, kept)),
                 QStringList({"141 nan: Training step 141 was skipped: NaN",
                              "100 checkpoint: checkpoint, removed since",
                              "200 checkpoint: checkpoint"}));
    }

    void whatAResumedRunDidBehindItsCheckpointIsVoid() {
        const std::vector<EventRow> events{
            skipped(41),
            saved(100),
            skipped(141),
            saved(200),
            event("train.resumed", "goes on from the checkpoint of step 100", 100),
            skipped(150)};
        const std::vector<CheckpointRow> kept{{.generation = 1, .step = 100}};
        QCOMPARE(texts(marksIn(events, kept)),
                 QStringList({"41 nan: Training step 41 was skipped: NaN",
                              "150 nan: Training step 150 was skipped: NaN",
                              "100 checkpoint: checkpoint"}));
    }

    void aRunThatBeginsAgainHasNoOlderMarks() {
        const std::vector<EventRow> events{
            skipped(41),
            event("train.resumed", "has no good checkpoint and begins at the start", 0)};
        QVERIFY(marksIn(events, {}).empty());
    }

    void theIntervalInForceIsTheOneToldLast() {
        const TrainCadence cadence;
        std::vector<EventRow> events{saved(100)};
        QCOMPARE(checkpointSecondsOf(cadence, events), 60.0);
        const auto longer = longerIntervalMessage(120, 2.3);
        events.push_back({.code = longer.code, .text = longer.text, .data = longer.data});
        QCOMPARE(checkpointSecondsOf(cadence, events), 120.0);
        events.push_back(event("train.resumed", "goes on from the checkpoint of step 100", 100));
        QCOMPARE(checkpointSecondsOf(cadence, events), 60.0);
    }

    void aRunThatBeganAnewIsWhereItCameThen() {
        const QTemporaryDir folder;
        const auto workspace =
            Workspace::open(folder.filePath("reach.orrery").toStdString(), Workspace::Mode::Create);
        DbWriter& writer = workspace->writer();
        RunSpec spec;
        spec.job = trainingIn({"builtin:first_steps"});
        const std::string id =
            writer.createRun({.name = "anew", .kind = "train", .configJson = toJson(spec, -1)});
        const auto point = [&](std::int64_t step) {
            const char* const key = "Rates/training_steps_per_second";
            QVERIFY(writer.record(
                id, {.body = RunEvent::Metric{.step = step, .key = key, .value = 1000}}));
        };
        point(69'500);
        writer.supersedeMetrics(id, -1);
        point(35'000);
        QVERIFY(writer.addCheckpoint(id, {.generation = 1, .step = 12'103}));
        QVERIFY(writer.flush());

        const RunReach reach = reachOf(workspace->reader(), id);  // what Home says
        const ArchivedTraining stored = readArchivedTraining(*workspace, id, {});
        QCOMPARE(reach.step, std::int64_t{35'000});
        QCOMPARE(stored.snapshot->progress.done, reach.step);
        QCOMPARE(std::get<TrainSnapshot>(stored.snapshot->job).checkpoints.back().step,
                 *reach.checkpoint);
        QCOMPARE(stored.curves.size(), std::size_t{1});
    }

    void whatDivergedBeforeItsFirstPointSaysHowFarItCameAndWhy() {
        const QTemporaryDir folder;
        const auto workspace =
            Workspace::open(folder.filePath("nan.orrery").toStdString(), Workspace::Mode::Create);
        DbWriter& writer = workspace->writer();
        RunSpec spec;
        spec.job = trainingIn({"builtin:first_steps"});
        const std::string id =
            writer.createRun({.name = "nan", .kind = "train", .configJson = toJson(spec, -1)});
        for (const std::int64_t step : {18, 19})
            QVERIFY(writer.record(id, {.body = RunEvent::Message{.level = MessageLevel::Warning,
                                                                 .code = "nan",
                                                                 .text = "skipped: NaN",
                                                                 .step = step}}));
        const RunState queued = RunState::Queued;
        QVERIFY(writer.changeState(id, std::span(&queued, 1), RunState::Diverged));
        const std::string end = "19 training steps, then diverged";
        QVERIFY(writer.record(id, {.body = RunEvent::Message{.text = end}}));
        QVERIFY(writer.flush());
        const ArchivedTraining stored = readArchivedTraining(*workspace, id, {});
        QCOMPARE(stored.snapshot->progress.done, std::int64_t{19});
        QCOMPARE(stored.snapshot->trouble, end);
    }

    void aCurveIsCutBehindAStep() {
        TrainCurve curve{.step = {10, 20, 30}, .value = {1, 2, 3}};
        cutAfter(curve, 20);
        QCOMPARE(curve.step, std::vector<double>({10, 20}));
        QCOMPARE(curve.value, std::vector<double>({1, 2}));
    }
};

ORRERY_TEST(StoredTrainingTest)
#include "stored_training_test.moc"
