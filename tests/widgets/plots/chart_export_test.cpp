#include "widgets/plots/chart_export.h"

#include <QApplication>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <cmath>

#include "core/base/error.h"
#include "tests/widgets/plots/chart_samples.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"

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

    void aPngHasItsSizeInMillimetres() {
        const QString file = path("figure.png");
        m_chart.exportFigure(file, {.widthMm = 120, .heightMm = 70, .dotsPerInch = 300});
        const QImage image(file);
        QVERIFY(std::abs(image.width() - 120 / 25.4 * 300) <= 4);
        QVERIFY(std::abs(image.height() - 70 / 25.4 * 300) <= 4);
        QVERIFY(std::abs(image.width() / (image.dotsPerMeterX() / 1000.0) - 120) < 0.5);
        QCOMPARE(image.pixelColor(2, 2), lightTokens().canvas);
        // The exact line crosses the right half alone, in its colour.
        bool isFound = false;
        for (int y = 0; y < image.height(); ++y)
            isFound |= image.pixelColor(image.width() * 3 / 10, y) == lightTokens().ok;
        QVERIFY(isFound);
    }

    void anSvgHasRealTextWithTitleUnitAndLegend() {
        const QString file = path("figure.svg");
        m_chart.exportFigure(file, {.widthMm = 90, .heightMm = 60});
        QXmlStreamReader reader(contentOf(file));
        QStringList texts;
        int paths = 0;
        QString width;
        while (!reader.atEnd()) {
            reader.readNext();
            if (!reader.isStartElement()) continue;
            if (reader.name() == QLatin1String("svg"))
                width = reader.attributes().value(QLatin1String("width")).toString();
            if (reader.name() == QLatin1String("text")) texts << reader.readElementText().trimmed();
            if (reader.name() == QLatin1String("path") ||
                reader.name() == QLatin1String("polyline"))
                ++paths;
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QVERIFY(width.endsWith(QLatin1String("mm")));
        QVERIFY(std::abs(width.chopped(2).toDouble() - 90) < 0.5);
        QVERIFY(texts.contains(QStringLiteral("Error to exact")));
        QVERIFY(texts.contains(QStringLiteral("mean |learned − exact|")));
        QVERIFY(texts.contains(QStringLiteral("V")) && texts.contains(QStringLiteral("r")));
        QVERIFY(texts.contains(QStringLiteral("limit 0.050")));
        QVERIFY(texts.contains(QStringLiteral("10k")));
        QVERIFY(paths > 4);
        QVERIFY(!contentOf(file).contains("<image"));
    }

    void aPdfHasItsFontsAndIsNoPicture() {
        const QString file = path("figure.pdf");
        m_chart.exportFigure(file, {.widthMm = 150, .heightMm = 80});
        const QByteArray pdf = contentOf(file);
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY(pdf.contains("/FontFile2") || pdf.contains("/FontFile3"));
        QVERIFY(pdf.contains("/ToUnicode"));
        QVERIFY(!pdf.contains("/Subtype /Image"));
        // 150 x 80 mm in points.
        QVERIFY(pdf.contains("/MediaBox [0 0 425") ||
                pdf.contains("/MediaBox [0.000000 0.000000 425"));
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
        QCOMPARE(lines[0].trimmed(),
                 QByteArray("series,step,Error to exact [mean |learned − exact|],smoothed"));
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

    void whatCannotBeWrittenIsAnErrorThatSaysWhatToDo() {
        const auto textOf = [&](const QString& file, const FigureSpec& spec) {
            try {
                m_chart.exportFigure(file, spec);
            } catch (const Error& error) {
                return QByteArray(error.what());
            }
            return QByteArray();
        };
        QVERIFY(textOf(path("figure.bmp"), {}).contains("use .png, .svg or .pdf"));
        QVERIFY(textOf(path("figure.png"), {.widthMm = 1}).contains("40 x 30"));
        QVERIFY(
            textOf(QStringLiteral("/nowhere/at/all.png"), {}).contains("Choose another folder"));
        QVERIFY_EXCEPTION_THROWN(m_chart.exportData(path("points.xlsx"), {}), Error);
    }
};

QTEST_MAIN(ChartExportTest)
#include "chart_export_test.moc"
