#include <sys/resource.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QScopeGuard>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <stop_token>
#include <thread>

#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/base/text.h"
#include "core/train/checkpoint_clock.h"
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

class DriverTest : public QObject {
    Q_OBJECT

    test::Folders m_folder;

    /// The curves but for those of the clock.
    static auto numbersOf(const Told& told) {
        auto curves = told.curves;
        std::erase_if(curves, [](const auto& curve) {
            return curve.first.starts_with("Profile/") || curve.first.starts_with("Rates/");
        });
        return curves;
    }

private Q_SLOTS:
    void init() { m_folder.renew(); }
    void cleanup() { setFaults(""); }

    void tablesComeToTheExactValues() {
        EmpoSpec spec = tables(6000);
        spec.environmentStepsPerTrainingStep = 8;
        const test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        const Told told = train(request);
        qInfo("%s", told.outcome.summary.c_str());
        QCOMPARE(told.outcome.state, RunState::Finished);
        QCOMPARE(told.outcome.steps, 6000);
        QVERIFY(told.last("Exact/v_h_e") < 0.01);
        QVERIFY(told.last("Exact/pi_r") < 0.02);
        // And were not there from the beginning.
        QVERIFY(told.curves.at("Exact/v_h_e").front().second > 0.05);
        QVERIFY(told.snapshot && told.snapshot->errors.at(0));
        const StateGraph& graph = request.exact[0]->graph();
        QCOMPARE(told.snapshot->errors[0]->states, graph.counts().states - graph.levelSize(4));
        QVERIFY(told.snapshot->errors[0]->unvisited <= 2);
        QCOMPARE(told.snapshot->environmentSteps, 48'000);
    }

    void whereMemoryRunsOutTheRunEndsAndTheCheckpointStays() {
        test::EmpoTraining request = requestFor(networks(100'000), test::pairRoom(4));
        request.folder = m_folder("little memory");
        request.cadence.checkpointSteps = 10;
        Told told;
        TrainHooks hooks = hooksInto(told);
        struct rlimit before {};
        QCOMPARE(::getrlimit(RLIMIT_AS, &before), 0);
        hooks.saved = [&](const TrainCheckpoint& checkpoint, const NewestMetrics&) {
            told.checkpoints.push_back(checkpoint);
            if (told.checkpoints.size() > 1) return;
            std::uint64_t pages = 0;
            std::ifstream("/proc/self/statm") >> pages;
            struct rlimit little = before;
            little.rlim_cur = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) +
                              (std::uint64_t{200} << 20);
            QCOMPARE(::setrlimit(RLIMIT_AS, &little), 0);
        };
        const auto restore = qScopeGuard([&] { ::setrlimit(RLIMIT_AS, &before); });
        try {
            test::trainEmpo(request, hooks, {});
            QFAIL("it went on");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), Error::Kind::Resource);
            QVERIFY2(QByteArray(error.what()).contains("buffer_size"), error.what());
        }
        QVERIFY(!told.checkpoints.empty());
        const std::int64_t last = told.checkpoints.back().step;
        QCOMPARE(Checkpoint::open(request.folder, last).manifest().step, last);
    }

    void aResumedTrainingIsTheSameBitForBit_data() {
        QTest::addColumn<bool>("hasNetworks");
        QTest::addColumn<int>("collectors");
        QTest::newRow("tables") << false << 1;
        QTest::newRow("tables, three actors in turn") << false << 3;
        QTest::newRow("networks with dropout") << true << 1;
    }
    void aResumedTrainingIsTheSameBitForBit() {
        QFETCH(bool, hasNetworks);
        QFETCH(int, collectors);
        EmpoSpec spec = hasNetworks ? networks(200) : tables(200);
        spec.numCollectors = collectors;
        test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        request.cadence.checkpointSteps = 100;
        request.folder = m_folder("straight");
        const Told straight = train(request);
        QCOMPARE(straight.checkpoints.size(), 2U);

        // Interrupted as soon as the first checkpoint is there.
        request.folder = m_folder("broken");
        std::stop_source source;
        Told broken;
        TrainHooks hooks = hooksInto(broken);
        hooks.saved = [&](const TrainCheckpoint&, const NewestMetrics&) { source.request_stop(); };
        broken.outcome = test::trainEmpo(request, hooks, source.get_token());
        QCOMPARE(broken.outcome.state, RunState::Stopped);
        QCOMPARE(broken.outcome.steps, 100);
        request.resumeFrom = request.folder / "step_100";
        const Told resumed = train(request);
        QCOMPARE(resumed.outcome.steps, 200);
        QCOMPARE(contentOf(m_folder("broken"), 100), contentOf(m_folder("straight"), 100));
        QCOMPARE(contentOf(m_folder("broken"), 200), contentOf(m_folder("straight"), 200));
        const auto& whole = straight.curves.at("Loss/v_h_e");
        const auto& rest = resumed.curves.at("Loss/v_h_e");
        QVERIFY(rest.size() >= 5);
        QVERIFY(std::equal(rest.rbegin(), rest.rend(), whole.rbegin()));
    }

