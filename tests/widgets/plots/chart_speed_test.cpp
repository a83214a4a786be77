#include <QApplication>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "core/base/rng.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/common/style.h"
#include "widgets/plots/chart.h"

using namespace orrery;

namespace {

constexpr std::size_t kPoints = 10000000;
constexpr double kFrameMs = 16.7;

double percentile(std::vector<double> values, double part) {
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

/// Four noisy curves of 10^7 points each, appended in parts as a run would.
void fill(Chart& chart) {
    constexpr std::size_t kPart = 100000;
    std::vector<SeriesHandle> series;
    series.reserve(4);
    for (int s = 0; s < 4; ++s)
        series.push_back(chart.addSeries({.name = QStringLiteral("series %1").arg(s), .color = s}));
    std::vector<double> x(kPart);
    std::vector<double> y(kPart);
    Rng rng(3, 0);
    for (std::size_t begin = 0; begin < kPoints; begin += kPart) {
        for (std::size_t i = 0; i < kPart; ++i) {
            x[i] = static_cast<double>(begin + i);
            y[i] = 2 * std::sin(x[i] * 3e-6) + rng.uniform();
        }
        for (const SeriesHandle each : series) {
            chart.append(each, x, y);
            for (double& value : y) value += 1;  // the next one is above it
        }
    }
}

}  // namespace

/// The budget of a frame at 10^7 points x 4 series, 1,920 columns, driven by mouse and keys.
class ChartSpeedTest : public QObject {
    Q_OBJECT

private:
    Chart m_chart{QStringLiteral("speed")};

    void settle() {
        m_chart.finishFrame();  // a screen's 60 a second are not waited for
        QTRY_VERIFY_WITH_TIMEOUT(m_chart.isSettled(), kPatience);
    }
    void wheel(const QPointF& at, int notches) {
        QWheelEvent event(at, m_chart.mapToGlobal(at), {}, QPoint(0, 120 * notches), {},
                          Qt::ControlModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&m_chart, &event);
        settle();
    }
    void move(const QPointF& at, Qt::MouseButtons buttons) {
        QMouseEvent event(QEvent::MouseMove, at, m_chart.mapToGlobal(at), Qt::NoButton, buttons,
                          Qt::NoModifier);
        QCoreApplication::sendEvent(&m_chart, &event);
        settle();
    }
    /// Zooms in and out, pans and walks with the crosshair.
    void work() {
        const QRectF plot = m_chart.plotRect();
        for (int round = 0; round < 3; ++round) {
            const QPointF at(plot.left() + plot.width() * (0.3 + 0.2 * round), plot.center().y());
            for (int k = 0; k < 30; ++k) wheel(at, 1);
            QTest::mousePress(&m_chart, Qt::LeftButton, {}, at.toPoint());
            for (int k = 1; k <= 30; ++k) move(at - QPointF(9 * k, 0), Qt::LeftButton);
            QTest::mouseRelease(&m_chart, Qt::LeftButton, {}, (at - QPointF(270, 0)).toPoint());
            for (int k = 0; k < 30; ++k) wheel(at, -1);
            for (int k = 0; k < 30; ++k) move(plot.topLeft() + QPointF(60 * k, 100), {});
            QTest::keyClick(&m_chart, Qt::Key_F);
            settle();
        }
    }
    void measure(const char* what) {
        m_chart.takeFrameTimes();
        work();
        const std::vector<double> times = m_chart.takeFrameTimes();
        const double median = percentile(times, 0.5), p95 = percentile(times, 0.95);
        qInfo("%s: %zu frames, CPU ms median %.2f, p95 %.2f, p99 %.2f, most %.2f", what,
              times.size(), median, p95, percentile(times, 0.99), percentile(times, 1));
        QVERIFY(times.size() > 300);
        // The p99 is for a quiet machine: tests/perf measures it. Other work, on a virtual machine
        // that of neighbours too, costs even CPU time, a single frame up to twice its own.
        QVERIFY2(median <= kFrameMs, "half of the frames take too long");
        QVERIFY2(p95 <= 2 * kFrameMs, "a frame takes too long");
    }

private Q_SLOTS:
    void initTestCase() {
        applyTheme(*qApp, ThemeChoice::Dark);
        fill(m_chart);
        m_chart.resize(1920 + 68, 700);
        m_chart.show();
        m_chart.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&m_chart, kPatience));
        m_chart.setFocus();
        settle();
        QCOMPARE(m_chart.plotRect().width(), 1920.0);
        QCOMPARE(m_chart.content().numPoints(), static_cast<std::int64_t>(4 * kPoints));
    }

    void aFrameIsDrawnInTimeWithoutSmoothing() { measure("no smoothing"); }

    void aFrameIsDrawnInTimeWithRawUnderSmooth() {
        m_chart.setSmoothing({SmoothingKind::Ema, 10000});
        settle();
        measure("EMA");
        const double each =
            static_cast<double>(m_chart.content().bytes()) / static_cast<double>(4 * kPoints);
        qInfo("%.2f bytes a point with the smoothed line", each);
        QVERIFY(each <= 14);
    }

    void aFrameIsDrawnInTimeOnLogarithmicAxes() {
        m_chart.setScales(ScaleKind::Log, ScaleKind::Log);
        settle();
        measure("EMA, log-log");
        m_chart.setScales(ScaleKind::Linear, ScaleKind::Linear);
    }

    void aFrameIsDrawnInTimeWithMedianAndEnvelope() {
        for (const SmoothingKind kind : {SmoothingKind::Median, SmoothingKind::Envelope}) {
            m_chart.setSmoothing({kind, 10000});
            settle();
            measure(kind == SmoothingKind::Median ? "median" : "envelope");
            if (QTest::currentTestFailed()) return;
        }
    }

    void aPictureSaysHowItWasReduced() {
        m_chart.setSmoothing({SmoothingKind::Ema, 100000});
        QTest::keyClick(&m_chart, Qt::Key_F);
        settle();
        QVERIFY(m_chart.accessibleDescription().contains(QStringLiteral(
            "40\u202f000\u202f000 points, drawn as min and max of 5\u202f208 each")));
        const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES");
        if (!folder.isEmpty())
            QVERIFY(m_chart.grab().save(folder + QStringLiteral("/chart-ten-million.png")));
    }
};

ORRERY_WINDOW_TEST(ChartSpeedTest)
#include "chart_speed_test.moc"
