#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "tests/support/test_program.h"
#include "tests/widgets/window_bench.h"
#include "widgets/common/commands.h"
#include "widgets/common/row_list.h"
#include "widgets/entity/actor_grid.h"
#include "widgets/entity/batch_view.h"
#include "widgets/entity/game_view.h"

using namespace orrery;

/// Playing environments of things by hand.
class EntityWindowTest : public QObject, private WindowBench {
    Q_OBJECT

    GameView* game() { return child<GameView>("entityGame"); }
    RowList* list(const char* name) { return child<RowList>(name); }
    QJsonObject facts() { return game()->spotFacts(); }
    int steps() { return facts()[QStringLiteral("steps")].toInt(); }
    QString question() { return child<QLabel>("choiceQuestion")->text(); }
    const Row& choice(int row) {
        return list("choices")->rowModel()->rows().at(static_cast<std::size_t>(row));
    }
    void clickRow(const char* name, int row) {
        RowList* rows = list(name);
        const QModelIndex index = rows->model()->index(row, 0);
        rows->scrollTo(index);
        QTest::mouseClick(rows->viewport(), Qt::LeftButton, {}, rows->visualRect(index).center());
    }
    void showEntities() {
        m_window->activateWindow();
        QTRY_COMPARE_WITH_TIMEOUT(QApplication::activeWindow(), m_window.get(), kPatience);
        QTest::keyClick(m_window.get(), Qt::Key_6, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->perspective(), QStringLiteral("entities"), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->isSettled() && m_window->findChild<RowList*>("environments") != nullptr,
            kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(game()->isVisible(), kPatience);
    }
    /// The environment of that title.
    void choose(const QString& title) {
        const auto& rows = list("environments")->rowModel()->rows();
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].title == title) return clickRow("environments", static_cast<int>(i));
        QFAIL(qPrintable(title));
    }

    NamedSpot spotOf(const PaintedView& view, const QString& name) {
        for (const NamedSpot& spot : view.namedSpots())
            if (spot.name == name) return spot;
        qFatal("no spot %s", qPrintable(name));
    }
    bool isPicked(const PaintedView& view, const QString& name) {
        return spotOf(view, name).facts[QStringLiteral("picked")].toBool();
    }
    void clickSpot(QWidget* widget, const PaintedView& view, const QString& name) {
        QTest::mouseClick(widget, Qt::LeftButton, {}, spotOf(view, name).rect.center());
    }
    /// The texts of a line of cells of the batch.
    QStringList textsOf(const BatchPicture& batch, const QString& name, int count) {
        QStringList texts;
        for (int i = 0; i < count; ++i)
            texts << spotOf(batch, name.arg(i)).facts[QStringLiteral("text")].toString();
        return texts;
    }
    BatchPicture* showExample() {
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        if (!QTest::qWaitFor([&] { return m_window->findChild<QWidget*>("run_boards") != nullptr; },
                             kPatience))
            qFatal("no card");
        QTest::mouseClick(child<QWidget>("run_boards"), Qt::LeftButton);
        if (!QTest::qWaitFor(
                [&] {
                    auto* batch = m_window->findChild<BatchPicture*>("batchPicture");
                    return batch != nullptr && batch->isVisible();
                },
                kPatience))
            qFatal("no batch");
        return child<BatchPicture>("batchPicture");
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_STATE_HOME", m_folder.filePath(QStringLiteral("state")).toUtf8());
    }
    void init() {
        makeWindow({});
        showEntities();
    }
    void cleanup() {
        m_window->closeAtOnce();
        m_window.reset();
    }

    void theGalleryOpensEnvironments() {
        QCOMPARE(list("environments")->rowModel()->rows().size(), std::size_t{14});
        QCOMPARE(facts()[QStringLiteral("environment")].toString(), QStringLiteral("MineSweeper"));
        choose(QStringLiteral("Xor"));
        QCOMPARE(facts()[QStringLiteral("environment")].toString(), QStringLiteral("Xor"));
        QCOMPARE(question(), QStringLiteral("output"));
        QCOMPARE(choice(0).value, QStringLiteral("A"));
    }

    void anEpisodeIsPlayedByMouseAndKeys() {
        choose(QStringLiteral("Cart and pole"));
        QCOMPARE(steps(), 0);
        clickRow("choices", 0);
        QCOMPARE(steps(), 1);
        game()->setFocus();
        QTest::keyClick(game(), Qt::Key_B);
        QTest::keyClick(game(), Qt::Key_A);
        QCOMPARE(steps(), 3);
        QTest::keyClick(game(), Qt::Key_Backspace);
        QCOMPARE(steps(), 2);
        QTest::keyClick(game(), Qt::Key_F7, Qt::ShiftModifier);
        QCOMPARE(steps(), 1);
        click("choiceBack");
        QCOMPARE(steps(), 0);
        QVERIFY(!child<QPushButton>("choiceBack")->isEnabled());
        QTest::keyClick(game(), Qt::Key_B);
        click("choiceAgain");
        QCOMPARE(steps(), 0);
    }

    /// Two robots: the step follows the second decision.
    void severalActorsDecideInTurn() {
        QVERIFY(child<QTableView>("entityThings")->model()->rowCount() > 2);
        game()->setFocus();
        QTest::keyClick(game(), Qt::Key_A);
        QCOMPARE(steps(), 0);
        QTest::keyClick(game(), Qt::Key_Backspace);
        QCOMPARE(steps(), 0);
        QTest::keyClick(game(), Qt::Key_A);
        QTest::keyClick(game(), Qt::Key_A);
        QCOMPARE(steps(), 1);
    }

    /// The three states of the seed, with its masks, and how it packs them.
    void theExampleShowsThreeBoardsAndTheirBatch() {
        BatchPicture* batch = showExample();
        QCOMPARE(m_window->perspective(), QStringLiteral("entities"));
        QCOMPARE(child<QComboBox>("entityWhich")->count(), 3);
        QCOMPARE(batch->spotFacts()[QStringLiteral("frames")].toInt(), 3);
        QCOMPARE(batch->spotFacts()[QStringLiteral("width")].toInt(), 6);
        QCOMPARE(batch->spotFacts()[QStringLiteral("emptyPadded")].toInt(), 4);
        const QList<QStringList> index{{"0", "1", "2", "3", "4", "5"},
                                       {"6", "7", "8", "0", "0", "0"},
                                       {"9", "10", "11", "12", "13", "0"}};
        for (int row = 0; row < 3; ++row) {
            QCOMPARE(textsOf(*batch, QStringLiteral("index %1,%2").arg(row), 6), index[row]);
            const QStringList numbers = textsOf(*batch, QStringLiteral("batch %1,%2").arg(row), 6);
            for (int i = 0; i < 6; ++i)
                QCOMPARE(numbers[i],
                         i < batch->batch().rowBegin[static_cast<std::size_t>(row) + 1] -
                                     batch->batch().rowBegin[static_cast<std::size_t>(row)]
                             ? QString::number(row)
                             : QStringLiteral("nan"));
        }
        QCOMPARE(textsOf(*batch, QStringLiteral("inverse %1"), 14),
                 (QStringList{"0", "1", "2", "3", "4", "5", "6", "7", "8", "12", "13", "14", "15",
                              "16"}));
        QCOMPARE(textsOf(*batch, QStringLiteral("Move actor %1"), 4),
                 (QStringList{"5", "1", "3", "4"}));
        QCOMPARE(textsOf(*batch, QStringLiteral("Move offset %1"), 4),
                 (QStringList{"0", "6", "9", "9"}));
        QCOMPARE(textsOf(*batch, QStringLiteral("Move row %1"), 4),
                 (QStringList{"5", "7", "12", "13"}));
        // By the original's masks nothing is struck in the first board, two moves in the second.
        auto* grid = child<ActorGrid>("actorGrid");
        QCOMPARE(grid->spotFacts()[QStringLiteral("struck")].toInt(), 0);
        auto* which = child<QComboBox>("entityWhich");
        which->setFocus();
        QTest::keyClick(which, Qt::Key_Down);
        QCOMPARE(grid->spotFacts()[QStringLiteral("struck")].toInt(), 2);
        QVERIFY(!spotOf(*grid, QStringLiteral("Move Robot 0 Up")).facts["allowed"].toBool());
        QVERIFY(!spotOf(*grid, QStringLiteral("Move Robot 0 Right")).facts["allowed"].toBool());
        QVERIFY(spotOf(*grid, QStringLiteral("Move Robot 0 Left")).facts["allowed"].toBool());
        // A robot of the third board is picked everywhere.
        clickSpot(batch, *batch, QStringLiteral("padded 2,4"));
        QCOMPARE(which->currentIndex(), 2);
        QVERIFY(isPicked(*game(), QStringLiteral("Robot 1")));
        QVERIFY(isPicked(*batch, QStringLiteral("packed 2,4")));
        QVERIFY(isPicked(*batch, QStringLiteral("Move row 3")));
        QCOMPARE(child<QTableView>("entityThings")->selectionModel()->selectedRows().front().row(),
                 4);
    }

    void actorsAndTargetsAreClickedInThePicture() {
        showExample();
        auto* which = child<QComboBox>("entityWhich");
        which->setFocus();
        QTest::keyClick(which, Qt::Key_End);
        // Tab asks the second robot, then goes on to the next widget.
        game()->setFocus();
        QTest::keyClick(game(), Qt::Key_Tab);
        QVERIFY(isPicked(*game(), QStringLiteral("Robot 1")));
        QVERIFY(game()->hasFocus());
        QTest::keyClick(game(), Qt::Key_A);
        QCOMPARE(steps(), 0);
        QTest::keyClick(game(), Qt::Key_A);
        QCOMPARE(steps(), 1);
        which->setFocus();
        QTest::keyClick(which, Qt::Key_Up);
        QCOMPARE(steps(), 0);
        QCOMPARE(question(), QStringLiteral("Move"));
        game()->setFocus();
        QTest::keyClick(game(), Qt::Key_A);
        QCOMPARE(question(), QStringLiteral("Fire Orbital Cannon"));
        clickSpot(game(), *game(), QStringLiteral("Mine 0"));
        QCOMPARE(steps(), 1);
        QCOMPARE(facts()[QStringLiteral("total")].toDouble(), 1.0);
        // A click in the grid decides for one who is not asked.
        QTest::keyClick(game(), Qt::Key_Backspace);
        QCOMPARE(steps(), 0);
        auto* grid = child<ActorGrid>("actorGrid");
        clickSpot(grid, *grid, QStringLiteral("Fire Orbital Cannon Orbital Cannon 0 Robot 0"));
        QCOMPARE(steps(), 0);
        QVERIFY(spotOf(*grid, QStringLiteral("Fire Orbital Cannon Orbital Cannon 0 Robot 0"))
                    .facts["taken"]
                    .toBool());
        clickSpot(grid, *grid, QStringLiteral("Move Robot 0 Left"));
        QCOMPARE(steps(), 1);
    }

    void wrongOptionsAreToldAndMended() {
        auto* options = child<QLineEdit>("environmentOptions");
        options->setFocus();
        options->selectAll();
        QTest::keyClicks(options, QStringLiteral("{\"widht\": 8}"));
        QTest::keyClick(options, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(
            child<QLabel>("environmentTrouble")->text().contains(QStringLiteral("width")),
            kPatience);
        QVERIFY(!child<QPushButton>("trainEnvironment")->isEnabled());
        QVERIFY(!m_window->commands().action(QStringLiteral("entities.train"))->isEnabled());
        options->selectAll();
        QTest::keyClicks(options, QStringLiteral("{\"width\": 8}"));
        QTest::keyClick(options, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(child<QPushButton>("trainEnvironment")->isEnabled(), kPatience);
        QVERIFY(!child<QLabel>("environmentTrouble")->isVisible());
    }

    void theSessionComesBack() {
        m_window->closeAtOnce();
        startAgain({});
        showEntities();
        choose(QStringLiteral("Cart and pole"));
        m_window->closeAtOnce();
        startAgain({});
        QCOMPARE(m_window->perspective(), QStringLiteral("entities"));
        QCOMPARE(facts()[QStringLiteral("environment")].toString(), QStringLiteral("CartPole"));
    }
};

ORRERY_WINDOW_TEST(EntityWindowTest)
#include "entity_window_test.moc"
