#include "core/base/fault.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QTest>
#include <cerrno>
#include <chrono>
#include <csignal>

#include "core/base/error.h"
#include "tests/support/test_program.h"

class FaultTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { orrery::setFaults(""); }

    void nothingHappensWithoutAPlan() {
        orrery::setFaults("");
        for (int i = 0; i < 100; ++i) QCOMPARE(orrery::faultErrno("a"), 0);
        QCOMPARE(orrery::faultHits(), std::uint64_t{0});
    }

    void theNthPassFails() {
        orrery::setFaults("db.commit:enospc@3");
        for (int i = 1; i <= 5; ++i) {
            QCOMPARE(orrery::faultErrno("db.begin"), 0);
            QCOMPARE(orrery::faultErrno("db.commit"), i == 3 ? ENOSPC : 0);
        }
        QCOMPARE(orrery::faultHits(), std::uint64_t{5});
    }

    void aPlusKeepsFailing() {
        orrery::setFaults("x:eio@2+");
        QCOMPARE(orrery::faultErrno("x"), 0);
        QCOMPARE(orrery::faultErrno("x"), EIO);
        QCOMPARE(orrery::faultErrno("x"), EIO);
    }

    void aStarMatchesABeginningInOneCount() {
        orrery::setFaults("file.*:short@2,other:eintr");
        QCOMPARE(orrery::faultErrno("file.open"), 0);
        QCOMPARE(orrery::faultErrno("files"), 0);
        QCOMPARE(orrery::faultErrno("file.write"), orrery::kFaultShort);
        QCOMPARE(orrery::faultErrno("other"), EINTR);
        QCOMPARE(orrery::faultErrno("other"), 0);
    }

    void throwNanAndDelayDoWhatTheySay() {
        orrery::setFaults("step:throw@2,loss:nan,slow:delay=30");
        orrery::faultPoint("step");
        QVERIFY_THROWS_EXCEPTION(orrery::Error, orrery::faultPoint("step"));
        QVERIFY(orrery::faultNan("loss"));
        QVERIFY(!orrery::faultNan("loss"));
        const auto begin = std::chrono::steady_clock::now();
        orrery::faultPoint("slow");
        QVERIFY(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(30));
    }

    void killEndsTheProcessAtOnce() {
        const pid_t child = ::fork();
        if (child == 0) {
            orrery::setFaults("here:kill@2");
            orrery::faultPoint("here");
            orrery::faultPoint("here");
            ::_exit(0);
        }
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }

    void wrongPlansAreRefused_data() {
        QTest::addColumn<QByteArray>("plan");
        for (const char* const plan : {"nothing", ":kill", "a:explode", "a:kill@0", "a:kill@x",
                                       "a:delay=-1", "a:delay=soon"})
            QTest::newRow(plan) << QByteArray(plan);
    }
    void wrongPlansAreRefused() {
        QFETCH(QByteArray, plan);
        QVERIFY_THROWS_EXCEPTION(orrery::Error, orrery::setFaults(plan.toStdString()));
    }
};

ORRERY_TEST(FaultTest)
#include "fault_test.moc"
