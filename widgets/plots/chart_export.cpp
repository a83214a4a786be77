#include "widgets/plots/chart_export.h"

#include <QFileInfo>
#include <QSaveFile>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "core/base/error.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/chart_scene.h"
#include "widgets/plots/qcustomplot_include.h"

namespace orrery {

namespace {

constexpr double kXNameHeight = 18;      // below a figure, in units
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

void paintChartFigure(ChartContent& content, const ChartView& view, QCPPainter& painter,
                      const FigurePage& page) {
    ChartScene scene(content, nullptr);
    scene.setTokens(*page.tokens);
    scene.setFigure(true);
    scene.setLegendShown(page.hasLegend);
    scene.setFooterShown(page.hasFooter);
    scene.overlay().hasFrame = false;
    scene.overlay().cursorA = view.cursorA;
    scene.overlay().cursorB = view.cursorB;
    advanceSmoothing(content, view.smoothing, std::numeric_limits<std::int64_t>::max());
    const QSizeF picture(page.size.width(), page.size.height() - kXNameHeight);
    scene.prepare(view, picture.toSize(), page.pixelRatio);
    painter.setMode(QCPPainter::pmVectorized);  // no cached pixmaps of text
    painter.setMode(QCPPainter::pmNoCaching);
    scene.paint(painter, page.isVector);
    const QRectF plot = scene.geometry().plot();
    painter.setFont(interfaceFont(11));
    painter.setPen(page.tokens->text2);
    painter.drawText(QRectF(plot.left(), picture.height() - 4, plot.width(), kXNameHeight),
                     Qt::AlignCenter, content.xName);
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
    if (hasSmooth) text += separator + quoted(textOf(view.smoothing, content.xName), separator);
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
