#include <QElapsedTimer>
#include <QTest>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/fault.h"
#include "tests/core/empo/training.h"
#include "tests/core/train/told.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace orrery;
using namespace std::chrono_literals;

using test::contentOf;
using test::hooksInto;
using test::networks;
using test::requestFor;
using test::tables;
using test::Told;
using test::train;

/// Trainings that halt and ask, are changed on the way, or end before their last step.
class HaltedTrainingTest : public QObject {
    Q_OBJECT

    test::Folders m_folder;

private Q_SLOTS:
    void init() { m_folder.renew(); }
    void cleanup() { setFaults(""); }

    void aStepThatIsSkippedAsksWhereSomebodyIsThere() {
        test::EmpoTraining request = requestFor(tables(100), test::pairRoom(4));
        request.folder = m_folder("asking");
        request.pausesAtTrouble = true;
        setFaults("loss:nan@30+");
        Told told;
        TrainHooks hooks = hooksInto(told);
        std::vector<TrainTrouble> troubles;
        hooks.troubled = [&](const TrainTrouble& trouble) { troubles.push_back(trouble); };
        std::vector<std::int64_t> asked;
        bool isAsked = false;
        hooks.boundary = [&](const Progress& progress) -> std::int64_t {
            isAsked = !troubles.empty() && troubles.back().step == progress.done;
            if (isAsked) asked.push_back(progress.done);
            if (asked.size() == 2) setFaults("");
            return 0;
        };
        told.outcome = test::trainEmpo(request, hooks, {});
        QCOMPARE(told.outcome.state, RunState::Finished);
        QVERIFY(troubles.size() >= 3);
        QCOMPARE(asked.front(), troubles[0].step);
        QCOMPARE(asked[1], troubles[2].step);
        QVERIFY(!troubles[0].isLast && troubles[2].isLast);
        QVERIFY(troubles[0].asks && !troubles[1].asks && troubles[2].asks);
        for (const std::size_t i : {0, 2})
            QVERIFY2(std::filesystem::exists(troubles[i].batch), troubles[i].batch.c_str());
        QVERIFY2(troubles[0].rateField.starts_with("lr_"), troubles[0].what.c_str());
    }

    void aTrainingThatIsStoppedWhereItAskedIsKeptIfThatIsWanted_data() {
        QTest::addColumn<QString>("faults");
        QTest::addColumn<bool>("isKept");
        QTest::newRow("the first step in a row") << "loss:nan@30" << true;
        QTest::newRow("the third") << "loss:nan@30+" << false;
    }
    void aTrainingThatIsStoppedWhereItAskedIsKeptIfThatIsWanted() {
        QFETCH(QString, faults);
        QFETCH(bool, isKept);
        test::EmpoTraining request = requestFor(tables(100), test::pairRoom(4));
        request.folder = m_folder("kept");
        request.pausesAtTrouble = true;
        setFaults(faults.toStdString());
        std::stop_source source;
        Told told;
        TrainHooks hooks = hooksInto(told);
        hooks.troubled = [&](const TrainTrouble& trouble) {
            if (trouble.isLast != isKept) source.request_stop();
        };
        hooks.wantsCheckpoint = [&] { return source.stop_requested(); };
        told.outcome = test::trainEmpo(request, hooks, source.get_token());
        QCOMPARE(told.outcome.state, isKept ? RunState::Stopped : RunState::Diverged);
        QCOMPARE(told.checkpoints.size(), isKept ? 1U : 0U);
    }

    void aTrainingThatIsStoppedWhereItAskedHasDiverged() {
        test::EmpoTraining request = requestFor(tables(100), test::pairRoom(4));
        request.folder = m_folder("stopped");
        request.pausesAtTrouble = true;
        setFaults("loss:nan@30");
        std::stop_source source;
        Told told;
        TrainHooks hooks = hooksInto(told);
        hooks.troubled = [&](const TrainTrouble&) { source.request_stop(); };
        told.outcome = test::trainEmpo(request, hooks, source.get_token());
        QCOMPARE(told.outcome.state, RunState::Diverged);
        QVERIFY2(told.outcome.summary.find("its batch is kept as") != std::string::npos,
                 told.outcome.summary.c_str());
        QVERIFY(told.checkpoints.empty());
    }

    void whatWasSteeredIsRepeated() {
        EmpoSpec spec = tables(2000);
        spec.adaptiveTables = false;
        test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        request.cadence.checkpointSteps = 2000;
        request.folder = m_folder("steered");
        Told steered;
        TrainHooks hooks = hooksInto(steered);
        int looks = 0;
        hooks.takeChanges = [&]() -> std::vector<TrainChange> {
            if (looks++ != 1) return {};  // the first look is before the first step
            return {{.key = "lr_q_r", .value = "0.01"}, {.key = "hidden_dim", .value = "8"}};
        };
        test::trainEmpo(request, hooks, {});
        QCOMPARE(steered.changes.size(), 2U);
        QCOMPARE(std::stod(steered.changes[0].oldValue), 1e-4);
        QVERIFY(steered.changes[0].problem.empty());
        QVERIFY(steered.changes[0].change.step > 0);
        QVERIFY(steered.changes[1].problem.find("fork") != std::string::npos);

        request.folder = m_folder("repeated");
        request.changes = {steered.changes[0].change};
        train(request);
        QCOMPARE(contentOf(m_folder("repeated"), 2000), contentOf(m_folder("steered"), 2000));
        request.folder = m_folder("without");
        request.changes.clear();
        train(request);
        QVERIFY(contentOf(m_folder("without"), 2000) != contentOf(m_folder("steered"), 2000));
    }

