#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QTableWidget>
#include <QTest>

#include "core/grid/grid_spec.h"
#include "tests/support/test_program.h"
#include "tests/widgets/world/world_bench.h"
#include "tests/widgets/world/world_edit_bench.h"
#include "widgets/common/row_list.h"
#include "widgets/world/spec_edit.h"

using namespace orrery;

/// Goals, name and rules of a world, edited in the panel beside the map.
class WorldFormTest : public QObject, private WorldEditBench {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { dress(); }
    void init() { beginEdit(); }
    void cleanup() { m_bench.reset(); }

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

    void nameAndRulesAreEditedInTheForm() {
        const auto leave = [this](const char* name, const QString& text) {
            auto* edit = bench().child<QLineEdit>(name);
            edit->setFocus();
            edit->selectAll();
            QTest::keyClicks(edit, text);
            QTest::keyClick(edit, Qt::Key_Return);
        };
        const auto grid = [this] { return *bench().editor.spec().as<GridWorldSpec>(); };
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
        leave("rule_metadata.name", QString(QStringLiteral("a long name ")).repeated(9));
        bench().undo.undo();
        bench().undo.redo();
        QCOMPARE(name->cursorPosition(), 0);  // it is read from its beginning
        bench().undo.undo();
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
        const auto& grid = *bench().editor.spec().as<GridWorldSpec>();
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
        QCOMPARE(bench().editor.spec().as<GridWorldSpec>()->stumbleProbability, 1.5);
        leave(QStringLiteral("0.5"));
        QVERIFY(!edit->property("invalid").toBool());
        QVERIFY(!problem->isVisible());
        QVERIFY(bench().editor.isValid());
    }
};

ORRERY_WINDOW_TEST(WorldFormTest)
#include "world_form_test.moc"
