#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <cmath>

#include "core/solve/solution.h"
#include "tests/support/test_program.h"
#include "tests/widgets/dag/plan_bench.h"
#include "tests/widgets/dag/plan_views_bench.h"
#include "tests/widgets/dag/solved.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/density_colors.h"
#include "widgets/dag/solve_panel.h"

using namespace orrery;

/// Levels and their bands, the form of the solve and another world, driven with mouse and keys.
class PlanViewsTest : public QObject, private PlanViewsBench {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { solveExample(); }
    void cleanup() { m_bench.reset(); }

    void withoutASolutionEachViewSaysWhatToDo() {
        makeBench(false);
        keep(&m_bench->window, "plan-empty");
        QCOMPARE(m_bench->levels->model()->rowCount(), 0);
        QVERIFY(!m_bench->bands->canvas()->density());
        QVERIFY(m_bench->states->canvas()->graph().nodes().empty());
        type("step < 3");
        QVERIFY(m_bench->bar->problemText().contains(QStringLiteral("Solve the world")));
        // A graph without values still shows its levels.
        m_bench->bands->showGraph(m_solution->graphPointer());
        m_bench->settle();
        QCOMPARE(m_bench->bands->canvas()->density()->total(), graph().counts().states);
        keep(&m_bench->window, "plan-histogram");
    }

    void aCellOfTheBandsHasTheColourOfItsCount() {
        makeBench();
        BandsCanvas* canvas = m_bench->bands->canvas();
        select({0, 0});
        const QImage image = canvas->grab().toImage();
        const double ratio = image.devicePixelRatio();
        int numChecked = 0;
        for (int step = 3; step < graph().numLevels(); ++step) {
            const QRectF column = canvas->columnRect(step);
            for (double y = column.top() + 3; y < column.bottom(); y += 5) {
                const QPoint at = (QPointF(column.center().x(), y) * ratio).toPoint();
                const QColor drawn = image.pixelColor(at);
                const double part = (column.bottom() - y) / column.height();
                const auto& density = *canvas->density();
                const double value = density.low + part * (density.high - density.low);
                // A point on the edge of two cells may show either.
                const double off = 1.2 / column.height() * (density.high - density.low);
                if (canvas->colorAt(step, value + off) != canvas->colorAt(step, value - off))
                    continue;
                QCOMPARE(drawn, canvas->colorAt(step, value));
                numChecked += drawn != currentTokens().canvas;
            }
        }
        QVERIFY(numChecked > 20);
    }

    /// In binary 0.4 - (0.4 - 0.1) is a little less than 0.1.
    void aKeptZoomOfTheWholeRangeBeginsWhereTheRangeDoes() {
        makeBench();
        BandsCanvas* canvas = m_bench->bands->canvas();
        auto density = std::make_shared<LevelDensity>(*canvas->density());
        density->low = 0.1;
        density->high = 0.4;
        canvas->setDensity(m_solution->graphPointer(), density);
        canvas->zoomToFit();
        canvas->restoreZoom(canvas->saveZoom());
        QCOMPARE(canvas->yOf(0.1), canvas->plotRect().bottom());
        QVERIFY(canvas->saveZoom().value(u"low").toDouble() >= 0.1);
        QCOMPARE(canvas->yOf(0.4), canvas->plotRect().top());
    }