    void aChangeInAPauseIsMadeAtItsStepAndRepeated() {
        EmpoSpec spec = tables(400);
        spec.adaptiveTables = false;
        test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        request.cadence.checkpointSteps = 400;
        request.folder = m_folder("paused");
        Told steered;
        TrainHooks hooks = hooksInto(steered);
        // A single step at a time until the pause, in which two changes and a checkpoint are asked
        // for one after the other.
        std::vector<TrainChange> asked;
        std::vector<std::int64_t> stepsOfCalls;
        bool wantsCheckpoint = false;
        hooks.snapshotPause = [] { return std::chrono::milliseconds(1); };
        hooks.takeChanges = [&] { return std::exchange(asked, {}); };
        hooks.wantsCheckpoint = [&] { return std::exchange(wantsCheckpoint, false); };
        hooks.boundary = [&](const Progress& progress) -> std::int64_t {
            if (progress.done < 37 || stepsOfCalls.size() > 3) return 1;
            stepsOfCalls.push_back(progress.done);
            if (stepsOfCalls.size() == 1) asked = {{.key = "lr_q_r", .value = "0.01"}};
            if (stepsOfCalls.size() == 2) asked = {{.key = "beta_r", .value = "4"}};
            if (stepsOfCalls.size() == 3) wantsCheckpoint = true;
            return stepsOfCalls.size() <= 3 ? kCallAgain : 1;
        };
        test::trainEmpo(request, hooks, {});
        QCOMPARE(stepsOfCalls.size(), 4U);
        const std::int64_t pausedAt = stepsOfCalls.front();
        QCOMPARE(stepsOfCalls.back(), pausedAt);
        QCOMPARE(steered.changes.size(), 2U);
        for (const AppliedChange& change : steered.changes) QCOMPARE(change.change.step, pausedAt);
        QCOMPARE(steered.checkpoints.size(), 2U);
        QCOMPARE(steered.checkpoints[0].step, pausedAt);

        request.folder = m_folder("repeated");
        request.changes = {steered.changes[0].change, steered.changes[1].change};
        train(request);
        QCOMPARE(contentOf(m_folder("repeated"), 400), contentOf(m_folder("paused"), 400));
    }

    void conditionsEndATraining() {
        test::EmpoTraining request = requestFor(tables(200'000), test::pairRoom(4));
        request.stop.metric = "Exact/v_h_e";
        request.stop.atMost = 0.05;
        const Told reached = train(request);
        QCOMPARE(reached.outcome.state, RunState::Finished);
        QVERIFY(reached.outcome.steps < 200'000);
        QVERIFY(reached.outcome.summary.find("Exact/v_h_e is") != std::string::npos);
        request.stop = {.seconds = 0.3};
        QElapsedTimer timer;
        timer.start();
        const Told timed = train(request);
        QVERIFY(timed.outcome.summary.find("trained for 0.3 s") != std::string::npos);
        QVERIFY(std::chrono::milliseconds(timer.elapsed()) < test::latencyLimit(5s));
    }

    void aStopActsAtOnceAndKeepsWhatWasTrained() {
        EmpoSpec spec = networks(1'000'000);
        spec.hiddenSize = 64;
        test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        request.folder = m_folder("stopped");
        std::stop_source source;
        std::atomic<std::int64_t> stoppedAt = 0;
        const auto now = [] { return std::chrono::steady_clock::now().time_since_epoch().count(); };
        // By another thread, at any moment of the steps that follow the first ones.
        std::atomic<bool> isTraining = false;
        std::jthread other([&] {
            isTraining.wait(false);
            stoppedAt = now();
            source.request_stop();
        });
        Told told;
        TrainHooks hooks = hooksInto(told);
        hooks.boundary = [&](const Progress& progress) -> std::int64_t {
            if (progress.done < 20) return 0;
            isTraining = true;
            isTraining.notify_all();
            return 0;
        };
        told.outcome = test::trainEmpo(request, hooks, source.get_token());
        const double seconds = static_cast<double>(now() - stoppedAt) * 1e-9;
        qInfo("ended %.3f s after the request at step %lld", seconds,
              static_cast<long long>(told.outcome.steps));
        QVERIFY(std::chrono::duration<double>(seconds) < test::latencyLimit(1s));
        QCOMPARE(told.outcome.state, RunState::Stopped);
        QCOMPARE(told.checkpoints.size(), 1U);
        QCOMPARE(told.checkpoints[0].step, told.outcome.steps);
    }
};

ORRERY_TEST(HaltedTrainingTest)
#include "halted_training_test.moc"
