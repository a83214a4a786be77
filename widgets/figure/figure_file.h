#pragma once

#include <QByteArray>
#include <QStringList>
#include <filesystem>
#include <string>
#include <string_view>

#include "widgets/figure/figure.h"

namespace orrery {

/// A figure file, NAME.orrery-figure.json: a JSON object with
///   orreryFigure  version of the format, 1
///   view, state   of the view that draws
///   source        world, worldText, run, workspace, step, state, walk, profile, human, goal,
///                 agent, found, runs, current, metrics, solve; all may be missing
///   width, height, dpi, font, theme, palette, legend, footer, caption, title, picture   the page;
///   missing: as in Figure
inline constexpr int kFigureVersion = 2;
inline constexpr const char* kFigureEnding = ".orrery-figure.json";

/// Reads the text of a figure file. `file` names it in messages.
/// @throws Error (BadInput) with a line "file:line:col: error ..." for each thing that is wrong
Figure parseFigure(std::string_view text, const std::string& file);

/// @throws Error as parseFigure, (Resource) if the file cannot be read
Figure readFigure(const std::filesystem::path& file);

/// The text of a figure file; parseFigure gives an equal figure.
QByteArray figureText(const Figure& figure);

/// Writes a figure file, whole or not at all.
/// @throws Error (Resource) naming the file and the reason
void writeFigureFile(const std::filesystem::path& file, const Figure& figure);

/// Changes one field by its name in the file, "width=120"; also world and run of the source, and
/// "preset=column", which sets several.
/// @throws Error (BadInput) naming what is wrong and what would be right
void setFigureField(Figure& figure, const std::string& assignment);

/// The figure file that belongs to a picture: "a/b.svg" gives "a/b.orrery-figure.json".
std::filesystem::path figureFileOf(const std::filesystem::path& picture);

}  // namespace orrery
