#include "widgets/plots/chart_export.h"

#include <QApplication>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "tests/widgets/plots/chart_samples.h"
#include "widgets/common/style.h"

using namespace orrery;

/// What a chart writes to files.
class ChartExportTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    Chart m_chart{QStringLiteral("error")};

    QString path(const char* name) {
        const QString kept = qEnvironmentVariable("ORRERY_TEST_PICTURES");
        return kept.isEmpty() ? m_folder.filePath(QLatin1String(name))
                              : kept + QStringLiteral("/chart-") + QLatin1String(name);
    }
    static QByteArray contentOf(const QString& file) {
        QFile in(file);
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }

private Q_SLOTS:
    void initTestCase() {
        applyTheme(*qApp, ThemeChoice::Dark);
        fillErrorChart(m_chart);
        m_chart.setReferences({{QStringLiteral("limit"), 0.05}});
    }

    void aTableHasARowForEachPointInViewWithAllDigits() {
        AxisView x = m_chart.view().x;
        x.isFitted = false;
        x.low = 20000;
        x.high = 20100;
        m_chart.followX(x);
        const QString file = path("points.csv");
        QCOMPARE(m_chart.exportData(file, {}), std::int64_t{22});  // 11 points of each line
        const QList<QByteArray> lines = contentOf(file).split('\n');
        QCOMPARE(lines.size(), 1 + 22 + 1);
        QCOMPARE(lines[0].trimmed(), QByteArray("series,step,Error to exact [mean |learned − "
                                                "exact|],exponential mean over 400 steps"));
        const QList<QByteArray> cells = lines[1].trimmed().split(',');
        QCOMPARE(cells[0], QByteArray("V_h^e"));
        QCOMPARE(cells[1].toDouble(), 20000.0);
        const Series& points = m_chart.content().series[0].points;
        QCOMPARE(cells[2].toDouble(), points.y(2000));
        QCOMPARE(cells[3].toDouble(), m_chart.content().series[0].ema->at(points, 2000));
        QVERIFY(lines[1].endsWith("\r"));
        QCOMPARE(m_chart.exportData(path("points.tsv"), {.isAll = true}),
                 m_chart.content().numPoints());
        x.isFitted = true;
        m_chart.followX(x);
    }

    void anUnknownEndingIsRefused() {
        QVERIFY_THROWS_EXCEPTION(Error, m_chart.exportData(path("points.xlsx"), {}));
    }
};

ORRERY_WINDOW_TEST(ChartExportTest)
#include "chart_export_test.moc"
