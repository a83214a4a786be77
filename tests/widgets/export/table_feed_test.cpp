#include <QFile>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <thread>

#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/export/table_feed.h"

using namespace orrery;

/// Tables on their way into files.
class TableFeedTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    /// What a worker wrote while the event loop ran; "stopped", or the text of an error.
    struct Outcome {
        QString said;
        QByteArray bytes;
    };
    Outcome write(const std::shared_ptr<TableLines>& lines, const std::stop_token& stop = {},
                  const std::function<void()>& meanwhile = {}) {
        const QString file = m_folder.filePath(QStringLiteral("table.txt"));
        QFile::remove(file);
        Outcome outcome;
        std::atomic<bool> isDone = false;
        std::jthread worker([&] {
            try {
                outcome.said = writeTable(*lines, file.toStdString(), stop, {})
                                   ? QString()
                                   : QStringLiteral("stopped");
            } catch (const Error& error) {
                outcome.said = QString::fromUtf8(error.what());
            }
            isDone = true;
        });
        if (meanwhile) meanwhile();
        if (!QTest::qWaitFor([&] { return isDone.load(); }, kPatience)) qFatal("not done");
        worker.join();
        QFile written(file);
        if (written.open(QIODevice::ReadOnly)) outcome.bytes = written.readAll();
        return outcome;
    }

private Q_SLOTS:
    void everyRowIsWrittenWithAllDigits() {
        QStandardItemModel model(2, 3);
        model.setHorizontalHeaderLabels(
            {QStringLiteral("step"), QStringLiteral("V_r [exact]"), QStringLiteral("state, said")});
        model.setData(model.index(0, 0), 7);
        model.setData(model.index(0, 1), 0.1);
        model.setData(model.index(0, 2), QStringLiteral("a \"door\", open"));
        model.setData(model.index(1, 0), -12);
        model.setData(model.index(1, 1), -1.0 / 3);
        model.setData(model.index(1, 2), QStringLiteral("=SUM(A1)"));
        const Outcome csv = write(TableFeed::start(&model, ','));
        QCOMPARE(csv.said, QString());
        QCOMPARE(csv.bytes, QByteArray("step,V_r [exact],\"state, said\"\r\n"
                                       "7,0.10000000000000001,\"a \"\"door\"\", open\"\r\n"
                                       "-12,-0.33333333333333331,\"'=SUM(A1)\"\r\n"));
        const Outcome tsv = write(TableFeed::start(&model, '\t'));
        QCOMPARE(tsv.bytes.split('\n').value(1),
                 QByteArray("7\t0.10000000000000001\ta \"door\", open"));
    }

    /// What the screen writes with a long minus and thin blanks is a number all the same.
    void numbersOfTheScreenBecomePlain() {
        QStandardItemModel model(1, 2);
        model.setData(model.index(0, 0), QStringLiteral("−1\u202f234.5"));
        model.setData(model.index(0, 1), QStringLiteral("− none"));
        const Outcome csv = write(TableFeed::start(&model, ','));
        QCOMPARE(csv.bytes.split('\n').value(1), QByteArray("-1234.5,− none\r"));
    }

    void aViewGivesTheColumnsItShows() {
        QStandardItemModel model(1, 3);
        for (int c = 0; c < 3; ++c) model.setData(model.index(0, c), c);
        QTableView view;
        view.setModel(&model);
        view.setColumnHidden(1, true);
        QCOMPARE(write(TableFeed::start(&view, ',')).bytes.split('\n').value(1),
                 QByteArray("0,2\r"));
    }

    void longTablesAreWhole() {
        constexpr int kRows = 30000;
        QStandardItemModel model(kRows, 2);
        for (int row = 0; row < kRows; ++row)
            for (int c = 0; c < 2; ++c) model.setData(model.index(row, c), row * 0.5 + c);
        const Outcome csv = write(TableFeed::start(&model, ','));
        QCOMPARE(csv.said, QString());
        const auto lines = csv.bytes.split('\n');
        QCOMPARE(lines.size(), kRows + 2);  // header, rows and what follows the last line end
        QCOMPARE(lines[kRows], QByteArray("14999.5,15000.5\r"));
    }

    void aTableThatChangesMeanwhileIsRefused() {
        QStandardItemModel model(20000, 4);
        const Outcome outcome = write(TableFeed::start(&model, ','), {}, [&] {
            QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
            model.removeRow(5);
        });
        QVERIFY2(outcome.said.contains(QLatin1String("The table changed")),
                 qPrintable(outcome.said));
        QVERIFY(outcome.bytes.isNull());
    }

    void aTableThatIsTakenAwayIsRefused() {
        auto model = std::make_unique<QStandardItemModel>(20000, 4);
        const Outcome outcome =
            write(TableFeed::start(model.get(), ','), {}, [&] { model.reset(); });
        QVERIFY(outcome.said.contains(QLatin1String("The table changed")));
        QVERIFY(outcome.bytes.isNull());
    }

    void aStoppedTableIsNotWritten() {
        QStandardItemModel model(100, 2);
        std::stop_source stop;
        stop.request_stop();
        const Outcome outcome = write(TableFeed::start(&model, ','), stop.get_token());
        QCOMPARE(outcome.said, QStringLiteral("stopped"));
        QVERIFY(outcome.bytes.isNull());
    }
};

ORRERY_WINDOW_TEST(TableFeedTest)
#include "table_feed_test.moc"
