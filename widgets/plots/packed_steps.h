#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orrery {

/// The x of up to kChunkPoints consecutive points, never decreasing. While it grows it holds plain
/// doubles; close() packs them without loss, in the shortest of three forms:
/// - regular: first + k * step gives every x exactly: 0 bytes a point;
/// - multiples of 1, 1e-3 or 1e-6: offsets from the first in the fewest whole bytes;
/// - any doubles: offsets of their bit patterns, which are ordered as the numbers are.
/// Steps of a run need 0-2 bytes a point, wall times to the microsecond 2-4, wild doubles up to 8.
class PackedSteps {
public:
    static constexpr int kChunkPoints = 1024;

    /// @param x  finite, not below the last one; fits into the chunk, which is not closed
    void append(std::span<const double> x);
    void close();

    int size() const { return m_size; }
    bool isClosed() const { return m_form != Form::Open; }
    /// The x of point k in [0, size).
    double at(int k) const;
    /// The first k with at(k) >= x, or size.
    int lowerBound(double x) const;
    /// Bytes in memory apart from the object itself.
    std::int64_t heapBytes() const;

private:
    enum class Form : std::uint8_t { Open, Regular, Multiples, Bits };

    bool tryRegular();
    bool findDivisor();
    void pack(Form form, const std::vector<std::uint64_t>& offsets, int width);

    std::vector<double> m_open;         ///< until closed
    std::vector<std::uint8_t> m_bytes;  ///< `m_width` a point, low byte first, and 8 to spare
    double m_first = 0, m_step = 0;     ///< m_first of Multiples: in units of 1 / m_divisor
    float m_divisor = 1;
    int m_size = 0;
    Form m_form = Form::Open;
    std::uint8_t m_width = 0;  ///< bytes a point, 0-8
};

}  // namespace orrery
