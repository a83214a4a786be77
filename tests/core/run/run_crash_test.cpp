#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <thread>

#include "core/base/rng.h"
#include "core/run/archive/reopen.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/archive/verify_run.h"
#include "core/run/jobs/solve_job.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace orrery;

namespace {

constexpr auto kBudget = std::chrono::seconds(25);

/// A program that is killed after a while. Its standard output goes to a file.
class Victim {
public:
    Victim(const std::string& workspace, const std::string& runs, const std::string& output,
           const std::string& faults = {}) {
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
        std::string program = builtPath("bin/run_victim");
        std::string folder = workspace, count = runs, fault = "ORRERY_FAULT=" + faults;
        char* const arguments[] = {program.data(), folder.data(), count.data(), nullptr};
        char* const environment[] = {fault.data(), nullptr};
        if (posix_spawn(&m_pid, program.c_str(), &actions, nullptr, arguments, environment) != 0)
            m_pid = -1;
        posix_spawn_file_actions_destroy(&actions);
    }

    bool hasStarted() const { return m_pid > 0; }
    void kill() const { ::kill(m_pid, SIGKILL); }

    /// The status of waitpid.
    int wait() const {
        int status = 0;
        ::waitpid(m_pid, &status, 0);
        return status;
    }

private:
    pid_t m_pid = -1;
};

std::vector<std::string> finishedRuns(const std::string& output) {
    std::vector<std::string> ids;
    std::ifstream stream(output);
    std::string word, id;
    while (stream >> word >> id)
        if (word == "FINISHED") ids.push_back(id);
    return ids;
}

/// Everything that must hold after a death at any instant; empty if it does.
QString problemAfterDeath(const std::string& folder, const std::string& output) {
    if (!std::filesystem::exists(folder)) return {};
    for (const Finding& finding : verifyWorkspace(folder).findings)
        return QString::fromStdString(finding.where + ": " + finding.text);
    const auto workspace = Workspace::open(folder, Workspace::Mode::Create);
    const HistoryReader reader = workspace->reader();
    for (const RunRecord& run : reader.listRuns())
        if (!run.state || isLive(*run.state))
            return QString::fromStdString(run.id + " is live though nobody works on it");
    for (const std::string& id : finishedRuns(output)) {
        if (reader.findRun(id).state != RunState::Finished)
            return QString::fromStdString(id + " was reported as finished and is not");
        if (!reopenSolution(*workspace, id)) return QString::fromStdString(id + " has no values");
    }
    return {};
}

}  // namespace

class RunCrashTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aKillAtAnyInstantLosesNothingThatWasReported() {
        const QTemporaryDir folder;
        const std::string workspace = folder.filePath("w.orrery").toStdString();
        const std::string output = folder.filePath("out").toStdString();
        Rng rng(20, 1);
        int kills = 0, interrupted = 0, finished = 0;
        const auto begin = std::chrono::steady_clock::now();
        // More than the least number of kills only as long as that takes no more than the budget.
        while (kills < 10 || (kills < 40 && std::chrono::steady_clock::now() - begin < kBudget)) {
            const Victim victim(workspace, "1000", output);
            QVERIFY(victim.hasStarted());
            // Work is hit however slowly the program starts; the others hit the start, too.
            if (kills % 2 == 1)
                QVERIFY(test::waitUntil([&] { return !finishedRuns(output).empty(); }));
            // Must wait for time: the kill comes at any instant, from 2 ms to 1 s, evenly in the
            // logarithm.
            const double milliseconds = 2 * std::pow(500.0, rng.uniform());
            std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
            victim.kill();
            QVERIFY(WIFSIGNALED(victim.wait()));
            ++kills;
            const QString problem = problemAfterDeath(workspace, output);
            QVERIFY2(problem.isEmpty(),
                     qPrintable(QString("after %1 ms: %2").arg(milliseconds).arg(problem)));
            finished += static_cast<int>(finishedRuns(output).size());
        }
        for (const RunRecord& run : HistoryReader(workspace + "/workspace.db").listRuns())
            interrupted += run.state == RunState::Interrupted ? 1 : 0;
        qInfo("%d kills, %d runs interrupted, %d finished", kills, interrupted, finished);
        QVERIFY(kills >= 10 && interrupted > 0 && finished > 0);
    }

    void aDeathAtANamedPlaceLeavesAUsableWorkspace_data() {
        QTest::addColumn<QString>("fault");
        for (const char* fault :
             {"run.explored:kill@1", "run.level:kill@1", "run.level:kill@7", "run.manifest:kill@1",
              "run.manifest:kill@2", "file.close:kill@2", "file.rename:kill@3", "file.write:kill@9",
              "file.after_rename:kill@2", "file.fsync_folder:kill@4", "folder.make:kill@4",
              "db.commit:kill@2", "db.commit:kill@3", "db.after_commit:kill@4"})
            QTest::newRow(fault) << fault;
    }
    void aDeathAtANamedPlaceLeavesAUsableWorkspace() {
        QFETCH(QString, fault);
        const QTemporaryDir folder;
        const std::string workspace = folder.filePath("w.orrery").toStdString();
        const std::string output = folder.filePath("out").toStdString();
        const int status = Victim(workspace, "3", output, fault.toStdString()).wait();
        QVERIFY2(WIFSIGNALED(status), "the fault was not reached");
        const QString problem = problemAfterDeath(workspace, output);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        // The next start goes on as if nothing had been.
        QCOMPARE(Victim(workspace, "1", output).wait(), 0);
        QCOMPARE(finishedRuns(output).size(), std::size_t{1});
        QVERIFY(problemAfterDeath(workspace, output).isEmpty());
    }

    void anInterruptedRunIsRecognisedAtTheNextStart() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("w.orrery").toStdString();
        const std::string output = folder.filePath("out").toStdString();
        QVERIFY(WIFSIGNALED(Victim(path, "1", output, "run.level:kill@2").wait()));
        const auto workspace = Workspace::open(path, Workspace::Mode::ReadWrite);
        QCOMPARE(workspace->interruptedRuns().size(), std::size_t{1});
        const RunRecord run = workspace->reader().findRun(workspace->interruptedRuns()[0]);
        QCOMPARE(run.state, std::optional(RunState::Interrupted));
        // It can be repeated from what is stored.
        QCOMPARE(storedSpec(*workspace, run.id).job.as<SolveJob>().solve.threads, 1);
    }
};

ORRERY_TEST(RunCrashTest)
#include "run_crash_test.moc"
