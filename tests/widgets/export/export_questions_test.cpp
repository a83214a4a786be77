#include <QFile>
#include <QFileInfo>
#include <QPushButton>
#include <QTest>

#include "tests/support/test_program.h"
#include "tests/widgets/answers.h"
#include "tests/widgets/export/export_bench.h"
#include "tests/widgets/opened_urls.h"
#include "widgets/common/written_file.h"
#include "widgets/export/export_form.h"

using namespace orrery;

/// What an export asks before it replaces a file, and what it offers after it.
class ExportQuestionsTest : public QObject, private ExportBench {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { openEpisode(); }
    void cleanupTestCase() { m_window.reset(); }

    /// However a file is named, it is asked for once, and nothing is done without an answer.
    void anExistingFileIsAskedFor() {
        QFile kept(path("kept.csv"));
        QVERIFY(kept.open(QIODevice::WriteOnly) && kept.write("of the user's") > 0);
        kept.close();
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("Steps of the episode"));
        pick("exportFormat", QStringLiteral("CSV"));
        {
            const BoxAnswer no("replaceBox");
            enterTarget(path("kept.csv"));
            QCOMPARE(no.questions(), QStringList{QStringLiteral("Replace the file kept.csv?")});
        }
        QVERIFY(child<ExportForm>("exportForm")->isVisible());
        QCOMPARE(read(path("kept.csv")), QByteArray("of the user's"));
        const BoxAnswer yes("replaceBox", "replaceFile");
        exportTo(path("kept.csv"));
        QCOMPARE(yes.questions().size(), 1);
        QVERIFY(read(path("kept.csv")).startsWith("episode,"));
    }

    void allFilesOfAnExportAreAskedFor() {
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("State graph"));
        pick("exportFormat", QStringLiteral("PRISM"));
        exportTo(path("model.tra"));
        QVERIFY(QFileInfo::exists(path("model.lab")));
        QVERIFY(QFile::remove(path("model.tra")));
        const QByteArray states = read(path("model.sta"));
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("State graph"));
        pick("exportFormat", QStringLiteral("PRISM"));
        const BoxAnswer no("replaceBox");
        enterTarget(path("model"));
        QCOMPARE(no.questions(),
                 QStringList{QStringLiteral("Replace the files model.sta, model.lab?")});
        QCOMPARE(read(path("model.sta")), states);
        child<ExportForm>("exportForm")->close();
    }

    void aNameWithoutAnEndingIsAskedForWithIt() {
        QFile kept(path("kept.yaml"));
        QVERIFY(kept.open(QIODevice::WriteOnly));
        kept.close();
        const FileDialogAnswer named(path("kept"));
        const BoxAnswer yes("replaceBox", "replaceFile");
        const QString file =
            askForFile(m_window.get(), {.title = QStringLiteral("Save"),
                                        .start = path("other.yaml"),
                                        .filter = QStringLiteral("World files (*.yaml)"),
                                        .suffix = QStringLiteral("yaml")});
        QCOMPARE(file, path("kept.yaml"));
        QCOMPARE(named.asked(), 1);
        QCOMPARE(yes.questions(), QStringList{QStringLiteral("Replace the file kept.yaml?")});
    }

    void theFolderOfWhatWasWrittenCanBeOpened() {
        openForm(Qt::Key_E, Qt::ControlModifier);
        pick("exportWhat", QStringLiteral("Steps of the episode"));
        exportTo(path("opened.csv"));
        const OpenedUrls opened;
        QTest::mouseClick(m_window->strip().findChild<QPushButton*>("messageAction"),
                          Qt::LeftButton);
        QCOMPARE(opened.urls(), QList<QUrl>{QUrl::fromLocalFile(m_folder.path())});
    }
};

ORRERY_WINDOW_TEST(ExportQuestionsTest)
#include "export_questions_test.moc"
