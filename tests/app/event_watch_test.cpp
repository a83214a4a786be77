#include "app/window/event_watch.h"

#include <QDialog>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QWidget>
#include <chrono>

#include "core/base/cpu.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// Takes that much of the processor, as a slow view would.
void work(int milliseconds) {
    const double end = threadCpuMs() + milliseconds;
    while (threadCpuMs() < end) {
    }
}

/// Paints for some milliseconds.
class SlowPicture : public QWidget {
public:
    using QWidget::QWidget;
    int milliseconds = 0;

protected:
    void paintEvent(QPaintEvent*) override { work(milliseconds); }
};

WatchedApplication* app() {
    return static_cast<WatchedApplication*>(qApp);
}

}  // namespace

/// Other programs may hold the thread up at any time: only what must be there is asked for.
class EventWatchTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<EventWatch> m_watch;
    std::unique_ptr<QTemporaryDir> m_folder;

    std::filesystem::path log() const {
        return m_folder->filePath(QStringLiteral("state/window.log")).toStdString();
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_watch = std::make_unique<EventWatch>(log());
        app()->setWatch(m_watch.get());
    }

    void cleanup() {
        app()->setWatch(nullptr);
        m_watch.reset();
    }

    void aSlowEventIsABlockAndIsLogged() {
        QWidget receiver;
        receiver.setObjectName(QStringLiteral("slowOne"));
        QTimer::singleShot(0, &receiver, [] { work(80); });
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->numBlocks() >= 1, kPatience);
        const EventWatch::Block& block = m_watch->blocks().front();
        QVERIFY2(block.wallMs >= 80 && block.cpuMs >= 80, qPrintable(block.what));
        QVERIFY(m_watch->toJson().value(QStringLiteral("longestMs")).toDouble() >= 80);
        QFile file(QString::fromStdString(log().string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(text.contains("blocked ") && text.contains(block.what.toUtf8()), text.constData());
    }

    void aSlowSlotNamesItsReceiver() {
        QWidget receiver;
        receiver.setObjectName(QStringLiteral("slowOne"));
        QMetaObject::invokeMethod(
            &receiver, [] { work(70); }, Qt::QueuedConnection);
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->numBlocks() >= 1, kPatience);
        QCOMPARE(m_watch->blocks().front().what, QStringLiteral("MetaCall of QWidget slowOne"));
    }

    void anOpenDialogBlocksNothing() {
        QWidget receiver;
        receiver.setObjectName(QStringLiteral("opener"));
        // Long: what else the machine does in the opener's own time counts as its block.
        constexpr int kOpenMs = 1500;
        bool isClosed = false;
        QMetaObject::invokeMethod(
            &receiver,
            [&] {
                QDialog dialog;
                QTimer::singleShot(kOpenMs, &dialog, &QDialog::accept);
                dialog.exec();
                isClosed = true;
            },
            Qt::QueuedConnection);
        QTRY_VERIFY_WITH_TIMEOUT(isClosed, kPatience);
        for (const EventWatch::Block& block : m_watch->blocks())
            QVERIFY2(!block.what.contains(QStringLiteral("opener")) || block.wallMs < kOpenMs,
                     qPrintable(block.what));
    }

    void whatIsLeftOutIsNoBlock() {
        QWidget receiver;
        bool isDone = false;
        QMetaObject::invokeMethod(
            &receiver,
            [&] {
                m_watch->leaveOut();
                work(120);
                isDone = true;
            },
            Qt::QueuedConnection);
        QTRY_VERIFY_WITH_TIMEOUT(isDone, kPatience);
        for (const EventWatch::Block& block : m_watch->blocks())
            QVERIFY2(!block.what.startsWith(QStringLiteral("MetaCall of QWidget")),
                     qPrintable(block.what));
    }

    void paintingIsCountedByFrame() {
        SlowPicture picture;
        picture.resize(60, 40);
        picture.milliseconds = 12;
        picture.show();
        QVERIFY(QTest::qWaitForWindowExposed(&picture, kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->frames().total() >= 1, kPatience);
        const std::int64_t before = m_watch->frames().total();
        picture.update();
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->frames().total() > before, kPatience);
        QVERIFY(m_watch->frames().max() >= 12);
        std::int64_t counted = 0;
        for (const std::int64_t count : m_watch->frames().buckets()) counted += count;
        QCOMPARE(counted, m_watch->frames().total());
        QVERIFY(m_watch->text().contains(QStringLiteral("p99")));
    }

    void frameTimesFallIntoTheirBuckets() {
        FrameTimes times;
        for (int k = 0; k < 99; ++k) times.add(3);
        times.add(120);
        QCOMPARE(times.buckets()[3], std::int64_t{99});  // 2 to 4 ms
        QCOMPARE(times.buckets().back(), std::int64_t{1});
        QCOMPARE(times.quantile(0.5), 3.0);
        QCOMPARE(times.max(), 120.0);
        times.add(4);  // the end of a bucket belongs to it
        QCOMPARE(times.buckets()[3], std::int64_t{100});
    }

    void aHangIsLoggedWhileItLasts() {
        QWidget receiver;
        bool wasLogged = false;
        QMetaObject::invokeMethod(
            &receiver,
            [&] {
                const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(50);
                while (!wasLogged && std::chrono::steady_clock::now() < end) {
                    QFile file(QString::fromStdString(log().string()));
                    wasLogged = file.open(QIODevice::ReadOnly) &&
                                file.readAll().contains("does not answer");
                }
            },
            Qt::QueuedConnection);
        QTRY_VERIFY_WITH_TIMEOUT(wasLogged, kPatience);
    }
};

ORRERY_TEST_IN(EventWatchTest, WatchedApplication)
#include "event_watch_test.moc"
