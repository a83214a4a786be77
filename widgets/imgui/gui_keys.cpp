#include "widgets/imgui/gui_keys.h"

#include <imgui.h>

#include <QtCore/qnamespace.h>
#include <iterator>
#include <utility>

namespace orrery {

namespace {

constexpr int kFirstSpecial = 256;

/// Keys without a character, in the order of their places from kFirstSpecial on.
constexpr std::pair<Qt::Key, ImGuiKey_> kSpecialKeys[] = {
    {Qt::Key_Tab, ImGuiKey_Tab},           {Qt::Key_Left, ImGuiKey_LeftArrow},
    {Qt::Key_Right, ImGuiKey_RightArrow},  {Qt::Key_Up, ImGuiKey_UpArrow},
    {Qt::Key_Down, ImGuiKey_DownArrow},    {Qt::Key_PageUp, ImGuiKey_PageUp},
    {Qt::Key_PageDown, ImGuiKey_PageDown}, {Qt::Key_Home, ImGuiKey_Home},
    {Qt::Key_End, ImGuiKey_End},           {Qt::Key_Insert, ImGuiKey_Insert},
    {Qt::Key_Delete, ImGuiKey_Delete},     {Qt::Key_Backspace, ImGuiKey_Backspace},
    {Qt::Key_Return, ImGuiKey_Enter},      {Qt::Key_Enter, ImGuiKey_KeyPadEnter},
    {Qt::Key_Escape, ImGuiKey_Escape}};

}  // namespace

std::optional<int> guiKeyOf(int qtKey) {
    if (qtKey >= 0x20 && qtKey < 0x80) return qtKey;  // letters, digits, signs: their characters
    for (int i = 0; i < static_cast<int>(std::size(kSpecialKeys)); ++i)
        if (kSpecialKeys[i].first == qtKey) return kFirstSpecial + i;
    return std::nullopt;
}

void mapGuiKeys(ImGuiIO& io) {
    for (const auto& [qtKey, guiKey] : kSpecialKeys) io.KeyMap[guiKey] = *guiKeyOf(qtKey);
    io.KeyMap[ImGuiKey_Space] = Qt::Key_Space;
    io.KeyMap[ImGuiKey_A] = Qt::Key_A;
    io.KeyMap[ImGuiKey_C] = Qt::Key_C;
    io.KeyMap[ImGuiKey_V] = Qt::Key_V;
    io.KeyMap[ImGuiKey_X] = Qt::Key_X;
    io.KeyMap[ImGuiKey_Y] = Qt::Key_Y;
    io.KeyMap[ImGuiKey_Z] = Qt::Key_Z;
}

}  // namespace orrery
