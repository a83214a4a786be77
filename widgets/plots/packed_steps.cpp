#include "widgets/plots/packed_steps.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

namespace orrery {

namespace {

static_assert(std::endian::native == std::endian::little, "offsets are stored low byte first");

constexpr double kWholeLimit = 0x1p52;  // differences of whole numbers below it are exact
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

/// Bit patterns in the order of the numbers.
std::uint64_t orderedBits(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    return (bits & kSign) ? ~bits : bits | kSign;
}

double fromOrderedBits(std::uint64_t ordered) {
    return std::bit_cast<double>((ordered & kSign) ? ordered & ~kSign : ~ordered);
}

/// x is a whole number of 1 / divisor, and is given back by it exactly.
bool isMultiple(double x, double divisor) {
    const double whole = std::round(x * divisor);
    return std::abs(whole) < kWholeLimit && whole / divisor == x;
}

int bytesFor(std::uint64_t largest) {
    return (static_cast<int>(std::bit_width(largest)) + 7) / 8;
}

}  // namespace

void PackedSteps::append(std::span<const double> x) {
    assert(!isClosed() && m_size + std::ssize(x) <= kChunkPoints);
    m_open.insert(m_open.end(), x.begin(), x.end());
    m_size += static_cast<int>(x.size());
}

void PackedSteps::close() {
    if (isClosed() || m_size == 0) return;
    m_first = m_open.front() + 0.0;  // no negative zero
    if (!tryRegular()) {
        const Form form = findDivisor() ? Form::Multiples : Form::Bits;
        if (form == Form::Multiples) m_first = std::round(m_first * m_divisor);
        const std::uint64_t firstBits = orderedBits(m_first);
        std::vector<std::uint64_t> offsets(m_open.size());
        for (std::size_t k = 0; k < offsets.size(); ++k)
            offsets[k] =
                form == Form::Multiples
                    ? static_cast<std::uint64_t>(std::round(m_open[k] * m_divisor) - m_first)
                    : orderedBits(m_open[k] + 0.0) - firstBits;
        pack(form, offsets, bytesFor(offsets.back()));
    }
    std::vector<double>().swap(m_open);
}

bool PackedSteps::tryRegular() {
    m_step = m_size > 1 ? m_open[1] - m_open[0] : 0;
    for (int k = 0; k < m_size; ++k)
        if (m_first + k * m_step != m_open[static_cast<std::size_t>(k)]) return false;
    m_form = Form::Regular;
    return true;
}

bool PackedSteps::findDivisor() {
    for (const float divisor : {1.F, 1e3F, 1e6F}) {
        m_divisor = divisor;
        if (std::ranges::all_of(m_open, [this](double x) { return isMultiple(x, m_divisor); }))
            return true;
    }
    return false;
}

void PackedSteps::pack(Form form, const std::vector<std::uint64_t>& offsets, int width) {
    m_form = form;
    m_width = static_cast<std::uint8_t>(width);
    m_bytes.assign(offsets.size() * m_width + sizeof(std::uint64_t), 0);
    for (std::size_t k = 0; k < offsets.size(); ++k)
        std::memcpy(m_bytes.data() + k * m_width, &offsets[k], m_width);
}

double PackedSteps::at(int k) const {
    if (m_form == Form::Open) return m_open[static_cast<std::size_t>(k)];
    if (m_form == Form::Regular) return m_first + k * m_step;
    std::uint64_t offset = 0;
    std::memcpy(&offset, m_bytes.data() + static_cast<std::size_t>(k) * m_width, sizeof offset);
    if (m_width < 8) offset &= (std::uint64_t{1} << (8 * m_width)) - 1;
    if (m_form == Form::Multiples) return (m_first + static_cast<double>(offset)) / m_divisor;
    return fromOrderedBits(orderedBits(m_first) + offset);
}

int PackedSteps::lowerBound(double x) const {
    if (m_form == Form::Regular && m_step > 0) {
        int k = static_cast<int>(std::clamp((x - m_first) / m_step, 0.0, m_size - 1.0));
        while (k > 0 && at(k - 1) >= x) --k;
        while (k < m_size && at(k) < x) ++k;
        return k;
    }
    int low = 0;
    int length = m_size;
    while (length > 0) {
        const int half = length / 2;
        if (at(low + half) < x) {
            low += half + 1;
            length -= half + 1;
        } else {
            length = half;
        }
    }
    return low;
}

std::int64_t PackedSteps::heapBytes() const {
    return static_cast<std::int64_t>(m_open.capacity() * sizeof(double) + m_bytes.capacity());
}

}  // namespace orrery
