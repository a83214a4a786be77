#pragma once

#include <QString>

namespace orrery {

struct Tokens;

/// The one style sheet of the program, filled with a theme's colours. Widgets ask for a variant by
/// the dynamic property "look": "primary", "chip", "tool", "rail", "title", "section", "label",
/// "hint", "number", "bigNumber", "card", "strip".
QString styleSheetOf(const Tokens& tokens);

}  // namespace orrery
