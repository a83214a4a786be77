#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace orrery {

inline constexpr std::array<std::uint8_t, 3> kGround{30, 60, 90};
inline constexpr std::array<std::uint8_t, 3> kSquare{230, 159, 0};
inline constexpr int kSquareSide = 8;

/// A square that goes right by its side each frame, on an even ground.
inline void drawSquare(std::int64_t index, int width, int height, std::span<std::uint8_t> rgba) {
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const bool isInside = y < kSquareSide && x / kSquareSide == static_cast<int>(index);
            const auto& color = isInside ? kSquare : kGround;
            const std::size_t at =
                4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(x));
            for (std::size_t c = 0; c < 3; ++c) rgba[at + c] = color[c];
            rgba[at + 3] = 255;
        }
}

}  // namespace orrery
