#include "widgets/plots/chart_grid.h"

#include <QApplication>
#include <QDir>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <memory>

#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "tests/widgets/plots/chart_samples.h"
#include "tests/widgets/quiet.h"
#include "widgets/common/style.h"

using namespace orrery;

/// Several charts, arranged and linked by mouse and keys.
class ChartGridTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<ChartGrid> m_grid;

    void settle() {
        QVERIFY(becomesQuiet([this] {
            return std::ranges::all_of(m_grid->charts(), [](Chart* c) { return c->isSettled(); });
        }));
    }
    void addLine(const char* id, double last) {
        Chart* chart = m_grid->addChart(QLatin1String(id));
        chart->setTitle(QLatin1String(id));
        const SeriesHandle line = chart->addSeries({.name = QStringLiteral("line")});
        std::vector<double> x;
        for (double k = 0; k <= last; k += 10) x.push_back(k);
        chart->append(line, x, x);
    }
    void show(int width, int height) {
        m_grid->resize(width, height);
        m_grid->show();
        m_grid->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_grid.get(), kPatience));
        settle();
    }
    QStringList order() const {
        QStringList ids;
        for (const Chart* chart : m_grid->charts()) ids << chart->id();
        return ids;
    }
    void keep(const char* name) {
        const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES");
        if (folder.isEmpty()) return;
        QDir().mkpath(folder);
        QVERIFY(m_grid->grab().save(folder + QStringLiteral("/grid-") + QLatin1String(name) +
                                    QStringLiteral(".png")));
    }
    static void wheel(Chart* chart, int notches) {
        const QPointF at = chart->plotRect().center();
        QWheelEvent event(at, chart->mapToGlobal(at), {}, QPoint(0, 120 * notches), {},
                          Qt::ControlModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(chart, &event);
    }

private Q_SLOTS:
    void init() {
        applyTheme(*qApp, ThemeChoice::Dark);
        m_grid = std::make_unique<ChartGrid>();
    }
    void cleanup() { m_grid.reset(); }

    void linkedChartsShareXAndCrosshair() {
        addLine("a", 1000);
        addLine("b", 2000);
        addLine("c", 500);
        m_grid->setLink(QStringLiteral("c"), LinkGroup::None);
        show(1200, 300);
        // Fitted together: the longer range counts, but not for the one that is not linked.
        QTRY_COMPARE_WITH_TIMEOUT(m_grid->chart(QStringLiteral("a"))->shownX().high, 2000.0,
                                  kPatience);
        QCOMPARE(m_grid->chart(QStringLiteral("c"))->shownX().high, 500.0);
        Chart* first = m_grid->chart(QStringLiteral("a"));
        Chart* second = m_grid->chart(QStringLiteral("b"));
        wheel(first, 3);
        settle();
        QVERIFY(!first->shownX().isFitted);
        QCOMPARE(second->shownX().low, first->shownX().low);
        QCOMPARE(second->shownX().high, first->shownX().high);
        QCOMPARE(m_grid->chart(QStringLiteral("c"))->shownX().high, 500.0);
        const QSignalSpy moved(m_grid.get(), &ChartGrid::crosshairMoved);
        QTest::mouseMove(second, second->plotRect().center().toPoint());
        QTRY_VERIFY_WITH_TIMEOUT(second->crosshair().has_value(), kPatience);
        QCOMPARE(first->crosshair(), second->crosshair());
        QVERIFY(!m_grid->chart(QStringLiteral("c"))->crosshair());
        QVERIFY(moved.count() >= 1);
        second->setFocus();
        QTest::keyClick(second, Qt::Key_F);
        settle();
        QCOMPARE(first->shownX().high, 2000.0);
    }

    void plotsBeginAtOneHeightWhereARemarkHasNoRoomBesideATitle() {
        addLine("a", 1000);
        addLine("b", 1000);
        Chart* first = m_grid->chart(QStringLiteral("a"));
        Chart* second = m_grid->chart(QStringLiteral("b"));
        second->setTitle(QStringLiteral("A title that takes up nearly all of its row, and more"));
        show(1500, 300);
        const double top = first->plotRect().top();
        QCOMPARE(second->plotRect().top(), top);
        for (Chart* chart : {first, second}) chart->setSmoothing({SmoothingKind::Ema, 4746});
        QTRY_COMPARE_WITH_TIMEOUT(first->plotRect().top(), top + 18, kPatience);
        QVERIFY(second->needsRemarkRow() && !first->needsRemarkRow());
        // Each takes its room when it is next drawn.
        QTRY_COMPARE_WITH_TIMEOUT(second->plotRect().top(), top + 18, kPatience);
        keep("remarks-dark");
        for (Chart* chart : {first, second}) chart->setSmoothing({});
        QTRY_COMPARE_WITH_TIMEOUT(first->plotRect().top(), top, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(second->plotRect().top(), top, kPatience);
    }

    void aChartIsMovedByDraggingItsTitle() {
        addLine("a", 100);
        addLine("b", 100);
        addLine("c", 100);
        show(1200, 300);
        const QSignalSpy changed(m_grid.get(), &ChartGrid::layoutChanged);
        Chart* first = m_grid->chart(QStringLiteral("a"));
        Chart* last = m_grid->chart(QStringLiteral("c"));
        const QPoint from(20, 16);
        const QPoint to = first->mapFromGlobal(last->mapToGlobal(QPoint(last->width() - 20, 100)));
        QTest::mousePress(first, Qt::LeftButton, {}, from);
        for (int k = 1; k <= 5; ++k) {
            const QPointF at = from + (to - from) * k / 5.0;
            QMouseEvent event(QEvent::MouseMove, at, first->mapToGlobal(at), Qt::NoButton,
                              Qt::LeftButton, {});
            QCoreApplication::sendEvent(first, &event);
        }
        auto* mark = m_grid->findChild<QFrame*>(QStringLiteral("chartDropMark"));
        QVERIFY(mark->isVisible());
        QTest::mouseRelease(first, Qt::LeftButton, {}, to);
        QVERIFY(!mark->isVisible());
        QCOMPARE(order(), (QStringList{"b", "c", "a"}));
        QCOMPARE(changed.count(), 1);
        QVERIFY(first->x() > last->x());
        first->setFocus();
        QTest::keyClick(first, Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(order(), (QStringList{"b", "a", "c"}));
        QTest::keyClick(first, Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(order(), (QStringList{"b", "c", "a"}));
    }

    void aDoubleClickOnATitleLetsTheChartFillTheGridAndGoesBack() {
        addLine("a", 100);
        addLine("b", 100);
        addLine("c", 100);
        show(1200, 500);
        Chart* second = m_grid->chart(QStringLiteral("b"));
        const QRect before = second->geometry();
        QTest::mouseDClick(second, Qt::LeftButton, {}, QPoint(20, 16));
        QVERIFY(second->width() > 1100 && second->height() > 450);
        QVERIFY(!m_grid->chart(QStringLiteral("a"))->isVisible());
        const QJsonObject state = m_grid->saveState();
        QTest::mouseDClick(second, Qt::LeftButton, {}, QPoint(20, 16));
        QCOMPARE(second->geometry(), before);
        QVERIFY(m_grid->chart(QStringLiteral("a"))->isVisible());
        m_grid->restoreState(state);
        QVERIFY(!m_grid->chart(QStringLiteral("a"))->isVisible());
    }

    void cursorsLeaveTheirChartItsSize() {
        for (const char* id : {"a", "b", "c", "d", "e", "f"}) addLine(id, 1000);
        show(1200, 470);
        Chart* first = m_grid->chart(QStringLiteral("a"));
        Chart* second = m_grid->chart(QStringLiteral("b"));
        const QRectF plot = second->plotRect();
        first->setFocus();
        // Letters go to the chart under the pointer.
        QTest::mouseMove(second, plot.center().toPoint());
        QTRY_VERIFY_WITH_TIMEOUT(second->crosshair().has_value(), kPatience);
        QTest::keyClick(first, Qt::Key_A);
        QTest::keyClick(second, Qt::Key_B);
        settle();
        QVERIFY(!first->view().cursorA && second->view().cursorA && second->view().cursorB);
        QCOMPARE(second->plotRect(), plot);
        auto* panel = m_grid->findChild<ChartStatistics*>();
        QVERIFY(panel->isVisible());
        QCOMPARE(panel->chart(), second);
        QVERIFY(panel->geometry().bottom() <= m_grid->height());
        keep("cursors-dark");
        QTest::keyClick(second, Qt::Key_Escape);  // the crosshair
        QTest::keyClick(second, Qt::Key_Escape);
        settle();
        QVERIFY(!panel->isVisible());
        QVERIFY(second->hasFocus());
    }

    void statisticsLeaveTheirChartInSight() {
        addLine("a", 1000);
        Chart* chart = m_grid->chart(QStringLiteral("a"));
        for (int line = 0; line < 9; ++line) {
            const SeriesHandle more = chart->addSeries({.name = QString::number(line)});
            chart->append(more, std::vector<double>{0, 1000}, std::vector<double>{0, 1});
        }
        addLine("b", 1000);
        m_grid->setColumns(1);
        show(620, 320);
        auto* panel = m_grid->findChild<ChartStatistics*>();
        chart->setCursors(200, 500);
        settle();
        QVERIFY(panel->isVisible());
        QVERIFY2(panel->height() <= 320 / 3, qPrintable(QString::number(panel->height())));
        QVERIFY(chart->mapTo(m_grid.get(), QPoint(0, chart->height())).y() <= panel->y());
        m_grid->setPinned(QStringLiteral("a"));
        settle();
        QVERIFY(chart->mapTo(m_grid.get(), QPoint(0, chart->height())).y() <= panel->y());
        chart->setCursors({}, {});
        settle();
        QVERIFY(chart->height() > 290);
    }

    void wholeRowsFillTheGrid() {
        for (const char* id : {"a", "b", "c", "d", "e", "f", "g"}) addLine(id, 100);
        show(1200, 574);
        const QRect first = m_grid->chart(QStringLiteral("a"))->geometry();
        const QRect fourth = m_grid->chart(QStringLiteral("d"))->geometry();
        QVERIFY2(first.height() > 260, qPrintable(QString::number(first.height())));
        QVERIFY(fourth.bottom() <= m_grid->height() && fourth.bottom() > m_grid->height() - 30);
    }

    void anotherRunBeginsWithoutTheRangesOfTheOneBefore() {
        addLine("a", 1000);
        show(900, 400);
        Chart* chart = m_grid->chart(QStringLiteral("a"));
        chart->setCursors(20, 50);
        wheel(chart, 2);
        QVERIFY(chart->isZoomed());
        m_grid->resetRanges();
        QVERIFY(!chart->isZoomed());
        QVERIFY(!chart->view().cursorA && !chart->view().cursorB);
    }

    void theArrangementIsRestoredForChartsThatComeLater() {
        addLine("a", 100);
        addLine("b", 100);
        addLine("c", 100);
        show(900, 400);
        m_grid->setColumns(2);
        m_grid->setSpan(QStringLiteral("b"), 2);
        m_grid->setLink(QStringLiteral("c"), LinkGroup::B);
        m_grid->moveChart(QStringLiteral("c"), 0);
        m_grid->chart(QStringLiteral("a"))->setCursors(20, 50);
        m_grid->chart(QStringLiteral("a"))->setSmoothing({SmoothingKind::Ema, 33});
        wheel(m_grid->chart(QStringLiteral("a")), 2);
        settle();
        const QJsonObject state = m_grid->saveState();
        // As a session does: through text, before any chart is there.
        m_grid = std::make_unique<ChartGrid>();
        m_grid->restoreState(QJsonDocument::fromJson(QJsonDocument(state).toJson()).object());
        addLine("a", 100);
        addLine("new", 100);
        addLine("b", 100);
        addLine("c", 100);
        show(900, 400);
        QCOMPARE(order(), (QStringList{"c", "a", "b", "new"}));
        QCOMPARE(m_grid->columns(), 2);
        QCOMPARE(m_grid->span(QStringLiteral("b")), 2);
        QVERIFY(m_grid->link(QStringLiteral("c")) == LinkGroup::B);
        const ChartView& view = m_grid->chart(QStringLiteral("a"))->view();
        QCOMPARE(view.cursorA, std::optional<double>(20));
        QVERIFY(view.smoothing == (SmoothingSpec{SmoothingKind::Ema, 33}));
        QVERIFY(!view.x.isFitted);
        m_grid->removeChart(QStringLiteral("new"));
        QCOMPARE(m_grid->saveState(), state);
        QVERIFY_THROWS_EXCEPTION(Error, m_grid->addChart(QStringLiteral("a")));
    }

    void picturesForTheEye() {
        Chart* error = m_grid->addChart(QStringLiteral("error"));
        fillErrorChart(*error);
        Chart* seeds = m_grid->addChart(QStringLiteral("seeds"));
        fillSeedChart(*seeds);
        Chart* value = m_grid->addChart(QStringLiteral("value"));
        value->setTitle(QStringLiteral("V_r of the start state"));
        value->setReferences({{QStringLiteral("exact"), -5.405}});
        const SeriesHandle learned =
            value->addSeries({.name = QStringLiteral("learned"), .color = 1});
        SampleCurve curve = fallingCurve(9, 2200, 10, 3.6, 0.5, 0.05);
        for (std::size_t i = 0; i < curve.x.size(); ++i) {
            curve.x[i] += 20000;
            curve.y[i] = -5.405 - curve.y[i];
        }
        value->append(learned, curve.x, curve.y);
        value->setStages(error->content().stages);
        value->setEvents(error->content().events);
        m_grid->addChart(QStringLiteral("empty"))->setTitle(QStringLiteral("Gradient norm"));
        Chart* all = m_grid->addChart(QStringLiteral("palette"));
        all->setTitle(QStringLiteral("All eight"), QStringLiteral("every palette index"));
        for (int color = 0; color < 8; ++color) {
            curve = fallingCurve(20 + color, 300, 200, 5 + color, 1 + color, 0.02);
            all->append(
                all->addSeries({.name = QStringLiteral("line %1").arg(color), .color = color}),
                curve.x, curve.y);
        }
        Chart* members = m_grid->addChart(QStringLiteral("members"));
        fillSeedChart(*members);
        members->setBands(BandKind::Interval, true);
        show(1300, 460);
        QTest::mouseMove(seeds, seeds->pixelOf(30000, 0.1).toPoint());
        QTRY_VERIFY_WITH_TIMEOUT(seeds->crosshair().has_value(), kPatience);
        settle();
        keep("dark");
        applyTheme(*qApp, ThemeChoice::Light);
        settle();
        keep("light");
    }
};

ORRERY_WINDOW_TEST(ChartGridTest)
#include "chart_grid_test.moc"
