#include "widgets/plots/chart.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <memory>

#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "tests/widgets/plots/chart_samples.h"
#include "tests/widgets/quiet.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/cell_table.h"
#include "widgets/plots/chart_readout.h"
#include "widgets/plots/chart_statistics.h"
#include "widgets/plots/chart_table_model.h"
#include "widgets/plots/chart_text.h"

using namespace orrery;

namespace {}  // namespace

/// Drives a chart with mouse and keys.
class ChartTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Chart> m_chart;

    void settle() { QTRY_VERIFY_WITH_TIMEOUT(m_chart->isSettled(), kPatience); }
    void show(int width, int height) {
        m_chart->resize(width, height);
        m_chart->show();
        m_chart->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_chart.get(), kPatience));
        m_chart->setFocus();
        settle();
    }
    void keep(const char* name) {
        const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES");
        if (folder.isEmpty()) return;
        QDir().mkpath(folder);
        QVERIFY(m_chart->grab().save(folder + QStringLiteral("/chart-") + QLatin1String(name) +
                                     QStringLiteral(".png")));
    }
    QPoint pixel(double x, double y) { return m_chart->pixelOf(x, y).toPoint(); }
    void move(const QPoint& at) {
        QMouseEvent event(QEvent::MouseMove, at, m_chart->mapToGlobal(at), Qt::NoButton,
                          Qt::NoButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_chart.get(), &event);
    }
    void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers keys = {}) {
        QTest::mousePress(m_chart.get(), Qt::LeftButton, keys, from);
        for (int k = 1; k <= 4; ++k) {
            QMouseEvent event(QEvent::MouseMove, from + (to - from) * k / 4.0,
                              m_chart->mapToGlobal(from + (to - from) * k / 4.0), Qt::NoButton,
                              Qt::LeftButton, keys);
            QCoreApplication::sendEvent(m_chart.get(), &event);
        }
        QTest::mouseRelease(m_chart.get(), Qt::LeftButton, keys, to);
        settle();
    }
    bool wheel(const QPoint& at, int notches, Qt::KeyboardModifiers keys = Qt::ControlModifier) {
        QWheelEvent event(at, m_chart->mapToGlobal(QPointF(at)), {}, QPoint(0, 120 * notches), {},
                          keys, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(m_chart.get(), &event);
        settle();
        return event.isAccepted();
    }
    void addRamp() {
        std::vector<double> x;
        for (int i = 0; i <= 1000; ++i) x.push_back(i);
        m_chart->append(m_chart->addSeries({.name = QStringLiteral("ramp")}), x, x);
        m_chart->setTitle(QStringLiteral("Ramp"));
    }
    ChartReadout* readout() { return m_chart->findChild<ChartReadout*>(); }

private Q_SLOTS:
    void init() {
        applyTheme(*qApp, ThemeChoice::Dark);
        m_chart = std::make_unique<Chart>(QStringLiteral("error"));
    }
    void cleanup() { m_chart.reset(); }

    void aCardHasABorderOnEverySide() {
        addRamp();
        show(500, 300);
        const Tokens& t = currentTokens();
        const auto pixels = [&] {
            return m_chart->grab().toImage().convertToFormat(QImage::Format_RGB32);
        };
        QImage image = pixels();  // focused: two pixels of accent
        for (const QPoint at : {QPoint(250, 0), QPoint(250, 299), QPoint(0, 150), QPoint(499, 150)})
            QCOMPARE(image.pixelColor(at), t.accent);
        QCOMPARE(image.pixelColor(250, 298), t.accent);
        m_chart->clearFocus();
        settle();
        image = pixels();
        QCOMPARE(image.pixelColor(250, 299), t.border);
        QCOMPARE(image.pixelColor(250, 298), t.canvas);
        QCOMPARE(image.pixelColor(0, 299), t.window);
    }

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
        QVERIFY(!last.data().isValid());
        m_chart->clear();
        QVERIFY(!model.index(0, 0).data().isValid());
        settle();
        QCOMPARE(model.rowCount(), 0);
    }

    void anEmptyChartSaysSoAndOffersItsAction() {
        m_chart->setEmptyText(QStringLiteral("No run is open"), QStringLiteral("Open an example"));
        show(500, 300);
        auto* action = m_chart->findChild<QPushButton*>(QStringLiteral("chartEmptyAction_error"));
        QVERIFY(action->isVisible());
        QCOMPARE(action->text(), QStringLiteral("Open an example"));
        const QSignalSpy asked(m_chart.get(), &Chart::emptyActionTriggered);
        QTest::mouseClick(action, Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        keep("empty-dark");
        const SeriesHandle line = m_chart->addSeries({.name = QStringLiteral("V_r")});
        m_chart->append(line, std::vector{0.0, 1.0}, std::vector{1.0, 2.0});
        settle();
        QVERIFY(!action->isVisible());
    }

    void draggingPansAndCtrlWheelZoomsAtThePointer() {
        addRamp();
        show(600, 300);
        QCOMPARE(m_chart->shownX().low, 0.0);
        QCOMPARE(m_chart->shownX().high, 1000.0);
        const QPoint at = pixel(250, 250);
        wheel(at, 2);
        const AxisView zoomed = m_chart->shownX();
        QVERIFY(!zoomed.isFitted);
        QVERIFY(std::abs(zoomed.high - zoomed.low - 640) < 1);  // 0.8^2 of 1,000
        QVERIFY(std::abs(pixel(250, 250).x() - at.x()) <= 1);
        drag(at, at + QPoint(100, 5));
        QVERIFY(std::abs(pixel(250, 250).x() - at.x() - 100) <= 1);
        QVERIFY2(m_chart->view().y.isFitted, "a sideways drag keeps y fitted");
        drag(at, at + QPoint(60, 60));
        QVERIFY(!m_chart->view().y.isFitted);
        QTest::keyClick(m_chart.get(), Qt::Key_F);
        settle();
        QCOMPARE(m_chart->shownX().high, 1000.0);
        QTest::keyClick(m_chart.get(), Qt::Key_Equal, Qt::ControlModifier);
        settle();
        QVERIFY(std::abs(m_chart->shownX().high - m_chart->shownX().low - 500) < 1);
        QTest::keyClick(m_chart.get(), Qt::Key_Minus, Qt::ControlModifier);
        settle();
        QVERIFY(std::abs(m_chart->shownX().high - m_chart->shownX().low - 1000) < 1);
        wheel(QPoint(20, 150), 1);  // over the y axis
        QVERIFY(std::abs(m_chart->shownX().high - m_chart->shownX().low - 1000) < 1);
        QVERIFY(!m_chart->view().y.isFitted);
        QTest::mouseDClick(m_chart.get(), Qt::LeftButton, {}, at);
        settle();
        QVERIFY(m_chart->view().y.isFitted && m_chart->view().x.isFitted);
    }

    void theWheelAloneIsThePagesAndAZoomedChartSaysSo() {
        addRamp();
        show(600, 300);
        auto* reset = m_chart->findChild<QToolButton*>(QStringLiteral("chartReset_error"));
        QVERIFY(!wheel(pixel(250, 250), 2, {}));
        QVERIFY(m_chart->view().x.isFitted);
        QVERIFY(!reset->isVisible());
        QVERIFY(wheel(pixel(250, 250), 2));
        QVERIFY(reset->isVisible());
        keep("zoomed-dark");
        QTest::mouseClick(reset, Qt::LeftButton);
        settle();
        QCOMPARE(m_chart->shownX().high, 1000.0);
        QVERIFY(!reset->isVisible());
    }

    void shiftAndDragZoomIntoARectangle() {
        addRamp();
        show(600, 300);
        const QPoint from = pixel(200, 400);
        const QPoint to = pixel(400, 100);
        drag(from, to, Qt::ShiftModifier);
        QVERIFY(std::abs(m_chart->shownX().low - 200) < 4);
        QVERIFY(std::abs(m_chart->shownX().high - 400) < 4);
        QVERIFY(std::abs(m_chart->shownY().low - 100) < 8);
        QVERIFY(std::abs(m_chart->shownY().high - 400) < 8);
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
        m_chart->setXName(QStringLiteral("step"));
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

    void theFittedRangeHoldsTheBands_data() {
        QTest::addColumn<ScaleKind>("scale");
        QTest::newRow("linear") << ScaleKind::Linear;
        QTest::newRow("log") << ScaleKind::Log;
    }
    void theFittedRangeHoldsTheBands() {
        QFETCH(ScaleKind, scale);
        const int group = m_chart->addGroup(QStringLiteral("beta_r 5"), 0);
        for (const double level : {10.0, 14.0}) {  // mean 12, sd 2.83
            const SeriesHandle seed = m_chart->addSeries(
                {.name = QStringLiteral("seed %1").arg(level), .color = 0, .group = group});
            std::vector<double> x, y;
            for (int i = 0; i <= 100; ++i) {
                x.push_back(i);
                y.push_back(level);
            }
            m_chart->append(seed, x, y);
        }
        m_chart->setScales(ScaleKind::Linear, scale);
        m_chart->setBands(BandKind::Deviation, false);
        show(600, 300);
        const double deviation = std::sqrt(8.0);
        QVERIFY(m_chart->shownY().high > 12 + deviation);
        QVERIFY(m_chart->shownY().low < 12 - deviation);
        QVERIFY(m_chart->shownY().high < 16);
        m_chart->setBands(BandKind::None, false);
        settle();
        QVERIFY(m_chart->shownY().high < 12 + deviation);
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

    void whatALogarithmicAxisCannotShowIsCountedInABadge() {
        const SeriesHandle line = m_chart->addSeries({.name = QStringLiteral("loss")});
        m_chart->append(line, std::vector{1.0, 2.0, 3.0, 4.0, 5.0, 6.0},
                        std::vector{0.1, 0.0, -3.0, std::nan(""), 10.0, 1.0});
        show(500, 300);
        QVERIFY(m_chart->accessibleDescription().contains(QStringLiteral("1 NaN or infinite")));
        QVERIFY(!m_chart->accessibleDescription().contains(QStringLiteral("log axis")));
        m_chart->setScales(ScaleKind::Log, ScaleKind::Log);
        settle();
        QVERIFY(m_chart->accessibleDescription().contains(
            QStringLiteral("2 ≤ 0, not on the log axis")));
        keep("log-badges-dark");
        m_chart->setScales(ScaleKind::Linear, ScaleKind::SymLog);
        settle();
        QVERIFY(!m_chart->accessibleDescription().contains(QStringLiteral("log axis")));
        QVERIFY(m_chart->pixelOf(3, -3).y() > m_chart->pixelOf(2, 0).y());
        keep("symlog-dark");
    }

    void linesHaveTheColoursOfTheirIndexInBothThemes() {
        for (int color = 0; color < 8; ++color) {
            const SeriesHandle line =
                m_chart->addSeries({.name = QStringLiteral("line %1").arg(color), .color = color});
            m_chart->append(line, std::vector{0.0, 100.0},
                            std::vector<double>{color + 1.0, color + 1.0});
        }
        show(900, 400);
        for (const ThemeChoice theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
            applyTheme(*qApp, theme);
            settle();
            const Tokens& tokens = currentTokens();
            const QImage image = m_chart->grab().toImage();
            QCOMPARE(image.pixelColor(pixel(50, 4.5)), tokens.canvas);
            for (int color = 0; color < 8; ++color) {
                bool isFound = false;  // between dashes lies the canvas
                for (int x = 200; x < 230; ++x) {
                    const int y = pixel(50, color + 1).y();
                    for (const int dy : {-1, 0})
                        isFound |= image.pixelColor(x, y + dy) ==
                                   tokens.data[static_cast<std::size_t>(color)];
                }
                QVERIFY2(isFound, qPrintable(QString::number(color)));
            }
        }
        keep("palette-light");
    }

    void aLineIsHiddenInTheLegendAndAllCanBeShownAgain() {
        addRamp();
        show(600, 300);
        const QPoint entry(600 - 30, 18);
        QTest::mouseClick(m_chart.get(), Qt::LeftButton, {}, entry);
        settle();
        QVERIFY(m_chart->view().hiddenSeries.contains(QStringLiteral("ramp")));
        auto* action = m_chart->findChild<QPushButton*>(QStringLiteral("chartEmptyAction_error"));
        QVERIFY(action->isVisible());
        QTest::mouseClick(action, Qt::LeftButton);
        settle();
        QVERIFY(m_chart->view().hiddenSeries.isEmpty());
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

    void whatIsShownAgainUnchangedIsNotDrawnAgain() {
        QWidget window;
        window.resize(800, 500);
        m_chart->setParent(&window);
        m_chart->resize(700, 400);
        fillSeedChart(*m_chart);
        window.show();
        settle();
        m_chart->takeFrameTimes();
        m_chart->hide();
        m_chart->show();
        settle();
        m_chart->hide();
        m_chart->resize(500, 300);
        m_chart->show();
        m_chart->resize(700, 400);
        settle();
        QVERIFY(m_chart->takeFrameTimes().empty());
        m_chart->hide();
        m_chart->setTitle(QStringLiteral("another"));
        m_chart->show();
        settle();
        QCOMPARE(m_chart->takeFrameTimes().size(), std::size_t{1});
        m_chart->setParent(nullptr);
    }

    void anotherSizeIsDrawnOnce() {
        fillSeedChart(*m_chart);
        show(700, 400);
        const auto parts = m_chart->findChildren<QWidget*>();
        const auto plot = std::ranges::find_if(
            parts, [](const QWidget* part) { return part->inherits("QCustomPlot"); });
        const QSignalSpy drawn(*plot, SIGNAL(afterReplot()));
        m_chart->resize(600, 300);
        settle();
        QCOMPARE(drawn.size(), 1);
    }

    void theWholeViewIsSavedAndRestored() {
        fillSeedChart(*m_chart);
        show(700, 400);
        m_chart->setSmoothing({SmoothingKind::Median, 250});
        m_chart->setBands(BandKind::Interval, true);
        m_chart->setCursors(100, 2000);
        m_chart->setEventsShown(ChartEventKind::BufferClear, false);
        m_chart->toggleShown(QStringLiteral("beta_r 2"));
        wheel(pixel(30000, 0.1), 3);
        const QJsonObject state = m_chart->saveState();
        Chart other(QStringLiteral("other"));
        other.restoreState(state);
        QVERIFY(other.view() == m_chart->view());
        QVERIFY(!other.view().x.isFitted);
        QCOMPARE(other.view().y.scale.kind, ScaleKind::Log);
        // Nonsense leaves a fresh view.
        other.restoreState({{QStringLiteral("window"), -3},
                            {QStringLiteral("x"), QJsonObject{{QStringLiteral("low"), 5},
                                                              {QStringLiteral("high"), 5},
                                                              {QStringLiteral("fitted"), false}}}});
        QVERIFY(other.view() == ChartView());
    }

    void aLiveChartFollowsItsPoints() {
        const SeriesHandle line = m_chart->addSeries({.name = QStringLiteral("live")});
        m_chart->setSmoothing({SmoothingKind::Ema, 20});
        show(500, 260);
        for (int part = 0; part < 50; ++part) {
            std::vector<double> x;
            std::vector<double> y;
            for (int i = 0; i < 40; ++i) {
                x.push_back(40 * part + i);
                y.push_back(std::sin(0.01 * x.back()));
            }
            m_chart->append(line, x, y);
            if (part % 10 == 0) settle();
        }
        settle();
        QCOMPARE(m_chart->shownX().high, 1999.0);
        QCOMPARE(m_chart->content().series[0].ema->done(), std::int64_t{2000});
        QVERIFY_THROWS_EXCEPTION(Error, m_chart->append(line, std::vector{5.0}, std::vector{1.0}));
        QVERIFY_THROWS_EXCEPTION(Error,
                                 m_chart->addSeries({.name = QStringLiteral("x"), .group = 3}));
    }

    void aChartSaysHowItIsSmoothedAndWhatItsBandsAre() {
        fillSeedChart(*m_chart);
        show(900, 420);
        const auto legend = [&] {
            QStringList names;
            for (const auto& name : m_chart->spotFacts()[QLatin1String("legend")].toArray())
                names << name.toString();
            return names;
        };
        const QString raw = m_chart->accessibleDescription();
        QVERIFY2(!raw.contains(QStringLiteral("over")), qPrintable(raw));
        QCOMPARE(legend(), (QStringList{QStringLiteral("beta_r 5 · mean, sd, n = 5"),
                                        QStringLiteral("beta_r 2 · mean, sd, n = 5")}));
        m_chart->setSmoothing({SmoothingKind::Ema, 50});
        m_chart->setBands(BandKind::Quartiles, false);
        settle();
        QCOMPARE(legend().first(), QStringLiteral("beta_r 5 · median, quartiles, n = 5"));
        const QString remark = QStringLiteral("exponential mean over 50 steps");
        QVERIFY(m_chart->accessibleDescription().contains(remark));
        QCOMPARE(chartCaption(m_chart->content(), m_chart->view()).section(u';', -1).trimmed(),
                 remark);
        QCOMPARE(m_chart->figureCaption(), chartCaption(m_chart->content(), m_chart->view()));
        // The readout's numbers are of what is drawn, and say so.
        move(pixel(30000, 0.1));
        QTRY_VERIFY_WITH_TIMEOUT(readout()->isVisible(), kPatience);
        QVERIFY(readout()
                    ->findChild<QLabel*>(QStringLiteral("chartReadoutStep"))
                    ->text()
                    .contains(remark));
        const QStringList head =
            readout()->table()->cellModel()->tsv().section(u'\n', 0, 0).split(u'\t');
        QCOMPARE(
            head.mid(0, 5),
            (QStringList{QStringLiteral("line"), QStringLiteral("median of smoothed"),
                         QStringLiteral("25 %"), QStringLiteral("75 %"), QStringLiteral("n")}));
        keep("smoothed-dark");
        // With little room the lines keep their places in the legend.
        std::vector<LegendEntry> entries = legendEntries(m_chart->content(), m_chart->view());
        QCOMPARE(shortenLegend(entries), QStringLiteral("median, quartiles, n = 5"));
        QCOMPARE(entries[1].name, QStringLiteral("beta_r 2"));
    }

    void theSmoothingMenuChecksWhatIsInForce() {
        addRamp();
        m_chart->setSmoothing({SmoothingKind::Ema, 50});
        QMenu menu;
        m_chart->fillMenu(menu);
        QStringList checked;
        for (const QMenu* part : menu.findChildren<QMenu*>())
            if (part->title().contains(QStringLiteral("moothing")))
                for (const QAction* action : part->actions())
                    if (action->isChecked()) checked << action->text();
        QCOMPARE(checked, QStringList{QStringLiteral("Exponential mean over 50 steps")});
    }

    void picturesForTheEye() {
        fillErrorChart(*m_chart);
        show(620, 300);
        move(pixel(41280, 0.03));
        QTRY_VERIFY_WITH_TIMEOUT(readout()->isVisible(), kPatience);
        keep("error-dark");
        applyTheme(*qApp, ThemeChoice::Light);
        settle();
        keep("error-light");
        m_chart = std::make_unique<Chart>(QStringLiteral("seeds"));
        fillSeedChart(*m_chart);
        show(860, 320);
        move(pixel(44000, 0.05));
        QTRY_VERIFY_WITH_TIMEOUT(readout()->isVisible(), kPatience);
        keep("seeds-light");
        applyTheme(*qApp, ThemeChoice::Dark);
        settle();
        keep("seeds-dark");
    }
};

ORRERY_WINDOW_TEST(ChartTest)
#include "chart_test.moc"
