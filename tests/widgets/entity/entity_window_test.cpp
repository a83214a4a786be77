#include <QAction>
#include <QApplication>
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
