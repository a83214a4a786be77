#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <fstream>

#include "tests/support/test_program.h"
#include "tests/widgets/world/world_bench.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/row_list.h"
#include "widgets/common/tokens.h"
#include "widgets/world/new_world_dialog.h"
#include "widgets/world/palette.h"
#include "widgets/world/spec_edit.h"
#include "widgets/world/spec_shape.h"
#include "widgets/world/world_files.h"

using namespace orrery;

namespace {

LoadedWorld twoRooms() {
    GridWorldSpec spec;
    spec.map = {"WeWeWeWeWeWeWe", "WeAy....We..We", "We..........We", "We....AeWe..We",
                "WeWeWeWeWeWeWe"};
    spec.maxSteps = 6;
    spec.possibleGoals = {{5, 1, 5, 1, false}, {1, 3, 1, 3, false}, {1, 1, 5, 3, true}};
    LoadedWorld loaded = worldOfSpec("two_rooms", spec);
    loaded.title = QStringLiteral("Two rooms");
    return loaded;
}

}  // namespace

/// Edits a world with the mouse and real keys.
class WorldEditTest : public QObject {
    Q_OBJECT

private:
    LoadedWorld m_loaded = twoRooms();
    std::shared_ptr<const Solution> m_solution = solvedBy(m_loaded);
    std::unique_ptr<WorldBench> m_bench;

    WorldBench& bench() { return *m_bench; }
    void press(int key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(bench().map(), static_cast<Qt::Key>(key), modifiers);
    }
    void click(int x, int y) {
        QTest::mouseClick(bench().map(), Qt::LeftButton, {}, bench().cell(x, y));
    }
    void drag(const QPoint& from, const QPoint& to) {
        EditView* map = bench().map();
        QTest::mousePress(map, Qt::LeftButton, {}, bench().cell(from.x(), from.y()));
        QTest::mouseMove(map, bench().cell(to.x(), to.y()));
        QTRY_COMPARE_WITH_TIMEOUT(bench().selection.hover(),
                                  std::optional<SelectionItem>(CellItem{to.x(), to.y()}),
                                  kPatience);
        QTest::mouseRelease(map, Qt::LeftButton, {}, bench().cell(to.x(), to.y()));
    }
    void pick(const std::string& code) {
        auto* palette = bench().child<Palette>("palette");
        QTest::mouseClick(palette, Qt::LeftButton, {}, palette->rectOf(code).center().toPoint());
        QCOMPARE(bench().editor.brush(), code);
    }
    bool finds(const QString& part) {
        for (const WorldFinding& finding : bench().editor.findings())
            if (finding.text.contains(part)) return true;
        return false;
    }
    std::string code(int x, int y) { return codeAt(bench().editor.spec(), {x, y}); }

private Q_SLOTS:
    void initTestCase() {
        loadIcons();
        applyTheme(*qApp, ThemeChoice::Dark);
    }

    void init() {
        m_bench = std::make_unique<WorldBench>();
        bench().session.open(m_loaded);
        bench().session.attach(m_solution, QStringLiteral("20260301-1200"));
        bench().show();
        bench().click("editToggle");
        QVERIFY(bench().editor.isOn());
        bench().settle();
    }

    void cleanup() { m_bench.reset(); }

    void aPaintedWallIsUndoneByNameAndTheSolutionComesBack() {
        const double before = bench().session.values()->v_r;
        QVERIFY(finds(QStringLiteral("states")));
        const std::vector<WorldFinding> counted = bench().editor.findings();
        pick("We");
        click(3, 2);  // the door between the rooms
        QCOMPARE(code(3, 2), std::string("We"));
        QCOMPARE(bench().undo.undoText(), QStringLiteral("Paint wall at 3,2"));
        QVERIFY(bench().session.isStale());
        QVERIFY(!bench().session.solution());
        QVERIFY(finds(QStringLiteral("Goal 5,1 is enclosed")));
        // The row below them, which says that states are counted, is of no cell.
        const auto cellNow = [&] {
            const auto* cell = bench().session.selection().current<CellItem>();
            return cell ? QPoint(cell->x, cell->y) : QPoint(-1, -1);
        };
        const QPoint cell = cellNow();
        Q_EMIT bench()
            .child<RowList>("findingList")
            ->picked(static_cast<int>(bench().editor.findings().size()));
        QCOMPARE(cellNow(), cell);
        bench().settle();
        QVERIFY(bench().editor.findings() != counted);
        bench().keep("world-edit-enclosed");
        bench().undo.undo();
        QVERIFY(!bench().session.isStale());
        QCOMPARE(bench().session.values()->v_r, before);
        QCOMPARE(bench().selection.current<RunItem>()->id, QStringLiteral("20260301-1200"));
        bench().undo.redo();
        QCOMPARE(code(3, 2), std::string("We"));
        const auto again = solvedBy(bench().session.loaded());
        bench().session.attach(again, QStringLiteral("20260301-1201"));
        QVERIFY(bench().session.values()->v_r != before);
        QVERIFY(!bench().session.isStale());
    }

