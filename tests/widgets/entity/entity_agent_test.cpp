#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/env/frame_insight.h"
#include "core/run/jobs/entity_job.h"
#include "tests/support/test_program.h"
#include "tests/widgets/train/train_window_bench.h"
#include "widgets/common/row_list.h"
#include "widgets/entity/actor_grid.h"
#include "widgets/entity/attention_view.h"
#include "widgets/entity/batch_view.h"
#include "widgets/entity/game_view.h"
#include "widgets/entity/value_view.h"
#include "widgets/plots/cell_table.h"

using namespace orrery;

/// An agent that learned in the window says what it would do, plays, and is looked into.
class EntityAgentTest : public QObject, private TrainWindowBench {
    Q_OBJECT

    GameView* game() { return child<GameView>("entityGame"); }
    QJsonObject facts() { return game()->spotFacts(); }
    int steps() { return facts()[QStringLiteral("steps")].toInt(); }
    int frames() { return facts()[QStringLiteral("frames")].toInt(); }
    bool isPlaying() { return facts()[QStringLiteral("playing")].toBool(); }
    bool isAdvised() { return facts()[QStringLiteral("advised")].toBool(); }
    QRect spotOf(const PaintedView& view, const QString& name) {
        for (const NamedSpot& spot : view.namedSpots())
            if (spot.name == name) return spot.rect;
        qFatal("no spot %s", qPrintable(name));
    }
    QJsonObject spotFactsOf(const PaintedView& view, const QString& name) {
        for (const NamedSpot& spot : view.namedSpots())
            if (spot.name == name) return spot.facts;
        qFatal("no spot %s", qPrintable(name));
    }
    void choose(const QString& title) {
        auto* list = child<RowList>("environments");
        const auto& rows = list->rowModel()->rows();
        const auto row = std::ranges::find(rows, title, &Row::title);
        QVERIFY(row != rows.end());
        const QModelIndex index = list->model()->index(static_cast<int>(row - rows.begin()), 0);
        list->scrollTo(index);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(index).center());
    }
    void showEntities() {
        press(Qt::Key_6, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->perspective(), QStringLiteral("entities"), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(game()->isVisible(), kPatience);
    }
    /// The newest run of the list, by keys.
    void chooseAgent() {
        auto* runs = child<QComboBox>("agentRuns");
        QTRY_VERIFY_WITH_TIMEOUT(runs->count() > 1, kPatience);
        runs->setFocus();
        QTest::keyClick(runs, Qt::Key_Down);
        QTRY_VERIFY_WITH_TIMEOUT(isAdvised(), kPatience);
    }
    template <typename View>
    View* shown(const char* id, const char* name) {
        m_window->showView(QLatin1String(id));
        if (!QTest::qWaitFor(
                [&] {
                    auto* view = m_window->findChild<View*>(QLatin1String(name));
                    return view != nullptr && view->isVisible();
                },
                kPatience))
            qFatal("no view %s", id);
        return child<View>(name);
    }

private Q_SLOTS:
    /// Treasure hunts take several steps, and the network attends.
    void initTestCase() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_window = std::make_unique<MainWindow>(windowOptions());
        showSettled(*m_window, {1600, 1000});
        showEntities();
        choose(QStringLiteral("Treasure hunt"));
        click("trainEnvironment");
        QTRY_VERIFY_WITH_TIMEOUT(training().isLive() && training().step() > 2000, kPatience);
    }
    void cleanupTestCase() { closeWindow(); }

    /// The rollout of a training that is at work.
    void aRolloutIsFetchedFilteredAndOpened() {
        m_window->showView(QStringLiteral("rollout"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QPushButton*>("rolloutFetch") != nullptr,
                                 kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(child<QPushButton>("rolloutFetch")->isEnabled(), kPatience);
        auto* table = child<QTableView>("rolloutTable");
        click("rolloutFetch");
        const EntitySpec& spec = training().job().as<EntityJob>().entity;
        const auto numberAt = [&](int row, int column) {
            return QString(table->model()->index(row, column).data().toString())
                .replace(QChar(0x2212), u'-');
        };
        // Whole, once the update has passed over it.
        QTRY_VERIFY_WITH_TIMEOUT(
            table->model()->rowCount() == spec.rollout.frames() && !numberAt(0, 9).isEmpty(),
            kPatience);
        stopTraining();
        for (int row = 0; row < 50; ++row) {
            QCOMPARE(numberAt(row, 0), QString::number(row));
            QCOMPARE(numberAt(row, 1), QString::number(row % spec.rollout.numEnvs));
            const double value = numberAt(row, 6).toDouble(), sum = numberAt(row, 7).toDouble(),
                         advantage = numberAt(row, 8).toDouble();
            QVERIFY(std::abs(sum - value - advantage) < 2e-3 * (1 + std::abs(sum)));
            QVERIFY(numberAt(row, 9).toDouble() > 0);
        }
        typeInto("rolloutFilter", "reward > 0 and not done");
        QTRY_VERIFY_WITH_TIMEOUT(
            table->model()->rowCount() < spec.rollout.frames() && table->model()->rowCount() > 0,
            kPatience);
        for (int row = 0; row < table->model()->rowCount(); ++row)
            QVERIFY(numberAt(row, 3).toDouble() > 0);
        typeInto("rolloutFilter", "rewrad > 0");
        QTRY_VERIFY_WITH_TIMEOUT(
            child<QLabel>("rolloutProblem")->text().contains(QStringLiteral("reward")), kPatience);
        typeInto("rolloutFilter", "advantage > 0");
        QTRY_VERIFY_WITH_TIMEOUT(!child<QLabel>("rolloutProblem")->isVisible(), kPatience);
        table->sortByColumn(8, Qt::DescendingOrder);
        QTRY_VERIFY_WITH_TIMEOUT(
            numberAt(0, 8).toDouble() >= numberAt(1, 8).toDouble() &&
                numberAt(0, 8).toDouble() > numberAt(table->model()->rowCount() - 1, 8).toDouble(),
            kPatience);
        const QString step = numberAt(0, 2);
        table->setFocus();
        table->setCurrentIndex(table->model()->index(0, 0));
        QTest::keyClick(table, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->perspective(), QStringLiteral("entities"), kPatience);
        QCOMPARE(QString::number(steps()), step);
        auto* value = shown<ValueView>("entityValue", "entityValue");
        QVERIFY(value->spotFacts()[QStringLiteral("values")].toInt() > 0);
    }

    void theAgentSaysWhatItWouldDo() {
        showEntities();
        click("playEnvironment");
        chooseAgent();
        auto* grid = child<ActorGrid>("actorGrid");
        double sum = 0, most = -1;
        QString best;
        for (const NamedSpot& spot : grid->namedSpots()) {
            const double share = spot.facts[QStringLiteral("share")].toDouble();
            sum += share;
            if (share > most) {
                most = share;
                best = spot.name;
            }
        }
        QVERIFY2(std::abs(sum - 1) < 1e-5, qPrintable(QString::number(sum)));
        QVERIFY(child<QLabel>("agentNumbers")->text().contains(QStringLiteral("entropy")));
        QVERIFY(child<RowList>("choices")->rowModel()->rows()[0].value.contains(u'%'));
        // Enter takes the likeliest.
        game()->setFocus();
        QTest::keyClick(game(), Qt::Key_Return);
        QCOMPARE(steps(), 1);
        QTest::keyClick(game(), Qt::Key_Left);
        QCOMPARE(steps(), 0);
        QVERIFY(spotFactsOf(*grid, best)[QStringLiteral("taken")].toBool());
        // In a frame that is past nothing is chosen until it is taken over.
        QTest::keyClick(game(), Qt::Key_A);
        QCOMPARE(frames(), 2);
        click("entityTakeOver");
        QCOMPARE(frames(), 1);
    }

    void itPlaysAloneAndIsLookedBackUpon() {
        auto* speed = child<QComboBox>("entitySpeed");
        speed->setFocus();
        QTest::keyClick(speed, Qt::Key_End);
        // It has learned little and may end its hunt soon: then another one begins.
        auto* seed = child<QSpinBox>("environmentSeed");
        for (int tries = 0; tries < 20 && frames() < 6; ++tries) {
            seed->setFocus();
            QTest::keyClick(seed, Qt::Key_Up);
            QTRY_VERIFY_WITH_TIMEOUT(isAdvised(), kPatience);
            game()->setFocus();
            QTest::keyClick(game(), Qt::Key_Space);
            QTRY_VERIFY_WITH_TIMEOUT(frames() >= 6 || !isPlaying(), kPatience);
        }
        QVERIFY(frames() >= 6);
        if (isPlaying()) QTest::keyClick(game(), Qt::Key_Space);
        QVERIFY(!isPlaying());
        const int halted = frames();
        QTest::qWait(150);
        QCOMPARE(frames(), halted);
        QTest::keyClick(game(), Qt::Key_Backspace);
        QCOMPARE(frames(), halted - 1);
        QTRY_VERIFY_WITH_TIMEOUT(isAdvised(), kPatience);
        QTest::keyClick(game(), Qt::Key_F7);
        QCOMPARE(frames(), halted);
        auto* slider = child<QSlider>("entityFrames");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Home);
        QCOMPARE(steps(), 0);
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(steps(), 1);
    }

    void valueAndAdvantageFollowTheEpisode() {
        auto* value = shown<ValueView>("entityValue", "entityValue");
        QTRY_COMPARE_WITH_TIMEOUT(value->spotFacts()[QStringLiteral("values")].toInt(), frames(),
                                  kPatience);
        QCOMPARE(value->spotFacts()[QStringLiteral("advantages")].toInt(), frames() - 1);
        const QRect plot = spotOf(*value, QStringLiteral("values"));
        QTest::mousePress(value, Qt::LeftButton, {}, QPoint(plot.left(), plot.center().y()));
        QCOMPARE(steps(), 0);
        QTest::mouseMove(value, QPoint(plot.right(), plot.center().y()));
        QTest::mouseRelease(value, Qt::LeftButton, {}, QPoint(plot.right(), plot.center().y()));
        QTest::mouseClick(value, Qt::LeftButton, {}, QPoint(plot.right(), plot.center().y()));
        QCOMPARE(steps(), frames() - 1);
        auto* model = qobject_cast<CellModel*>(value->tableModel());
        QVERIFY(model != nullptr);
        QCOMPARE(model->rowCount(), frames());
        // The sum of later surprises, from the last one back; the episode goes on behind it.
        const PpoSpec& ppo = training().job().as<EntityJob>().entity.ppo;
        const auto& rows = model->rows();
        double advantage = 0;
        for (std::size_t i = rows.size() - 1; i-- > 0;) {
            const double surprise = rows[i].cells[2].number +
                                    ppo.gamma * rows[i + 1].cells[1].number -
                                    rows[i].cells[1].number;
            advantage = surprise + ppo.gamma * ppo.gaeLambda * advantage;
            QVERIFY(std::abs(rows[i].cells[3].number - advantage) <
                    1e-4 * (1 + std::abs(advantage)));
        }
    }

    void attentionIsAskedForWhenSomebodyLooks() {
        auto* heat = shown<AttentionHeat>("entityAttention", "attentionHeat");
        QTRY_VERIFY_WITH_TIMEOUT(heat->insight() != nullptr, kPatience);
        const std::int64_t rows = heat->insight()->rows;
        // The hunter's moves are the game's, which has a row of its own.
        QCOMPARE(rows, std::int64_t{child<QTableView>("entityThings")->model()->rowCount()} + 1);
        for (std::int64_t i = 0; i < rows; ++i) {
            double sum = 0;
            for (std::int64_t j = 0; j < rows; ++j) sum += heat->lookOf(i, j);
            QVERIFY(std::abs(sum - 1) < 1e-5);
        }
        // A row that is picked is picked in the picture and the table.
        const QString name = heat->nameOf(1);
        const QRect row = spotOf(*heat, QStringLiteral("row %1").arg(name));
        QTest::mouseClick(heat, Qt::LeftButton, {}, QPoint(row.left() + 4, row.center().y()));
        QVERIFY(spotFactsOf(*game(), name)[QStringLiteral("picked")].toBool());
        auto* table = child<QTableView>("entityThings");
        QTRY_COMPARE_WITH_TIMEOUT(table->selectionModel()->selectedRows().size(), 1, kPatience);
        const int last = table->model()->columnCount() - 1;
        QVERIFY(table->model()
                    ->headerData(last, Qt::Horizontal)
                    .toString()
                    .contains(QStringLiteral("learned")));
    }

    void aFilmOfTheEpisodeIsWritten() {
        const QString file = m_folder->filePath(QStringLiteral("episode.gif"));
        click("entityFilm");
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QLineEdit*>("exportTarget") != nullptr &&
                                     child<QLineEdit>("exportTarget")->isVisible(),
                                 kPatience);
        typeInto("exportTarget", qPrintable(file));
        click("exportButton");
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(file).size() > 1000, kPatience);
    }
};

ORRERY_WINDOW_TEST(EntityAgentTest)
#include "entity_agent_test.moc"
