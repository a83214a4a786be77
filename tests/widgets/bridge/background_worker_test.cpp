#include "widgets/bridge/background_worker.h"

#include <QStringList>
#include <QTest>
#include <new>
#include <stdexcept>

#include "tests/support/small_room.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// What becomes of jobs that do not bring a result.
class BackgroundWorkerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachKindOfFailureIsToldAndTheNextJobIsDone() {
        BackgroundWorker worker;
        QStringList told;
        int numDone = 0;
        const auto append = [&](const std::function<int(std::stop_token)>& work) {
            worker.append<int>(
                work, [&](int) { ++numDone; }, [&](const QString& text) { told << text; });
        };
        append([](std::stop_token) -> int { throw Error("The file is gone."); });
        append([](std::stop_token) -> int { throw std::bad_alloc(); });
        append([](std::stop_token) -> int { throw std::logic_error("a broken promise"); });
        append([](std::stop_token) { return 1; });
        QTest::ignoreMessage(QtCriticalMsg, "A background job failed: a broken promise");
        QTRY_COMPARE_WITH_TIMEOUT(numDone, 1, kPatience);
        QCOMPARE(told.size(), 3);
        QCOMPARE(told[0], QStringLiteral("The file is gone."));
        QVERIFY2(told[1].contains(QStringLiteral("memory")), qPrintable(told[1]));
        QVERIFY2(told[2].contains(QStringLiteral("a broken promise")), qPrintable(told[2]));
    }
};

ORRERY_APPLICATION_TEST(BackgroundWorkerTest)
#include "background_worker_test.moc"
