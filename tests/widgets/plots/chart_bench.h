#pragma once

#include <QApplication>
#include <QDir>
#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>
#include <memory>
#include <vector>

#include "tests/widgets/quiet.h"
#include "widgets/common/style.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_readout.h"

namespace orrery {

/// A chart that is driven with mouse and keys.
class ChartBench {
protected:
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
    void makeChart() {
        applyTheme(*qApp, ThemeChoice::Dark);
        m_chart = std::make_unique<Chart>(QStringLiteral("error"));
    }
};

}  // namespace orrery
