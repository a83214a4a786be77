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
#include <cstring>
#include <numeric>

#include "core/base/cpu.h"
#include "core/empo/target_terms.h"
#include "core/encode/state_encoder.h"
#include "core/run/jobs/exact_solution.h"
#include "core/world/grid_world.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "tests/widgets/replay/replay_bench.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/replay/encoded_text.h"
#include "widgets/replay/part_table.h"
#include "widgets/replay/plane_grid.h"
#include "widgets/replay/replay_browser.h"
#include "widgets/replay/replay_feed.h"
#include "widgets/replay/replay_filter.h"
#include "widgets/replay/replay_health.h"
#include "widgets/replay/replay_model.h"
#include "widgets/replay/replay_order.h"
#include "widgets/replay/tensors_view.h"
#include "widgets/replay/term_model.h"
#include "widgets/replay/transition_panel.h"

using namespace orrery;
using namespace orrery::test;

namespace {

using Place = std::uint32_t;

std::vector<Place> filtered(const ReplaySource& source, const QString& text,
                            const ReplayFilter::Current& current = {}) {
    ReplayFilterProblem problem;
    const auto filter = ReplayFilter::read(text, source, current, problem);
    if (!filter) qFatal("%s", qPrintable(problem.text));
    std::atomic<std::int64_t> done{0};
    return filter->apply(source, {}, done);
}

QString problemOf(const ReplaySource& source, const QString& text) {
    ReplayFilterProblem problem;
    return ReplayFilter::read(text, source, {}, problem) ? QString() : problem.text;
}

template <typename Holds>
std::vector<Place> expected(const ReplaySource& source, const Holds& holds) {
    std::vector<Place> places;
    for (std::size_t i = source.size(); i-- > 0;)
        if (holds(i)) places.push_back(static_cast<Place>(i));
    return places;
}

LoadedWorld loadedRoom() {
    LoadedWorld loaded;
    loaded.name = "small.yaml";
    loaded.title = QStringLiteral("Small room");
    loaded.world = smallRoom();
    return loaded;
}

/// The encoded first state of the room.
ReplayFilter::Current firstState(const ReplaySource& source) {
    StateEncoder encoder(*source.worlds[0]);
    std::vector<std::int32_t> words(encoder.shape().bytes() / 4);
    const auto bytes = std::as_writable_bytes(std::span<std::int32_t>(words));
    encoder.encode(source.worlds[0]->initialConfiguration(), 0, bytes);
    return {.encoded = {bytes.begin(), bytes.end()}, .layout = 0};
}

/// Learned values that are the same in all states: four robot actions, one human with six goals.
LearnedValues evenValues(std::size_t states) {
    LearnedValues values;
    values.numStates = static_cast<int>(states);
    values.numRobotActions = 4;
    values.q_r.assign(states * 4, -2);
    values.pi_r.assign(states * 4, 0.25);
    values.v_h_e = {std::vector<float>(states * 6, 0.5F)};
    values.isVisited_v_h_e = {std::vector<std::uint8_t>(states * 6, 1)};
    values.v_r.assign(states, -3);
    values.isVisited.assign(states, 1);
    return values;
}

}  // namespace

class ReplayPartsTest : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const ReplaySource> m_source;

    bool endsOf(std::size_t i) const { return m_source->at(i).endsEpisode; }

