#include "core/run/run.h"

#include <QTest>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>

#include "core/base/fault.h"
#include "core/run/jobs/solve_job.h"
#include "reaches.h"
#include "small_world.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace orrery;
using namespace std::chrono_literals;
using orrery::test::latencyLimit;
using orrery::test::reaches;

namespace {

const SolveSnapshot& solveOf(const RunSnapshot& snapshot) {
    return std::get<SolveSnapshot>(snapshot.job);
}

/// Lets each solved level take that long, so that a run can be met at work.
struct SlowLevels {
    explicit SlowLevels(int milliseconds) {
        setFaults("run.level:delay=" + std::to_string(milliseconds) + "@1+");
    }
    ~SlowLevels() { setFaults(""); }
};

std::vector<RunState> statesOf(Run& run) {
    std::vector<RunState> states;
    for (const RunEvent& event : run.feed().events().drain())
        if (const auto* state = std::get_if<RunEvent::State>(&event.body))
            states.push_back(state->newState);
    return states;
}

}  // namespace

class RunTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { setFaults(""); }

    void aRunWithoutAWorkspaceSolves() {
        const auto run = Run::start(smallSolve(), {.keepsEvents = true});
        const RunOutcome outcome = run->wait();
        QCOMPARE(outcome.state, RunState::Finished);
        QCOMPARE(outcome.exitStatus, 0);
        QCOMPARE(run->state(), RunState::Finished);
        QVERIFY(run->id().empty());

        const auto last = run->snapshot();
        QCOMPARE(last->state, RunState::Finished);
        const SolveSnapshot& solve = solveOf(*last);
        QVERIFY(solve.world && solve.graph && solve.solution);
        QCOMPARE(solve.levelStates.size(), std::size_t{9});
        QCOMPARE(solve.levelStates[0], std::int64_t{1});
        QCOMPARE(solve.levels.size(), std::size_t{9});
        QCOMPARE(solve.levels.front().step, 8);
        QCOMPARE(solve.levels.back().step, 0);
        std::int64_t states = 0;
        for (const std::int64_t size : solve.levelStates) states += size;
        QCOMPARE(solve.counts.states, states);
        QVERIFY(solve.solution->v_r(State{}) < 0);
    }

    void everyLevelLeavesMetrics() {
        const auto run = Run::start(smallSolve(3), {.keepsEvents = true});
        run->wait();
        std::map<std::string, int> points;
        for (const RunEvent& event : run->feed().events().drain())
            if (const auto* metric = std::get_if<RunEvent::Metric>(&event.body))
                ++points[metric->key];
        for (const char* key : {"explore/states", "solve/states", "solve/seconds", "solve/v_r_mean",
                                "solve/v_r_min", "solve/v_r_max"})
            QCOMPARE(points[key], 4);
        QCOMPARE(points["explore/configs"], 1);
        QCOMPARE(points["solve/total_seconds"], 1);
    }

    void aWrongSpecIsRefusedWithAllItsProblems() {
        RunSpec spec = smallSolve();
        spec.job.as<SolveJob>().solve.xi = -1;
        spec.job.as<SolveJob>().world.name.clear();
        try {
            Run::start(spec);
            QFAIL("started a wrong spec");
        } catch (const Error& e) {
            QCOMPARE(e.kind(), Error::Kind::BadInput);
            QVERIFY2(QByteArray(e.what()).contains("world must be") &&
                         QByteArray(e.what()).contains("xi must be > 0, got '-1'"),
                     e.what());
        }
    }

    void aBrokenWorldFailsTheRunWithItsPlace() {
        RunSpec spec = smallSolve();
        spec.job.as<SolveJob>().world.text = "map: |\n  We We We\n  We Qq We\n  We We We\n";
        const auto run = Run::start(spec);
        const RunOutcome outcome = run->wait();
        QCOMPARE(outcome.state, RunState::Failed);
        QCOMPARE(outcome.exitStatus, 2);
        QVERIFY2(outcome.text.find("small.yaml:3:6") != std::string::npos, outcome.text.c_str());
        QCOMPARE(run->snapshot()->trouble, outcome.text);
    }

    void aMissingWorldFileIsNamed() {
        RunSpec spec = smallSolve();
        spec.job = SolveJob{.world = {.name = "builtin:frist_steps"}};
        const RunOutcome outcome = Run::start(spec)->wait();
        QCOMPARE(outcome.exitStatus, 2);
        QVERIFY2(outcome.text.find("builtin:first_steps") != std::string::npos,
                 outcome.text.c_str());
    }

    void cancelEndsARunWithinASecond() {
        const SlowLevels slow(100);
        const auto run = Run::start(smallSolve(60), {.keepsEvents = true});
        QVERIFY(reaches(*run, [](const RunSnapshot& s) { return !solveOf(s).levels.empty(); }));
        const auto begin = std::chrono::steady_clock::now();
        run->cancel("test");
        QVERIFY(run->waitFor(latencyLimit(1s)));
        QVERIFY(std::chrono::steady_clock::now() - begin < latencyLimit(1s));
        const RunOutcome outcome = run->wait();
        QCOMPARE(outcome.state, RunState::Stopped);
        QCOMPARE(outcome.exitStatus, 130);
        QVERIFY(solveOf(*run->snapshot()).levels.size() < 61);
        QVERIFY(!run->command({RunCommand::Kind::Pause, "too late"}));
    }

    void aPausedRunStandsStillUntilResumed() {
        const SlowLevels slow(100);
        const auto run = Run::start(smallSolve(40), {.keepsEvents = true, .snapshotPause = 0ms});
        QVERIFY(reaches(*run, [](const RunSnapshot& s) { return !solveOf(s).levels.empty(); }));
        run->pause("test");
        QVERIFY(reaches(*run, [](const RunSnapshot& s) { return s.state == RunState::Paused; }));
        const std::size_t levels = solveOf(*run->snapshot()).levels.size();
        QVERIFY(levels < 41);
        setFaults("");
        // Must wait for time: nothing may happen.
        QVERIFY(!run->waitFor(100ms));
        QCOMPARE(solveOf(*run->snapshot()).levels.size(), levels);
        QCOMPARE(run->state(), RunState::Paused);
        run->resume("test");
        QCOMPARE(run->wait().state, RunState::Finished);
        QCOMPARE(solveOf(*run->snapshot()).levels.size(), std::size_t{41});
        QCOMPARE(statesOf(*run),
                 (std::vector<RunState>{RunState::Running, RunState::Paused, RunState::Running}));
    }

    void aPausedRunCanBeCancelled() {
        const SlowLevels slow(100);
        const auto run = Run::start(smallSolve(40));
        run->pause();
        QVERIFY(reaches(*run, [](const RunSnapshot& s) { return s.state == RunState::Paused; }));
        run->cancel();
        QVERIFY(run->waitFor(latencyLimit(1s)));
        QCOMPARE(run->wait().state, RunState::Stopped);
    }

    void snapshotsComeAtMostThirtyTimesASecond() {
        const SlowLevels slow(2);
        std::atomic<int> calls{0};
        const auto begin = std::chrono::steady_clock::now();
        const auto run = Run::start(smallSolve(100), {.notify = [&calls] { ++calls; }});
        run->wait();
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        // One more at each change of state: running and finished.
        QVERIFY2(calls <= seconds * 30 + 3,
                 qPrintable(QString("%1 in %2 s").arg(calls).arg(seconds)));
        QVERIFY(calls >= 2);
    }

    void twoRunsAtOnceGiveTheValuesOfOne() {
        const auto alone = Run::start(smallSolve());
        alone->wait();
        const auto first = Run::start(smallSolve());
        const auto second = Run::start(smallSolve());
        QCOMPARE(first->wait().state, RunState::Finished);
        QCOMPARE(second->wait().state, RunState::Finished);
        const double value = solveOf(*alone->snapshot()).solution->v_r(State{});
        QCOMPARE(solveOf(*first->snapshot()).solution->v_r(State{}), value);
        QCOMPARE(solveOf(*second->snapshot()).solution->v_r(State{}), value);
    }

    void sampledEpisodesAttainGoalsAsOftenAsTheExactValuesSay() {
        // Undiscounted, V_h^e is the probability that the goal is ever attained.
        RunSpec spec = smallSolve(3);
        auto& job = spec.job.as<SolveJob>();
        job.solve.gamma_h = 1;
        job.solve.beta_h = 1;
        job.episodes = 4000;
        spec.seed = 7;
        const auto run = Run::start(spec, {.keepsEvents = true});
        QCOMPARE(run->wait().state, RunState::Finished);
        const Solution& solution = *solveOf(*run->snapshot()).solution;
        double expected = 0;
        const std::vector<double>& weights = solution.world().goals()[0].weights;
        for (int goal = 0; goal < 3; ++goal)
            expected += weights[static_cast<std::size_t>(goal)] * solution.v_h_e(State{}, 0, goal);
        double attained = 0;
        std::int64_t count = 0;
        for (const RunEvent& event : run->feed().events().drain()) {
            const auto* metric = std::get_if<RunEvent::Metric>(&event.body);
            if (metric == nullptr || metric->key != "rollout/attained") continue;
            QCOMPARE(metric->step, count++);
            attained += metric->value;
        }
        QCOMPARE(count, 4000);
        const double deviation = std::sqrt(expected * (1 - expected) / 4000);
        QVERIFY(deviation > 0.001);
        QVERIFY2(std::abs(attained / 4000 - expected) < 4 * deviation,
                 qPrintable(QString("%1, expected %2").arg(attained / 4000).arg(expected)));
    }

    void theSeedAloneChoosesTheEpisodes() {
        const auto stepsOf = [](std::uint64_t seed) {
            RunSpec spec = smallSolve(6);
            spec.seed = seed;
            spec.job.as<SolveJob>().episodes = 50;
            const auto run = Run::start(spec, {.keepsEvents = true});
            run->wait();
            std::vector<double> steps;
            for (const RunEvent& event : run->feed().events().drain())
                if (const auto* metric = std::get_if<RunEvent::Metric>(&event.body))
                    if (metric->key == "rollout/steps") steps.push_back(metric->value);
            return steps;
        };
        QCOMPARE(stepsOf(1).size(), std::size_t{50});
        QCOMPARE(stepsOf(1), stepsOf(1));
        QVERIFY(stepsOf(1) != stepsOf(2));
    }

    void destroyingARunEndsIt() {
        const SlowLevels slow(50);
        const auto begin = std::chrono::steady_clock::now();
        { const auto run = Run::start(smallSolve(100)); }
        QVERIFY(std::chrono::steady_clock::now() - begin < latencyLimit(1s));
    }
};

ORRERY_TEST(RunTest)
#include "run_test.moc"
