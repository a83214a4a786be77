#pragma once

#include <optional>

struct ImGuiIO;

namespace orrery {

/// The place of a key of Qt in ImGuiIO::KeysDown; nothing for keys that ImGui does not know.
std::optional<int> guiKeyOf(int qtKey);

/// Tells a context the places of the keys that it acts upon itself.
void mapGuiKeys(ImGuiIO& io);

}  // namespace orrery