    void severalStepsAtOnceBuildTheWorldOnce() {
        const std::string before = worldText(bench().editor.spec());
        pick("We");
        for (int x : {1, 2, 3}) click(x, 2);
        QCOMPARE(bench().undo.count(), 3);
        const std::string after = worldText(bench().editor.spec());
        const QSignalSpy built(&bench().editor, &WorldEditor::specChanged);
        bench().undo.setIndex(0);
        QCOMPARE(built.count(), 1);
        QCOMPARE(worldText(bench().editor.spec()), before);
        bench().undo.setIndex(3);
        QCOMPARE(built.count(), 2);
        QCOMPARE(worldText(bench().editor.spec()), after);
    }

    void theMapGrowsAndShrinksAtItsSidesAndNamesWhatFallsOff() {
        const std::string before = worldText(bench().editor.spec());
        bench().click("insertTop");
        bench().click("insertRight");
        QCOMPARE(sizeOf(bench().editor.spec()), QSize(8, 6));
        QCOMPARE(bench().undo.undoText(), QStringLiteral("Insert column 6"));
        QCOMPARE(agentsOf(bench().editor.spec())[0].cell, QPoint(1, 2));
        QVERIFY(bench().editor.isValid());
        QCOMPARE(bench().session.world().width(), 8);
        QCOMPARE(bench().child<QLabel>("mapSize")->text(), QStringLiteral("8 x 6"));
        bench().undo.undo();
        bench().undo.undo();
        QCOMPARE(worldText(bench().editor.spec()), before);

        auto* strip = bench().panel->findChild<MessageStrip*>();
        bench().click("removeLeft");  // human A stands there, with a goal
        QCOMPARE(worldText(bench().editor.spec()), before);
        QVERIFY2(strip->text().contains(QStringLiteral("human A at 1,1")) &&
                     strip->text().contains(QStringLiteral("goal 1,3")),
                 qPrintable(strip->text()));
        QVERIFY(bench()
                    .child<QWidget>("removeLeft")
                    ->toolTip()
                    .contains(QStringLiteral("human A at 1,1")));
        bench().keep("world-edit-loss");
        QTest::mouseClick(strip->findChild<QPushButton*>(), Qt::LeftButton);
        QCOMPARE(sizeOf(bench().editor.spec()), QSize(6, 5));
        QCOMPARE(agentsOf(bench().editor.spec()).size(), std::size_t{1});
        bench().undo.undo();
        QCOMPARE(worldText(bench().editor.spec()), before);
        bench().click("removeTop");
        pick("La");
        click(2, 2);  // another change: what was asked is void
        bench().editor.confirm();
        QCOMPARE(sizeOf(bench().editor.spec()), QSize(7, 5));
    }

    void paintingIsMirroredAboutTheShownAxes() {
        press(Qt::Key_X);
        QVERIFY(bench().child<QPushButton>("mirrorLeftRight")->isChecked());
        pick("La");
        click(2, 2);
        QCOMPARE(code(2, 2), std::string("La"));
        QCOMPARE(code(4, 2), std::string("La"));
        QCOMPARE(bench().undo.count(), 1);
        bench().click("mirrorUpDown");
        click(1, 2);
        drag({4, 3}, {5, 3});
        for (const QPoint& cell : {QPoint(4, 3), QPoint(5, 3), QPoint(1, 3), QPoint(2, 3),
                                   QPoint(4, 1), QPoint(5, 1), QPoint(1, 1), QPoint(2, 1)})
            QCOMPARE(code(cell.x(), cell.y()), std::string("La"));
        // The axes are drawn through the middle of the map, in the accent's colour.
        const WorldLayout layout = bench().map()->worldLayout();
        const QRectF map = layout.cellRect(0, 0).united(layout.cellRect(6, 4));
        const QImage image = bench().map()->grab().toImage();
        const double scale = image.devicePixelRatio();
        int numAxis = 0;
        for (double y = map.top() - 9; y < map.bottom() - 1; y += 1)
            numAxis += image.pixelColor(static_cast<int>(map.center().x() * scale),
                                        static_cast<int>(y * scale)) == currentTokens().accent;
        QVERIFY(numAxis > 60);
        bench().keep("world-edit-mirror");
        press(Qt::Key_X);
        press(Qt::Key_Y);
        QVERIFY(bench().editor.symmetry() == MapSymmetry{});
    }

