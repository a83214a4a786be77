#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <array>
#include <fstream>

#include "tests/support/test_program.h"
#include "tests/widgets/compare/compare_bench.h"
#include "widgets/common/message_strip.h"
#include "widgets/compare/runs_table.h"

using namespace orrery;

/// Runs that are renamed, thrown away and deleted in the view, with mouse and keys.
class CompareEditsTest : public QObject, private CompareBench {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { makeRuns(); }
    void init() { makeView(); }
    void cleanup() { endView(); }

    void aNameIsEditedAndUndone() {
        rows()->setFocus();
        rows()->setCurrentIndex(model()->index(0, 0));
        QTest::keyClick(rows(), Qt::Key_F2);
        auto* editor = rows()->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("best of all"));
        QTest::keyClick(editor, Qt::Key_Return);
        settle();
        QCOMPARE(record(QStringLiteral("r00006")).name, std::string("best of all"));
        QCOMPARE(model()->index(0, 0).data().toString(), QStringLiteral("best of all"));
        QVERIFY(m_undo->undoText().contains(QStringLiteral("best of all")));
        m_undo->undo();
        settle();
        QCOMPARE(record(QStringLiteral("r00006")).name, std::string("steps - beta_r 5 - seed 3"));
    }

    void aRunGoesToTheTrashAndComesBack() {
        rows()->setFocus();
        rows()->setCurrentIndex(model()->index(0, 0));
        QTest::keyClick(rows(), Qt::Key_Delete);
        settle();
        QCOMPARE(model()->rowCount(), 5);
        QVERIFY(!record(QStringLiteral("r00006")).trashedUtc.empty());
        QCOMPARE(m_view->compareSet().rows.size(), std::size_t(5));
        m_undo->undo();
        settle();
        QCOMPARE(model()->rowCount(), 6);
    }

    void theStripTakesBackWhatWentToTheTrash() {
        rows()->setFocus();
        rows()->setCurrentIndex(model()->index(0, 0));
        QTest::keyClick(rows(), Qt::Key_Delete);
        settle();
        QCOMPARE(model()->rowCount(), 5);
        auto* strip = m_view->findChild<MessageStrip*>(QString(), Qt::FindDirectChildrenOnly);
        QCOMPARE(strip->text(), QStringLiteral("Moved 1 run to the trash."));
        auto* undo = strip->findChild<QPushButton*>(QStringLiteral("messageAction"));
        QCOMPARE(undo->text(), QStringLiteral("Undo"));
        QTest::mouseClick(undo, Qt::LeftButton);
        settle();
        QCOMPARE(model()->rowCount(), 6);
    }

    void deletingForGoodSaysWhatItFrees() {
        m_worker->append<bool>(
            [workspace = m_archive->writableWorkspace()](std::stop_token) {
                const std::string id = workspace->writer().createRun({.name = "spare"});
                workspace->writer().changeState(id, std::array{RunState::Queued},
                                                RunState::Finished);
                std::ofstream(workspace->makeRunFolder(id) / "solution.bin")
                    << std::string(5000, 'x');
                return true;
            },
            [](bool) {}, [](const QString&) {});
        settle();
        m_archive->refreshRuns();
        settle();
        QCOMPARE(model()->rowCount(), 7);
        const QString id = QString::fromStdString(model()->sheet()->runs[0].id);
        rows()->setFocus();
        rows()->setCurrentIndex(model()->index(0, 0));
        QTest::keyClick(rows(), Qt::Key_Delete);
        settle();
        auto* trash = m_view->findChild<QAbstractButton*>(QStringLiteral("runsTrash"));
        QCOMPARE(trash->text(), QStringLiteral("Trash (1)"));
        QTest::mouseClick(trash, Qt::LeftButton);
        QCOMPARE(model()->rowCount(), 1);
        rows()->setFocus();
        rows()->setCurrentIndex(model()->index(0, 0));
        QTest::keyClick(rows(), Qt::Key_Delete);
        settle();
        auto* strip = m_view->findChild<MessageStrip*>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY2(strip->text().contains(QStringLiteral("frees 4.9 KiB")),
                 qPrintable(strip->text()));
        keep(m_view.get(), "compare-trash");
        for (auto* button : strip->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Delete for good"))
                QTest::mouseClick(button, Qt::LeftButton);
        settle();
        QCOMPARE(model()->rowCount(), 0);
        QVERIFY(!HistoryReader(workspace() / "workspace.db").run(id.toStdString()));
        QVERIFY(!std::filesystem::exists(workspace() / "runs" / id.toStdString()));
    }
};

ORRERY_WINDOW_TEST(CompareEditsTest)
#include "compare_edits_test.moc"
