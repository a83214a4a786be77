#include "widgets/imgui/gui_words.h"

#include <vector>

#include "widgets/common/number_text.h"

namespace orrery::gui {

namespace {

constexpr double kSmall = 0.76, kDown = 0.24, kUp = -0.36;  ///< of the main letter's size

struct Part {
    QString text;
    double scale = 1;
    double shift = 0;  ///< down, of its baseline
};

std::vector<Part> partsOf(const QString& words) {
    std::vector<Part> parts(1);
    for (const QChar c : words) {
        if (c == u'_' || c == u'^')
            parts.push_back({{}, kSmall, c == u'_' ? kDown : kUp});
        else
            parts.back().text += c;
    }
    parts.front().text = greekLetter(parts.front().text);
    return parts;
}

}  // namespace

double wordsWidth(const ImFont* font, const QString& words) {
    double width = 0;
    for (const Part& part : partsOf(words)) width += part.scale * textWidth(font, part.text);
    return width;
}

void drawWords(ImDrawList& list, const ImFont* font, double x, double y, ImU32 color,
               const QString& words) {
    const auto size = static_cast<double>(font->FontSize * ImGui::GetIO().FontGlobalScale);
    const auto ascent = static_cast<double>(font->Ascent * ImGui::GetIO().FontGlobalScale);
    for (const Part& part : partsOf(words)) {
        const double top = y + ascent * (1 - part.scale) + part.shift * size;
        drawText(list, font, x, top, color, part.text, part.scale);
        x += part.scale * textWidth(font, part.text);
    }
}

}  // namespace orrery::gui
