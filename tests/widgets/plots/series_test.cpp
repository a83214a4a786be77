#include "widgets/plots/series.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "tests/support/test_program.h"
#include "widgets/plots/packed_steps.h"
#include "widgets/plots/smoothing.h"

using namespace orrery;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Points {
    std::vector<double> x, y;

    Series series(std::size_t part) const {
        Series made;
        for (std::size_t i = 0; i < x.size(); i += part) {
            const std::size_t count = std::min(part, x.size() - i);
            made.append(std::span(x).subspan(i, count), std::span(y).subspan(i, count));
        }
        return made;
    }
};

/// Kinds of x: 0 every step, 1 whole numbers with gaps and repeats, 2 wall times to the
/// microsecond, 3 wild doubles.
Points randomPoints(Rng& rng, std::size_t count, int kind, double badShare) {
    Points points;
    double x = kind == 3 ? -1e6 : 0;
    for (std::size_t i = 0; i < count; ++i) {
        points.x.push_back(x);
        if (kind == 0) x += 10;
        if (kind == 1) x += static_cast<double>(rng.below(4));
        if (kind == 2) x = std::round(x * 1e6 + 2000 * rng.uniform()) / 1e6;
        if (kind == 3) x += std::exp(20 * rng.uniform() - 10);
        double y = 4 * rng.uniform() - 1;
        if (rng.uniform() < badShare) y = rng.below(2) == 0 ? kNaN : -kInf;
        points.y.push_back(y);
    }
    return points;
}

SeriesColumn naiveColumn(const Points& points, double left, double right, bool isLast) {
    SeriesColumn column;
    bool isBegun = false;
    for (std::size_t i = 0; i < points.x.size(); ++i) {
        if (points.x[i] < left) {
            column.begin = column.end = static_cast<std::int64_t>(i) + 1;
            continue;
        }
        if (points.x[i] > right || (points.x[i] == right && !isLast)) break;
        column.end = static_cast<std::int64_t>(i) + 1;
        const double y = points.y[i];
        if (!std::isfinite(y)) {
            ++column.extent.notFinite;
            continue;
        }
        if (!isBegun) column.first = y;
        isBegun = true;
        column.last = y;
        ++column.extent.finite;
        column.extent.sum += y;
        column.extent.least = std::min(column.extent.least, y);
        column.extent.most = std::max(column.extent.most, y);
        if (y > 0) column.extent.leastPositive = std::min(column.extent.leastPositive, y);
        if (y <= 0) ++column.extent.notPositive;
    }
    return column;
}

bool isSame(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

void compareColumns(const SeriesColumn& a, const SeriesColumn& b) {
    QCOMPARE(a.begin, b.begin);
    QCOMPARE(a.end, b.end);
    QVERIFY(isSame(a.first, b.first));
    QVERIFY(isSame(a.last, b.last));
    QCOMPARE(a.extent.least, b.extent.least);
    QCOMPARE(a.extent.most, b.extent.most);
    QCOMPARE(a.extent.leastPositive, b.extent.leastPositive);
    QCOMPARE(a.extent.finite, b.extent.finite);
    QCOMPARE(a.extent.notFinite, b.extent.notFinite);
    QCOMPARE(a.extent.notPositive, b.extent.notPositive);
    // Sums of at most 20,000 values below 3 in another order.
    QVERIFY(std::abs(a.extent.sum - b.extent.sum) < 1e-8);
}

double naiveEma(const Points& points, double window, std::size_t at) {
    double sum = 0;
    double weights = 0;
    for (std::size_t i = 0; i <= at; ++i) {
        if (!std::isfinite(points.y[i])) continue;
        const double weight = std::exp((points.x[i] - points.x[at]) / window);
        sum += weight * points.y[i];
        weights += weight;
    }
    return sum / weights;
}

}  // namespace

class SeriesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void columnsEqualANaiveScan_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("badShare");
        for (int kind = 0; kind < 4; ++kind) {
            QTest::addRow("kind of x %d", kind) << kind << 0.0;
            QTest::addRow("kind of x %d, a tenth not finite", kind) << kind << 0.1;
        }
        QTest::newRow("nothing finite") << 1 << 1.0;
    }
    void columnsEqualANaiveScan() {
        QFETCH(int, kind);
        QFETCH(double, badShare);
        Rng rng(4, static_cast<std::uint64_t>(kind));
        for (const std::size_t count : {std::size_t{1}, std::size_t{63}, std::size_t{64},
                                        std::size_t{1025}, std::size_t{20000}}) {
            const Points points = randomPoints(rng, count, kind, badShare);
            const Series series = points.series(1 + rng.below(3000));
            QCOMPARE(series.size(), static_cast<std::int64_t>(count));
            const double low = points.x.front();
            const double size = points.x.back() - low + 1;
            for (int k = 0; k < 6; ++k) {
                const double from = low + size * (1.2 * rng.uniform() - 0.1);
                const double width = size * std::pow(10, -3 * rng.uniform());
                std::vector<double> edges;
                for (int e = 0; e <= 20; ++e) edges.push_back(from + width * e / 20);
                const std::vector<SeriesColumn> columns = series.columns(edges);
                QCOMPARE(columns.size(), std::size_t{20});
                for (std::size_t c = 0; c < 20; ++c)
                    compareColumns(columns[c],
                                   naiveColumn(points, edges[c], edges[c + 1], c == 19));
            }
        }
    }

    void reachesAreTheExtremesOfColumns() {
        Rng rng(9);
        Points points = randomPoints(rng, 300000, 0, 0.01);
        points.y[123456] = 1e6;
        points.y[200001] = -1e6;
        const Series series = points.series(4096);
        for (const int columns : {7, 2000}) {  // more and fewer than 256 points each
            std::vector<double> edges;
            for (int e = 0; e <= columns; ++e) edges.push_back(2.99e6 * e / columns);
            const std::vector<SeriesColumn> exact = series.columns(edges);
            const std::vector<SeriesReach> reaches = series.reaches(series.pointEdges(edges));
            int same = 0;
            double least = 0;
            double most = 0;
            for (std::size_t c = 0; c < reaches.size(); ++c) {
                same += reaches[c].least == exact[c].extent.least &&
                        reaches[c].most == exact[c].extent.most;
                least = std::min(least, reaches[c].least);
                most = std::max(most, reaches[c].most);
            }
            if (columns == 2000) QCOMPARE(same, columns);
            QCOMPARE(least, -1e6);
            QCOMPARE(most, 1e6);
        }
    }

    void everyPointIsGivenBackExactly_data() {
        QTest::addColumn<int>("kind");
        for (int kind = 0; kind < 4; ++kind) QTest::addRow("kind of x %d", kind) << kind;
    }
    void everyPointIsGivenBackExactly() {
        QFETCH(int, kind);
        Rng rng(5);
        const Points points = randomPoints(rng, 5000, kind, 0.02);
        const Series series = points.series(700);
        for (std::size_t i = 0; i < points.x.size(); ++i) {
            const auto index = static_cast<std::int64_t>(i);
            QCOMPARE(series.x(index), points.x[i]);
            QVERIFY(isSame(series.y(index), points.y[i]));
        }
        QCOMPARE(series.lastX(), points.x.back());
    }

    void statisticsEqualThoseOfTwoPasses() {
        Rng rng(6);
        Points points = randomPoints(rng, 10000, 0, 0.05);
        for (double& y : points.y) y = 1e6 + y;  // a mean far above the spread
        const Series series = points.series(10000);
        for (const auto& [begin, end] :
             {std::pair<std::int64_t, std::int64_t>{0, 10000}, {17, 9001}, {5000, 5003}}) {
            double sum = 0;
            double count = 0;
            for (std::int64_t i = begin; i < end; ++i)
                if (std::isfinite(series.y(i))) sum += series.y(i), ++count;
            double squares = 0;
            for (std::int64_t i = begin; i < end; ++i)
                if (std::isfinite(series.y(i)))
                    squares += (series.y(i) - sum / count) * (series.y(i) - sum / count);
            const SeriesStatistics statistics = series.statistics(begin, end);
            QVERIFY(std::abs(statistics.mean - sum / count) < 1e-9 * 1e6);
            const double deviation = std::sqrt(squares / (count - 1));
            QVERIFY(std::abs(statistics.deviation - deviation) < 1e-6 * deviation);
        }
        QVERIFY(std::isnan(series.statistics(3, 4).deviation));
        QVERIFY(std::isnan(series.statistics(4, 4).mean));
    }

    void aStepBackIsRefusedAndNothingIsTaken() {
        Series series;
        series.append(std::vector{1.0, 2.0}, std::vector{0.0, 0.0});
        try {
            series.append(std::vector{3.0, 2.5}, std::vector{0.0, 0.0});
            QFAIL("took a step back");
        } catch (const Error& error) {
            QVERIFY(QByteArray(error.what()).contains("series of its own"));
        }
        QCOMPARE(series.size(), std::int64_t{2});
        QVERIFY_THROWS_EXCEPTION(Error, series.append(std::vector{kNaN}, std::vector{0.0}));
    }

    void memoryIsAtMost14BytesAPointWithSmoothing_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("every tenth step") << 0;
        QTest::newRow("steps with gaps") << 1;
        QTest::newRow("wall times, a thousand a second") << 2;
    }
    void memoryIsAtMost14BytesAPointWithSmoothing() {
        QFETCH(int, kind);
        constexpr std::size_t kMany = 3000000;
        Rng rng(7);
        const Points points = randomPoints(rng, kMany, kind, 0);
        const Series series = points.series(1000);
        EmaLine ema(100);
        QCOMPARE(ema.advance(series, series.size()), std::int64_t{0});
        const double each = static_cast<double>(series.bytes() + ema.bytes()) / kMany;
        qInfo("%.2f bytes a point, %.2f with smoothing",
              static_cast<double>(series.bytes()) / kMany, each);
        QVERIFY(each <= 14.0);
    }

    void theExponentialMeanIsThatOfAllWeights() {
        Rng rng(8);
        for (const int kind : {0, 1, 2}) {
            const Points points = randomPoints(rng, 700, kind, 0.1);
            const double window = kind == 2 ? 0.02 : 25;
            const Series series = points.series(64);
            EmaLine ema(window);
            while (ema.advance(series, 100) > 0) continue;
            for (const std::size_t at : {std::size_t{5}, std::size_t{64}, std::size_t{699}}) {
                const double naive = naiveEma(points, window, at);
                const double fast = ema.at(series, static_cast<std::int64_t>(at));
                if (std::isnan(naive))
                    QVERIFY(std::isnan(fast));
                else
                    QVERIFY(std::abs(naive - fast) < 1e-10);
            }
            const EmaLine::Range range =
                ema.ranges(series, std::vector<std::int64_t>{10, 30, 110, 110, 130, 140})[1];
            double least = kInf;
            double most = -kInf;
            for (std::int64_t i = 30; i < 110; ++i) {
                least = std::min(least, ema.at(series, i));
                most = std::max(most, ema.at(series, i));
            }
            QCOMPARE(range.least, least);
            QCOMPARE(range.most, most);
            QCOMPARE(range.last, ema.at(series, 109));
        }
    }

    void aConstantStaysThatConstantUnderEverySmoothing() {
        const double constant = 0.1;
        Points points;
        for (int i = 0; i < 3000; ++i) {
            points.x.push_back(i * 7);
            points.y.push_back(i % 50 == 3 ? kNaN : constant);
        }
        const Series series = points.series(3000);
        EmaLine ema(33);
        QCOMPARE(ema.advance(series, 10), series.size() - 10);
        // Who exports wants all that is missing.
        QCOMPARE(ema.advance(series, std::numeric_limits<std::int64_t>::max()), 0);
        MedianLine median(100);
        for (std::int64_t i = 0; i < series.size(); i += 11) {
            QCOMPARE(ema.at(series, i), constant);
            QCOMPARE(median.at(series, series.x(i)), constant);
        }
        const EmaLine::Range range = ema.ranges(series, std::vector<std::int64_t>{0, 3000})[0];
        QCOMPARE(range.least, constant);
        QCOMPARE(range.most, constant);
        const SeriesExtent envelope = series.extent(100, 2000);
        QCOMPARE(envelope.least, constant);
        QCOMPARE(envelope.most, constant);
    }

    void theMedianIsThatOfTheWindow() {
        const Points points{{0, 1, 2, 3, 4, 5}, {9, 1, 5, kNaN, 2, 8}};
        const Series series = points.series(6);
        MedianLine median(4);
        QCOMPARE(median.at(series, 2), 3.5);  // 9 1 5 2
        QCOMPARE(median.at(series, 0), 5.0);  // 9 1 5
        QCOMPARE(median.at(series, 5), 5.0);  // 2 8
        QVERIFY(std::isnan(median.at(series, -1)));
        QCOMPARE(median.stride(), std::int64_t{1});
    }

    void aFactorOfTheExponentialMeanIsAWindow() {
        QVERIFY(std::abs(std::exp(-1 / emaWindowOf(0.9)) - 0.9) < 1e-15);
    }
};

ORRERY_TEST(SeriesTest)
#include "series_test.moc"