    void noNumberDependsOnWhenACheckpointIsMade_data() {
        QTest::addColumn<bool>("hasNetworks");
        QTest::newRow("tables") << false;
        QTest::newRow("networks with dropout") << true;
    }
    void noNumberDependsOnWhenACheckpointIsMade() {
        QFETCH(bool, hasNetworks);
        const EmpoSpec plain = hasNetworks ? networks(200) : tables(200);
        test::EmpoTraining request = requestFor(plain, test::pairRoom(4));
        request.folder = m_folder("at the end alone");
        const Told straight = train(request);
        QCOMPARE(straight.checkpoints.size(), 1U);
        // By steps, by the clock and at each stage's end; then gone on from one of them.
        request.cadence.checkpointSteps = 7;
        request.cadence.checkpointSeconds = 1e-3;
        request.folder = m_folder("often");
        const Told often = train(request);
        QVERIFY(often.checkpoints.size() > 28);
        request.folder = m_folder("gone on");
        request.resumeFrom = m_folder("often") / "step_98";
        const Told resumed = train(request);
        QCOMPARE(numbersOf(often), numbersOf(straight));
        auto rest = numbersOf(straight);
        for (auto& [key, curve] : rest)
            std::erase_if(curve, [](const auto& point) { return point.first <= 98; });
        std::erase_if(rest, [](const auto& curve) { return curve.second.empty(); });
        QCOMPARE(numbersOf(resumed), rest);
        for (const char* const name : {"often", "gone on"})
            QCOMPARE(contentOf(m_folder(name), 200), contentOf(m_folder("at the end alone"), 200));
    }

    void theEndOfEachStageIsKept() {
        EmpoSpec spec = tables(300);
        for (const Quantity quantity : kQuantities) spec.of(quantity).warmupSteps = 40;
        spec.rampSteps = 60;
        test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        request.cadence.checkpointSeconds = 1e6;
        request.folder = m_folder("stages");
        const Told told = train(request);
        std::vector<std::int64_t> ends;
        for (const TrainingStage& stage : told.snapshot->stages)
            ends.push_back(std::min(stage.end, spec.trainingSteps));
        QVERIFY(ends.size() > 2);
        std::vector<std::int64_t> saved;
        for (const TrainCheckpoint& checkpoint : told.checkpoints) saved.push_back(checkpoint.step);
        QCOMPARE(saved, ends);
    }

    void aKillCostsAMinuteAtMostAndCheckpointsTwoPercent() {
        CheckpointClock clock(TrainCadence{}.checkpointSeconds);
        const CheckpointClock::Time begin{};
        clock.begin(begin, false);
        QVERIFY(clock.isDue(begin + 9s));
        clock.noteWritten(begin + 10s, 1.0);
        QVERIFY(!clock.isDue(begin + 68s));
        QVERIFY(clock.isDue(begin + 69s));  // there after 60 s with what writing it takes
        for (const double cost : {1.1, 3.0, 17.3, 400.0}) {
            clock.noteWritten(begin, cost);
            QVERIFY(clock.interval() >= 60 && cost <= 0.02 * clock.interval());
            QVERIFY(cost > 0.02 * (clock.interval() - 10) || clock.interval() == 60);
            const std::string data = longerIntervalMessage(clock.interval(), cost).data;
            QCOMPARE(data, "{\"seconds\":" + formatDouble(clock.interval()) + "}");
        }
        clock.noteWritten(begin, 0.2);
        QCOMPARE(clock.interval(), 60.0);
        // One that goes on from a checkpoint of its own has one.
        clock.begin(begin, true);
        QVERIFY(!clock.isDue(begin + 10s));
        CheckpointClock never(0);
        never.begin(begin, false);
        QVERIFY(!never.isDue(begin + 1h));
    }

    void aSlowCheckpointMakesThemRarerAndSaysSo() {
        EmpoSpec spec = tables(40);
        test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        request.cadence.checkpointSteps = 20;
        request.cadence.checkpointSeconds = 5;
        request.folder = m_folder("slow");
        setFaults("ckpt.begin:delay=1100@1");
        Told told;
        TrainHooks hooks = hooksInto(told);
        std::vector<double> intervals;
        hooks.snapshot = [&](const auto& snapshot) {
            intervals.push_back(snapshot->checkpointSeconds);
        };
        told.outcome = test::trainEmpo(request, hooks, {});
        QCOMPARE(intervals.front(), 5.0);
        QVERIFY(*std::ranges::max_element(intervals) >= 55);
        QCOMPARE(intervals.back(), 5.0);
        QVERIFY(std::ranges::any_of(told.messages, [](const std::string& text) {
            return text.starts_with("Checkpoints are made every ");
        }));
    }

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

