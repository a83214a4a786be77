#include "widgets/plots/chart_export.h"

#include <QFileInfo>
#include <QImage>
#include <QImageWriter>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "core/base/error.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/chart_picture.h"
#include "widgets/plots/chart_scene.h"
#include "widgets/plots/qcustomplot_include.h"

namespace orrery {

namespace {

constexpr double kScreenDots = 96;  // to the inch: what a pixel of the screen is on paper
constexpr double kMmPerInch = 25.4;
constexpr double kPdfDots = 1200;
constexpr double kPaperColumns = 2;  // columns a unit of 1/96 inch in SVG and PDF
constexpr double kLeastWidthMm = 40, kLeastHeightMm = 30, kMostMm = 2000;
constexpr qsizetype kWriteAt = 1 << 16;  // bytes

[[noreturn]] void refuseFile(const QString& file, const QString& reason) {
    throw Error("The file " + file.toStdString() + " was not written: " + reason.toStdString() +
                    ". Choose another folder or make room, then export again.",
                Error::Kind::Resource);
}

void commit(QSaveFile& file) {
    if (!file.commit()) refuseFile(file.fileName(), file.errorString());
}

void openForWriting(QSaveFile& file) {
    if (!file.open(QIODevice::WriteOnly)) refuseFile(file.fileName(), file.errorString());
}

void paintScaled(ChartScene& scene, QPaintDevice& device, double scale, bool isVector = true) {
    QCPPainter painter(&device);
    painter.setMode(QCPPainter::pmVectorized);  // no cached pixmaps of text
    painter.setMode(QCPPainter::pmNoCaching);
    painter.scale(scale, scale);
    scene.paint(painter, isVector);
}

void writePng(ChartScene& scene, QSaveFile& file, const FigureSpec& spec) {
    const double scale = spec.dotsPerInch / kScreenDots;
    QImage image((QSizeF(scene.size()) * scale).toSize(), QImage::Format_RGB32);
    image.fill(scene.tokens().canvas);
    image.setDotsPerMeterX(static_cast<int>(std::lround(spec.dotsPerInch / kMmPerInch * 1000)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    paintScaled(scene, image, scale, false);
    QImageWriter writer(&file, "png");
    if (!writer.write(image)) refuseFile(file.fileName(), writer.errorString());
}

void writeSvg(ChartScene& scene, QSaveFile& file) {
    QSvgGenerator generator;
    generator.setOutputDevice(&file);
    generator.setResolution(static_cast<int>(kScreenDots));
    generator.setSize(scene.size());
    generator.setViewBox(QRect(QPoint(0, 0), scene.size()));
    generator.setTitle(scene.content().title);
    paintScaled(scene, generator, 1);
}

void writePdf(ChartScene& scene, QSaveFile& file, const FigureSpec& spec) {
    QPdfWriter writer(&file);
    writer.setPageSize(QPageSize(QSizeF(spec.widthMm, spec.heightMm), QPageSize::Millimeter,
                                 QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setResolution(static_cast<int>(kPdfDots));
    writer.setTitle(scene.content().title);
    writer.setCreator(QStringLiteral("Orrery"));
    paintScaled(scene, writer, kPdfDots / kScreenDots);
}

QByteArray quoted(const QString& text, char separator) {
    QByteArray bytes = text.toUtf8();
    if (separator == '\t') return bytes.replace('\t', ' ').replace('\n', ' ');
    if (!bytes.contains(separator) && !bytes.contains('"') && !bytes.contains('\n')) return bytes;
    return '"' + bytes.replace("\"", "\"\"") + '"';
}

void addNumber(QByteArray& line, double value) {
    std::array<char, 32> digits{};
    const int length = std::snprintf(digits.data(), digits.size(), "%.17g", value);
    line.append(digits.data(), length);
}

}  // namespace

void exportFigure(ChartContent& content, const ChartView& view, const QString& file,
                  const FigureSpec& spec) {
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending != QLatin1String("png") && ending != QLatin1String("svg") &&
        ending != QLatin1String("pdf"))
        throw Error(
            "The figure " + file.toStdString() + " has no known ending: use .png, .svg or .pdf.",
            Error::Kind::BadInput);
    if (!(spec.widthMm >= kLeastWidthMm && spec.widthMm <= kMostMm) ||
        !(spec.heightMm >= kLeastHeightMm && spec.heightMm <= kMostMm) ||
        !(spec.dotsPerInch >= 30 && spec.dotsPerInch <= 2400))
        throw Error("A figure of " + std::to_string(spec.widthMm) + " x " +
                        std::to_string(spec.heightMm) + " mm at " +
                        std::to_string(spec.dotsPerInch) +
                        " dots per inch cannot be drawn: use 40 x 30 to 2000 x 2000 mm and 30 to "
                        "2400 dots per inch.",
                    Error::Kind::BadInput);
    QSaveFile out(file);
    openForWriting(out);
    ChartScene scene(content, nullptr);
    scene.setTokens(spec.isDark ? darkTokens() : lightTokens());
    scene.setFigure(true);
    scene.overlay().hasFrame = false;
    scene.overlay().cursorA = view.cursorA;
    scene.overlay().cursorB = view.cursorB;
    advanceSmoothing(content, view.smoothing, std::numeric_limits<std::int64_t>::max());
    const double dots = kScreenDots / kMmPerInch;
    scene.prepare(view, (QSizeF(spec.widthMm, spec.heightMm) * dots).toSize(),
                  ending == QLatin1String("png") ? spec.dotsPerInch / kScreenDots : kPaperColumns);
    if (ending == QLatin1String("png"))
        writePng(scene, out, spec);
    else if (ending == QLatin1String("svg"))
        writeSvg(scene, out);
    else
        writePdf(scene, out, spec);
    commit(out);
}

std::int64_t exportData(ChartContent& content, const ChartView& view, const QString& file,
                        const DataSpec& spec) {
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending != QLatin1String("csv") && ending != QLatin1String("tsv"))
        throw Error("The table " + file.toStdString() + " has no known ending: use .csv or .tsv.",
                    Error::Kind::BadInput);
    const char separator = ending == QLatin1String("csv") ? ',' : '\t';
    const QByteArray lineEnd = ending == QLatin1String("csv") ? "\r\n" : "\n";
    QSaveFile out(file);
    openForWriting(out);
    advanceSmoothing(content, view.smoothing, std::numeric_limits<std::int64_t>::max());
    const bool hasSmooth = view.smoothing.kind == SmoothingKind::Ema;
    const AxisView x = fittedX(content, view);
    const QString valueName = content.unit.isEmpty()
                                  ? content.title
                                  : QStringLiteral("%1 [%2]").arg(content.title, content.unit);
    QByteArray text = QByteArrayLiteral("series");
    text += separator + quoted(content.xName, separator) + separator + quoted(valueName, separator);
    if (hasSmooth) text += separator + QByteArrayLiteral("smoothed");
    text += lineEnd;
    std::int64_t rows = 0;
    const auto write = [&] {
        if (out.write(text) != text.size()) refuseFile(file, out.errorString());
        text.clear();
    };
    for (const ChartContent::Entry& entry : content.series) {
        if (!isShown(entry, view)) continue;
        const Series& points = entry.points;
        const std::int64_t begin = spec.isAll ? 0 : points.lowerBound(x.low);
        const std::int64_t end = spec.isAll ? points.size()
                                            : points.lowerBound(std::nextafter(
                                                  x.high, std::numeric_limits<double>::infinity()));
        const QByteArray name = quoted(entry.key, separator);
        for (std::int64_t i = begin; i < end; ++i, ++rows) {
            text += name + separator;
            addNumber(text, points.x(i));
            text += separator;
            addNumber(text, points.y(i));
            if (hasSmooth) {
                text += separator;
                addNumber(text, entry.ema->at(points, i));
            }
            text += lineEnd;
            if (text.size() > kWriteAt) write();
        }
    }
    write();
    commit(out);
    return rows;
}

}  // namespace orrery
