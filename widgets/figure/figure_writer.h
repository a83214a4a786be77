#pragma once

#include <QByteArray>
#include <QImage>
#include <QSizeF>
#include <QString>
#include <filesystem>
#include <optional>

#include "widgets/figure/figure.h"

namespace orrery {

class DrawsFigure;

enum class FigureFormat { Png, Svg, Pdf };

/// By the ending of a file's name; nothing for an unknown one.
std::optional<FigureFormat> figureFormatOf(const QString& file);
/// "png", "svg", "pdf".
QString endingOf(FigureFormat format);

/// The page in units (see FigurePage): the larger the font, the fewer.
QSizeF figureUnits(const Figure& figure);

/// What a view draws, on the page of a figure. The view shows it already; its state, source and
/// picture file are not looked at. PNG: sRGB with its size in pHYs. SVG: width and height in mm,
/// real text. PDF: one page of that size, text with embedded fonts. Equal input gives equal bytes,
/// but for the date in a PDF. GUI thread.
/// @throws Error (BadInput) if a PNG would have more than 100 million pixels
QByteArray figureBytes(DrawsFigure& view, const Figure& figure, FigureFormat format);

/// The same as an image of that many pixels along the width: for previews.
QImage figureImage(DrawsFigure& view, const Figure& figure, int width);

/// Writes figureBytes by the file's ending, whole or not at all.
/// @throws Error (BadInput) for another ending than .png, .svg and .pdf, (Resource) naming the file
void writeFigure(DrawsFigure& view, const Figure& figure, const std::filesystem::path& file);

}  // namespace orrery
