#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "tests/support/test_program.h"
#include "tests/widgets/plots/chart_bench.h"
#include "widgets/plots/cell_table.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_statistics.h"

using namespace orrery;

/// What a chart tells of its points: readout, crosshair, cursors and table.
class ChartReadoutTest : public QObject, private ChartBench {
    Q_OBJECT

private Q_SLOTS:
    void init() { makeChart(); }
    void cleanup() { m_chart.reset(); }

    void theTableIsReadWhileItsPointsAreTakenAway() {
        const SeriesHandle line = m_chart->addSeries({.name = QStringLiteral("V_r")});
        m_chart->append(line, std::vector{0.0, 1.0, 2.0}, std::vector{1.0, 2.0, 3.0});
        show(500, 300);
        m_chart->setTableShown(true);
        settle();
        const auto* table = m_chart->findChild<QTableView*>(QStringLiteral("chartTable_error"));
        const QAbstractItemModel& model = *table->model();
        const QModelIndex last = model.index(2, 2);
        QCOMPARE(last.data().toString(), QStringLiteral("3"));
        // The rows are made anew with the next frame; views may ask before.
        Series fewer;
        fewer.append(std::vector{0.0}, std::vector{1.0});
        m_chart->setPoints(line, std::move(fewer));
        QVERIFY(last.data().toString().isEmpty());
        m_chart->clear();
        QVERIFY(model.index(0, 0).data().toString().isEmpty());
        settle();
        QCOMPARE(model.rowCount(), 0);
    }

