#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/solve/solution.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/dag/solved.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/common/painted_view.h"
#include "widgets/common/row_list.h"
#include "widgets/dag/episode_values.h"
#include "widgets/dag/path_chart.h"
#include "widgets/dag/path_sampler.h"
#include "widgets/world/joint_action_panel.h"
#include "widgets/world/overlay.h"
#include "widgets/world/world_view.h"

using namespace orrery;

namespace {

LoadedWorld smallRoom() {
    QStringList problems;
    const auto spec = specOfText(smallRoomFile(6), problems);
    if (!spec) qFatal("%s", qPrintable(problems.join(u'\n')));
    return worldOfSpec("small.yaml", *spec);
}

}  // namespace

/// The episode's values and the simulation, driven by mouse and keys.
class EpisodeViewsTest : public QObject {
    Q_OBJECT

private:
    LoadedWorld m_loaded = smallRoom();
    std::shared_ptr<const Solution> m_solution = test::solved(m_loaded);

    template <typename T>
    static T* child(QWidget& view, const char* name) {
        T* found = view.findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no %s", name);
        return found;
    }
    static void show(QWidget& view) {
        view.resize(640, 560);
        view.show();
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view, kPatience));
    }

private Q_SLOTS:
    /// A session once kept such a view, and the program crashed at every start.
    void aViewFrozenAtAWorldThatIsGoneIsEmpty() {
        Selection selection, ofView;
        PlanSession session(&selection), frozen(&session, &ofView);
        session.open(m_loaded);
        WorldView view(&frozen);
        JointActionPanel actions(&frozen);
        for (QWidget* part : {static_cast<QWidget*>(&view), static_cast<QWidget*>(&actions)})
            show(*part);
        frozen.freezeAt({});
        QVERIFY(frozen.isFrozen() && !frozen.isOpen());
        QCOMPARE(std::ssize(heatChoices(frozen)), 1);
        QCOMPARE(std::ssize(arrowChoices(frozen)), 1);
        QVERIFY(!view.grab().isNull() && !actions.grab().isNull());
    }

    /// Values of one world once lay over the cells of another.
    void whatLiesOverTheCellsIsOfTheirWorld() {
        Selection selection, ofView;
        PlanSession session(&selection), own(&session, &ofView);
        session.open(m_loaded);
        session.attach(m_solution, {});
        WorldView view(&own);
        view.setHeat(ValueKind::V_r);
        view.setArrows({.agent = 0});
        show(view);
        QTRY_VERIFY_WITH_TIMEOUT(view.scene().heat && view.scene().arrows, kPatience);
        own.setFrozen(true);
        const LoadedWorld other = loadWorld("builtin:two_in_niches");
        session.open(other);
        session.attach(test::solved(other), {});
        const auto fits = [&view] {
            const WorldScene& scene = view.scene();
            const std::size_t size =
                static_cast<std::size_t>(scene.width) * static_cast<std::size_t>(scene.height);
            return (!scene.heat || scene.heat->cells.size() == size) &&
                   (!scene.arrows || scene.arrows->cells.size() == size) &&
                   (!scene.visits || scene.visits->cells.size() == size);
        };
        QVERIFY(fits());
        own.setFrozen(false);
        QVERIFY(own.world().height() != m_loaded.world->height() ||
                own.world().width() != m_loaded.world->width());
        QVERIFY(fits());
        QTRY_VERIFY_WITH_TIMEOUT(view.scene().heat && view.scene().arrows, kPatience);
        QVERIFY(fits());
    }

    /// It once played without an end.
    void aFrozenEpisodeIsNotPlayed() {
        Selection selection, ofView;
        PlanSession session(&selection), frozen(&session, &ofView);
        session.open(m_loaded);
        session.attach(m_solution, {});
        frozen.setFrozen(true);
        QSignalSpy refused(&frozen, &PlanSession::refused);
        EpisodeValues view(&frozen);
        show(view);
        QTest::mouseClick(child<QPushButton>(view, "episodePlay"), Qt::LeftButton);
        QCOMPARE(refused.count(), 1);
        QCOMPARE(frozen.state().step, 0);
        QCOMPARE(session.state().step, 0);
    }

    void theEpisodeIsPlayedToItsEndAndItsWorstStepsStandFirst() {
        Selection selection;
        PlanSession session(&selection);
        session.open(m_loaded);
        session.attach(m_solution, {});
        EpisodeValues view(&session);
        show(view);
        QVERIFY(view.steps().empty());
        QTest::mouseClick(child<QPushButton>(view, "episodePlay"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(view.steps().size(), std::size_t(6), kPatience);
        QVERIFY(!view.isWorking());
        QVERIFY(session.isTerminal());
        QVERIFY(std::ranges::is_sorted(view.steps(), {}, &EpisodeStep::surprise));
        for (const EpisodeStep& step : view.steps()) {
            const auto stateAt = [&](std::size_t moment) {
                const StateItem& item = session.walk()[moment].state;
                return State{item.step, static_cast<ConfigIndex>(item.index)};
            };
            const double before = m_solution->v_r(stateAt(step.moment - 1));
            QVERIFY(std::abs(step.value - m_solution->v_r(stateAt(step.moment))) < 1e-12);
            QVERIFY(std::abs(step.change - (step.value - before)) < 1e-12);
            double mean = 0;
            for (const Successor& next : m_solution->inducedChain(stateAt(step.moment - 1)))
                mean += next.probability * m_solution->v_r(next.state);
            QVERIFY(std::abs(step.expected - (mean - before)) < 1e-12);
        }
        // A click on the first row goes to the step that cost most.
        auto* list = child<RowList>(view, "episodeRows");
        const std::size_t worst = view.steps().front().moment;
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                          list->visualRect(list->model()->index(0, 0)).center());
        QCOMPARE(session.walkIndex(), worst);
        QTRY_VERIFY_WITH_TIMEOUT(!view.isWorking(), kPatience);
        // A click on the curve goes to its step.
        auto* chart = child<PathChart>(view, "pathChart");
        QCOMPARE(chart->points().size(), std::size_t(7));
        QTest::mouseClick(chart, Qt::LeftButton, {}, chart->placeOf(0).toPoint());
        QCOMPARE(session.walkIndex(), std::size_t(0));
    }

    void aValueWithoutEndStandsAtTheEdgeOfThePathsChart() {
        PathChart chart;
        chart.resize(400, 120);
        const double infinity = std::numeric_limits<double>::infinity();
        chart.setPoints({{0, -4}, {1, -infinity}, {2, -2}, {3, infinity}, {4, std::nan("")}},
                        QStringLiteral("V_r"));
        chart.grab();
        for (const NamedSpot& spot : chart.namedSpots())
            QVERIFY2(chart.rect().contains(spot.rect), qPrintable(spot.name));
        QVERIFY(chart.placeOf(1).y() >= chart.placeOf(0).y());
        QVERIFY(chart.placeOf(0).y() > chart.placeOf(2).y());
        QVERIFY(chart.placeOf(2).y() > chart.placeOf(3).y());
    }

    void anyQuantityIsFollowedAndTheTableSaysTheSame() {
        Selection selection;
        PlanSession session(&selection);
        session.open(m_loaded);
        session.attach(m_solution, {});
        for (int i = 0; i < 3; ++i) session.followPolicy();
        EpisodeValues view(&session);
        show(view);
        QTRY_COMPARE_WITH_TIMEOUT(view.steps().size(), std::size_t(3), kPatience);
        QAbstractItemModelTester tester(view.tableModel(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        auto* box = child<QComboBox>(view, "episodeQuantity");
        const double v_r = view.steps().front().value;
        box->setFocus();
        QTest::keyClick(box, Qt::Key_End);
        QTRY_VERIFY_WITH_TIMEOUT(!view.isWorking() && view.steps().front().value != v_r, kPatience);
        QVERIFY(box->currentIndex() == box->count() - 1);
        QCOMPARE(view.tableModel()->rowCount(), 4);
        for (const EpisodeStep& step : view.steps()) {
            const int row = static_cast<int>(step.moment);
            QCOMPARE(view.tableModel()->index(row, 2).data().toDouble(), step.value);
            QCOMPARE(view.tableModel()->index(row, 5).data().toDouble(), step.surprise());
            QVERIFY(step.value >= 0 && step.value <= 1);  // V_h^e of the last goal
        }
    }

    void sampledPathsVisitStatesAsOftenAsTheirProbabilitySays() {
        const int numPaths = 4000;
        const State root{0, m_solution->graph().levelMember(0, 0)};
        const auto sample = samplePaths(*m_solution, root, SamplePolicy::Uniform, numPaths, 7);
        QCOMPARE(sample->numPaths, numPaths);
        QVERIFY(
            std::ranges::is_sorted(sample->states, std::ranges::greater{}, &StateVisits::visits));
        // The distribution after one step, from the world itself.
        std::map<ConfigIndex, double> exact;
        const World& world = m_solution->world();
        for (ActionProfileIndex profile = 0; profile < world.numProfiles(); ++profile)
            for (const Successor& next : m_solution->successors(root, profile))
                exact[next.state.config] += next.probability / world.numProfiles();
        std::int64_t atFirst = 0;
        std::map<int, std::int64_t> ofStep;
        for (const StateVisits& each : sample->states) {
            ofStep[each.state.step] += each.visits;
            if (each.state == root) atFirst = each.visits;
            if (each.state.step != 1) continue;
            const double p = exact[each.state.config];
            const double share = static_cast<double>(each.visits) / numPaths;
            QVERIFY2(std::abs(share - p) < 5 * std::sqrt(p * (1 - p) / numPaths) + 1e-12,
                     qPrintable(QStringLiteral("%1 %2").arg(share).arg(p)));
        }
        QCOMPARE(atFirst, std::int64_t(numPaths));
        QCOMPARE(ofStep.size(), std::size_t(world.maxSteps() + 1));
        for (const auto& [step, visits] : ofStep) QCOMPARE(visits, std::int64_t(numPaths));
        const auto again = samplePaths(*m_solution, root, SamplePolicy::Uniform, numPaths, 7);
        QVERIFY(std::ranges::equal(again->states, sample->states, [](const auto& a, const auto& b) {
            return a.state == b.state && a.visits == b.visits;
        }));
    }

    void aSimulationMarksTheVisitedStatesForEveryView() {
        Selection selection;
        PlanSession session(&selection);
        PathSampler view(&session);
        show(view);
        QVERIFY(!child<QPushButton>(view, "sampleRun")->isEnabled());
        session.open(m_loaded);
        session.attach(m_solution, {});
        QVERIFY(child<QPushButton>(view, "sampleRun")->isEnabled());
        QAbstractItemModelTester tester(view.model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        auto* paths = child<QSpinBox>(view, "samplePaths");
        paths->setFocus();
        paths->selectAll();
        QTest::keyClicks(paths, "50");
        QTest::mouseClick(child<QPushButton>(view, "sampleRun"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(view.model()->rowCount() > 0, kPatience);
        const auto marks = selection.stateMarks();
        QVERIFY(marks != nullptr);
        QCOMPARE(marks->total(), std::int64_t(view.model()->rowCount()));
        QCOMPARE(marks->count(0), std::int64_t(1));
        QTRY_VERIFY_WITH_TIMEOUT(!view.isWorking(), kPatience);
        // A click on a row goes to its state.
        auto* table = child<QTableView>(view, "sampleTable");
        const int last = view.model()->rowCount() - 1;
        table->scrollToBottom();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(view.model()->index(last, 1)).center());
        const StateVisits& picked = view.model()->sample()->states[static_cast<std::size_t>(last)];
        QCOMPARE(session.state().step, picked.state.step);
        QCOMPARE(session.state().index, static_cast<std::int64_t>(picked.state.config));
    }
};

ORRERY_WINDOW_TEST(EpisodeViewsTest)
#include "episode_views_test.moc"
