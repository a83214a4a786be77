#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QSizeF>
#include <QString>
#include <filesystem>
#include <optional>

#include "widgets/figure/figure.h"
#include "widgets/figure/paint_record.h"

class QBuffer;

namespace orrery {

class DrawsFigure;

enum class FigureFormat { Png, Svg, Pdf };

/// By the ending of a file's name; nothing for an unknown one.
std::optional<FigureFormat> figureFormatOf(const QString& file);
/// "png", "svg", "pdf".
QString endingOf(FigureFormat format);

/// The page in units (see FigurePage): the larger the font, the fewer.
QSizeF figureUnits(const Figure& figure);

/// What a view draws on the page of a figure, apart from the view: made in the GUI thread in some
/// milliseconds, turned into a file by any thread.
class FigureDrawing {
public:
    /// The view shows it already; the figure's state, source and picture file are not looked at.
    /// @throws Error (BadInput) if a PNG would have more than 100 million pixels
    FigureDrawing(DrawsFigure& view, const Figure& figure, FigureFormat format);

    /// PNG: sRGB with its size in pHYs. SVG: width and height in mm, real text. PDF: one page of
    /// that size, text with embedded fonts. Equal input gives equal bytes, but for the date in a
    /// PDF. Any thread.
    QByteArray bytes() const;

private:
    void writePng(QBuffer& buffer) const;
    void writeSvg(QBuffer& buffer) const;
    void writePdf(QBuffer& buffer) const;

    Figure m_figure;
    FigureFormat m_format;
    QString m_title;
    QSize m_pixels;  ///< of a PNG
    PaintRecord m_record;
};

/// FigureDrawing::bytes() at once. GUI thread.
/// @throws Error as FigureDrawing
QByteArray figureBytes(DrawsFigure& view, const Figure& figure, FigureFormat format);

/// The same as an image of that many pixels along the width: for previews.
QImage figureImage(DrawsFigure& view, const Figure& figure, int width);

/// Writes what was drawn, whole or not at all. Any thread.
/// @throws Error (Resource) naming the file
void writeFigure(const FigureDrawing& drawing, const std::filesystem::path& file);

/// Draws and writes by the file's ending. GUI thread.
/// @throws Error (BadInput) for another ending than .png, .svg and .pdf, (Resource) naming the file
void writeFigure(DrawsFigure& view, const Figure& figure, const std::filesystem::path& file);

}  // namespace orrery