    void theReadoutHoldsThePointsUnderThePointerNearestFirst() {
        addRamp();
        const SeriesHandle other =
            m_chart->addSeries({.name = QStringLiteral("other"), .color = 1});
        std::vector<double> x;
        std::vector<double> y;
        for (int i = 0; i <= 1000; i += 100) {
            x.push_back(i);
            y.push_back(1000 - i);
        }
        m_chart->append(other, x, y);
        show(600, 300);
        const QSignalSpy moved(m_chart.get(), &Chart::crosshairMoved);
        move(pixel(201, 790));
        QTRY_VERIFY_WITH_TIMEOUT(readout()->isVisible(), kPatience);
        QCOMPARE(m_chart->crosshair(), std::optional<double>(200));
        QVERIFY(moved.count() >= 1);
        const CellModel& model = *readout()->table()->cellModel();
        QAbstractItemModelTester tester(readout()->table()->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rows()[0].cells[0].text, QStringLiteral("other"));
        QCOMPARE(model.rows()[0].cells[1].number, 800.0);
        QCOMPARE(model.rows()[1].cells[1].number, 200.0);
        // A click pins; then the pointer may go, a header sorts, Ctrl+C copies.
        const QSignalSpy picked(m_chart.get(), &Chart::seriesPicked);
        const QSignalSpy moment(m_chart.get(), &Chart::momentPicked);
        QTest::mouseClick(m_chart.get(), Qt::LeftButton, {}, pixel(201, 790));
        QVERIFY(readout()->isPinned());
        QCOMPARE(picked.first().first().toInt(), other);
        QCOMPARE(moment.first().first().toDouble(), 200.0);
        move(pixel(700, 100));
        QCOMPARE(model.rows()[1].cells[1].number, 200.0);
        QHeaderView* header = readout()->table()->horizontalHeader();
        QVERIFY(header->isVisible());
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(1) + 8, 8));
        QCOMPARE(model.rows()[0].cells[1].number, 200.0);
        keep("readout-dark");
        m_chart->setFocus();
        QTest::keyClick(m_chart.get(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(),
                 QStringLiteral("line\tvalue\nramp\t200\nother\t800\n"));
        QTest::keyClick(m_chart.get(), Qt::Key_Escape);
        QVERIFY(!readout()->isPinned());
    }

    void aPinnedReadoutIsWithinTheChartAndLeavesItADoubleClick() {
        addRamp();
        m_chart->setXName(QStringLiteral("step"), true);
        m_chart->setXNote([](double) { return QStringLiteral("98.7 s"); });
        for (int i = 1; i < 4; ++i) {
            const SeriesHandle other = m_chart->addSeries(
                {.name = QStringLiteral("error of the robot's policy pi_r, %1").arg(i),
                 .color = i});
            m_chart->append(other, std::vector{0.0, 500.0, 1000.0},
                            std::vector{100.0 * i, 600.0, 50.0 * i});
        }
        m_chart->setSmoothing({SmoothingKind::Ema, 4746});
        show(230, 240);
        wheel(pixel(400, 500), 2);
        QVERIFY(m_chart->isZoomed());
        QWindow* window = m_chart->windowHandle();
        const QPoint at = m_chart->plotRect().center().toPoint();
        QTest::mouseMove(window, at);
        QTest::mouseClick(window, Qt::LeftButton, {}, at);
        QTRY_VERIFY_WITH_TIMEOUT(readout()->isVisible(), kPatience);
        QVERIFY(readout()->isPinned());
        QVERIFY2(m_chart->rect().contains(readout()->geometry()),
                 qPrintable(QDebug::toString(readout()->geometry())));
        QVERIFY(readout()->geometry().contains(at));  // there is no room beside the pointer
        auto* close = readout()->findChild<QToolButton*>(QStringLiteral("chartReadoutClose"));
        QVERIFY(readout()->rect().contains(close->geometry()));
        keep("readout-narrow-dark");
        // After a while it takes clicks, as what is pinned does.
        QTRY_VERIFY_WITH_TIMEOUT(
            m_chart->childAt(at) != nullptr && readout()->isAncestorOf(m_chart->childAt(at)),
            kPatience);
        QTest::keyClick(m_chart.get(), Qt::Key_Escape);
        QVERIFY(!readout()->isPinned());
        QTest::mouseDClick(window, Qt::LeftButton, {}, at);
        settle();
        QVERIFY(!m_chart->isZoomed());
        QVERIFY(!readout()->isPinned());
    }

    void theCrosshairWalksByKeysFromPointToPoint() {
        const SeriesHandle line = m_chart->addSeries({.name = QStringLiteral("few")});
        m_chart->append(line, std::vector{0.0, 50.0, 100.0}, std::vector{1.0, 3.0, 2.0});
        show(600, 300);
        QTest::keyClick(m_chart.get(), Qt::Key_Home);
        QCOMPARE(m_chart->crosshair(), std::optional<double>(0));
        QTest::keyClick(m_chart.get(), Qt::Key_Right);
        QCOMPARE(m_chart->crosshair(), std::optional<double>(50));
        QTest::keyClick(m_chart.get(), Qt::Key_Right);
        QCOMPARE(m_chart->crosshair(), std::optional<double>(100));
        QTest::keyClick(m_chart.get(), Qt::Key_Return);
        QVERIFY(readout()->isPinned());
    }

    void cursorsGiveDifferencesAndStatistics() {
        QWidget page;
        ChartStatistics statistics(&page);
        statistics.setChart(m_chart.get());
        page.resize(900, 200);
        page.show();
        addRamp();
        show(700, 420);
        const QRectF plot = m_chart->plotRect();
        move(pixel(100, 500));
        QTest::keyClick(m_chart.get(), Qt::Key_A);
        settle();
        QCOMPARE(statistics.table()->cellModel()->rows()[0].cells[1].number,
                 *m_chart->view().cursorA);
        QVERIFY(std::isnan(statistics.table()->cellModel()->rows()[0].cells[2].number));
        move(pixel(300, 500));
        QTest::keyClick(m_chart.get(), Qt::Key_B);
        settle();
        QVERIFY(m_chart->view().cursorA && m_chart->view().cursorB);
        const double a = *m_chart->view().cursorA;  // a pixel holds more than one point
        const double b = *m_chart->view().cursorB;
        QVERIFY(std::abs(a - 100) <= 2 && std::abs(b - 300) <= 2);
        CellTable* table = statistics.table();
        QCOMPARE(m_chart->plotRect(), plot);
        QVERIFY(table->isVisible());
        QAbstractItemModelTester tester(table->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        const std::vector<CellModel::Cell>& cells = table->cellModel()->rows()[0].cells;
        const double count = b - a + 1;
        QCOMPARE(cells[1].number, a);
        QCOMPARE(cells[2].number, b);
        QCOMPARE(cells[3].number, b - a);
        QCOMPARE(cells[4].number, 1.0);  // slope
        QCOMPARE(cells[5].number, (a + b) / 2);
        // The sample deviation of the whole numbers from a to b.
        QVERIFY(std::abs(cells[6].number - std::sqrt(count * (count + 1) / 12)) < 1e-9);
        QCOMPARE(cells[7].number, a);
        QCOMPARE(cells[8].number, b);
        QCOMPARE(cells[9].number, count);
        keep("cursors-dark");
        const QPoint grip = pixel(b, 500);
        drag(grip, pixel(500, 500));
        QVERIFY(std::abs(*m_chart->view().cursorB - 500) <= 3);
        QTest::keyClick(m_chart.get(), Qt::Key_Escape);  // the crosshair
        QTest::keyClick(m_chart.get(), Qt::Key_Escape);
        settle();
        QVERIFY(!m_chart->view().cursorA && !table->isVisible());
    }

    void escInThePinnedReadoutLeavesTheKeyboardWithItsChart() {
        QWidget window;
        window.resize(1000, 400);
        m_chart->setParent(&window);
        m_chart->setGeometry(0, 0, 600, 400);
        Chart next(QStringLiteral("next"), &window);
        next.setGeometry(610, 0, 380, 400);
        addRamp();
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window, kPatience));
        m_chart->setFocus();
        settle();
        QTest::keyClick(m_chart.get(), Qt::Key_Home);
        QTest::keyClick(m_chart.get(), Qt::Key_Return);
        QVERIFY(readout()->isPinned());
        readout()->table()->setFocus();
        QTest::keyClick(readout()->table(), Qt::Key_Escape);
        QVERIFY(!readout()->isPinned());
        QVERIFY(m_chart->hasFocus());
        m_chart->setParent(nullptr);
    }

    void theTableTwinHoldsThePointsInView() {
        addRamp();
        m_chart->setSmoothing({SmoothingKind::Ema, 10});
        show(600, 300);
        QTest::keyClick(m_chart.get(), Qt::Key_F8);
        settle();
        auto* table = m_chart->findChild<QTableView*>(QStringLiteral("chartTable_error"));
        QVERIFY(table->isVisible());
        QAbstractItemModelTester tester(table->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(table->model()->rowCount(), 1001);
        QCOMPARE(table->model()->index(7, 1).data().toString(), QStringLiteral("7"));
        QCOMPARE(table->model()->index(7, 2).data().toString(), QStringLiteral("7"));
        keep("table-dark");
        AxisView x = m_chart->shownX();
        x.isFitted = false;
        x.low = 100;
        x.high = 199.5;
        m_chart->followX(x);
        settle();
        QCOMPARE(table->model()->rowCount(), 100);
        QTest::keyClick(m_chart.get(), Qt::Key_F8);
        settle();
        QVERIFY(!table->isVisible());
    }
};

ORRERY_WINDOW_TEST(ChartReadoutTest)
#include "chart_readout_test.moc"