private Q_SLOTS:
    void initTestCase() { m_source = filledSource(3000); }

    void theModelKeepsTheRulesOfModels() {
        ReplayModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.setSource(m_source);
        QCOMPARE(model.rowCount(), 3000);
        QCOMPARE(model.index(0, ReplayModel::Number).data().toString(),
                 QString("2 999").replace(u' ', QChar(0x202F)));
        QCOMPARE(model.index(2999, ReplayModel::Age).data().toString().remove(QChar(0x202F)),
                 QString("3000"));
        model.setShown(std::vector<Place>{17, 4});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.rowOf(4), 1);
        QCOMPARE(model.rowOf(5), -1);
        model.setShown(std::nullopt);
        QCOMPARE(model.rowOf(0), 2999);
        model.setSource(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void rowsAreInTheOrderOfAnyColumn() {
        std::vector<Place> all(m_source->size());
        std::iota(all.rbegin(), all.rend(), Place{0});  // the newest first
        TdErrorTable errors;
        for (const Place place : all)
            errors[tdErrorKey(m_source->at(place))] = {std::sin(m_source->at(place).model), 1};
        ReplayModel model;
        model.setSource(m_source);
        for (int column = 0; column < ReplayModel::NumColumns; ++column) {
            for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
                const auto rows = inOrder(*m_source, all, {column, order}, errors, {});
                QVERIFY(rows && rows->size() == all.size());
                model.setShown(*rows);
                const auto keyOf = [&](int row) -> QVariant {
                    const std::size_t place = model.placeOf(row);
                    if (column == ReplayModel::TdError)
                        return std::abs(errors.at(tdErrorKey(m_source->at(place))).error);
                    if (column == ReplayModel::Stage) return m_source->stageIndexOf(place);
                    QString text = model.index(row, column).data().toString();
                    if (column == ReplayModel::Before || column == ReplayModel::After)
                        text = text.section(u' ', -1);
                    bool isNumber = false;
                    const double number = QString(text).remove(QChar(0x202F)).toDouble(&isNumber);
                    return isNumber ? QVariant(number) : QVariant(text);
                };
                for (int row = 1; row < model.rowCount(); ++row) {
                    const auto compared = QVariant::compare(keyOf(row - 1), keyOf(row));
                    if (compared == QPartialOrdering::Equivalent)
                        QVERIFY(model.placeOf(row - 1) > model.placeOf(row));
                    else
                        QCOMPARE(compared == QPartialOrdering::Less, order == Qt::AscendingOrder);
                }
            }
        }
    }

    void anErrorThatIsNoNumberComesLast_data() {
        QTest::addColumn<Qt::SortOrder>("order");
        QTest::newRow("ascending") << Qt::AscendingOrder;
        QTest::newRow("descending") << Qt::DescendingOrder;
    }
    void anErrorThatIsNoNumberComesLast() {
        QFETCH(Qt::SortOrder, order);
        std::vector<Place> all(m_source->size());
        std::iota(all.rbegin(), all.rend(), Place{0});
        TdErrorTable errors;
        for (const Place place : all) {
            const StoredTransition& row = m_source->at(place);
            const double error = row.model % 3 == 1 ? std::nan("") : std::sin(row.model);
            errors[tdErrorKey(row)] = {error, 1};
        }
        const auto rows = inOrder(*m_source, all, {ReplayModel::TdError, order}, errors, {});
        QVERIFY(rows && rows->size() == all.size());
        const auto sizeAt = [&](Place place) {
            return std::abs(errors.at(tdErrorKey(m_source->at(place))).error);
        };
        const auto isNone = [&](Place place) { return std::isnan(sizeAt(place)); };
        const auto firstNone = std::ranges::find_if(*rows, isNone);
        QVERIFY(firstNone != rows->begin() && firstNone != rows->end());
        QVERIFY(std::all_of(firstNone, rows->end(), isNone));
        const auto isBefore = [&](Place a, Place b) {
            return order == Qt::AscendingOrder ? sizeAt(a) < sizeAt(b) : sizeAt(a) > sizeAt(b);
        };
        QVERIFY(std::is_sorted(rows->begin(), firstNone, isBefore));
    }

    void filtersFindExactlyWhatTheySay() {
        const ReplaySource& s = *m_source;
        QCOMPARE(filtered(s, "actor=1"),
                 expected(s, [&](auto i) { return s.at(i).collector == 1; }));
        QCOMPARE(filtered(s, "step>3 actor=0"),
                 expected(s, [&](auto i) { return s.at(i).step > 3 && s.at(i).collector == 0; }));
        QCOMPARE(filtered(s, "step <= 1 or age<1k"),
                 expected(s, [&](auto i) { return s.at(i).step <= 1 || s.ageOf(i) < 1000; }));
        QCOMPARE(filtered(s, "not (ends=yes or goal!=2)"),
                 expected(s, [&](auto i) { return !endsOf(i) && s.at(i).goals[0] == 2; }));
        QCOMPARE(filtered(s, "goal=2"), expected(s, [&](auto i) { return s.at(i).goals[0] == 2; }));
        QCOMPARE(filtered(s, "goal=3,1"),
                 expected(s, [&](auto i) { return s.at(i).goals[0] == 2; }));
        QCOMPARE(filtered(s, "alike>5"), expected(s, [&](auto i) { return s.alikeOf(i) > 5; }));
        const std::vector<std::string>& names =
            s.worlds[0]->agents()[static_cast<std::size_t>(s.worlds[0]->robots()[0])].actions;
        const auto forward = std::ranges::find(names, "forward") - names.begin();
        QVERIFY(forward < std::ssize(names));
        const auto isForward = [&](std::size_t i) { return s.at(i).robotAction == forward; };
        QCOMPARE(filtered(s, "robot=forward"), expected(s, isForward));
        QCOMPARE(filtered(s, "robot:FORW"), expected(s, isForward));
        QCOMPARE(filtered(s, "robot!=forward"), expected(s, [&](auto i) { return !isForward(i); }));
        QCOMPARE(filtered(s, "human=forward"),
                 expected(s, [&](auto i) { return s.at(i).humanActions[0] == forward; }));
    }

    void theSelectedStateIsFoundWhereTransitionsStartEndOrMightHave() {
        const ReplaySource& s = *m_source;
        const ReplayFilter::Current first = firstState(s);
        const auto isFirst = [&](StateStore::Index state) {
            const auto bytes = s.replay->state(state);
            return std::memcmp(bytes.data(), first.encoded.data(), bytes.size()) == 0;
        };
        const auto from = expected(s, [&](auto i) { return isFirst(s.replay->modelOf(i).state); });
        QVERIFY(from.size() > 10);
        QCOMPARE(filtered(s, "from:current", first), from);
        QCOMPARE(filtered(s, "touches:current", first), from);
        QVERIFY(filtered(s, "to:current", first).empty());
        QVERIFY(problemOf(s, "from:current").contains("open world"));
    }

    void stagesAreShownAndFiltered() {
        ReplaySource staged = *m_source;
        staged.spec.of(Quantity::V_h_e).warmupSteps = staged.at(1000).insertedAt;
        staged.spec.rampSteps = staged.at(2000).insertedAt - staged.at(1000).insertedAt;
        for (const Quantity quantity : kQuantities)
            if (quantity != Quantity::V_h_e) staged.spec.of(quantity).warmupSteps = 0;
        staged.schedule = EmpoSchedule(staged.spec);
        const auto source = std::make_shared<const ReplaySource>(std::move(staged));
        const auto isOf = [&](const char* stage) {
            return expected(*source, [&, stage](auto i) { return source->stageOf(i) == stage; });
        };
        QVERIFY(isOf("v_h_e").size() > 500 && isOf("ramp").size() > 500 &&
                isOf("full").size() > 500);
        QCOMPARE(source->stageOf(0), std::string("v_h_e"));
        QCOMPARE(source->stageOf(2999), std::string("full"));
        QCOMPARE(filtered(*source, "stage=ramp"), isOf("ramp"));
        QCOMPARE(filtered(*source, "stage:RAM"), isOf("ramp"));
        QCOMPARE(filtered(*source, "stage!=ramp stage!=full"), isOf("v_h_e"));
        QVERIFY(problemOf(*source, "stage=late").contains("there are v_h_e, ramp, full"));
        QVERIFY(problemOf(*source, "stage>ramp").contains("is no number"));
        ReplayModel model;
        model.setSource(source);
        QCOMPARE(model.index(0, ReplayModel::Stage).data().toString(), QString("full"));
        QCOMPARE(model.index(2999, ReplayModel::Stage).data().toString(), QString("v_h_e"));
    }

    void theHealthPageMarksWhereTheBufferWasCleared() {
        const auto marked = [this](BufferClearing clearing, std::int64_t ramp) {
            ReplaySource source = *m_source;
            for (const Quantity quantity : kQuantities) source.spec.of(quantity).warmupSteps = 0;
            source.spec.of(Quantity::V_h_e).warmupSteps = ramp;
            source.spec.rampSteps = 1'000'000;
            source.spec.trainingSteps = 2'000'000;
            source.spec.bufferClearing = clearing;
            source.schedule = EmpoSchedule(source.spec);
            auto health = std::make_unique<ReplayHealth>();
            health->resize(900, 90);
            health->setSource(std::make_shared<const ReplaySource>(std::move(source)));
            QStringList spots;
            for (const NamedSpot& spot : health->namedSpots()) spots << spot.name;
            for (int row = 0; row < health->tableModel()->rowCount(); ++row)
                spots << "row: " + health->tableModel()->index(row, 0).data().toString();
            return spots;
        };
        const std::int64_t middle = m_source->at(1500).insertedAt;
        const QString cleared = QStringLiteral("cleared at step ") + countText(middle);
        const QStringList hard = marked(BufferClearing::Hard, middle);
        QVERIFY(hard.contains(cleared) && hard.contains("row: " + cleared));
        QVERIFY(marked(BufferClearing::Hard, m_source->step + 1).filter("cleared").isEmpty());
        QCOMPARE(marked(BufferClearing::Gradual, middle).filter("not sampled").size(), 2);
        QVERIFY(marked(BufferClearing::None, middle).filter("cleared").isEmpty());
    }

    void wrongFiltersSayWhatIsWrong() {
        const ReplaySource& s = *m_source;
        QVERIFY2(problemOf(s, "stpe>3").contains("did you mean step"),
                 qPrintable(problemOf(s, "stpe>3")));
        QVERIFY(problemOf(s, "step>").contains("a value for step is missing"));
        QVERIFY(problemOf(s, "step").contains("a comparison for step"));
        QVERIFY(problemOf(s, "step=many").contains("needs a number"));
        QVERIFY(problemOf(s, "robot=fly").contains("no action is called"));
        QVERIFY(problemOf(s, "goal=99,99").contains("no goal is"));
        QVERIFY(problemOf(s, "(step=1").contains("a ) is missing"));
        QVERIFY(problemOf(s, "step=1)").contains("one too many"));
        QVERIFY(problemOf(s, "ends=maybe").contains("yes or no"));
    }

    void aMillionTransitionsAreFilteredFastAndCancelled() {
        const auto source = filledSource(1'000'000);
        double begin = processCpuMs();
        const auto found = filtered(*source, "actor=1 step>3 robot=forward goal=2");
        const double plain = processCpuMs() - begin;
        begin = processCpuMs();
        const auto near = filtered(*source, "touches:current", firstState(*source));
        const double touching = processCpuMs() - begin;
        qInfo("10^6 transitions: %.0f ms of CPU (%zu found), touches:current %.0f ms (%zu found)",
              plain, found.size(), touching, near.size());
        QVERIFY(!found.empty() && !near.empty());
        QVERIFY2(plain < 2000 && touching < 4000, "the machine is far too slow");
        ReplayModel model;
        begin = threadCpuMs();
        model.setSource(source);
        QCOMPARE(model.rowCount(), 1'000'000);
        QVERIFY(!model.index(999'999, ReplayModel::Goals).data().toString().isEmpty());
        QVERIFY(threadCpuMs() - begin < 50);
        std::stop_source stop;
        stop.request_stop();
        ReplayFilterProblem problem;
        std::atomic<std::int64_t> done{0};
        const auto filter = ReplayFilter::read("step>0", *source, {}, problem);
        filter->apply(*source, stop.get_token(), done);
        QVERIFY(done.load() < 10'000);
    }

    void planesAndCellsSayWhatIsEncoded() {
        const auto bytes = m_source->replay->stateBefore(0);
        const auto state = shownState(m_source->replay->shape(), bytes, m_source->worlds[0], "x");
        const EncodingShape& shape = state->shape;
        std::vector<float> planes(kNumPlanes * shape.cells());
        decompress(state->cells, PlaneLayout::Whole, planes);
        QVERIFY(planes == state->planes40);
        QCOMPARE(cellRows(*state).size(), shape.cells());
        QCOMPARE(cellRows(*state)[0].last(), QString("wall"));
        QCOMPARE(planeRows(*state, PlaneLayout::Whole).size(), std::size_t{40});
        QCOMPARE(planeRows(*state, PlaneLayout::Seed).size(), std::size_t{39});
        QCOMPARE(planeRows(*state, PlaneLayout::Whole)[0][0], QString("wall"));
        QCOMPARE(planeRows(*state, PlaneLayout::Whole)[0][2], QString("14"));
        QCOMPARE(agentRows(*state).size(), std::size_t{2} * 13);
        QCOMPARE(interactiveRows(*state).size(), std::size_t{96});
        QCOMPARE(globalRows(*state)[0][3], QString("10"));
        QCOMPARE(cellBitsText({.type = CellBits::kDoor, .color = 0, .door = 3}),
                 QString("red door, locked"));
        QCOMPARE(cellBitsText({.type = kBushPlane, .agent = 4, .density = 6}),
                 QString("bush, density 7; yellow agent"));
        QCOMPARE(cellBitsText({}), QString("nothing"));
    }

    void targetsOverSeveralStepsAreSaidToBeOthers() {
        for (const int steps : {1, 3, 0}) {
            ReplaySource source = *m_source;
            source.spec.numSteps = steps;
            const std::size_t states = 1 + source.replay->modelOf(7).successors().size();
            auto answer = std::make_shared<ValueAnswer>();
            answer->live = answer->target = evenValues(states);
            TransitionPanel panel;
            panel.setTransition(std::make_shared<const ReplaySource>(std::move(source)), 7);
            panel.setValues(answer);
            const QString remark = panel.findChild<QLabel*>("transitionRemark")->text();
            QCOMPARE(remark.contains("one-step target"), steps != 1);
            QCOMPARE(remark.contains("over 3 steps"), steps == 3);
            QCOMPARE(remark.contains("end of the episode"), steps == 0);
        }
    }

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
            for (int row = 0;
                 isNumberColumn(column) && !view.table()->isColumnHidden(column) && row < inView;
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

ORRERY_WINDOW_TEST(ReplayPartsTest)
#include "replay_parts_test.moc"
