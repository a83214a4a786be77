#pragma once

#include <QString>
#include <QStringList>

#include "widgets/imgui/imgui_host.h"

struct ImFontAtlas;

namespace orrery {

/// The first of some font files that is installed; empty if none is.
QString fontFile(const QStringList& names);

/// Fills an atlas with the faces at a scale: Inter and JetBrains Mono, or the fallbacks of the
/// design tokens, or ImGui's own face if there are none.
GuiFonts makeGuiFonts(ImFontAtlas& atlas, double ratio);

}  // namespace orrery
