#include <sys/resource.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QScopeGuard>
#include <QTest>
#include <algorithm>
#include <chrono>
#include <fstream>
#include <stop_token>

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
        // By steps, by the clock and at each stage's end; then resumed from one of them.
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
