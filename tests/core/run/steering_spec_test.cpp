#include <QTest>
#include <string>
#include <vector>

#include "core/history/records.h"
#include "core/run/jobs/train_job.h"
#include "core/run/run_spec.h"
#include "core/run/steering.h"
#include "small_training.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// The event of a change as history gives it back.
EventRow rowOf(const AppliedChange& change) {
    event::Message message = steeringMessage(change);
    return {.code = message.code, .text = message.text, .step = message.step, .data = message.data};
}

}  // namespace

/// Changes of a training while it runs: their texts, what they do to its spec, their events.
class SteeringSpecTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void changesAreTextsThatReadBack() {
        const TrainChange change{
            .step = 2000, .key = "lr_q_r", .value = "0.0005", .source = "spec"};
        QCOMPARE(changeText(change), std::string("2000 lr_q_r=0.0005"));
        QVERIFY(changeOf("2000 lr_q_r=0.0005") == change);
        for (const char* wrong : {"", "5", "lr=1", "x lr=1", "-5 lr=1", "5 =1", "5 lr"})
            QVERIFY2(!changeOf(wrong), wrong);
    }

    void changesThatAreNotSafeAreRefusedWithAdvice_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("reason");  // empty: accepted
        QTest::newRow("rate") << "lr_q_r"
                              << "1e-3"
                              << "";
        QTest::newRow("power") << "beta_r"
                               << "8"
                               << "";
        QTest::newRow("throttle") << "max_env_steps_per_training_step"
                                  << "none"
                                  << "";
        QTest::newRow("actor") << "actor.0"
                               << "paused"
                               << "";
        QTest::newRow("condition") << "stop_plateau"
                                   << "500"
                                   << "";
        QTest::newRow("no condition") << "stop_step"
                                      << "none"
                                      << "";
        QTest::newRow("metric alone") << "stop_metric"
                                      << "Loss/q_r"
                                      << "";
        QTest::newRow("condition's range") << "stop_plateau"
                                           << "0"
                                           << "stop_plateau must be";
        QTest::newRow("condition's name") << "stop_plateaux"
                                          << "5"
                                          << "did you mean 'stop_plateau'?";
        QTest::newRow("structure") << "hidden_dim"
                                   << "64"
                                   << "fork the run with hidden_dim=VALUE";
        QTest::newRow("range") << "lr_q_r"
                               << "-1"
                               << "lr_q_r must be > 0, got '-1'";
        QTest::newRow("kind") << "batch_size"
                              << "many"
                              << "batch_size must be a whole number";
        QTest::newRow("whole spec") << "batch_size"
                                    << "5000"
                                    << "buffer_size must be at least a batch (5000)";
        QTest::newRow("typing error") << "lr_qr"
                                      << "1"
                                      << "did you mean 'lr_q_r'?";
        QTest::newRow("no such actor") << "actor.1"
                                       << "paused"
                                       << "the run's 1 actors";
        QTest::newRow("actor's word") << "actor.0"
                                      << "off"
                                      << "must be paused or running";
    }
    void changesThatAreNotSafeAreRefusedWithAdvice() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, reason);
        RunSpec spec = smallTraining();
        const auto problem = changeProblem(spec, key.toStdString(), value.toStdString());
        QCOMPARE(problem.has_value(), !reason.isEmpty());
        if (problem) QVERIFY2(QString::fromStdString(*problem).contains(reason), problem->c_str());
    }

    void conditionsAreCarriedOutInTheSpec() {
        RunSpec spec = smallTraining();
        TrainJob& job = trainingOf(spec);
        QCOMPARE(presentValue(spec, "stop_at_most"), std::string("none"));
        applyChange(spec, {.key = "stop_metric", .value = "Loss/q_r"});
        applyChange(spec, {.key = "stop_at_most",
                           .value = normalValue(spec.job.kind(), "stop_at_most", "5e-2")});
        applyChange(spec, {.key = "stop_step", .value = "900"});
        QVERIFY((job.stop == StopConditions{.step = 900, .metric = "Loss/q_r", .atMost = 0.05}));
        QCOMPARE(presentValue(spec, "stop_at_most"), std::string("0.05"));
        applyChange(spec, {.key = "stop_at_most", .value = "none"});
        QVERIFY(validate(spec).empty());  // a metric without a condition does no harm
    }

    void aChangesEventReadsBack() {
        const AppliedChange applied{
            .change = {.step = 12, .key = "lr_q_r", .value = "0.0005", .source = "window (main)"},
            .oldValue = "0.001"};
        QCOMPARE(steeringMessage(applied).text,
                 std::string("step 12: lr_q_r 0.001 -> 0.0005 (window (main))"));
        QVERIFY(steeringOf(rowOf(applied)) == applied);
        const AppliedChange refused{
            .change = {.step = 0, .key = "lr_q_r", .value = "-1", .source = "x"},
            .problem = "lr_q_r must be > 0 (or so)"};
        QVERIFY(steeringOf(rowOf(refused)) == refused);
        AppliedChange undone = applied;
        undone.change.isUndo = true;
        undone.change.isReplay = true;
        QCOMPARE(steeringMessage(undone).code, std::string(kSteerReplayedCode));
        QVERIFY(steeringOf(rowOf(undone)) == undone);
        EventRow other = rowOf(applied);
        other.code = "state";
        QVERIFY(!steeringOf(other));
        EventRow bare = rowOf(applied);
        bare.data.clear();
        QVERIFY(!steeringOf(bare));
        // Another program may write anything.
        EventRow odd = rowOf(applied);
        odd.data = R"({"key": 7, "value": "2", "undo": "yes", "source": null})";
        QCOMPARE(steeringOf(odd)->change.value, std::string("2"));
        QVERIFY(steeringOf(odd)->change.key.empty() && !steeringOf(odd)->change.isUndo);
    }

    void undoTakesBackOneAfterTheOther() {
        std::vector<EventRow> events;
        const auto happened = [&](const char* key, const char* from, const char* to, bool isUndo) {
            events.push_back(rowOf(
                {.change = {.step = 1, .key = key, .value = to, .source = "a", .isUndo = isUndo},
                 .oldValue = from}));
        };
        QVERIFY(!lastUndoable(events));
        happened("lr_q_r", "1.0", "2.0", false);
        happened("beta_r", "5.0", "6.0", false);
        QCOMPARE(lastUndoable(events)->change.key, std::string("beta_r"));
        happened("beta_r", "6.0", "5.0", true);
        QCOMPARE(lastUndoable(events)->change.key, std::string("lr_q_r"));
        QCOMPARE(lastUndoable(events)->oldValue, std::string("1.0"));
        happened("lr_q_r", "2.0", "1.0", true);
        QVERIFY(!lastUndoable(events));
    }
};

ORRERY_TEST(SteeringSpecTest)
#include "steering_spec_test.moc"
