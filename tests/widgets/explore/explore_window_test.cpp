#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <cmath>
#include <memory>

#include "app/window/main_window.h"
#include "core/base/fault.h"
#include "core/history/workspace.h"
#include "core/solve/solution.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "tests/widgets/shown_window.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_mark.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/parallel_plot.h"
#include "widgets/dag/bands_canvas.h"
#include "widgets/dag/level_bands.h"
#include "widgets/explore/outcome_chart.h"
#include "widgets/explore/outcome_heat.h"
#include "widgets/plots/chart.h"
#include "widgets/world/world_view.h"

using namespace orrery;

/// Sliders and sweeps in the whole window, driven by mouse and keys.
class ExploreWindowTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;

    template <typename T>
    T* child(const char* name) {
        T* found = m_window->findChild<T*>(QLatin1String(name));
        if (!found) qFatal("no widget %s", name);
        return found;
    }
    PlanSession& session() { return m_window->session(); }
    void click(const char* name) {
        auto* widget = child<QWidget>(name);
        QVERIFY2(widget->isVisible() && widget->isEnabled(), name);
        QTest::mouseClick(widget, Qt::LeftButton);
    }
    void settle() {
        QVERIFY(becomesQuiet([this] { return m_window->isSettled(); }));
    }

    QPoint handleOf(QSlider* slider, int place) {
        QStyleOptionSlider option;
        option.initFrom(slider);
        option.orientation = slider->orientation();
        option.minimum = slider->minimum();
        option.maximum = slider->maximum();
        option.sliderPosition = place;
        option.sliderValue = place;
        return slider->style()
            ->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, slider)
            .center();
    }
    void moveHeld(QWidget* widget, const QPoint& at) {
        QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(widget, &move);
    }
    void typeInto(const char* name, const char* text) {
        auto* edit = child<QLineEdit>(name);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QLatin1String(text));
    }
    std::vector<double> heatOf() {
        std::vector<double> values;
        const WorldScene& scene = child<WorldView>("worldView")->scene();
        if (!scene.heat) return values;
        for (int y = 0; y < scene.height; ++y)
            for (int x = 0; x < scene.width; ++x) values.push_back(scene.heat->at(x, y).value);
        return values;
    }
    /// Everything that is shown belongs to the session's solution.
    void compareShown() {
        settle();
        const auto values = session().solution()->values(*session().graphState());
        QCOMPARE(child<QLabel>("v_rValue")->text(), valueText(values.v_r));
        QCOMPARE(child<QLabel>("u_rValue")->text(), valueText(values.u_r));
        auto* bands = child<LevelBands>("levelBands");
        const auto fresh = computeLevelDensity(*session().solution(), bands->quantity(), 1, 1);
        const auto shown = bands->canvas()->density();
        QVERIFY(shown);
        for (std::size_t step = 0; step < fresh->levels.size(); ++step)
            QVERIFY(fresh->levels[step].value == shown->levels[step].value);
    }
    void sweepByKeys(const char* first, const char* second) {
        QTest::keyClick(m_window.get(), Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
        auto* edit = child<QLineEdit>("sweepValues1");
        QTRY_VERIFY_WITH_TIMEOUT(edit->isVisible(), kPatience);
        QCOMPARE(QApplication::focusWidget(), edit);
        QTest::keyClicks(edit, QLatin1String(first));
        if (second != nullptr) {
            QTest::keyClick(edit, Qt::Key_Tab);
            auto* box = child<QComboBox>("sweepField2");
            box->setFocus();
            QTest::keyClicks(box, QStringLiteral("zeta"));
            typeInto("sweepValues2", second);
        }
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        const QString name = m_folder->filePath(QStringLiteral("small.yaml"));
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(smallRoomFile().c_str());
        file.close();
        WindowOptions options;
        options.world = name;
        options.theme = ThemeChoice::Dark;
        options.workspace = m_folder->filePath(QStringLiteral("test.orrery")).toStdString();
        options.preferencesFile = m_folder->filePath(QStringLiteral("orrery.ini"));
        options.restoresSession = false;
        m_window = std::make_unique<MainWindow>(options);
        showSettled(*m_window, {1600, 1000});
        settle();
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        click("solveButton");
        QTRY_VERIFY_WITH_TIMEOUT(session().solution() && m_window->isSettled(), kPatience);
    }
    void cleanup() {
        m_window.reset();
        setFaults("");
    }

    void everyViewFollowsADraggedSlider() {
        const auto run = session().solution();
        auto* slider = child<QSlider>("field_slider_beta_r");
        auto* bar = child<QWidget>("explorationBar");
        QVERIFY(slider->isEnabled() && !bar->isVisible());
        child<WorldView>("worldView")->setHeat(ValueKind::V_r);
        settle();
        const auto heatBefore = heatOf();
        const QPoint from = handleOf(slider, slider->value());
        QTest::mousePress(slider, Qt::LeftButton, {}, from);
        for (int k = 1; k <= 10; ++k) {
            moveHeld(slider, from - QPoint(3 * k, 0));
            finishEvents();
        }
        QTRY_VERIFY_WITH_TIMEOUT(session().showsVariant(), kPatience);
        QVERIFY(slider->isSliderDown());
        compareShown();
        QTest::mouseRelease(slider, Qt::LeftButton, {}, from - QPoint(30, 0));
        compareShown();
        const auto variant = session().solution();
        QVERIFY(variant != run);
        QCOMPARE(session().runSolution(), run);
        QVERIFY(variant->spec().beta_r < run->spec().beta_r);
        QCOMPARE(child<QLineEdit>("field_beta_r")->text().toDouble(), variant->spec().beta_r);
        SolveSpec expected = run->spec();
        expected.beta_r = variant->spec().beta_r;
        QCOMPARE(variant->spec(), expected);
        QCOMPARE(variant->v_r(State{}), solve(run->graphPointer(), expected)->v_r(State{}));
        QVERIFY(!heatBefore.empty());
        QVERIFY(heatOf() != heatBefore);
        QVERIFY(bar->isVisible());
        QVERIFY(child<QWidget>("explorationMark")->isVisible());
        QCOMPARE(child<QLabel>("statusText")->text(), QStringLiteral("Exploring"));
        QVERIFY(child<QWidget>("field_reset_beta_r")->isVisible());

        click("backToRunButton");
        compareShown();
        QCOMPARE(session().solution(), run);
        QVERIFY(!bar->isVisible());
        QCOMPARE(child<QLineEdit>("field_beta_r")->text().toDouble(), run->spec().beta_r);
        QVERIFY(!child<QWidget>("field_reset_beta_r")->isVisible());
        QCOMPARE(heatOf(), heatBefore);
        QCOMPARE(m_window->archive().runs().size(), std::size_t{1});
    }

    void sliderFieldAndResetWorkByKeys() {
        const auto run = session().solution();
        auto* slider = child<QSlider>("field_slider_zeta");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        QTRY_VERIFY_WITH_TIMEOUT(session().showsVariant(), kPatience);
        compareShown();
        QVERIFY(session().solution()->spec().zeta > run->spec().zeta);
        typeInto("field_beta_h", "inf");
        QVERIFY(!std::isinf(session().solution()->spec().beta_h));  // it may go on
        QTest::keyClick(child<QLineEdit>("field_beta_h"), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(std::isinf(session().solution()->spec().beta_h), kPatience);
        compareShown();
        SolveSpec expected = session().solution()->spec();
        QCOMPARE(session().solution()->v_r(State{}),
                 solve(run->graphPointer(), expected)->v_r(State{}));
        click("field_reset_zeta");
        QTRY_COMPARE_WITH_TIMEOUT(session().solution()->spec().zeta, run->spec().zeta, kPatience);
        QVERIFY(session().showsVariant());
        click("field_reset_beta_h");
        QTRY_VERIFY_WITH_TIMEOUT(!session().showsVariant(), kPatience);
        QCOMPARE(session().solution(), run);
    }

    /// What was typed is solved as a run by the button, and not explored before.
    void theButtonSolvesWhatWasTyped() {
        typeInto("field_beta_r", "7");
        click("solveButton");
        QTRY_COMPARE_WITH_TIMEOUT(m_window->archive().runs().size(), std::size_t{2}, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(session().solution()->spec().beta_r, 7.0);
        QVERIFY(!session().showsVariant());
    }

    /// The form and the views say the same when a solve ends, too.
    void whatWasTypedDuringASolveIsExploredAfterIt() {
        setFaults("run.level:delay=300@1+");
        click("solveButton");
        QTRY_VERIFY_WITH_TIMEOUT(!child<QPushButton>("solveButton")->isEnabled(), kPatience);
        typeInto("field_zeta", "3");
        QTest::keyClick(child<QLineEdit>("field_zeta"), Qt::Key_Return);
        QVERIFY(!session().showsVariant());
        setFaults("");
        QTRY_COMPARE_WITH_TIMEOUT(m_window->archive().runs().size(), std::size_t{2}, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(session().showsVariant(), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(session().solution()->spec().zeta, 3.0, kPatience);
        QCOMPARE(session().runSolution()->spec().zeta, SolveSpec{}.zeta);
        QCOMPARE(child<QLineEdit>("field_zeta")->text(), QStringLiteral("3"));
    }

    void theExplorationIsKeptAsARunOnlyWhenAsked() {
        auto* slider = child<QSlider>("field_slider_xi");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_PageUp);
        QTRY_VERIFY_WITH_TIMEOUT(session().showsVariant(), kPatience);
        settle();
        const double xi = session().solution()->spec().xi;
        const double v_r = session().solution()->v_r(State{});
        QCOMPARE(m_window->archive().runs().size(), std::size_t{1});
        click("keepRunButton");
        QTRY_COMPARE_WITH_TIMEOUT(m_window->archive().runs().size(), std::size_t{2}, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!session().showsVariant() && m_window->isSettled(), kPatience);
        QCOMPARE(session().solution()->spec().xi, xi);
        QCOMPARE(session().solution()->v_r(State{}), v_r);
        QVERIFY(!child<QWidget>("explorationBar")->isVisible());
        QCOMPARE(child<QLineEdit>("field_xi")->text().toDouble(), xi);
    }

    /// A built-in world that was solved in the window, without any stored run.
    void whatCameFromNoRunIsKeptToo() {
        m_window->openWorld(QStringLiteral("builtin:first_steps"));
        QTRY_COMPARE_WITH_TIMEOUT(session().loaded().name, std::string("builtin:first_steps"),
                                  kPatience);
        const auto graph = explore(session().loaded().world, {}, {}, {});
        SolveSpec spec;
        spec.beta_r = 5;
        const auto run = solve(graph, spec);
        session().attach(run, QString());
        settle();
        QVERIFY(session().runId().isEmpty());
        QCOMPARE(child<QLineEdit>("field_beta_r")->text(), QStringLiteral("5"));
        auto* slider = child<QSlider>("field_slider_zeta");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_PageUp);
        QTRY_VERIFY_WITH_TIMEOUT(session().showsVariant(), kPatience);
        settle();
        const double zeta = session().solution()->spec().zeta;
        const double v_r = session().solution()->v_r(State{});
        QVERIFY(zeta != spec.zeta);
        click("keepRunButton");
        QTRY_COMPARE_WITH_TIMEOUT(m_window->archive().runs().size(), std::size_t{2}, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!session().showsVariant() && m_window->isSettled(), kPatience);
        QVERIFY(!session().runId().isEmpty());
        QCOMPARE(session().solution()->spec().zeta, zeta);
        QCOMPARE(session().solution()->spec().beta_r, 5.0);
        QCOMPARE(session().solution()->v_r(State{}), v_r);
    }

    void anotherWorldEndsTheExploration() {
        auto* slider = child<QSlider>("field_slider_eta");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_PageUp);
        QTRY_VERIFY_WITH_TIMEOUT(session().showsVariant(), kPatience);
        m_window->openWorld(QStringLiteral("builtin:first_steps"));
        QTRY_VERIFY_WITH_TIMEOUT(session().loaded().name == "builtin:first_steps", kPatience);
        QVERIFY(!session().showsVariant() && !session().solution());
        QVERIFY(!child<QWidget>("explorationBar")->isVisible());
        // The form keeps what it says; of a world without values a slider moves that alone.
        const double eta = child<QLineEdit>("field_eta")->text().toDouble();
        QVERIFY(eta != SolveSpec{}.eta);
        QTest::keyClick(slider, Qt::Key_PageUp);
        QVERIFY(child<QLineEdit>("field_eta")->text().toDouble() > eta);
        settle();
        QVERIFY(!session().solution());
        click("field_reset_eta");
        QCOMPARE(child<QLineEdit>("field_eta")->text().toDouble(), SolveSpec{}.eta);
    }

    void aSweepFromTheFormBecomesAGroupOfRunsWithAChart() {
        sweepByKeys("1,2,5", "1:2:1");
        QVERIFY2(child<QLabel>("sweepPreview")->text().contains(QStringLiteral("6 runs")),
                 qPrintable(child<QLabel>("sweepPreview")->text()));
        QVERIFY(child<QLabel>("sweepPreview")->text().contains(QStringLiteral("last solve")));
        QTest::keyClick(child<QLineEdit>("sweepValues2"), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->archive().runs().size(), std::size_t{7}, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->archive().runs()[0].state == RunState::Finished,
                                 kPatience);
        const auto& runs = m_window->archive().runs();
        for (int k = 0; k < 6; ++k) {
            QCOMPARE(runs[static_cast<std::size_t>(k)].tags.size(), std::size_t{1});
            QCOMPARE(runs[static_cast<std::size_t>(k)].tags, runs[0].tags);
            QCOMPARE(runs[static_cast<std::size_t>(k)].state, RunState::Finished);
        }
        auto* table = child<QTableView>("sweepRuns");
        const QAbstractItemModelTester tester(
            table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(table->model()->rowCount(), 6);
        SolveSpec spec = session().solution()->spec();
        spec.beta_r = 2;
        spec.zeta = 1;
        const auto alone = solve(session().solution()->graphPointer(), spec);
        QCOMPARE(table->model()->index(2, 3).data().toString(), valueText(alone->v_r(State{})));
        auto* outcome = child<QWidget>("sweepPanel")->findChild<OutcomeChart*>();
        QCOMPARE(outcome->chart()->content().series.size(), std::size_t{2});
        const Series& line = outcome->chart()->content().series[0].points;
        QCOMPARE(line.size(), std::int64_t{3});
        QCOMPARE(line.x(1), 2.0);
        QCOMPARE(line.y(1), alone->v_r(State{}));

        auto* heat = child<QWidget>("sweepPanel")->findChild<OutcomeHeat*>();
        QVERIFY(heat->isVisible());  // two parameters: the table is in front
        QCOMPARE(heat->model()->rowCount(), 3);
        QCOMPARE(heat->model()->cell(1, 0).value, alone->v_r(State{}));
        QTest::mouseClick(heat->view()->viewport(), Qt::LeftButton, {},
                          heat->view()->visualRect(heat->model()->index(1, 0)).center());
        const QString picked = heat->model()->cell(1, 0).runIds.front();
        QVERIFY(session().selection().current<RunItem>() != nullptr);
        QCOMPARE(session().selection().current<RunItem>()->id, picked);
        QTest::keyClick(heat->view(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(session().runId(), picked, kPatience);

        click("sweepCompare");
        QTRY_COMPARE_WITH_TIMEOUT(m_window->perspective(), QStringLiteral("compare"), kPatience);
        auto* compare = child<CompareView>("compareView");
        QTRY_COMPARE_WITH_TIMEOUT(compare->compareSet().rows.size(), std::size_t{6}, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(compare->outcome()->chart()->content().series.size(),
                                  std::size_t{2}, kPatience);
        QCOMPARE(compare->outcome()->chart()->content().series[0].points.y(1), alone->v_r(State{}));
        QVERIFY(compare->parallel()->numAxes() >= 3);
        QCOMPARE(compare->outcomeHeat()->model()->cell(1, 0).value, alone->v_r(State{}));
        QCOMPARE(compare->outcomeHeat()->model()->numMissing(), 0);
    }

    void wrongValuesAreToldBesideTheForm() {
        sweepByKeys("1,abc,-2", nullptr);
        const QString problem = child<QLabel>("sweepProblem")->text();
        QVERIFY2(
            problem.contains(QStringLiteral("'abc'")) && problem.contains(QStringLiteral("'-2'")),
            qPrintable(problem));
        QVERIFY(!child<QPushButton>("sweepStart")->isEnabled());
        QTest::keyClick(child<QLineEdit>("sweepValues1"), Qt::Key_Return);
        QCOMPARE(m_window->archive().runs().size(), std::size_t{1});
    }

    void aSweepIsPausedAndOneRunCancelled() {
        setFaults("run.level:delay=1000@1+");  // the first run goes on until it is let go
        sweepByKeys("1,2,3,4", nullptr);
        click("sweepStart");
        auto* table = child<QTableView>("sweepRuns");
        const auto stateOf = [&](int row) {
            return table->model()->index(row, 1).data().toString();
        };
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 4, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(child<QPushButton>("sweepPause")->isEnabled(), kPatience);
        click("sweepPause");
        QTRY_COMPARE_WITH_TIMEOUT(child<QPushButton>("sweepPause")->text(),
                                  QStringLiteral("Resume"), kPatience);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(2, 0)).center());
        click("sweepCancelRun");
        setFaults("");
        click("sweepPause");
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kPatience);
        QCOMPARE(stateOf(0), runStateText(RunState::Finished));
        QCOMPARE(stateOf(1), runStateText(RunState::Finished));
        QCOMPARE(stateOf(2), runStateText(RunState::Stopped));
        QCOMPARE(stateOf(3), runStateText(RunState::Finished));
    }
};

ORRERY_WINDOW_TEST(ExploreWindowTest)
#include "explore_window_test.moc"
