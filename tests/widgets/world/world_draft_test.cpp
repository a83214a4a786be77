#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <fstream>

#include "tests/support/test_program.h"
#include "tests/widgets/world/world_edit_bench.h"
#include "widgets/world/new_world_dialog.h"
#include "widgets/world/spec_edit.h"
#include "widgets/world/world_files.h"

using namespace orrery;

/// A draft that is wrong, saved, left or made anew by the wizard.
class WorldDraftTest : public QObject, private WorldEditBench {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { dress(); }
    void init() { beginEdit(); }
    void cleanup() { m_bench.reset(); }

    void anInvalidDraftKeepsTheLastWorld() {
        bench().click("toolErase");
        click(0, 2);  // the border is open
        QVERIFY(!bench().editor.isValid());
        QVERIFY(finds(QStringLiteral("border is open")));
        QCOMPARE(bench().session.solution(), m_solution);
        QCOMPARE(bench().child<QLabel>("stateChip")->text(), QStringLiteral("draft has errors"));
        bench().keep("world-edit-invalid");
        // It is kept in a file as it is, with a warning; what is solved is right.
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("rooms.yaml"));
        const std::string text = bench().session.loaded().text;
        const QSignalSpy said(&bench().editor, &WorldEditor::said);
        QVERIFY(bench().editor.saveTo(file));
        QVERIFY(said.last().at(1).toString().contains(QStringLiteral("border is open")));
        QVERIFY(!loadWorld(file.toStdString()).world);
        QCOMPARE(bench().session.loaded().text, text);
        bench().undo.undo();
        QVERIFY(bench().editor.isValid());
    }

    void aNameThatIsGivenWhileTheWorldIsWrongIsTheTitleOnceItIsRight() {
        bench().click("toolErase");
        click(0, 2);  // the border is open
        QVERIFY(!bench().editor.isValid());
        bench().editor.askForRules();
        auto* name = bench().child<QLineEdit>("rule_metadata.name");
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("Long maze"));
        QTest::keyClick(name, Qt::Key_Return);
        pick("We");
        click(0, 2);
        QVERIFY(bench().editor.isValid());
        QCOMPARE(bench().session.loaded().title, QStringLiteral("Long maze"));
        bench().undo.undo();
        bench().undo.undo();
        bench().undo.undo();
        QVERIFY(bench().editor.isValid());
        QCOMPARE(bench().session.loaded().title, m_loaded.title);
    }

    void aWrongWorldIsSavedUnderTheTitleOfTheOneThatIsShown() {
        const QTemporaryDir folder;
        const auto call = [this](const QString& text) {
            bench().editor.askForRules();
            auto* name = bench().child<QLineEdit>("rule_metadata.name");
            name->selectAll();
            QTest::keyClick(name, Qt::Key_Delete);
            QTest::keyClicks(name, text);
            QTest::keyClick(name, Qt::Key_Return);
        };
        call(QStringLiteral("Long maze"));
        QTRY_COMPARE_WITH_TIMEOUT(bench().session.loaded().title, QStringLiteral("Long maze"),
                                  kPatience);
        bench().click("toolErase");
        click(0, 2);  // the border is open
        call({});
        QVERIFY(!bench().editor.isValid());
        const QSignalSpy renamed(&bench().session, &PlanSession::renamed);
        QVERIFY(bench().editor.saveTo(folder.filePath(QStringLiteral("two_rooms.yaml"))));
        QCOMPARE(bench().session.loaded().title, QStringLiteral("Long maze"));
        QCOMPARE(renamed.size(), 1);
        // Once it is right, it is the one without a name that is shown.
        pick("We");
        click(0, 2);
        QVERIFY(bench().editor.isValid());
        QCOMPARE(bench().session.loaded().title, QStringLiteral("two_rooms"));
    }

    void savingWritesTheFileAndWarnsOfComments() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("rooms.yaml"));
        std::ofstream(file.toStdString()) << "# drawn by hand\n" << m_loaded.text;
        bench().session.open(loadWorld(file.toStdString()));
        QCOMPARE(bench().editor.file(), file);
        QVERIFY(!bench().editor.isModified());
        QCOMPARE(bench().editor.numCommentsLost(), 1);
        pick("Bu");
        click(4, 2);
        QVERIFY(bench().editor.isModified());
        QVERIFY(bench().editor.saveTo(file));
        QVERIFY(!bench().editor.isModified());
        const LoadedWorld again = loadWorld(file.toStdString());
        QCOMPARE(worldText(again.world->fileSpec()), worldText(bench().editor.spec()));
        QCOMPARE(again.text, bench().session.loaded().text);
        // Without a name it is called by its file, now and when it is opened again.
        WorldSpec nameless = again.world->fileSpec();
        nameless->metadata.name.clear();
        bench().editor.openNew(nameless, QStringLiteral("new_world"), QStringLiteral("New world"));
        QCOMPARE(bench().session.loaded().title, QStringLiteral("New world"));
        const QString other = folder.filePath(QStringLiteral("two_rooms.yaml"));
        QVERIFY(bench().editor.saveTo(other));
        QCOMPARE(bench().session.loaded().title, QStringLiteral("two_rooms"));
        QCOMPARE(loadWorld(other.toStdString()).title, QStringLiteral("two_rooms"));
        QCOMPARE(titleOfSpec("a/b\n\tc.yaml", nameless), QStringLiteral("b c"));
        const QSignalSpy said(&bench().editor, &WorldEditor::said);
        QVERIFY(!bench().editor.saveTo(QStringLiteral("/no/such/folder/rooms.yaml")));
        QVERIFY(said.last().at(1).toString().contains(QStringLiteral("/no/such/folder")));
    }

    void aFileThatSomebodyElseWroteIsNotReplacedUnseen() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("rooms.yaml"));
        const auto write = [&](const char* first) {
            std::ofstream(file.toStdString()) << first << m_loaded.text;
        };
        write("# as it was opened\n");
        bench().session.open(loadWorld(file.toStdString()));
        QVERIFY(!bench().editor.isFileChanged());
        write("# by another program\n");
        QVERIFY(bench().editor.isFileChanged());
        pick("Bu");
        click(4, 2);
        QVERIFY(bench().editor.isFileChanged());
        const auto answer = [&](const QString& button) {
            QStringList seen;
            QTimer::singleShot(0, qApp, [&] {
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                if (!box) return;
                seen << box->objectName();
                for (QAbstractButton* each : box->buttons())
                    if (each->text() == button) return each->click();
                box->reject();
            });
            saveWorld(bench().editor, bench().session, nullptr);
            return seen;
        };
        QCOMPARE(answer(QStringLiteral("Cancel")), QStringList{"changedBox"});
        QCOMPARE(loadWorld(file.toStdString()).text, "# by another program\n" + m_loaded.text);
        QVERIFY(bench().editor.isModified());
        QVERIFY(bench().editor.saveTo(file));  // after it was asked
        QVERIFY(!bench().editor.isFileChanged());
    }

    void whatIsOpenedIsNotEditedAtOnce() {
        QVERIFY(bench().editor.isOn());
        bench().session.open(m_loaded);
        QVERIFY(!bench().editor.isOn());
        bench().editor.openNew(bench().editor.spec(), QStringLiteral("new"), QStringLiteral("new"));
        QVERIFY(bench().editor.isOn());
    }

    void changesOfAWorldThatWasLeftAreVoid() {
        pick("La");
        click(4, 2);
        bench().session.open(m_loaded);
        const std::string text = worldText(bench().editor.spec());
        bench().undo.undo();
        QCOMPARE(worldText(bench().editor.spec()), text);
    }

    void theWizardMakesAWorldOfASizeAndOfAText() {
        askForNewWorld(bench().editor, &bench().window, [] {});
        auto* dialog = bench().child<NewWorldDialog>("newWorldDialog");
        QVERIFY(QTest::qWaitForWindowExposed(dialog, kPatience));
        auto* width = dialog->findChild<QSpinBox*>(QStringLiteral("newWorldWidth"));
        width->setFocus();
        width->selectAll();
        QTest::keyClicks(width, QStringLiteral("11"));
        auto* walls = dialog->findChild<QComboBox*>(QStringLiteral("newWorldWalls"));
        walls->setFocus();
        QTest::keyClick(walls, Qt::Key_Down);
        QCOMPARE(sizeOf(dialog->spec()), QSize(11, 7));
        auto* humans = dialog->findChild<QSpinBox*>(QStringLiteral("newWorldHumans"));
        humans->setFocus();
        humans->selectAll();
        QTest::keyClicks(humans, QStringLiteral("8"));
        if (const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES"); !folder.isEmpty())
            dialog->grab().save(folder + QStringLiteral("/world-new.png"));
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("createWorld")),
                          Qt::LeftButton);
        QCOMPARE(bench().session.world().width(), 11);
        QCOMPARE(bench().session.world().humans().size(), std::size_t{8});
        QCOMPARE(bench().session.loaded().title, QStringLiteral("New world"));
        QVERIFY(bench().editor.isOn());
        QVERIFY(bench().editor.isModified());
        QTRY_VERIFY_WITH_TIMEOUT(!bench().window.findChild<NewWorldDialog*>(), kPatience);
        askForNewWorld(bench().editor, &bench().window, [] {});
        dialog = bench().child<NewWorldDialog>("newWorldDialog");
        auto* tabs = dialog->findChild<QTabWidget*>(QStringLiteral("newWorldTabs"));
        tabs->setCurrentIndex(1);
        auto* create = dialog->findChild<QPushButton*>(QStringLiteral("createWorld"));
        QVERIFY(!create->isEnabled());
        auto* text = dialog->findChild<QPlainTextEdit*>(QStringLiteral("newWorldText"));
        QTest::keyClicks(text, QStringLiteral("We We We We"));
        QVERIFY(!create->isEnabled());
        QTest::keyClick(text, Qt::Key_Return);
        QTest::keyClicks(text, QStringLiteral("We Ay .. We"));
        QTest::keyClick(text, Qt::Key_Return);
        QTest::keyClicks(text, QStringLiteral("We We We We"));
        QVERIFY(create->isEnabled());
        QTest::mouseClick(create, Qt::LeftButton);
        QCOMPARE(bench().session.world().width(), 4);
    }
};

ORRERY_WINDOW_TEST(WorldDraftTest)
#include "world_draft_test.moc"
