#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace orrery {

/// At most 256 colours that stand for those of a picture. If it has no more, all are exact.
/// Otherwise the most frequent ones are, which are the flat areas of a drawing, and the rest
/// (edges, smooth scales) is put together by median cut. The same pixels give the same palette.
class GifPalette {
public:
    /// @param pixels  0xRRGGBB
    /// @param most    colours, 2 to 256
    GifPalette(std::span<const std::uint32_t> pixels, std::size_t most);

    /// 0xRRGGBB; at least one.
    const std::vector<std::uint32_t>& colors() const { return m_colors; }
    /// The colour that stands for one of the pixels.
    std::uint8_t indexOf(std::uint32_t pixel) const { return m_index.find(pixel)->second; }

private:
    struct Weighted {
        std::uint32_t color;
        std::int64_t count;
    };
    void cut(std::span<Weighted> rest, std::size_t most);
    void addBox(std::span<const Weighted> box);

    std::vector<std::uint32_t> m_colors;
    std::unordered_map<std::uint32_t, std::uint8_t> m_index;  ///< of every pixel's colour
};

}  // namespace orrery
