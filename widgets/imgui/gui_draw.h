#pragma once

#include <imgui.h>

#include <QColor>
#include <QRectF>
#include <QString>
#include <algorithm>
#include <cmath>

/// Short ways to say what a panel draws, in the window's pixels and colours.
namespace orrery::gui {

inline ImU32 packed(const QColor& color, double opacity = 1) {
    return IM_COL32(color.red(), color.green(), color.blue(), static_cast<int>(opacity * 255));
}

inline ImVec2 at(double x, double y) {
    return {static_cast<float>(x), static_cast<float>(y)};
}

inline void fillRect(ImDrawList& list, const QRectF& rect, ImU32 color, double rounding = 0) {
    list.AddRectFilled(at(rect.left(), rect.top()), at(rect.right(), rect.bottom()), color,
                       static_cast<float>(rounding));
}

inline void outline(ImDrawList& list, const QRectF& rect, ImU32 color, double wide,
                    double rounding = 0) {
    list.AddRect(at(rect.left(), rect.top()), at(rect.right(), rect.bottom()), color,
                 static_cast<float>(rounding), 0, static_cast<float>(wide));
}

/// The faces of a panel have no thin spaces.
inline QByteArray plain(QString text) {
    return text.replace(QChar(0x2009), u' ').replace(QChar(0x202F), u' ').toUtf8();
}

inline double textWidth(const ImFont* font, const QString& text) {
    return static_cast<double>(
        font->CalcTextSizeA(font->FontSize, 1e9F, 0, plain(text).constData()).x *
        ImGui::GetIO().FontGlobalScale);
}

/// At whole device pixels, so that strokes stay sharp.
inline void drawText(ImDrawList& list, const ImFont* font, double x, double y, ImU32 color,
                     const QString& text, double scale = 1) {
    const double ratio = static_cast<double>(ImGui::GetIO().DisplayFramebufferScale.x);
    list.AddText(font, font->FontSize * ImGui::GetIO().FontGlobalScale * static_cast<float>(scale),
                 at(std::round(x * ratio) / ratio, std::round(y * ratio) / ratio), color,
                 plain(text).constData());
}

inline void drawDashes(ImDrawList& list, double x, double top, double bottom, ImU32 color) {
    for (double y = top; y < bottom; y += 7)
        list.AddLine(at(x, y), at(x, std::min(bottom, y + 4)), color, 1.5F);
}

/// Slanting lines over a rectangle.
inline void hatch(ImDrawList& list, const QRectF& rect, ImU32 color) {
    list.PushClipRect(at(rect.left(), rect.top()), at(rect.right(), rect.bottom()), true);
    for (double x = rect.left() - rect.height(); x < rect.right(); x += 6)
        list.AddLine(at(x, rect.bottom()), at(x + rect.height(), rect.top()), color, 1);
    list.PopClipRect();
}

}  // namespace orrery::gui
