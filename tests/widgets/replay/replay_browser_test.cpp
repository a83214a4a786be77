#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QTableView>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/grid/grid_spec.h"
#include "core/run/jobs/exact_solution.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/replay/replay_bench.h"
#include "tests/widgets/replay/replay_samples.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/replay/plane_grid.h"
#include "widgets/replay/replay_browser.h"
#include "widgets/replay/replay_feed.h"
#include "widgets/replay/replay_model.h"
#include "widgets/replay/tensors_view.h"
#include "widgets/replay/term_model.h"
#include "widgets/replay/transition_panel.h"

using namespace orrery;
using namespace orrery::test;

namespace {

LoadedWorld loadedRoom() {
    LoadedWorld loaded;
    loaded.name = "small.yaml";
    loaded.title = QStringLiteral("Small room");
    loaded.world = smallRoom();
    return loaded;
}

}  // namespace

/// The browser of a replay buffer and the view of tensors, with mouse and keys.
class ReplayBrowserTest : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const ReplaySource> m_source;

private Q_SLOTS:
    void initTestCase() { m_source = filledSource(3000); }

    /// A room of four goals that is solved, and one of six that is not.
    static std::shared_ptr<const ReplaySource> twoRooms() {
        GridWorldSpec spec;
        spec.metadata.name = "smaller room";
        spec.map = {"WeWeWeWe", "WeAy..We", "We..AeWe", "WeWeWeWe"};
        spec.maxSteps = 4;
        for (const int x : {1, 2})
            for (const int y : {1, 2})
                spec.possibleGoals.push_back(Goal{.x1 = x, .y1 = y, .x2 = x, .y2 = y});
        const std::vector<std::shared_ptr<const World>> worlds{makeWorld(spec), smallRoom(4)};
        const ExactSolution solved = exactSolutionOf(worlds[0], EmpoSpec{}, 100'000, {}, {});
        if (!solved.solution) qFatal("%s", solved.whyNot.c_str());
        return filledSource(400, worlds, {solved.solution, nullptr});
    }

    void aRowOfAnUnsolvedWorldHasNoExactValue() {
        const auto source = twoRooms();
        Selection selection;
        PlanSession session(&selection);
        ReplayFeed feed;
        ReplayBrowser view(&feed, &session);
        const auto desk = std::make_shared<LearnerDesk>();
        const LiveTraining live{.run = "rooms",
                                .spec = source->spec,
                                .worlds = source->worlds,
                                .exact = source->exact,
                                .desk = desk,
                                .isLive = true};
        feed.setLive(live);
        feed.refresh();
        desk->show({source->replay, source->step});
        feed.setLive(live);
        QTRY_COMPARE_WITH_TIMEOUT(view.model()->rowCount(), 400, kPatience);
        const auto rowWhere = [&](const auto& holds) {
            for (int row = 0; row < view.model()->rowCount(); ++row)
                if (holds(source->at(view.model()->placeOf(row)))) return row;
            return -1;
        };
        const int solved = rowWhere([](const auto& row) { return row.layout == 0; });
        // Its human pursues a goal of a number that the solved world has, too, or has not.
        const int unsolved =
            rowWhere([](const auto& row) { return row.layout == 1 && row.goals[0] <= 3; });
        const int beyond =
            rowWhere([](const auto& row) { return row.layout == 1 && row.goals[0] > 3; });
        QVERIFY(solved >= 0 && unsolved >= 0 && beyond >= 0);
        const auto pick = [&](int row) {
            view.table()->setCurrentIndex(view.model()->index(row, 0));
        };
        const auto isAtRest = [&] {
            return std::ranges::all_of(view.findChildren<BackgroundWorker*>(),
                                       [](const auto* each) { return each->numOpenJobs() == 0; });
        };
        TransitionPanel* panel = view.transition();
        const QWidget* card = panel->findChild<QLabel*>("exactNumber")->parentWidget();
        const auto isKnown = [&] { return !card->isHidden(); };
        auto* choice = panel->findChild<QComboBox*>("targetChoice");
        pick(unsolved);
        QTRY_VERIFY_WITH_TIMEOUT(isAtRest(), kPatience);
        QCOMPARE(choice->count(), 6);
        QVERIFY(!isKnown());
        // What was looked up for the one is not shown as the other's.
        pick(solved);
        QCOMPARE(choice->count(), 4);
        pick(unsolved);
        QCOMPARE(choice->count(), 6);
        QTRY_VERIFY_WITH_TIMEOUT(isAtRest(), kPatience);
        QVERIFY(!isKnown());
        pick(solved);
        QTRY_VERIFY_WITH_TIMEOUT(isKnown(), kPatience);
        // What has no such goal has no value for it.
        pick(solved);
        pick(beyond);
        StateValues other;
        other.v_h_e = {{0.1, 0.2, 0.3, 0.4}};
        panel->setExact(other);
        QVERIFY(!isKnown());
    }

    void theTensorViewFollowsTheStateAndReadsCells() {
        Selection selection;
        PlanSession session(&selection);
        TensorsView view(&session);
        QVERIFY(view.shown() == nullptr);
        session.open(loadedRoom());
        view.resize(1000, 700);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, kPatience));
        view.activateWindow();
        QVERIFY(view.shown() != nullptr);
        QVERIFY(view.shown()->title.contains("step 0"));
        PlaneGrid* grid = view.planes();
        const auto spots = grid->namedSpots();
        QVERIFY(!spots.empty());
        QCOMPARE(spots[0].name, QString("plane 0"));
        QTest::mouseMove(grid, spots[0].rect.topLeft() + QPoint(3, 21));
        QTRY_COMPARE_WITH_TIMEOUT(grid->readout(), QString("0 wall · cell 0,0 = 1"), kPatience);
        QTest::mouseClick(grid, Qt::LeftButton, {}, spots[0].rect.topLeft() + QPoint(3, 21));
        QVERIFY(selection.current<CellItem>() != nullptr);
        QCOMPARE(*selection.current<CellItem>(), (CellItem{0, 0}));
        QTest::keyClick(grid, Qt::Key_Right);
        QTest::keyClick(grid, Qt::Key_Down);
        QCOMPARE(grid->readout(), QString("0 wall · cell 1,1 = 0"));
        session.step();
        QTRY_VERIFY_WITH_TIMEOUT(view.shown()->title.contains("step 1"), kPatience);
        QCOMPARE(view.tableModel()->rowCount(), 40);
        auto* layout = view.findChild<QWidget*>("tensorLayout");
        QTest::keyClick(layout, Qt::Key_Down);
        QCOMPARE(view.tableModel()->rowCount(), 39);
        const QAbstractItemModelTester tester(view.tableModel());
    }

    void theBrowserShowsAFrozenBufferFiltersItAndExplainsARow() {
        Selection selection;
        PlanSession session(&selection);
        session.open(loadedRoom());
        ReplayFeed feed;
        ReplayBrowser view(&feed, &session);
        view.resize(1300, 800);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, kPatience));
        view.activateWindow();
        auto* empty = view.findChild<QLabel*>("replayEmptyText");
        QVERIFY(empty->isVisible() && empty->text().contains("Train a world"));

        const auto desk = std::make_shared<LearnerDesk>();
        LiveTraining live{.run = "room",
                          .spec = m_source->spec,
                          .worlds = m_source->worlds,
                          .desk = desk,
                          .isLive = true};
        feed.setLive(live);
        auto* show = view.findChild<QWidget*>("replayShow");
        QVERIFY(show->isVisible());
        QTest::mouseClick(show, Qt::LeftButton);
        QVERIFY(desk->bufferWish() != nullptr);
        desk->show({m_source->replay, m_source->step});
        feed.setLive(live);
        QTRY_COMPARE_WITH_TIMEOUT(view.model()->rowCount(), 3000, kPatience);
        QVERIFY(view.findChild<QLabel*>("replayAsOf")->text().contains("as of step"));

        // The first row was picked and its values are asked for.
        const auto question = desk->question();
        QVERIFY(question != nullptr);
        const std::size_t states = question->states.size() / m_source->replay->shape().bytes();
        QCOMPARE(states, 1 + m_source->replay->modelOf(2999).successors().size());
        ValueAnswer answer{.number = question->number, .step = 77};
        answer.live = answer.target = evenValues(states);
        desk->answer(std::move(answer));
        feed.setLive(live);
        TransitionPanel* panel = view.transition();
        QVERIFY(panel->terms()->hasValues());
        QCOMPARE(panel->prediction(), 0.5);
        double sum = 0;
        const bool isEnd = m_source->replay->modelOf(2999).endsWorld;
        for (int row = 0; row < panel->terms()->rowCount(); ++row) {
            const auto text = panel->terms()->index(row, TermModel::Term).data().toString();
            sum += QString(text).remove(u'<').toDouble();
        }
        QVERIFY2(std::abs(sum - panel->target()) < 0.02, qPrintable(QString::number(sum)));
        QVERIFY(isEnd || panel->target() >= 0.99 * 0.5 - 1e-6);
        const QAbstractItemModelTester tester(panel->terms());

        // Then the TD errors of the rows in view are asked for, at once.
        const auto errors = [&] {
            const auto next = desk->question();
            return next != question ? next : nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(errors() != nullptr, kPatience);
        const int inView = view.table()->rowAt(view.table()->viewport()->height() - 1);
        QVERIFY(inView > 3);
        QCOMPARE(view.model()->index(1, ReplayModel::TdError).data().toString(), QString());
        ValueAnswer more{.number = errors()->number, .step = 78};
        const std::size_t asked = errors()->states.size() / m_source->replay->shape().bytes();
        QVERIFY(asked > states);
        more.live.numStates = static_cast<int>(asked);
        more.live.numRobotActions = 4;
        more.live.q_r.assign(asked * 4, -2);
        more.live.v_r.assign(asked, -3);
        more.live.isVisited.assign(asked, 1);
        more.target = more.live;
        desk->answer(std::move(more));
        feed.setLive(live);
        for (const int row : {0, 1}) {
            const std::size_t place = view.model()->placeOf(row);
            const bool isLast = m_source->replay->modelOf(place).endsWorld;
            const double target =
                isLast ? m_source->spec.terminal_v_r : -3 * m_source->spec.gamma_r;
            QCOMPARE(view.model()->index(row, ReplayModel::TdError).data().toString(),
                     valueText(target + 2));
        }
        QVERIFY(view.model()
                    ->index(0, ReplayModel::TdError)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains("training step 78"));
        QVERIFY(!view.model()->hasError(0));

        // No number is cut, and no column of the terms lies under a scroll bar.
        for (int column = 0; column < ReplayModel::NumColumns; ++column)
            for (int row = 0; view.model()->index(row, column).data(Qt::FontRole).isValid() &&
                              !view.table()->isColumnHidden(column) && row < inView;
                 ++row)
                QVERIFY2(QFontMetrics(numberFont(12))
                                     .horizontalAdvance(
                                         view.model()->index(row, column).data().toString()) +
                                 14 <=
                             view.table()->columnWidth(column),
                         qPrintable(view.model()->index(row, column).data().toString()));
        auto* split = view.findChild<QSplitter*>("replaySplit");

        // The TD error is in sight where the window is 1280 wide, and then what the humans did
        // stands below what the robots did.
        for (const auto& [table, isWhole] : {std::pair(579, false), std::pair(1500, true)}) {
            view.resize(table + 360, 800);
            split->setSizes({table, 360});
            const int left = view.table()->columnViewportPosition(ReplayModel::TdError);
            const int right = left + view.table()->columnWidth(ReplayModel::TdError);
            QVERIFY2(right <= view.table()->viewport()->width(),
                     qPrintable(QString::number(right)));
            for (const int column : {ReplayModel::HumanActions, ReplayModel::Actor,
                                     ReplayModel::Episode, ReplayModel::Step})
                QCOMPARE(view.table()->isColumnHidden(column), !isWhole);
        }
        auto* terms = view.findChild<QTableView*>("targetTerms");
        for (const int width : {360, 386, 400, 430, 520}) {
            split->setSizes({view.width() - width, width});
            const auto fit = [&] {
                int columns = 0;
                for (int column = 0; column < TermModel::NumColumns; ++column)
                    columns += terms->columnWidth(column);  // 0 of a hidden one
                return columns <= terms->viewport()->width();
            };
            QTRY_VERIFY2_WITH_TIMEOUT(fit(), qPrintable(QString::number(width)), kPatience);
        }

        // A click on a header orders the whole buffer by it, the other way at the next one.
        QHeaderView* header = view.table()->horizontalHeader();
        const auto clickHeader = [&](int column) {
            QTest::mouseClick(
                header->viewport(), Qt::LeftButton, {},
                QPoint(header->sectionViewportPosition(column) + 12, header->height() / 2));
        };
        const auto stepOf = [&](int row) { return m_source->at(view.model()->placeOf(row)).step; };
        int most = 0;
        for (std::size_t i = 0; i < m_source->size(); ++i)
            most = std::max(most, m_source->at(i).step);
        view.table()->scrollTo(view.model()->index(0, ReplayModel::Step));
        clickHeader(ReplayModel::Step);
        QTRY_COMPARE_WITH_TIMEOUT(stepOf(0), 0, kPatience);
        QCOMPARE(header->sortIndicatorSection(), int{ReplayModel::Step});
        clickHeader(ReplayModel::Step);
        QTRY_COMPARE_WITH_TIMEOUT(stepOf(0), most, kPatience);
        header->setSortIndicator(ReplayModel::Number, Qt::DescendingOrder);
        QTRY_COMPARE_WITH_TIMEOUT(view.model()->placeOf(0), m_source->size() - 1, kPatience);

        // A filter, typed; another row, by mouse and keys.
        QLineEdit* line = view.filterLine();
        line->setFocus();
        QTest::keyClicks(line, "actor=1 step>3");
        QTest::keyClick(line, Qt::Key_Return);
        const std::size_t want = filtered(*m_source, "actor=1 step>3").size();
        QTRY_COMPARE_WITH_TIMEOUT(view.model()->rowCount(), static_cast<int>(want), kPatience);
        QTableView* table = view.table();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(view.model()->index(2, 2)).center());
        QCOMPARE(table->currentIndex().row(), 2);
        QTest::keyClick(table, Qt::Key_Down);
        QCOMPARE(table->currentIndex().row(), 3);
        QVERIFY(view.findChild<QLabel*>("transitionTitle")
                    ->text()
                    .remove(QChar(0x202F))
                    .endsWith(QString::number(view.model()->placeOf(3))));
        QTest::keyClicks(line, " bad");
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(view.findChild<QLabel*>("replayProblem")->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(view.tableModel()->rowCount() > 20, kPatience);

        // The buffer does not move while the training goes on.
        desk->show({m_source->replay, m_source->step + 1});
        feed.setLive(live);
        QCOMPARE(feed.source()->step, m_source->step);
        QTest::mouseClick(view.findChild<QWidget*>("replayRefresh"), Qt::LeftButton);
        desk->show({m_source->replay, m_source->step + 2});
        feed.setLive(live);
        QTRY_COMPARE_WITH_TIMEOUT(feed.source()->step, m_source->step + 2, kPatience);
    }
};

ORRERY_WINDOW_TEST(ReplayBrowserTest)
#include "replay_browser_test.moc"