    void actorsOnThreadsTrainToo() {
        EmpoSpec spec = tables(8000);
        spec.isAsync = true;
        spec.numCollectors = 2;
        spec.minBufferSize = 200;
        test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        request.folder = m_folder("threads");
        const Told told = train(request);
        qInfo("%s", told.outcome.summary.c_str());
        QVERIFY(told.last("Exact/v_h_e") < 0.01);
        QVERIFY(told.last("Exact/pi_r") < 0.02);
        QCOMPARE(told.snapshot->collectors.size(), 2U);
        for (const CollectorNumbers& collector : told.snapshot->collectors)
            QVERIFY(collector.environmentSteps > 500);
        // Neither side runs away from the other.
        QVERIFY(told.snapshot->environmentSteps >= 8000);
        QVERIFY(told.snapshot->environmentSteps <= 8000 * 10 + 400);
        QCOMPARE(told.snapshot->replay.dropped, 0);

        request.resumeFrom = request.folder / "step_8000";
        request.spec.trainingSteps = 9000;
        const Told resumed = train(request);
        QCOMPARE(resumed.outcome.steps, 9000);
        QVERIFY(resumed.snapshot->environmentSteps > told.snapshot->environmentSteps);
    }

    void anActorThatFailsIsStartedAgain() {
        EmpoSpec spec = tables(3000);
        spec.isAsync = true;
        spec.numCollectors = 2;
        spec.minBufferSize = 100;
        setFaults("actor.step:throw@500");
        const Told told = train(requestFor(spec, test::pairRoom(4)));
        QCOMPARE(told.outcome.state, RunState::Finished);
        QCOMPARE(told.messages.size(), 1U);
        QVERIFY(told.messages[0].find("started again") != std::string::npos);
    }

    void theRunEndsWhenNoActorIsLeft_data() {
        QTest::addColumn<bool>("isAsync");
        QTest::newRow("in turn") << false;
        QTest::newRow("on threads") << true;
    }
    void theRunEndsWhenNoActorIsLeft() {
        QFETCH(bool, isAsync);
        EmpoSpec spec = tables(1'000'000);
        spec.isAsync = isAsync;
        spec.numCollectors = 2;
        spec.minBufferSize = 100;
        setFaults("actor.step:throw@2000+");
        QElapsedTimer timer;
        timer.start();
        try {
            train(requestFor(spec, test::pairRoom(4)));
            QFAIL("trained on without actors");
        } catch (const Error& error) {
            qInfo("%s", error.what());
            QCOMPARE(error.exitStatus(), 4);
            QVERIFY(std::string(error.what()).find("can be resumed") != std::string::npos);
        }
        QVERIFY(std::chrono::milliseconds(timer.elapsed()) < test::latencyLimit(5s));
    }

    void aPausedActorRests() {
        EmpoSpec spec = tables(3000);
        spec.numCollectors = 2;
        test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        request.changes = {{.step = 0, .key = "actor.1", .value = "paused"},
                           {.step = 0, .key = "actor.7", .value = "paused"}};
        const Told told = train(request);
        QCOMPARE(told.changes.size(), 2U);
        QCOMPARE(told.changes[0].oldValue, std::string("running"));
        QVERIFY(!told.changes[1].problem.empty());
        QCOMPARE(told.snapshot->collectors[1].environmentSteps, 0);
        QCOMPARE(told.snapshot->collectors[0].environmentSteps, 3000);
    }

    void aCheckpointCanBeEvaluated() {
        EmpoSpec spec = tables(6000);
        spec.environmentStepsPerTrainingStep = 8;
        test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        request.folder = m_folder("evaluated");
        train(request);
        EvaluateRequest evaluate;
        evaluate.spec = spec;
        evaluate.worlds = request.worlds;
        evaluate.exact = request.exact;
        evaluate.checkpoint = request.folder / "step_6000";
        evaluate.episodes = 50;
        const Evaluation evaluation = evaluateEmpo(evaluate, {}, {});
        QCOMPARE(evaluation.step, 6000);
        QCOMPARE(evaluation.errors.size(), 1U);
        QVERIFY(evaluation.errors[0].v_h_e < 0.01);
        QCOMPARE(std::ssize(evaluation.errors[0].byState), evaluation.errors[0].states);
        QCOMPARE(evaluation.episodes.size(), 50U);
        int attained = 0;
        for (const Evaluation::Episode& episode : evaluation.episodes) {
            QCOMPARE(episode.steps, 4);
            QCOMPARE(episode.attainedAt.size(), 1U);
            attained += episode.attainedAt[0] > 0 ? 1 : 0;
        }
        qInfo("%d of 50 episodes attained the goal", attained);
        QVERIFY(attained > 10 && attained < 50);
    }
};

ORRERY_TEST(DriverTest)
#include "driver_test.moc"