    void aPressInACellPicksAStateOfThatValue() {
        makeBench();
        BandsCanvas* canvas = m_bench->bands->canvas();
        const State wanted = middle();
        const double value = m_solution->v_r(wanted);
        clickAt(canvas, QPointF(canvas->columnRect(wanted.step).center().x(), canvas->yOf(value)));
        m_bench->settle();
        QCOMPARE(now().step, wanted.step);
        const auto& density = *canvas->density();
        const double cell = (density.high - density.low) / canvas->plotRect().height() * 6;
        QVERIFY2(std::abs(m_solution->v_r(now()) - value) < cell,
                 qPrintable(QString::number(m_solution->v_r(now()) - value)));
        QCOMPARE(m_bench->selection.current<LevelItem>()->step, wanted.step);
        // Under the columns a press picks the level.
        clickAt(canvas,
                QPointF(canvas->columnRect(2).center().x(), canvas->plotRect().bottom() + 12));
        QCOMPARE(now(), (State{2, graph().levelMember(2, 0)}));
        QTest::mouseMove(canvas, canvas->columnRect(4).center().toPoint());
        QTRY_VERIFY_WITH_TIMEOUT(canvas->readout().contains(QStringLiteral("level 4")), kPatience);
        QCOMPARE(std::get<LevelItem>(*m_bench->selection.hover()).step, 4);
    }

    void keysWalkThroughLevelsAndValues() {
        makeBench();
        select(middle());
        BandsCanvas* canvas = m_bench->bands->canvas();
        canvas->setFocus();
        const State start = now();
        QTest::keyClick(canvas, Qt::Key_Up);
        QVERIFY(m_solution->v_r(now()) >= m_solution->v_r(start));
        QVERIFY(now() != start);
        QTest::keyClick(canvas, Qt::Key_Down);
        QCOMPARE(now(), start);
        QTest::keyClick(canvas, Qt::Key_Right);
        QCOMPARE(now().step, start.step + 1);
        double least = 1e9;
        for (std::int64_t k = 0; k < graph().levelSize(now().step); ++k)
            least = std::min(
                least, std::abs(m_solution->v_r({now().step, graph().levelMember(now().step, k)}) -
                                m_solution->v_r(start)));
        QVERIFY(std::abs(std::abs(m_solution->v_r(now()) - m_solution->v_r(start)) - least) < 1e-6);
        QTest::keyClick(canvas, Qt::Key_Home);
        QCOMPARE(now().step, 0);
        const double pitch = canvas->columnRect(0).width();
        QTest::keyClick(canvas, Qt::Key_Plus);
        QVERIFY(canvas->columnRect(0).width() > 1.4 * pitch);
        QTest::keyClick(canvas, Qt::Key_0);
        QCOMPARE(canvas->columnRect(0).width(), pitch);
    }

    /// A form that is too narrow would be cut: it does not scroll sideways.
    void theFormIsAsWideAsItsRowsNeed() {
        SolvePanel panel;
        auto* form = panel.findChild<QScrollArea*>(QStringLiteral("solveArea"));
        panel.show();
        for (const bool showsAll : {false, true}) {
            panel.findChild<QPushButton*>(QStringLiteral("solveMore"))->setChecked(showsAll);
            finishEvents();
            panel.resize(panel.minimumSizeHint().width(), 400);
            finishEvents();
            QVERIFY(panel.minimumSizeHint().width() <= 250);
            QVERIFY(form->widget()->width() <= form->viewport()->width());
        }
    }

