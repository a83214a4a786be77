#include "core/encode/planes.h"

#include "core/world/piece.h"

namespace orrery {

std::string planeName(int plane) {
    static const std::array<const char*, 15> kKinds{"wall",
                                                    "ball",
                                                    "box",
                                                    "goal",
                                                    "lava",
                                                    "block",
                                                    "rock",
                                                    "unsteady ground",
                                                    "switch",
                                                    "floor",
                                                    "kill button",
                                                    "pause switch",
                                                    "disabling switch",
                                                    "control button",
                                                    "bush"};
    const auto colored = [plane](int first, const char* kind) {
        return std::string(colorName(static_cast<Color>(plane - first))) + " " + kind;
    };
    if (plane < kDoorPlane) return kKinds[static_cast<std::size_t>(plane)];
    if (plane < kKeyPlane) return colored(kDoorPlane, "door");
    if (plane < kMagicWallPlane) return colored(kKeyPlane, "key");
    if (plane >= kAgentPlane) return colored(kAgentPlane, "agent");
    static const std::array<const char*, 4> kRest{"magic wall", "other, overlappable",
                                                  "other, immobile", "other, mobile"};
    return kRest[static_cast<std::size_t>(plane - kMagicWallPlane)];
}

}  // namespace orrery
