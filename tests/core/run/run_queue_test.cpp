#include "core/run/run_queue.h"

#include <QTemporaryDir>
#include <QTest>
#include <functional>

#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/history/workspace.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run.h"
#include "core/run/sweep.h"
#include "small_world.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace orrery;
using namespace std::chrono_literals;

namespace {

std::vector<RunSpec> sweepOf(const std::vector<std::string>& texts, int steps = 6) {
    return sweepRuns(smallSolve(steps), readSweep("solve", texts).axes);
}

bool queueReaches(const RunQueue& queue,
                  const std::function<bool(const QueueSnapshot&)>& condition) {
    return test::waitUntil([&] { return condition(*queue.snapshot()); });
}

}  // namespace

class RunQueueTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Workspace> m_workspace;

    std::filesystem::path folder() const {
        return std::filesystem::path(m_folder->path().toStdString()) / "test.orrery";
    }
    std::vector<RunRecord> stored() const {
        return m_workspace->reader().listRuns({.newestFirst = false});
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace = Workspace::open(folder(), Workspace::Mode::Create);
    }
    void cleanup() {
        setFaults("");
        m_workspace.reset();
    }

    void everyRunIsStoredWithItsTagAndHasTheValuesOfARunAlone() {
        const auto specs = sweepOf({"beta_r=1,5", "zeta=1,2,3"});
        const auto queue =
            RunQueue::start(specs, {.workspace = m_workspace.get(), .tags = {"sweep-x"}});
        QVERIFY(queue->waitFor(60s));
        const auto last = queue->snapshot();
        QVERIFY(last->hasEnded);
        QCOMPARE(last->numEnded(), 6);
        const auto runs = stored();
        QCOMPARE(runs.size(), std::size_t{6});
        for (std::size_t k = 0; k < specs.size(); ++k) {
            QCOMPARE(runs[k].id, last->members[k].id);
            QCOMPARE(runs[k].state, RunState::Finished);
            QCOMPARE(runs[k].name, specs[k].name);
            QCOMPARE(runs[k].tags, std::vector<std::string>{"sweep-x"});
            QVERIFY(!runs[k].worldHash.empty());
            const auto alone = Run::start(specs[k]);
            alone->wait();
            const auto& solve = std::get<SolveSnapshot>(alone->snapshot()->job);
            QCOMPARE(last->members[k].root->v_r, solve.solution->v_r(State{}));
        }
    }

    void theGraphIsExploredOnce() {
        const auto queue =
            RunQueue::start(sweepOf({"beta_r=1,2,3"}), {.workspace = m_workspace.get()});
        QVERIFY(queue->waitFor(60s));
        const auto explored = [&](std::size_t k) {
            const auto rows =
                m_workspace->reader().metrics(queue->snapshot()->members[k].id, "explore/seconds");
            return rows.at(0).value;
        };
        QVERIFY(explored(0) > 0);
        QCOMPARE(explored(1), 0.0);
        QCOMPARE(explored(2), 0.0);
    }

    void aFailedRunDoesNotHoldUpTheOthers() {
        auto specs = sweepOf({"beta_r=1,2,3"});
        specs[1].job.as<SolveJob>().solve.habits = {
            {.when = "true", .human = "nobody", .probability = {1.0}}};
        const auto queue = RunQueue::start(specs, {.workspace = m_workspace.get()});
        QVERIFY(queue->waitFor(60s));
        const auto last = queue->snapshot();
        QCOMPARE(last->members[0].state, RunState::Finished);
        QCOMPARE(last->members[1].state, RunState::Failed);
        QVERIFY2(!last->members[1].text.empty(), "no reason");
        QCOMPARE(last->members[2].state, RunState::Finished);
        QCOMPARE(stored()[1].state, RunState::Failed);
    }

    void oneRunIsCancelledBeforeAndOneAtWork() {
        setFaults("run.level:delay=300@1+");
        const auto queue =
            RunQueue::start(sweepOf({"beta_r=1,2,3"}), {.workspace = m_workspace.get()});
        QVERIFY(queueReaches(*queue, [](const QueueSnapshot& now) {
            return now.current == 0 && now.members[0].state == RunState::Running;
        }));
        queue->cancelMember(1);
        queue->cancelMember(0);
        setFaults("");
        QVERIFY(queue->waitFor(60s));
        const auto runs = stored();
        QCOMPARE(runs[0].state, RunState::Stopped);
        QCOMPARE(runs[1].state, RunState::Stopped);
        QCOMPARE(runs[2].state, RunState::Finished);
        QVERIFY(queue->snapshot()->members[2].root.has_value());
        QVERIFY(!queue->snapshot()->members[1].root.has_value());
    }

    void aPausedQueueWaitsAndGoesOn() {
        setFaults("run.level:delay=300@1+");
        const auto queue =
            RunQueue::start(sweepOf({"beta_r=1,2"}), {.workspace = m_workspace.get()});
        QVERIFY(queueReaches(*queue, [](const QueueSnapshot& now) { return now.current == 0; }));
        queue->pause();
        QVERIFY(queueReaches(*queue, [](const QueueSnapshot& now) {
            return now.members[0].state == RunState::Paused;
        }));
        setFaults("");
        // Must wait for time: nothing may happen.
        QVERIFY(!queue->waitFor(200ms));
        QCOMPARE(stored()[1].state, RunState::Queued);
        queue->resume();
        QVERIFY(queue->waitFor(60s));
        QCOMPARE(queue->snapshot()->members[1].state, RunState::Finished);
    }

    void cancellingEndsAllThatHaveNotEnded() {
        setFaults("run.level:delay=300@1+");
        const auto queue =
            RunQueue::start(sweepOf({"beta_r=1,2,3"}), {.workspace = m_workspace.get()});
        QVERIFY(queueReaches(*queue, [](const QueueSnapshot& now) { return now.current == 0; }));
        queue->cancel();
        QVERIFY(queue->waitFor(test::latencyLimit(2s)));
        for (const RunRecord& run : stored()) QCOMPARE(run.state, RunState::Stopped);
    }

    void withoutAWorkspaceTheGraphIsSharedToo() {
        const auto queue = RunQueue::start(sweepOf({"beta_r=1,2"}), {});
        QVERIFY(queue->waitFor(60s));
        const auto last = queue->snapshot();
        QVERIFY(last->members[0].id.empty());
        QVERIFY(last->members[0].root->v_r != last->members[1].root->v_r);
        QVERIFY(last->world);
    }

    void aWrongSpecOrWorldIsTold() {
        auto specs = sweepOf({"beta_r=1,2"});
        specs[1].job.as<SolveJob>().solve.xi = -1;
        QVERIFY_THROWS_EXCEPTION(Error, RunQueue::start(specs, {}));
        auto broken = sweepOf({"beta_r=1,2"});
        for (RunSpec& spec : broken) spec.job.as<SolveJob>().world.text = "map: 3\n";
        const auto queue = RunQueue::start(broken, {.workspace = m_workspace.get()});
        QVERIFY(queue->waitFor(60s));
        QCOMPARE(queue->snapshot()->members[1].state, RunState::Failed);
        QVERIFY(queue->snapshot()->members[1].text.find("small.yaml") != std::string::npos);
    }
};

ORRERY_TEST(RunQueueTest)
#include "run_queue_test.moc"
