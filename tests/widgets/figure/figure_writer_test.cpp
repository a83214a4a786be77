#include "widgets/figure/figure_writer.h"

#include <QApplication>
#include <QFile>
#include <QImage>
#include <QPainterPath>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <array>
#include <cmath>

#include "core/base/error.h"
#include "core/solve/solution.h"
#include "tests/support/test_program.h"
#include "tests/widgets/dag/plan_bench.h"
#include "tests/widgets/plots/chart_samples.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/level_bands.h"
#include "widgets/dag/state_view.h"
#include "widgets/world/world_panel.h"

using namespace orrery;

namespace {

struct SvgParts {
    QStringList texts;
    int paths = 0;
    int images = 0;
    double widthMm = 0, heightMm = 0;
    QString trouble;

    bool has(const QString& text) const { return texts.join(u' ').contains(text); }
};

SvgParts partsOf(const QByteArray& svg) {
    SvgParts parts;
    QXmlStreamReader reader(svg);
    const auto millimetres = [&](const char* name) {
        const QString text = reader.attributes().value(QLatin1String(name)).toString();
        return text.endsWith(QLatin1String("mm")) ? text.chopped(2).toDouble() : -1;
    };
    while (!reader.atEnd()) {
        reader.readNext();
        if (!reader.isStartElement()) continue;
        if (reader.name() == QLatin1String("svg")) {
            parts.widthMm = millimetres("width");
            parts.heightMm = millimetres("height");
        } else if (reader.name() == QLatin1String("text")) {
            parts.texts << reader.readElementText().trimmed();
        } else if (reader.name() == QLatin1String("image")) {
            ++parts.images;
        } else if (reader.name() == QLatin1String("path") ||
                   reader.name() == QLatin1String("polyline") ||
                   reader.name() == QLatin1String("rect")) {
            ++parts.paths;
        }
    }
    parts.trouble = reader.hasError() ? reader.errorString() : QString();
    return parts;
}

/// Width and height in points of a PDF's only page.
QSizeF mediaBoxOf(const QByteArray& pdf) {
    static const QRegularExpression kBox(
        QStringLiteral("/MediaBox \\[([-0-9.]+) ([-0-9.]+) ([-0-9.]+) ([-0-9.]+)\\]"));
    const auto match = kBox.match(QString::fromLatin1(pdf));
    return QSizeF(match.captured(3).toDouble() - match.captured(1).toDouble(),
                  match.captured(4).toDouble() - match.captured(2).toDouble());
}

/// The page's drawing in a PDF, unpacked.
QByteArray drawingOf(const QByteArray& pdf) {
    const QByteArray begin("stream\n"), end("\nendstream");
    for (qsizetype at = pdf.indexOf(begin); at >= 0; at = pdf.indexOf(begin, at)) {
        at += begin.size();
        // The size is only where qUncompress begins.
        const QByteArray size = QByteArray::fromHex("00100000");
        QByteArray text = qUncompress(size + pdf.mid(at, pdf.indexOf(end, at) - at));
        if (text.contains(" re\n") || text.contains(" m\n")) return text;
    }
    return {};
}

/// Sub-paths that a drawing closes without having begun them, with what stands before each.
QList<QByteArray> closedWithoutBeginning(const QByteArray& drawing) {
    QList<QByteArray> found, line;
    bool hasPoint = false;
    for (const QByteArray& word : drawing.simplified().split(' ')) {
        line += word;
        if (line.size() > 30) line.removeFirst();
        if (word == "m" || word == "re") hasPoint = true;
        if (word == "h" && !hasPoint) found += line.join(' ');
        for (const char* painted : {"S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "n"})
            if (word == painted) hasPoint = false;
    }
    return found;
}

/// Translucent shapes, with one of each kind that has no extent, and such of translucent pens.
class FadedShapes : public DrawsFigure {
public:
    QString figureId() const override { return QStringLiteral("faded"); }
    QString figureName() const override { return QStringLiteral("Faded"); }
    QString figureCaption() const override { return QStringLiteral("of five runs, raw values"); }
    QSizeF figureSize() const override { return {100, 100}; }
    bool hasFigure() const override { return true; }
    void paintFigure(QPainter& painter, const FigurePage&) override {
        painter.setOpacity(0.5);
        painter.setPen(QPen(Qt::black, 2));
        const QPointF at(20, 20);
        QPainterPath point(at);
        point.lineTo(at);
        painter.drawPath(point);
        painter.drawPath(QPainterPath());
        painter.drawLine(at, at);
        painter.drawRect(QRectF(at, QSizeF()));
        painter.drawEllipse(QRectF(at, QSizeF()));
        const std::array<QPointF, 3> same{at, at, at};
        painter.drawPolyline(same.data(), 3);
        for (int i = 0; i < 40; ++i) painter.drawRect(QRectF(at, QSizeF(i + 1, 30)));
        painter.setOpacity(1);
        for (const QPen& pen : {QPen(Qt::transparent), QPen(QColor(0, 0, 0, 90), 2),
                                QPen(QBrush(QLinearGradient(0, 0, 1, 1)), 2)}) {
            painter.setPen(pen);
            painter.drawLine(at, at);
            painter.drawPath(point);
            painter.drawPolyline(same.data(), 3);
        }
    }
};

int pixelsOf(const QImage& image, const QColor& color) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixelColor(x, y) == color) ++count;
    return count;
}

}  // namespace

