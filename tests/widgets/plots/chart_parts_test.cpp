#include <QApplication>
#include <QSet>
#include <QTest>
#include <array>
#include <cmath>

#include "core/base/rng.h"
#include "tests/support/test_program.h"
#include "widgets/common/number_text.h"
#include "widgets/plots/axis_scale.h"
#include "widgets/plots/chart_picture.h"
#include "widgets/plots/chart_text.h"
#include "widgets/plots/column_bars.h"
#include "widgets/plots/line_builder.h"
#include "widgets/plots/line_strokes.h"
#include "widgets/plots/seed_band.h"
#include "widgets/plots/smoothing.h"

using namespace orrery;

namespace {

QStringList labelsOf(const std::vector<AxisTick>& ticks) {
    QStringList labels;
    for (const AxisTick& tick : ticks)
        if (!tick.label.isEmpty()) labels << tick.label;
    return labels;
}

AxisView axis(double low, double high, ScaleKind kind = ScaleKind::Linear) {
    AxisView made;
    made.scale.kind = kind;
    made.isFitted = false;
    made.low = low;
    made.high = high;
    return made;
}

}  // namespace

/// Scales, ticks, lines and bands, without a widget.
class ChartPartsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aScaleGivesItsValuesBack_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("linear") << static_cast<int>(ScaleKind::Linear);
        QTest::newRow("log") << static_cast<int>(ScaleKind::Log);
        QTest::newRow("symlog") << static_cast<int>(ScaleKind::SymLog);
    }
    void aScaleGivesItsValuesBack() {
        QFETCH(int, kind);
        const AxisScale scale{static_cast<ScaleKind>(kind), 0.1};
        double before = -1e300;
        for (const double value : {-1e6, -3.0, -1e-4, 0.0, 1e-9, 0.05, 1.0, 7.5, 1e12}) {
            const double place = scale.place(value);
            if (scale.kind == ScaleKind::Log && value <= 0) {
                QVERIFY(std::isnan(place));
                continue;
            }
            QVERIFY(place > before);
            before = place;
            QVERIFY(std::abs(scale.value(place) - value) <= 1e-12 * std::abs(value) + 1e-15);
        }
        QVERIFY(std::isnan(scale.place(std::nan(""))));
        QVERIFY(std::isnan(scale.place(INFINITY)));
    }

    void ticksAreRoundAndFew_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<QStringList>("labels");
        const auto row = [](const char* name, ScaleKind kind, double low, double high,
                            const QStringList& labels) {
            QTest::newRow(name) << static_cast<int>(kind) << low << high << labels;
        };
        row("steps", ScaleKind::Linear, 0, 50000, {"0", "10k", "20k", "30k", "40k", "50k"});
        row("a unit", ScaleKind::Linear, 0, 1, {"0", "0.2", "0.4", "0.6", "0.8", "1.0"});
        row("about zero", ScaleKind::Linear, -1.5, 1.5,
            {"−1.5", "−1.0", "−0.5", "0", "0.5", "1.0", "1.5"});
        row("millions", ScaleKind::Linear, 0, 1e7, {"0", "2M", "4M", "6M", "8M", "10M"});
        row("decades", ScaleKind::Log, 0.01, 1000, {"0.01", "0.1", "1", "10", "100", "1k"});
        row("two decades", ScaleKind::Log, 0.01, 1, {"0.01", "0.03", "0.1", "0.3", "1"});
        row("within a decade", ScaleKind::Log, 2, 5,
            {"2.0", "2.5", "3.0", "3.5", "4.0", "4.5", "5.0"});
        row("many decades", ScaleKind::Log, 1e-12, 1, {"1e−12", "1e−9", "1e−6", "1e−3", "1"});
        row("both signs", ScaleKind::SymLog, -100, 100, {"−100", "−10", "0", "10", "100"});
    }
    void ticksAreRoundAndFew() {
        QFETCH(int, kind);
        QFETCH(double, low);
        QFETCH(double, high);
        const AxisScale scale{static_cast<ScaleKind>(kind), 1};
        const std::vector<AxisTick> ticks = axisTicks(scale, scale.place(low), scale.place(high));
        QTEST(labelsOf(ticks), "labels");
        for (const AxisTick& tick : ticks) {
            QVERIFY(tick.place >= scale.place(low) - 1e-9);
            QVERIFY(tick.place <= scale.place(high) + 1e-9);
        }
    }

    /// The trailing letters or power of ten of a label; none of "0".
    static QString suffixOf(const QString& label) {
        const auto digits = QStringLiteral("0123456789.\u2212");
        qsizetype at = 0;
        while (at < label.size() && digits.contains(label[at])) ++at;
        return label.mid(at);
    }
    static void checkLabels(const AxisScale& scale, double low, double high, double length) {
        const auto sizeOf = [](const QString& label) {
            return 6.0 * static_cast<double>(label.size()) + 14;
        };
        const double from = scale.place(low), to = scale.place(high);
        const QByteArray what = QStringLiteral("%1 %2 to %3 on %4")
                                    .arg(nameOf(scale.kind))
                                    .arg(low, 0, 'g', 12)
                                    .arg(high, 0, 'g', 12)
                                    .arg(length)
                                    .toUtf8();
        QStringList labels;
        QSet<QString> suffixes;
        const AxisTick* before = nullptr;
        const std::vector<AxisTick> ticks = axisTicksWithin(scale, from, to, length, sizeOf);
        for (const AxisTick& tick : ticks) {
            QVERIFY2(tick.place >= from - 1e-9 * (to - from), what.constData());
            QVERIFY2(tick.place <= to + 1e-9 * (to - from), what.constData());
            if (tick.label.isEmpty()) continue;
            labels << tick.label;
            if (tick.label != QLatin1String("0")) suffixes << suffixOf(tick.label);
            if (before)
                QVERIFY2((tick.place - before->place) * length / (to - from) >=
                             (sizeOf(before->label) + sizeOf(tick.label)) / 2,
                         what.constData());
            before = &tick;
        }
        const QByteArray all = what + ": " + labels.join(QLatin1Char(' ')).toUtf8();
        QVERIFY2(labels.size() >= 2 && labels.size() <= 8, all.constData());
        QCOMPARE(QSet<QString>(labels.begin(), labels.end()).size(), labels.size());
        if (scale.kind == ScaleKind::Linear) QVERIFY2(suffixes.size() <= 1, all.constData());
    }
    void labelsAreDistinctOfOneKindAndApartAtEveryRangeAndScale() {
        Rng rng(5);
        for (int k = 0; k < 4000; ++k) {
            const double middle = (rng.uniform() - 0.5) * std::pow(10, 16 * rng.uniform() - 8);
            const double size = std::pow(10, 18 * rng.uniform() - 9);
            const double length = 300 + 1600 * rng.uniform();
            if (size > 1e-7 * std::abs(middle))
                checkLabels({}, middle - size, middle + size, length);
            const double low = std::pow(10, 16 * rng.uniform() - 10);
            const double decades = std::pow(10, 3 * rng.uniform() - 2);
            checkLabels({ScaleKind::Log, 1}, low, low * std::pow(10, decades), length);
            const double most = std::pow(10, 8 * rng.uniform() - 3);
            checkLabels({ScaleKind::SymLog, symLogThreshold(most)},
                        rng.uniform() < 0.5 ? -most * rng.uniform() : 0, most, length);
            if (QTest::currentTestFailed()) return;
        }
        checkLabels({}, 0.55104, 0.55112, 300);
        checkLabels({ScaleKind::Log, 1}, 0.02, 0.7, 300);
    }

    void anAxisOfStepsHasNoFractions() {
        AxisScale steps;
        steps.isWhole = true;
        QCOMPARE(labelsOf(axisTicks(steps, 1, 3)), (QStringList{"1", "2", "3"}));
        QCOMPARE(labelsOf(axisTicks(steps, 0.5, 1.5)), QStringList{"1"});
        for (int most = 4; most <= 8; ++most)
            for (int high = 1; high < 60; ++high)
                for (const AxisTick& tick : axisTicks(steps, 0, high, most))
                    QVERIFY2(!tick.label.contains(u'.'), qPrintable(tick.label));
        // Within one step there is nothing else.
        QVERIFY(!axisTicks(steps, 3.2, 3.8).empty());
    }

    void aMagnitudeThatIsZeroHasNoNegativeLabels() {
        ChartContent content;
        content.series.resize(1);
        const std::array<double, 2> x{0, 10}, y{0, 0};
        content.series[0].points.append(x, y);
        const ChartView view;
        const AxisView fitted = fittedY(content, view, axis(0, 10), {});
        QVERIFY2(fitted.low <= 0 && fitted.high > 0.4, qPrintable(QString::number(fitted.high)));
        for (const AxisTick& tick : axisTicks(fitted.scale, fitted.low, fitted.high))
            QVERIFY2(tick.place >= 0, qPrintable(tick.label));
    }

    void aFooterIsSaidInFewerWords() {
        ChartContent content;
        content.series.resize(10);
        DrawnChart drawn;
        drawn.points = 12345;
        drawn.perColumn = 4;
        const auto text = [&](FooterLength length) {
            return footerText(content, ChartView(), drawn, length);
        };
        QVERIFY(text(FooterLength::Full).startsWith(QStringLiteral("10 series · ")));
        QVERIFY(text(FooterLength::Short).contains(QStringLiteral("min and max of 4")));
        QVERIFY(!text(FooterLength::Short).contains(QStringLiteral("series")));
        QCOMPARE(text(FooterLength::Least),
                 countText(12345) + QStringLiteral(" points · step on x"));
    }

    void aLogarithmicAxisHasLabelsAllAlong() {
        const AxisScale log{ScaleKind::Log, 1};
        QCOMPARE(labelsOf(axisTicks(log, std::log10(0.02), std::log10(0.7))),
                 (QStringList{"0.02", "0.05", "0.1", "0.2", "0.5"}));
        QCOMPARE(labelsOf(axisTicks(log, std::log10(1e4), std::log10(1.2e5))),
                 (QStringList{"10k", "20k", "50k", "100k"}));
    }

    void aLogarithmicAxisHasLabelsWhereItsCurvesEnd_data() {
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("most");
        QTest::addColumn<QStringList>("labels");
        QTest::newRow("less than a decade")
            << 0.08 << 0.3 << QStringList{"0.08", "0.10", "0.15", "0.20", "0.25", "0.30"};
        QTest::newRow("a decade") << 0.075 << 0.6
                                  << QStringList{"0.07", "0.1", "0.2", "0.5", "0.6"};
        QTest::newRow("at a round number")
            << 0.02 << 0.56 << QStringList{"0.02", "0.05", "0.1", "0.2", "0.5", "0.65"};
        QTest::newRow("many decades")
            << 4e-6 << 0.3 << QStringList{"1e\u22125", "1e\u22124", "1e\u22123", "0.01", "0.1"};
    }
    void aLogarithmicAxisHasLabelsWhereItsCurvesEnd() {
        QFETCH(double, least);
        QFETCH(double, most);
        const AxisScale log{ScaleKind::Log, 1};
        const double margin = 0.06 * (log.place(most) - log.place(least));
        QTEST(labelsOf(axisTicksWithin(log, log.place(least) - margin, log.place(most) + margin,
                                       300, [](const QString&) { return 16.0; })),
              "labels");
    }

    void longWindowsAreGroupedOnTheScreenAndPlainInFiles() {
        const SmoothingSpec smoothing{SmoothingKind::Ema, 4745.6};
        QCOMPARE(textOf(smoothing, QStringLiteral("step")),
                 QStringLiteral("exponential mean over 4746 steps"));
        QCOMPARE(captionOf(smoothing, QStringLiteral("step")),
                 QStringLiteral("exponential mean over %1 steps").arg(countText(4746)));
    }

    void anyRangeHasBetweenThreeAndSevenLabels() {
        Rng rng(1);
        for (int k = 0; k < 3000; ++k) {
            const double middle = (rng.uniform() - 0.5) * std::pow(10, 12 * rng.uniform() - 4);
            const double size = std::pow(10, 14 * rng.uniform() - 6);
            if (size < 1e-9 * std::abs(middle)) continue;
            const qsizetype count = labelsOf(axisTicks({}, middle - size, middle + size)).size();
            QVERIFY2(count >= 3 && count <= 7, qPrintable(QString::number(count)));
        }
    }

    void aLineKeepsItsSlopeWhereItLeavesTheWindow() {
        LineBuilder builder(QRectF(0, 0, 100, 100));
        builder.add({50, 50});
        builder.add({60, 1050});  // leaves at the bottom, at x = 50.5
        builder.add({70, 50});
        builder.add({std::nan(""), 0});
        builder.add({80, 20});
        builder.add({90, 20});
        const std::vector<QPolygonF> pieces = builder.take();
        QCOMPARE(pieces.size(), std::size_t{3});
        QCOMPARE(pieces[0], QPolygonF(QList<QPointF>{{50, 50}, {50.5, 100}}));
        QCOMPARE(pieces[1], QPolygonF(QList<QPointF>{{69.5, 100}, {70, 50}}));
        QCOMPARE(pieces[2], QPolygonF(QList<QPointF>{{80, 20}, {90, 20}}));
        QVERIFY(!clippedSegment({-10, -10}, {-5, 200}, QRectF(0, 0, 100, 100)));
        QCOMPARE(clippedSegment({-100, 50}, {300, 50}, QRectF(0, 0, 100, 100))->second,
                 QPointF(100, 50));
    }

    void dashesHaveTheirLengths() {
        const QPolygonF piece(QList<QPointF>{{0, 0}, {10, 0}, {10, 10}});
        double length = 0;
        for (const QLineF& dash : dashedSegments(piece, {4, 2})) length += dash.length();
        QVERIFY(std::abs(length - 14) < 1e-9);  // 20 = 4 + 2 + 4 + 2 + 4 + 2 + 2
        QCOMPARE(dashedSegments(piece, {}).size(), 2);
    }

    void barsCoverALineAndMeetTheirNeighbours() {
        const QRectF plot(0, 0, 4, 100);
        ColumnBars bars = barsOf({QPolygonF(QList<QPointF>{{0.5, 10}, {3.5, 70}})}, plot, 1, {});
        QCOMPARE(bars.top.size(), std::size_t{4});
        QCOMPARE(bars.top[0], 10.0F);
        QCOMPARE(bars.bottom[0], 20.0F);
        QCOMPARE(bars.top[1], 20.0F);
        QCOMPARE(bars.bottom[3], 70.0F);
        bars = emptyBars(plot, 1);
        bars.top[0] = 0;
        bars.bottom[0] = 10;
        bars.top[1] = 30;
        bars.bottom[1] = 40;
        bars.top[3] = 30;
        bars.bottom[3] = 40;
        ColumnBars cut = bars;
        connectBars(bars, {false, false, false, false});
        QVERIFY(bars.bottom[0] >= bars.top[1]);
        QVERIFY(bars.top[2] <= bars.bottom[2]);
        connectBars(cut, {false, false, true, false});
        QVERIFY(cut.top[2] > cut.bottom[2]);
    }

    void bandsAreThoseOfTheMembers() {
        BandMaker maker;
        std::vector<double> values{4, 1, 3, 2};
        BandPoint band = maker.make(BandKind::Deviation, values);
        QCOMPARE(band.middle, 2.5);
        QVERIFY(std::abs(band.high - 2.5 - std::sqrt(5.0 / 3)) < 1e-12);
        QCOMPARE(band.members, 4);
        band = maker.make(BandKind::Quartiles, values);
        QCOMPARE(band.middle, 2.5);
        QCOMPARE(band.low, 1.75);
        QCOMPARE(band.high, 3.25);
        std::vector<double> one{7};
        band = maker.make(BandKind::Interval, one);
        QCOMPARE(band.low, 7.0);
        QVERIFY(std::isnan(band.deviation));
        std::vector<double> none;
        QVERIFY(std::isnan(maker.make(BandKind::Deviation, none).middle));
    }

    void theBootstrapIntervalCoversAsOftenAsItSays() {
        // Normal members: the percentile interval of 20 covers the mean a little under 95 %.
        BandMaker maker;
        Rng rng(11);
        constexpr int kTrials = 1500;
        int covered = 0;
        double width = 0;
        for (int trial = 0; trial < kTrials; ++trial) {
            std::vector<double> values(20);
            for (double& value : values)
                value = std::sqrt(-2 * std::log(1 - rng.uniform())) *
                        std::cos(6.283185307179586 * rng.uniform());
            const BandPoint band = maker.make(BandKind::Interval, values);
            covered += band.low <= 0 && band.high >= 0;
            width += (band.high - band.low) / kTrials;
        }
        const double share = covered / static_cast<double>(kTrials);
        // Theory: 0.93 with a standard error of 0.007.
        QVERIFY2(share > 0.90 && share < 0.96, qPrintable(QString::number(share)));
        // 2 x 1.96 sqrt(19 / 20) / sqrt(20), the mean of the sample deviation being 0.987.
        QVERIFY2(std::abs(width - 0.843) < 0.03, qPrintable(QString::number(width)));
    }

    void extremesOfAMillionPointsAreInThePicture() {
        ChartContent content;
        content.series.emplace_back();
        std::vector<double> x;
        std::vector<double> y;
        for (int i = 0; i < 1000000; ++i) {
            x.push_back(i);
            y.push_back(0);
        }
        y[123457] = 5;
        y[765433] = -5;
        content.series[0].points.append(x, y);
        ChartView view;
        BandMaker bands;
        const QRectF plot(52, 36, 900, 400);
        const ChartGeometry geometry(plot, axis(0, 999999), axis(-5, 5));
        const DrawnChart chart = drawnChart(content, view, geometry, bands);
        QCOMPARE(chart.points, std::int64_t{1000000});
        QCOMPARE(chart.perColumn, std::int64_t{1111});
        const ColumnBars& bars = chart.lines[0].bars;
        QCOMPARE(bars.top.size(), std::size_t{900});
        const auto column = [&](double value) {
            return static_cast<std::size_t>(geometry.pixelX(value) - plot.left());
        };
        QCOMPARE(bars.top[column(123457)], 36.0F);
        QCOMPARE(bars.bottom[column(765433)], 436.0F);
        QCOMPARE(bars.top[500], 236.0F);
    }
};

ORRERY_WINDOW_TEST(ChartPartsTest)
#include "chart_parts_test.moc"
