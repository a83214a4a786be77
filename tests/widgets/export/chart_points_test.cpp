#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <thread>

#include "app/window/export_chart.h"
#include "core/base/cpu.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/figure/figure_writer.h"
#include "widgets/plots/chart.h"

using namespace orrery;

namespace {

constexpr std::int64_t kMany = 10'000'000;
/// The window's thread is never blocked for longer, ms.
constexpr double kBlockedMs = 50;

/// The least CPU time of some tries, ms: other work on the machine only adds.
template <typename Work>
double leastOf(int tries, const Work& work) {
    double least = INFINITY;
    for (int i = 0; i < tries; ++i) {
        const double begin = threadCpuMs();
        work();
        least = std::min(least, threadCpuMs() - begin);
    }
    return least;
}

}  // namespace

/// What an export takes from a chart of 10^7 points, and how long that holds up the window.
class ChartPointsTest : public QObject {
    Q_OBJECT

    Chart m_chart{QStringLiteral("many")};
    SeriesHandle m_series = -1;

    void append(std::int64_t begin, std::int64_t end) {
        std::vector<double> x, y;
        for (std::int64_t i = begin; i < end; ++i) {
            x.push_back(static_cast<double>(i));
            y.push_back(std::sin(static_cast<double>(i) * 1e-5));
        }
        m_chart.append(m_series, x, y);
    }

private Q_SLOTS:
    void initTestCase() {
        loadIcons();
        applyTheme(*qApp, ThemeChoice::Light);
        m_chart.setTitle(QStringLiteral("many"));
        m_series = m_chart.addSeries({.name = QStringLiteral("line")});
        for (std::int64_t i = 0; i < kMany; i += 1'000'000) append(i, i + 1'000'000);
        m_chart.resize(960, 540);
        m_chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&m_chart, kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(m_chart.isSettled(), kPatience);
    }

    void takingThePointsDoesNotHoldUpTheWindow() {
        ChartPoints points;
        const double took = leastOf(3, [&] { points = pointsOf(m_chart, true); });
        qInfo("%lld points taken in %.2f ms", static_cast<long long>(points.rows()), took);
        QCOMPARE(points.rows(), kMany);
        QVERIFY(took < kBlockedMs);
    }

    /// A worker writes what was there, while the chart goes on.
    void aWorkerWritesWhatWasThereWhileTheChartGoesOn() {
        const QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("points.npz")).toStdString();
        bool isWhole = false;
        const auto points = std::make_shared<const ChartPoints>(pointsOf(m_chart, true));
        std::jthread worker([&, points] { isWhole = writeChartArrays(*points, file, {}, {}); });
        for (std::int64_t i = 0; i < 200; ++i) append(kMany + i * 500, kMany + (i + 1) * 500);
        worker.join();
        QVERIFY(isWhole);
        QCOMPARE(points->rows(), kMany);
        QCOMPARE(m_chart.content().numPoints(), kMany + 100'000);
        QCOMPARE(points->lines.front().points.size(), kMany);
        QCOMPARE(points->lines.front().points.lastX(), static_cast<double>(kMany - 1));
        // Two arrays of 8 bytes a point.
        QVERIFY(QFile(QString::fromStdString(file)).size() > 16 * kMany);
        QVERIFY(QFile(QString::fromStdString(file)).size() < 16 * kMany + 10'000);
    }

    /// The drawing is all that the window's thread does; the many pixels are a worker's.
    void drawingAFigureDoesNotHoldUpTheWindow() {
        Figure page;
        page.width = 200;
        page.height = 120;
        page.dpi = 600;
        std::shared_ptr<const FigureDrawing> drawing;
        for (const FigureFormat format : {FigureFormat::Png, FigureFormat::Svg}) {
            const double took = leastOf(
                3, [&] { drawing = std::make_shared<const FigureDrawing>(m_chart, page, format); });
            QByteArray bytes;
            double made = 0;
            std::jthread([&] {
                bytes = drawing->bytes();
                made = threadCpuMs();
            }).join();
            qInfo("%s: drawn in %.1f ms, made in %.1f ms by a worker", qPrintable(endingOf(format)),
                  took, made);
            QVERIFY(bytes.size() > 2000);
            QVERIFY(took < kBlockedMs);
            if (format == FigureFormat::Png) {
                const QImage image = QImage::fromData(bytes);
                QCOMPARE(image.width(), 4724);
            }
        }
    }
};

ORRERY_WINDOW_TEST(ChartPointsTest)
#include "chart_points_test.moc"
