#include "widgets/plots/chart.h"

#include <QApplication>
#include <QFile>
#include <QJsonArray>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <memory>

#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "tests/widgets/plots/chart_bench.h"
#include "tests/widgets/plots/chart_samples.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/chart_export.h"
#include "widgets/plots/chart_text.h"

using namespace orrery;

/// What a chart shows of its points, with mouse and keys.
class ChartTest : public QObject, private ChartBench {
    Q_OBJECT

private Q_SLOTS:
    void init() { makeChart(); }
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

    void aLogarithmicAxisIsSaidBesideTheTitleAndNotInTables() {
        addRamp();
        m_chart->setTitle(QStringLiteral("Speed"), QStringLiteral("steps per second, all actors"));
        show(500, 300);
        const auto unit = [&] { return m_chart->spotFacts()[QLatin1String("unit")].toString(); };
        QCOMPARE(unit(), QStringLiteral("steps per second, all actors"));
        m_chart->setScales(ScaleKind::Linear, ScaleKind::Log);
        settle();
        QCOMPARE(unit(), QStringLiteral("steps per second, all actors, log"));
        show(220, 300);  // the unit has no room
        QCOMPARE(unit(), QStringLiteral("log"));
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("points.csv"));
        QVERIFY(m_chart->exportData(file, {}) > 0);
        QFile table(file);
        QVERIFY(table.open(QIODevice::ReadOnly));
        QCOMPARE(table.readLine().trimmed(),
                 QByteArray("series,step,\"Speed [steps per second, all actors]\""));
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