    void markedCellsAreCutAndPastedWithTheirAgents() {
        press(Qt::Key_M);
        drag({1, 1}, {2, 2});
        QCOMPARE(bench().map()->markedCells(), QRect(1, 1, 2, 2));
        QCOMPARE(bench().selection.set(SelectionKind::Cell).size(), std::size_t{4});
        press(Qt::Key_X, Qt::ControlModifier);
        QCOMPARE(bench().undo.undoText(), QStringLiteral("Cut 2 x 2 cells"));
        QCOMPARE(code(1, 1), std::string(".."));
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("Ay ..\n.. ..\n"));
        press(Qt::Key_Escape);
        click(5, 2);
        press(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(code(5, 2), std::string("Ay"));
        QCOMPARE(code(6, 2), std::string(".."));
        QVERIFY(!bench().editor.isValid());  // it covered the outer wall
        bench().undo.undo();
        bench().undo.undo();
        QCOMPARE(code(1, 1), std::string("Ay"));
        // Text from elsewhere is read too; what is none is refused in words.
        QApplication::clipboard()->setText(QStringLiteral("La La"));
        press(Qt::Key_Escape);
        click(1, 2);
        press(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(code(2, 2), std::string("La"));
        QApplication::clipboard()->setText(QStringLiteral("hello"));
        const QSignalSpy said(&bench().editor, &WorldEditor::said);
        press(Qt::Key_V, Qt::ControlModifier);
        QVERIFY(said.last().at(1).toString().contains(QStringLiteral("holds no cells")));
    }

    void theBarIsWholeAtAnyWidth_data() {
        QTest::addColumn<bool>("edits");
        QTest::newRow("look") << false;
        QTest::newRow("edit") << true;
    }
    void theBarIsWholeAtAnyWidth() {
        QFETCH(bool, edits);
        bench().editor.setOn(edits);
        int numFolded = 0, numWhole = 0;
        for (const int width : {330, 360, 400, 440, 480, 505, 540, 580, 620, 646, 700, 800, 920}) {
            bench().panel->setFixedWidth(width);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
            QTRY_COMPARE_WITH_TIMEOUT(bench().panel->width(), width, kPatience);
            const auto* ghosts = bench().child<QPushButton>("ghostsToggle");
            for (const char* name : {"goalsToggle", "visitsToggle", "ghostsToggle",
                                     "overlayToggles", "toolMark", "toolRectangle", "toolGoal"}) {
                const auto* button = bench().child<QAbstractButton>(name);
                if (!button->isVisible()) continue;
                const QRect place(button->mapTo(bench().panel, QPoint(0, 0)), button->size());
                QVERIFY2(
                    place.right() < width &&
                        button->visibleRegion().boundingRect() == button->rect(),
                    qPrintable(QStringLiteral("%1 at %2").arg(QLatin1String(name)).arg(width)));
                QVERIFY2(button->width() >= button->fontMetrics().horizontalAdvance(button->text()),
                         name);
            }
            (ghosts->isVisible() ? numWhole : numFolded) += edits ? 0 : 1;
        }
        if (!edits) QVERIFY(numWhole >= 6 && numFolded >= 1);
    }

    void aStrokeIsOneStep() {
        pick("La");
        drag({1, 2}, {4, 2});
        for (int x = 1; x <= 4; ++x) QCOMPARE(code(x, 2), std::string("La"));
        QCOMPARE(bench().undo.count(), 1);
        QCOMPARE(bench().undo.undoText(), QStringLiteral("Paint lava at 4 cells"));
        bench().click("toolErase");
        drag({1, 2}, {4, 2});
        QCOMPARE(code(2, 2), std::string(".."));
        QCOMPARE(bench().undo.count(), 2);
    }

    void rectanglesFillsAndColours() {
        pick("Xb");
        bench().click("toolRectangle");
        drag({1, 2}, {2, 3});
        QCOMPARE(code(1, 2), std::string("Xb"));
        QCOMPARE(code(2, 3), std::string("Xb"));
        QCOMPARE(bench().undo.undoText(), QStringLiteral("Rectangle of blue box, 2 x 2"));
        pick("Un");
        bench().click("toolFill");
        click(5, 2);
        QCOMPARE(code(5, 1), std::string("Un"));
        QCOMPARE(code(4, 2), std::string("Un"));
        QCOMPARE(code(1, 2), std::string("Xb"));
    }

    void agentsAreMovedAndTurned() {
        bench().click("toolSelect");
        drag({1, 1}, {5, 3});
        QCOMPARE(code(1, 1), std::string(".."));
        QCOMPARE(code(5, 3), std::string("Ay"));
        QCOMPARE(agentAt(bench().editor.spec(), {5, 3}), 1);
        bench().click("toolTurn");
        click(5, 3);
        QCOMPARE(bench().undo.undoText(), QStringLiteral("Turn human at 5,3"));
        QCOMPARE(agentsOf(bench().editor.spec())[1].direction, 1);
        QCOMPARE(agentsOf(bench().editor.spec())[0].direction, 0);
        QCOMPARE(bench().session.world().cellOf(bench().session.state().words, 1), 3 * 7 + 5);
    }

    void goalsAreDrawnWeightedAndRemoved() {
        bench().click("toolGoal");
        drag({1, 2}, {2, 3});
        QCOMPARE(goalListsOf(bench().editor.spec())[0].goals.back(), (Goal{1, 2, 2, 3, true}));
        click(4, 2);
        QCOMPARE(goalListsOf(bench().editor.spec())[0].goals.back(), (Goal{4, 2, 4, 2, false}));
        auto* table = bench().child<QTableWidget>("goalTable");
        QCOMPARE(table->rowCount(), 5);
        const QPoint at = table->visualItemRect(table->item(0, 1)).center();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, at);
        QWidget* field = table->viewport()->findChild<QWidget*>();
        QVERIFY(field);
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, QStringLiteral("0.7"));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(goalListsOf(bench().editor.spec())[0].weights[0], 0.7, kPatience);
        QCOMPARE(bench().undo.undoText(), QStringLiteral("Goal weight 0.7"));
        bench().click("removeGoal");
        QCOMPARE(table->rowCount(), 4);
        QCOMPARE(bench().session.world().goals()[0].goals.size(), std::size_t{4});
    }

    void whatIsNoWeightLeavesTheWeight() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("closeEditor")));
        auto* table = bench().child<QTableWidget>("goalTable");
        const QString weight = table->item(0, 1)->text();
        table->setCurrentCell(0, 1);
        table->editItem(table->item(0, 1));
        auto* field = table->viewport()->findChild<QLineEdit*>();
        QVERIFY(field);
        field->setText(QStringLiteral("e"));
        field->setFocus();
        bench().map()->setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(!table->viewport()->findChild<QLineEdit*>(), kPatience);
        QCOMPARE(table->item(0, 1)->text(), weight);
        QVERIFY(!bench().editor.isModified());
    }

    void keysAloneAreEnough() {
        bench().map()->setFocus();
        press(Qt::Key_E);
        QCOMPARE(bench().editor.tool(), EditTool::Erase);
        for (const int key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Right, Qt::Key_Right,
                              Qt::Key_Right, Qt::Key_Down})
            press(key);  // the first arrow only shows the cursor at 0,0
        QCOMPARE(*bench().selection.current<CellItem>(), (CellItem{3, 2}));
        press(Qt::Key_Up);
        press(Qt::Key_Space);
        QCOMPARE(code(3, 1), std::string(".."));
        press(Qt::Key_D);
        press(Qt::Key_Left, Qt::ShiftModifier);  // from 3,1 to 2,1
        press(Qt::Key_Space);
        QCOMPARE(code(2, 1), std::string("We"));
        QCOMPARE(code(3, 1), std::string("We"));
        press(Qt::Key_Delete);
        QCOMPARE(code(2, 1), std::string(".."));
        press(Qt::Key_Escape);
        QVERIFY(!bench().editor.isOn());
        QVERIFY(bench().view()->isVisible());
    }

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
        QCOMPARE(worldText(specOf(*again.world)), worldText(bench().editor.spec()));
        QCOMPARE(again.text, bench().session.loaded().text);
        // Without a name it is called by its file, now and when it is opened again.
        WorldSpec nameless = specOf(*again.world);
        std::get<GridWorldSpec>(nameless).metadata.name.clear();
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

    void aLongNameLeavesThePanelAsWideAsItIs() {
        const auto least = [&] {
            return bench().agents->findChild<QScrollArea*>()->widget()->minimumSizeHint().width();
        };
        const int before = least();
        LoadedWorld loaded = m_loaded;
        loaded.title = QString(120, u'A');
        bench().session.open(loaded);
        QCOMPARE(least(), before);
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

    void picturesInBothThemes() {
        pick("Un");
        drag({1, 2}, {2, 2});
        pick("Cb");
        click(3, 2);
        bench().settle();
        bench().keep("world-edit-dark");
        applyTheme(*qApp, ThemeChoice::Light);
        bench().settle();
        bench().keep("world-edit-light");
        applyTheme(*qApp, ThemeChoice::Dark);
        QCOMPARE(code(3, 2), std::string("Cb"));
    }

    void listsOfEightHumansLeaveRoomForTheRest() {
        GridWorldSpec spec;
        spec.map = {"WeWeWeWeWeWeWeWeWeWe", "WeAyAyAyAyAyAyAyAyWe", "We..............AeWe",
                    "WeWeWeWeWeWeWeWeWeWe"};
        spec.maxSteps = 2;
        spec.actionSet = ActionSet::Minimal;
        spec.possibleGoals = {{1, 2, 1, 2, false}, {2, 2, 2, 2, false}, {1, 1, 8, 2, true}};
        m_bench = std::make_unique<WorldBench>();
        bench().open(worldOfSpec("eight", spec), false);
        bench().show();
        auto* goals = bench().child<RowList>("goalList");
        QCOMPARE(goals->model()->rowCount(), 24);
        auto* agents = bench().child<RowList>("agentList");
        QCOMPARE(agents->model()->rowCount(), 9);
        QVERIFY(agents->height() <= 5 * 44 && goals->height() <= 6 * 40);
        // The last row is reached by the list's own scroll bar.
        goals->scrollTo(goals->model()->index(23, 0));
        QTest::mouseClick(goals->viewport(), Qt::LeftButton, {},
                          goals->visualRect(goals->model()->index(23, 0)).center());
        QCOMPARE(bench().selection.current<GoalItem>()->human, 7);
    }

    void anotherWorldIsNotPaintedByACarelessClick() {
        bench().editor.setOn(true);
        bench().editor.setTool(EditTool::Paint);
        bench().open(twoRooms(), false);
        QCOMPARE(bench().editor.tool(), EditTool::Select);
        bench().editor.setOn(true);
        click(2, 2);
        QCOMPARE(bench().undo.count(), 0);
    }

    void aMessageLiesOverTheMapAndNothingBelowIt() {
        bench().editor.setOn(true);
        auto* strip = bench().panel->findChild<MessageStrip*>();
        strip->show(MessageKind::Warning, QStringLiteral("The solution is stale."));
        QVERIFY(strip->isVisible());
        const QWidget* map = bench().panel->focusProxy()->parentWidget();
        QVERIFY(map->geometry().contains(strip->geometry()));
        strip->clear();
    }

    void theToolsHaveNamesOrIcons() {
        bench().editor.setOn(true);
        for (const int width : {1400, 1024, 860}) {
            bench().window.resize(width, 716);
            finishEvents();
            for (QPushButton* tool :
                 bench().panel->findChildren<QPushButton*>(QRegularExpression("^tool[A-Z]"))) {
                QVERIFY2(tool->text().isEmpty() ? !tool->icon().isNull() : tool->text().size() > 2,
                         qPrintable(QStringLiteral("%1: %2").arg(width).arg(tool->objectName())));
                QVERIFY(!tool->accessibleName().isEmpty());
            }
        }
    }

    void nameAndRulesAreEditedInTheForm() {
        const auto leave = [this](const char* name, const QString& text) {
            auto* edit = bench().child<QLineEdit>(name);
            edit->setFocus();
            edit->selectAll();
            QTest::keyClicks(edit, text);
            QTest::keyClick(edit, Qt::Key_Return);
        };
        const auto grid = [this] { return std::get<GridWorldSpec>(bench().editor.spec()); };
        const GridWorldSpec before = grid();
        bench().editor.askForRules();
        QVERIFY(bench().editor.isOn());
        auto* name = bench().child<QLineEdit>("rule_metadata.name");
        QVERIFY(name->hasFocus());
        QCOMPARE(name->visibleRegion().boundingRect(), name->rect());  // scrolled to, and not cut
        bench().keep("world-rules");
        QTest::keyClicks(name, QStringLiteral("Long maze"));
        QTest::keyClick(name, Qt::Key_Return);
        QCOMPARE(grid().metadata.name, std::string("Long maze"));
        QCOMPARE(bench().session.loaded().title, QStringLiteral("Long maze"));
        leave("rule_max_steps", QStringLiteral("12"));
        QCOMPARE(bench().session.world().maxSteps(), 12);
        leave("rule_stumble_probability", QStringLiteral("0.25"));
        QCOMPARE(grid().stumbleProbability, 0.25);
        auto* actions = bench().child<QComboBox>("rule_action_class");
        actions->setFocus();
        QTest::keyClick(actions, Qt::Key_End);
        QCOMPARE(grid().actionSet, std::optional(ActionSet::Minimal));
        QCOMPARE(grid().map, before.map);
        QCOMPARE(grid().possibleGoals.size(), before.possibleGoals.size());
        QCOMPARE(bench().undo.count(), 4);  // what is typed is one step a field
        for (int i = 0; i < 4; ++i) bench().undo.undo();
        QCOMPARE(worldText(bench().editor.spec()), worldText(WorldSpec(before)));
        QCOMPARE(bench().child<QLineEdit>("rule_max_steps")->text(),
                 QString::number(before.maxSteps));
    }

    void whatIsTypedIsTakenWithoutLeavingTheField() {
        bench().editor.askForRules();
        auto* name = bench().child<QLineEdit>("rule_metadata.name");
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("Typed"));
        QVERIFY(bench().editor.isModified());
        auto* steps = bench().child<QLineEdit>("rule_stumble_probability");
        steps->setFocus();
        steps->selectAll();
        QTest::keyClicks(steps, QStringLiteral("0."));
        QCOMPARE(steps->text(), QStringLiteral("0."));  // on the way to 0.5
        QTest::keyClicks(steps, QStringLiteral("5"));
        auto* description = bench().child<QPlainTextEdit>("rule_metadata.description");
        description->setFocus();
        description->selectAll();
        QTest::keyClicks(description, QStringLiteral("what it is for "));
        const auto& grid = std::get<GridWorldSpec>(bench().editor.spec());
        QCOMPARE(grid.metadata.name, std::string("Typed"));
        QCOMPARE(grid.stumbleProbability, 0.5);
        QCOMPARE(grid.metadata.description, std::string("what it is for"));
        QVERIFY(description->toPlainText().endsWith(u' '));  // and the next word
        QCOMPARE(bench().undo.count(), 3);
    }

    void theFormChecksAsTheFileReaderDoes() {
        bench().editor.setOn(true);
        auto* edit = bench().child<QLineEdit>("rule_stumble_probability");
        auto* problem = bench().child<QLabel>("rulesProblem");
        const auto leave = [edit](const QString& text) {
            edit->setFocus();
            edit->selectAll();
            QTest::keyClicks(edit, text);
            QTest::keyClick(edit, Qt::Key_Return);
        };
        leave(QStringLiteral("1.5"));
        QVERIFY(edit->property("invalid").toBool());
        QVERIFY2(problem->text().contains(QStringLiteral("a probability from 0 to 1")),
                 qPrintable(problem->text()));
        QVERIFY(!bench().editor.isValid());
        QVERIFY(finds(QStringLiteral("a probability from 0 to 1")));
        leave(QStringLiteral("often"));
        QVERIFY(problem->text().contains(QStringLiteral("write a number")));
        QCOMPARE(std::get<GridWorldSpec>(bench().editor.spec()).stumbleProbability, 1.5);
        leave(QStringLiteral("0.5"));
        QVERIFY(!edit->property("invalid").toBool());
        QVERIFY(!problem->isVisible());
        QVERIFY(bench().editor.isValid());
    }
};

ORRERY_WINDOW_TEST(WorldEditTest)
#include "world_edit_test.moc"