/// What views draw on paper, in each format.
class FigureWriterTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    Chart m_chart{QStringLiteral("error")};
    std::unique_ptr<Bench> m_bench;
    std::unique_ptr<WorldPanel> m_world;

    static Figure page(double width, double height) {
        Figure figure;
        figure.width = width;
        figure.height = height;
        return figure;
    }
    void keep(const char* name, const QByteArray& bytes) {
        const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES");
        if (folder.isEmpty()) return;
        QFile file(folder + u'/' + QLatin1String(name));
        if (file.open(QIODevice::WriteOnly)) file.write(bytes);
    }

private Q_SLOTS:
    void initTestCase() {
        applyTheme(*qApp, ThemeChoice::Dark);
        fillErrorChart(m_chart);
        m_chart.setReferences({{QStringLiteral("limit"), 0.05}});
        m_bench = std::make_unique<Bench>();
        const LoadedWorld loaded = loadWorld("builtin:first_steps");
        const auto graph = explore(loaded.world, {});
        m_bench->open(loaded, solve(graph, {}));
        m_world = std::make_unique<WorldPanel>(&m_bench->session);
        m_bench->show(QSize(1200, 800));
        m_bench->settle();
        QTRY_VERIFY_WITH_TIMEOUT(m_world->isFigureReady(), kPatience);
    }
    void cleanupTestCase() {
        m_world.reset();
        m_bench.reset();
    }

    /// PDF has no closed path without a point; readers complain.
    void everyPathOfAPdfHasABeginning() {
        const auto drawn = [&](DrawsFigure& view) {
            return drawingOf(figureBytes(view, page(120, 80), FigureFormat::Pdf));
        };
        LevelBands bands(&m_bench->session);
        StateView states(&m_bench->session);
        FadedShapes faded;
        const std::array<DrawsFigure*, 5> views{&faded, &m_chart, m_world.get(), &bands, &states};
        for (DrawsFigure* view : views) {
            QTRY_VERIFY_WITH_TIMEOUT(view->isFigureReady(), kPatience);
            const QByteArray drawing = drawn(*view);
            QVERIFY2(drawing.size() > 1000, qPrintable(view->figureId()));
            const QList<QByteArray> bad = closedWithoutBeginning(drawing);
            QVERIFY2(bad.isEmpty(),
                     qPrintable(view->figureId() + u' ' + QString::number(bad.size()) + u' ' +
                                QString::fromLatin1(bad.value(0))));
        }
    }

    void aCaptionStandsBelowThePictureAndAFooterIsLeftOut() {
        FadedShapes faded;
        Figure figure = page(120, 80);
        QVERIFY(!partsOf(figureBytes(faded, figure, FigureFormat::Svg)).has("raw values"));
        figure.hasCaption = true;
        QVERIFY(partsOf(figureBytes(faded, figure, FigureFormat::Svg)).has("raw values"));
        const auto footer = [&] {
            return partsOf(figureBytes(m_chart, figure, FigureFormat::Svg)).has(" points");
        };
        QVERIFY(footer());
        figure.hasFooter = false;
        QVERIFY(!footer());
    }

    void aPngHasItsSizeInMillimetresAndTheLightColours() {
        Figure figure = page(120, 70);
        const QByteArray bytes = figureBytes(m_chart, figure, FigureFormat::Png);
        keep("chart.png", bytes);
        const QImage image = QImage::fromData(bytes);
        QCOMPARE(image.width(), static_cast<int>(std::lround(120 / 25.4 * 300)));
        QCOMPARE(image.height(), static_cast<int>(std::lround(70 / 25.4 * 300)));
        QCOMPARE(image.dotsPerMeterX(), 11811);
        QCOMPARE(image.pixelColor(2, 2), lightTokens().canvas);
        // The exact line crosses the right half alone, in its colour.
        bool isFound = false;
        for (int y = 0; y < image.height(); ++y)
            isFound |= image.pixelColor(image.width() * 3 / 10, y) == lightTokens().ok;
        QVERIFY(isFound);
        figure.isDark = true;
        const QImage dark = QImage::fromData(figureBytes(m_chart, figure, FigureFormat::Png));
        QCOMPARE(dark.pixelColor(2, 2), darkTokens().canvas);
    }

    void aChartAsSvgHasRealTextWithTitleUnitAndLegend() {
        const QByteArray bytes = figureBytes(m_chart, page(90, 60), FigureFormat::Svg);
        keep("chart.svg", bytes);
        const SvgParts parts = partsOf(bytes);
        QCOMPARE(parts.trouble, QString());
        QCOMPARE(parts.widthMm, 90.0);
        QCOMPARE(parts.heightMm, 60.0);
        QVERIFY(parts.texts.contains(QStringLiteral("Error to exact")));
        QVERIFY(parts.texts.contains(QStringLiteral("mean |learned − exact|, log")));
        QVERIFY(parts.texts.contains(QStringLiteral("V")) &&
                parts.texts.contains(QStringLiteral("r")));
        QVERIFY(parts.texts.contains(QStringLiteral("limit 0.050")));
        QVERIFY(parts.texts.contains(QStringLiteral("10k")));
        QVERIFY(parts.paths > 4);
        QCOMPARE(parts.images, 0);
    }

    void withoutALegendItsNamesAreGone() {
        Figure figure = page(150, 80);
        const auto count = [&] {
            const SvgParts parts = partsOf(figureBytes(m_chart, figure, FigureFormat::Svg));
            return parts.texts.count(QStringLiteral("r"));
        };
        const auto with = count();
        figure.hasLegend = false;
        QVERIFY(count() < with);
    }

    void aPdfHasItsSizeAndItsFonts() {
        const QByteArray pdf = figureBytes(m_chart, page(150, 80), FigureFormat::Pdf);
        keep("chart.pdf", pdf);
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY(pdf.contains("/FontFile2") || pdf.contains("/FontFile3"));
        QVERIFY(pdf.contains("/ToUnicode"));
        QVERIFY(!pdf.contains("/Subtype /Image"));
        const QSizeF box = mediaBoxOf(pdf);
        QVERIFY2(std::abs(box.width() - 150 / 25.4 * 72) < 0.6,
                 qPrintable(QString::number(box.width())));
        QVERIFY(std::abs(box.height() - 80 / 25.4 * 72) < 0.6);
    }

    void theTextSizeChangesTheTextAndNotThePage() {
        Figure figure = page(120, 80);
        figure.font = 6;
        const SvgParts small = partsOf(figureBytes(*m_world, figure, FigureFormat::Svg));
        const QSizeF units = figureUnits(figure);
        figure.font = 12;
        const SvgParts large = partsOf(figureBytes(*m_world, figure, FigureFormat::Svg));
        QCOMPARE(small.widthMm, large.widthMm);
        QVERIFY(std::abs(units.width() - 2 * figureUnits(figure).width()) < 1e-9);
        // 11 units are 8.25 points where the font is 8.25 points: a pixel is 1/96 inch.
        figure.font = 8.25;
        QVERIFY(std::abs(figureUnits(figure).width() - 120 / 25.4 * 96) < 1e-9);
    }

    void theWorldHasItsTitleColourBarAndLegend() {
        Figure figure = page(140, 110);
        figure.title = m_world->figureTitle();
        const QByteArray bytes = figureBytes(*m_world, figure, FigureFormat::Svg);
        keep("world.svg", bytes);
        const SvgParts parts = partsOf(bytes);
        QCOMPARE(parts.trouble, QString());
        QVERIFY(parts.has(m_world->figureTitle()));
        QVERIFY(parts.has(QStringLiteral("human")) && parts.has(QStringLiteral("wall")));
        QVERIFY(parts.has(QStringLiteral("Colours: ")));
        QVERIFY(parts.has(QStringLiteral("auto range")));
        keep("world.png", figureBytes(*m_world, figure, FigureFormat::Png));
        keep("world.pdf", figureBytes(*m_world, figure, FigureFormat::Pdf));
        figure.hasLegend = false;
        QVERIFY(!partsOf(figureBytes(*m_world, figure, FigureFormat::Svg))
                     .has(QStringLiteral("Colours: ")));
    }

    void levelBandsHaveAxesKeysAndCellsAsShapes() {
        LevelBands& bands = *m_bench->bands;
        QVERIFY(bands.hasFigure());
        Figure figure = page(160, 70);
        figure.title = bands.figureTitle();
        const QByteArray bytes = figureBytes(bands, figure, FigureFormat::Svg);
        keep("bands.svg", bytes);
        keep("bands.png", figureBytes(bands, figure, FigureFormat::Png));
        const SvgParts parts = partsOf(bytes);
        QCOMPARE(parts.trouble, QString());
        QVERIFY(parts.has(QStringLiteral("level")));
        QVERIFY(parts.has(QStringLiteral("current state")));
        QVERIFY(parts.has(QStringLiteral("number of states in a cell")));
        QCOMPARE(parts.images, 0);
        // The window's picture is not touched by the figure's other theme and size.
        const QImage before = bands.canvas()->grab().toImage();
        figureBytes(bands, figure, FigureFormat::Png);
        QCOMPARE(bands.canvas()->grab().toImage(), before);
    }

    void theGraphAroundTheStateIsDrawnWithVectorWorlds() {
        StateView& states = *m_bench->states;
        Figure figure = page(170, 110);
        figure.title = states.figureTitle();
        const QByteArray bytes = figureBytes(states, figure, FigureFormat::Svg);
        keep("states.svg", bytes);
        keep("states.png", figureBytes(states, figure, FigureFormat::Png));
        const SvgParts parts = partsOf(bytes);
        QCOMPARE(parts.trouble, QString());
        QCOMPARE(parts.images, 0);
        QVERIFY(parts.has(QStringLiteral("showing")));
        QVERIFY(parts.has(QStringLiteral("Edges: ")));
        QVERIFY2(parts.texts.filter(QRegularExpression(QStringLiteral("^t \\d+, s "))).size() > 2,
                 qPrintable(parts.texts.join(u'|')));
        const QImage before = states.canvas()->grab().toImage();
        figureBytes(states, figure, FigureFormat::Png);
        QCOMPARE(states.canvas()->grab().toImage(), before);
    }

    void aViewThatTookBackItsStateDrawsTheSameBytes() {
        const Figure figure = page(150, 90);
        LevelBands bands(&m_bench->session);
        StateView states(&m_bench->session);
        m_bench->bands->canvas()->zoomLevels(1.7, 300);
        bands.restoreFigure(m_bench->bands->figureState());
        states.restoreFigure(m_bench->states->figureState());
        QTRY_VERIFY_WITH_TIMEOUT(bands.isFigureReady() && states.isFigureReady(), kPatience);
        for (const FigureFormat format : {FigureFormat::Png, FigureFormat::Svg}) {
            QCOMPARE(figureBytes(bands, figure, format),
                     figureBytes(*m_bench->bands, figure, format));
            QCOMPARE(figureBytes(states, figure, format),
                     figureBytes(*m_bench->states, figure, format));
        }
        m_bench->bands->canvas()->zoomToFit();
        QVERIFY(figureBytes(bands, figure, FigureFormat::Svg) !=
                figureBytes(*m_bench->bands, figure, FigureFormat::Svg));
    }

    void filesAreWholeOrNotThere() {
        const QString file = m_folder.filePath(QStringLiteral("f.svg"));
        writeFigure(m_chart, page(90, 60), file.toStdString());
        QVERIFY(QFile::exists(file));
        const auto told = [&](const QString& name, const Figure& figure) {
            try {
                writeFigure(m_chart, figure, name.toStdString());
            } catch (const Error& error) {
                return QByteArray(error.what());
            }
            return QByteArray();
        };
        QVERIFY(told(m_folder.filePath(QStringLiteral("f.bmp")), {}).contains(".svg or .pdf"));
        QVERIFY(told(QStringLiteral("/nowhere/at/all.svg"), {}).contains("/nowhere/at"));
        Figure huge = page(2000, 2000);
        huge.dpi = 2400;
        QVERIFY(told(m_folder.filePath(QStringLiteral("f.png")), huge).contains("fewer dots"));
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("f.png"))));
    }

    void aPreviewHasTheColoursOfTheFigure() {
        Figure figure = page(160, 90);
        const QImage image = figureImage(*m_bench->bands, figure, 640);
        QCOMPARE(image.size(), QSize(640, 360));
        QVERIFY(pixelsOf(image, lightTokens().canvas) > 640 * 360 / 3);
        QCOMPARE(pixelsOf(image, darkTokens().canvas), 0);
    }
};

ORRERY_WINDOW_TEST(FigureWriterTest)
#include "figure_writer_test.moc"
