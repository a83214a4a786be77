#include <QTemporaryDir>
#include <QTest>
#include <chrono>

#include "core/base/fault.h"
#include "core/history/verify.h"
#include "core/history/workspace.h"
#include "core/run/run.h"
#include "reaches.h"
#include "small_world.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace orrery;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kRetryPause = 20ms;  // of database and files

QByteArray findingsOf(const std::filesystem::path& folder) {
    QByteArray text;
    for (const Finding& finding : verifyWorkspace(folder).findings)
        text += QByteArray::fromStdString(finding.where + ": " + finding.text + "\n");
    return text;
}

}  // namespace

/// A disk that is full from one place on: the run waits, says so, and can be stopped or goes on.
class FullDiskTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Workspace> m_workspace;

    static void addPlaces() {
        QTest::addColumn<QByteArray>("place");
        // The run's row, its first state, its first events, in the middle, its last rows; its
        // folder, its first and a later file, the kept graph and everything behind it.
        for (const char* const place :
             {"db.commit:enospc@1+", "db.commit:enospc@2+", "db.begin:enospc@3+",
              "db.row:enospc@9+", "db.*:enospc@4+", "db.commit:edquot@4+", "folder.make:enospc@1+",
              "file.open:enospc@1+", "file.write:enospc@3+", "file.fsync:enospc@2+",
              "file.rename:enospc@4+", "file.after_rename:enospc@2+", "file.*:enospc@30+"})
            QTest::newRow(place) << QByteArray(place);
    }

    /// A run in state blocked, waiting for the place that QFETCH names.
    std::unique_ptr<Run> blockedRun(const QByteArray& place) {
        setFaults(place.toStdString());
        auto run = Run::start(
            smallSolve(),
            {.workspace = m_workspace.get(), .keepsEvents = true, .diskRetryPause = kRetryPause});
        const auto isBlocked = [](const RunSnapshot& now) {
            return now.state == RunState::Blocked;
        };
        if (!test::reaches(*run, isBlocked)) return nullptr;
        return run;
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace =
            Workspace::open(m_folder->filePath("w.orrery").toStdString(), Workspace::Mode::Create,
                            {.batchTime = 5ms, .retryPause = kRetryPause, .endPatience = 100ms});
    }
    void cleanup() {
        setFaults("");
        m_workspace.reset();
    }

    void aBlockedRunWaitsAndIsWholeOnceThereIsSpace_data() { addPlaces(); }
    void aBlockedRunWaitsAndIsWholeOnceThereIsSpace() {
        QFETCH(QByteArray, place);
        const auto run = blockedRun(place);
        QVERIFY(run);
        QVERIFY(QByteArray::fromStdString(run->snapshot()->trouble).contains("Free some space"));
        // Must wait for time: nothing may happen.
        QVERIFY(!run->waitFor(300ms));
        QCOMPARE(run->state(), RunState::Blocked);
        setFaults("");
        const auto begin = Clock::now();
        const RunOutcome outcome = run->wait();
        QVERIFY(Clock::now() - begin < test::latencyLimit(5s));
        QCOMPARE(outcome.state, RunState::Finished);
        QVERIFY(outcome.lost.empty() && run->snapshot()->trouble.empty());
        int blockedEvents = 0;
        for (const RunEvent& event : run->feed().events().drain())
            if (const auto* message = std::get_if<RunEvent::Message>(&event.body))
                blockedEvents += message->code == "disk.blocked" ? 1 : 0;
        // Where only the last rows wait, all events have been told already.
        QVERIFY2(blockedEvents <= 1, qPrintable(QString::number(blockedEvents)));
        const HistoryReader reader = m_workspace->reader();
        QCOMPARE(reader.listRuns().size(), std::size_t{1});
        QCOMPARE(reader.run(run->id())->state, std::optional(RunState::Finished));
        QCOMPARE(reader.metrics(run->id(), "solve/states").size(), std::size_t{9});
        QCOMPARE(findingsOf(m_workspace->folder()), QByteArray());
    }

    void aBlockedRunStopsAtOnceAndTellsWhatIsLost_data() { addPlaces(); }
    void aBlockedRunStopsAtOnceAndTellsWhatIsLost() {
        QFETCH(QByteArray, place);
        auto run = blockedRun(place);
        QVERIFY(run);
        const auto begin = Clock::now();
        run->cancel("a test");
        const RunOutcome outcome = run->wait();
        QCOMPARE(outcome.state, RunState::Stopped);
        QCOMPARE(outcome.exitStatus, 130);
        QVERIFY(QByteArray::fromStdString(outcome.lost).contains("Free some space"));
        run.reset();
        m_workspace.reset();
        QVERIFY(Clock::now() - begin < test::latencyLimit(2s));
        setFaults("");
        const std::filesystem::path folder = m_folder->filePath("w.orrery").toStdString();
        QCOMPARE(findingsOf(folder), QByteArray());
        // A run whose end could not be stored is offered as interrupted; none is left alive.
        const auto again = Workspace::open(folder, Workspace::Mode::ReadWrite);
        for (const RunRecord& record : again->reader().listRuns())
            QVERIFY(record.state && !isLive(*record.state));
        QCOMPARE(findingsOf(folder), QByteArray());
    }

    void patienceHasAnEnd() {
        setFaults("folder.make:enospc@1+");
        const auto run =
            Run::start(smallSolve(), {.workspace = m_workspace.get(), .diskPatience = 100ms});
        const RunOutcome outcome = run->wait();
        setFaults("");
        QCOMPARE(outcome.state, RunState::Failed);
        QCOMPARE(outcome.exitStatus, 6);
        QVERIFY(QByteArray::fromStdString(outcome.text).contains("ENOSPC"));
    }

    void otherFaultsOfAFileEndTheRunWithPathAndReason() {
        setFaults("file.fsync:eio@2+");
        const auto run = Run::start(smallSolve(), {.workspace = m_workspace.get()});
        const RunOutcome outcome = run->wait();
        QCOMPARE(outcome.state, RunState::Failed);
        QCOMPARE(outcome.exitStatus, 6);
        const QByteArray text = QByteArray::fromStdString(outcome.text);
        QVERIFY2(text.contains("EIO") && text.contains(".yaml"), text);
        setFaults("");
        QCOMPARE(m_workspace->reader().run(run->id())->state, std::optional(RunState::Failed));
    }
};

ORRERY_TEST(FullDiskTest)
#include "full_disk_test.moc"
