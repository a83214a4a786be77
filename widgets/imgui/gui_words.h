#pragma once

#include <QString>

#include "widgets/imgui/gui_draw.h"

namespace orrery::gui {

/// The width of what drawWords() draws.
double wordsWidth(const ImFont* font, const QString& words);

/// Draws words; those with _ or ^ are set as symbols: "V_h^e".
/// @param y  of the upper edge
void drawWords(ImDrawList& list, const ImFont* font, double x, double y, ImU32 color,
               const QString& words);

}  // namespace orrery::gui
