#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/test_program.h"
#include "tests/widgets/world/world_bench.h"
#include "tests/widgets/world/world_edit_bench.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/row_list.h"
#include "widgets/common/tokens.h"
#include "widgets/world/spec_edit.h"
#include "widgets/world/spec_shape.h"

using namespace orrery;

/// Paints, fills, moves and cuts on the map, with the mouse and real keys.
class WorldEditTest : public QObject, private WorldEditBench {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { dress(); }
    void init() { beginEdit(); }
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
};

ORRERY_WINDOW_TEST(WorldEditTest)
#include "world_edit_test.moc"
