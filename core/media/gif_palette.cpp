#include "core/media/gif_palette.h"

#include <algorithm>
#include <array>

namespace orrery {

namespace {

constexpr std::array<unsigned, 3> kShifts{16, 8, 0};  // red, green, blue

std::uint32_t channel(std::uint32_t color, std::size_t axis) {
    return color >> kShifts[axis] & 0xffU;
}

}  // namespace

GifPalette::GifPalette(std::span<const std::uint32_t> pixels, std::size_t most) {
    std::unordered_map<std::uint32_t, std::int64_t> counts;
    for (std::size_t i = 0; i < pixels.size();) {
        std::size_t end = i + 1;  // drawings come in runs
        while (end < pixels.size() && pixels[end] == pixels[i]) ++end;
        counts[pixels[i]] += static_cast<std::int64_t>(end - i);
        i = end;
    }
    std::vector<Weighted> all;
    all.reserve(counts.size());
    for (const auto& [color, count] : counts) all.push_back({color, count});
    std::ranges::sort(all, [](const Weighted& a, const Weighted& b) {
        return a.count != b.count ? a.count > b.count : a.color < b.color;
    });
    std::size_t exact = all.size();
    if (all.size() > most) {
        // Colours with more than an equal share of the pixels are flat areas.
        const auto share = static_cast<std::int64_t>(pixels.size() / most);
        for (exact = 0; exact < most / 2 && all[exact].count > share;) ++exact;
    }
    for (std::size_t i = 0; i < exact; ++i) addBox(std::span(all).subspan(i, 1));
    cut(std::span(all).subspan(exact), most - exact);
    if (m_colors.empty()) m_colors.push_back(0);
}

void GifPalette::cut(std::span<Weighted> rest, std::size_t most) {
    struct Box {
        std::span<Weighted> colors;
        std::size_t axis = 0;   // of its longest side
        double importance = 0;  // longest side times pixels
    };
    const auto boxOf = [](std::span<Weighted> colors) {
        Box box{.colors = colors};
        std::int64_t pixels = 0;
        for (const Weighted& entry : colors) pixels += entry.count;
        std::uint32_t longest = 0;
        for (std::size_t axis = 0; axis < kShifts.size(); ++axis) {
            std::uint32_t low = 255, high = 0;
            for (const Weighted& entry : colors) {
                low = std::min(low, channel(entry.color, axis));
                high = std::max(high, channel(entry.color, axis));
            }
            if (high - low > longest) {
                longest = high - low;
                box.axis = axis;
            }
        }
        box.importance = static_cast<double>(longest) * static_cast<double>(pixels);
        return box;
    };
    if (rest.empty()) return;
    std::vector<Box> boxes{boxOf(rest)};
    while (boxes.size() < most) {
        const auto widest = std::ranges::max_element(boxes, {}, &Box::importance);
        if (widest->importance <= 0) break;
        const std::span<Weighted> colors = widest->colors;
        const std::size_t axis = widest->axis;
        std::ranges::sort(colors, {}, [axis](const Weighted& entry) {
            return std::pair(channel(entry.color, axis), entry.color);
        });
        std::int64_t pixels = 0;
        for (const Weighted& entry : colors) pixels += entry.count;
        std::size_t half = 1;
        for (std::int64_t before = colors[0].count;
             half + 1 < colors.size() && before + colors[half].count <= pixels / 2; ++half)
            before += colors[half].count;
        *widest = boxOf(colors.first(half));
        boxes.push_back(boxOf(colors.subspan(half)));
    }
    for (const Box& box : boxes) addBox(box.colors);
}

void GifPalette::addBox(std::span<const Weighted> box) {
    std::array<std::int64_t, 3> sums{};
    std::int64_t pixels = 0;
    for (const Weighted& entry : box) {
        pixels += entry.count;
        for (std::size_t axis = 0; axis < kShifts.size(); ++axis)
            sums[axis] += entry.count * static_cast<std::int64_t>(channel(entry.color, axis));
        m_index.emplace(entry.color, static_cast<std::uint8_t>(m_colors.size()));
    }
    std::uint32_t mean = 0;
    for (std::size_t axis = 0; axis < kShifts.size(); ++axis)
        mean |= static_cast<std::uint32_t>((sums[axis] + pixels / 2) / pixels) << kShifts[axis];
    m_colors.push_back(mean);
}

}  // namespace orrery
