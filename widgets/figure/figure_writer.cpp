#include "widgets/figure/figure_writer.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImageWriter>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "widgets/common/draws_figure.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/qcustomplot_include.h"

namespace orrery {

namespace {

constexpr double kScreenDots = 96;    // to the inch: what a unit is for a font of kBodyPoints
constexpr double kBodyPoints = 8.25;  // 11 units, the body text of views, in points at 96 dots
constexpr int kPdfDots = 1200;
constexpr int kSvgDots = 2540;  // hundredths of a millimetre
constexpr double kPaperRatio = 2;
constexpr double kMostPixels = 100e6;
constexpr double kTitleTop = 8, kTitleLine = 18, kTitleSize = 13, kCaptionSize = 10;

constexpr std::array<const char*, 3> kEndings = {"png", "svg", "pdf"};

const Tokens& tokensOf(const Figure& figure) {
    return figure.isDark ? darkTokens() : lightTokens();
}

/// Height that the title takes, in units; it may need several lines.
double titleHeight(const Figure& figure, const QSizeF& page) {
    if (figure.title.isEmpty()) return 0;
    const QFontMetricsF metrics(interfaceFont(kTitleSize, QFont::DemiBold));
    const QRectF text =
        metrics.boundingRect(QRectF(0, 0, page.width() - 24, 1000), Qt::TextWordWrap, figure.title);
    const double lines = std::max(1.0, std::round(text.height() / metrics.lineSpacing()));
    return kTitleTop + lines * kTitleLine + 4;
}

/// Height that the caption below the picture takes, in units.
double captionHeight(const QString& caption, const QSizeF& page) {
    if (caption.isEmpty()) return 0;
    const QFontMetricsF metrics(interfaceFont(kCaptionSize));
    const QRectF text =
        metrics.boundingRect(QRectF(0, 0, page.width() - 24, 1000), Qt::TextWordWrap, caption);
    return text.height() + 8;
}

/// Draws the whole page in units.
void paintPage(QCPPainter& painter, DrawsFigure& view, const Figure& figure, double pixelRatio,
               bool isVector) {
    const SequentialMapScope palette(figure.palette);
    const Tokens& t = tokensOf(figure);
    const QSizeF units = figureUnits(figure);
    const double top = titleHeight(figure, units);
    const QString caption = figure.hasCaption ? view.figureCaption() : QString();
    const double bottom = units.height() - captionHeight(caption, units);
    painter.fillRect(QRectF(QPointF(0, 0), units), t.canvas);
    painter.save();
    painter.translate(0, top);
    view.paintFigure(painter, {.size = QSizeF(units.width(), bottom - top),
                               .tokens = &t,
                               .pixelRatio = pixelRatio,
                               .isVector = isVector,
                               .hasLegend = figure.hasLegend,
                               .hasFooter = figure.hasFooter});
    painter.restore();
    if (!caption.isEmpty()) {
        painter.fillRect(QRectF(0, bottom, units.width(), units.height() - bottom), t.canvas);
        painter.setFont(interfaceFont(kCaptionSize));
        painter.setPen(t.text2);
        painter.drawText(QRectF(12, bottom, units.width() - 24, units.height() - bottom),
                         Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, caption);
    }
    if (top <= 0) return;
    // Over what reaches out of the picture: not every format clips.
    painter.fillRect(QRectF(0, 0, units.width(), top), t.canvas);
    painter.setFont(interfaceFont(kTitleSize, QFont::DemiBold));
    painter.setPen(t.text);
    painter.drawText(QRectF(12, kTitleTop, units.width() - 24, top - kTitleTop),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, figure.title);
}

QImage imageOf(DrawsFigure& view, const Figure& figure, const QSize& pixels) {
    const QSizeF units = figureUnits(figure);
    QImage image(pixels, QImage::Format_RGB32);
    image.fill(tokensOf(figure).canvas);
    QCPPainter painter(&image);
    const double scale = pixels.width() / units.width();
    painter.scale(scale, pixels.height() / units.height());
    paintPage(painter, view, figure, scale, false);
    return image;
}

/// Device pixels of a PNG.
QSize pixelsOf(const Figure& figure) {
    const double dots = figure.dpi / kMmPerInch;
    const QSizeF size(figure.width * dots, figure.height * dots);
    if (size.width() * size.height() > kMostPixels)
        throw Error("A PNG of " + std::to_string(std::lround(size.width())) + " x " +
                        std::to_string(std::lround(size.height())) +
                        " pixels is too large. Choose fewer dots per inch, a smaller page, or "
                        "SVG or PDF.",
                    Error::Kind::BadInput);
    return size.toSize();
}

}  // namespace

std::optional<FigureFormat> figureFormatOf(const QString& file) {
    const QString ending = QFileInfo(file).suffix().toLower();
    for (std::size_t i = 0; i < kEndings.size(); ++i)
        if (ending == QLatin1String(kEndings[i])) return static_cast<FigureFormat>(i);
    return std::nullopt;
}

QString endingOf(FigureFormat format) {
    return QLatin1String(kEndings[static_cast<std::size_t>(format)]);
}

QSizeF figureUnits(const Figure& figure) {
    return QSizeF(figure.width, figure.height) / kMmPerInch * kScreenDots * kBodyPoints /
           figure.font;
}

FigureDrawing::FigureDrawing(DrawsFigure& view, const Figure& figure, FigureFormat format)
    : m_figure(figure),
      m_format(format),
      m_title(figure.title.isEmpty() ? view.figureName() : figure.title) {
    const QSizeF units = figureUnits(figure);
    QSizeF scale(1, 1);
    double pixelRatio = kPaperRatio;
    if (format == FigureFormat::Png) {
        m_pixels = pixelsOf(figure);
        scale = QSizeF(m_pixels.width() / units.width(), m_pixels.height() / units.height());
        pixelRatio = scale.width();
    } else if (format == FigureFormat::Pdf) {
        const double dots = figure.width / kMmPerInch * kPdfDots / units.width();
        scale = QSizeF(dots, dots);
    }
    const auto paper = recordingDevice(
        &m_record,
        (QSizeF(units.width() * scale.width(), units.height() * scale.height())).toSize());
    QCPPainter painter(paper.get());
    painter.scale(scale.width(), scale.height());
    paintPage(painter, view, figure, pixelRatio, format != FigureFormat::Png);
}

void FigureDrawing::writePng(QBuffer& buffer) const {
    QImage image(m_pixels, QImage::Format_RGB32);
    image.fill(tokensOf(m_figure).canvas);
    {
        QPainter painter(&image);
        m_record.replay(painter);
    }
    image.setDotsPerMeterX(static_cast<int>(std::lround(m_figure.dpi / kMmPerInch * 1000)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    image.setColorSpace(QColorSpace(QColorSpace::SRgb));
    QImageWriter writer(&buffer, "png");
    if (!writer.write(image))
        throw Error("The PNG could not be made: " + writer.errorString().toStdString() +
                    ". Choose a smaller page.");
}

void FigureDrawing::writeSvg(QBuffer& buffer) const {
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(kSvgDots);
    const double perMm = kSvgDots / kMmPerInch;
    generator.setSize((QSizeF(m_figure.width, m_figure.height) * perMm).toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), figureUnits(m_figure)));
    generator.setTitle(m_title);
    generator.setDescription(QStringLiteral("Made by Orrery"));
    QPainter painter(&generator);
    m_record.replay(painter);
}

void FigureDrawing::writePdf(QBuffer& buffer) const {
    QPdfWriter writer(&buffer);
    writer.setPageSize(QPageSize(QSizeF(m_figure.width, m_figure.height), QPageSize::Millimeter,
                                 QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setResolution(kPdfDots);
    writer.setTitle(m_title);
    writer.setCreator(QStringLiteral("Orrery"));
    QPainter painter(&writer);
    m_record.replay(painter);
}

QByteArray FigureDrawing::bytes() const {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (m_format == FigureFormat::Png)
        writePng(buffer);
    else if (m_format == FigureFormat::Svg)
        writeSvg(buffer);
    else
        writePdf(buffer);
    return bytes;
}

QByteArray figureBytes(DrawsFigure& view, const Figure& figure, FigureFormat format) {
    return FigureDrawing(view, figure, format).bytes();
}

QImage figureImage(DrawsFigure& view, const Figure& figure, int width) {
    const double height = width * figure.height / figure.width;
    return imageOf(view, figure, QSize(width, std::max(1, static_cast<int>(std::lround(height)))));
}

void writeFigure(const FigureDrawing& drawing, const std::filesystem::path& file) {
    const QByteArray bytes = drawing.bytes();
    writeOutput(file, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

void writeFigure(DrawsFigure& view, const Figure& figure, const std::filesystem::path& file) {
    const auto format = figureFormatOf(QString::fromStdString(file.string()));
    if (!format)
        throw Error("The name of a picture must end in .png, .svg or .pdf, got " +
                        file.filename().string() + ".",
                    Error::Kind::BadInput);
    writeFigure(FigureDrawing(view, figure, *format), file);
}

}  // namespace orrery
