#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace orrery {

/// How a saved figure is drawn again.
struct FigureOrder {
    std::filesystem::path file;             ///< NAME.orrery-figure.json
    std::filesystem::path picture;          ///< empty: the one that the file names, beside it
    std::filesystem::path workspace;        ///< empty: the one that the file names
    std::vector<std::string> changes = {};  ///< "width=120"; see setFigureField
};

/// The picture that an order asks for.
/// @throws Error (BadInput) if neither the order nor the figure's file names one of a known ending
std::filesystem::path pictureOf(const FigureOrder& order);

/// Draws a saved figure to a file, without a display: the same bytes as the window wrote (but for
/// the date in a PDF). Needs the process's main thread.
/// @return the picture's file; empty if stopped, and then nothing is written
/// @throws Error with what is wrong in the file, or missing in workspace and world
std::filesystem::path drawFigure(const FigureOrder& order, std::stop_token stop);

}  // namespace orrery