    void fieldsEndWhereTheSolveButtonEnds() {
        SolvePanel panel;
        auto* field = panel.findChild<QWidget*>(QStringLiteral("field_beta_r"));
        auto* solve = panel.findChild<QWidget*>(QStringLiteral("solveButton"));
        panel.resize(240, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel, kPatience));
        const auto right = [&](const QWidget* widget) {
            return widget->mapTo(&panel, QPoint(widget->width(), 0)).x();
        };
        for (const int height : {300, 1600}) {  // with the scroll bar, and without
            panel.resize(240, height);
            QTRY_COMPARE_WITH_TIMEOUT(right(field), right(solve), kPatience);
        }
        // It is never so narrow that its numbers are cut.
        const QWidget* area = panel.findChild<QScrollArea*>()->viewport();
        for (const int height : {300, 1600}) {
            panel.resize(60, height);
            QTRY_VERIFY_WITH_TIMEOUT(
                field->mapTo(area, QPoint(field->width(), 0)).x() <= area->width(), kPatience);
        }
    }

    void aPresetOfTheSolveFillsItsFields() {
        SolvePanel panel;
        auto* preset = panel.findChild<QComboBox*>(QStringLiteral("solvePreset"));
        auto* power = panel.findChild<QLineEdit*>(QStringLiteral("field_beta_r"));
        QCOMPARE(preset->currentText(), QStringLiteral("original"));
        QSignalSpy changed(&panel, &SolvePanel::specChanged);
        QTest::keyClick(preset, Qt::Key_Down);
        QCOMPARE(preset->currentText(), QStringLiteral("sharp"));
        QCOMPARE(power->text(), QStringLiteral("inf"));
        QVERIFY(!changed.isEmpty());
        power->selectAll();
        QTest::keyClicks(power, QStringLiteral("3"));
        QCOMPARE(preset->currentIndex(), -1);
    }

    void fieldsOfPhase2AreGreyWherePhase1IsSolvedAlone() {
        SolvePanel panel;
        auto* power = panel.findChild<QWidget*>(QStringLiteral("field_beta_r"));
        auto* human = panel.findChild<QWidget*>(QStringLiteral("field_beta_h"));
        QVERIFY(power->isEnabled() && human->isEnabled());
        panel.findChild<QCheckBox*>(QStringLiteral("field_phase1_only"))->click();
        QVERIFY(!power->isEnabled() && human->isEnabled());
        QVERIFY2(power->toolTip().startsWith("No effect: phase1_only is on.\n"),
                 qPrintable(power->toolTip()));
    }

    void theLevelTableFollowsAndLeads() {
        makeBench();
        QTableView* table = m_bench->levels->table();
        LevelModel* model = m_bench->levels->model();
        QCOMPARE(model->rowCount(), graph().numLevels());
        const QModelIndex row = model->index(model->rowOf(5), 0);
        table->scrollTo(row);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(row).center());
        QCOMPARE(now().step, 5);
        QTest::keyClick(table, Qt::Key_Down);
        QCOMPARE(now().step, 6);
        select({7, graph().levelMember(7, 0)});
        QCOMPARE(model->stepOf(table->currentIndex().row()), 7);
    }

    void anotherWorldIsShownWhole() {
        const LoadedWorld pantry = loadWorld("builtin:locked_pantry");
        m_bench = std::make_unique<Bench>();
        const auto solution = test::solved(pantry);
        m_bench->open(pantry, solution);
        m_bench->show(QSize(1280, 860));
        m_bench->settle();
        const StateGraph& states = solution->graph();
        QCOMPARE(m_bench->bands->canvas()->density()->total(), states.counts().states);
        for (int k = 0; k < 3; ++k) {
            m_bench->states->canvas()->setFocus();
            QTest::keyClick(m_bench->states->canvas(), Qt::Key_Down);
            QTest::keyClick(m_bench->states->canvas(), Qt::Key_Return);
            m_bench->settle();
        }
        QCOMPARE(m_bench->session.state().step, 3);
        keep(&m_bench->window, "plan-pantry-dark");
        applyTheme(*qApp, ThemeChoice::Light);
        m_bench->settle();
        keep(&m_bench->window, "plan-pantry-light");
        applyTheme(*qApp, ThemeChoice::Dark);
    }

    void theLightThemeIsTakenOverWhileTheViewsAreOpen() {
        makeBench();
        select(middle());
        applyTheme(*qApp, ThemeChoice::Light);
        m_bench->settle();
        keep(&m_bench->window, "plan-light");
        const QImage image = m_bench->bands->canvas()->grab().toImage();
        QCOMPARE(image.pixelColor(3, 3), lightTokens().canvas);
        bool hasDense = false;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                hasDense =
                    hasDense || image.pixelColor(x, y) == densityColor(lightTokens(), 1000, 1000);
        QVERIFY(hasDense);
        applyTheme(*qApp, ThemeChoice::Dark);
    }
};

ORRERY_WINDOW_TEST(PlanViewsTest)
#include "plan_views_test.moc"
