#include "core/base/crc32c.h"

#include <array>
#include <bit>
#include <cstring>

namespace orrery {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint32_t kPolynomial = 0x82F63B78;  // Castagnoli's, bits reversed

// kTable[k][b]: the CRC of byte b followed by k zero bytes.
constexpr auto kTable = [] {
    std::array<std::array<std::uint32_t, 256>, 8> table{};
    for (std::uint32_t b = 0; b < 256; ++b) {
        std::uint32_t crc = b;
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kPolynomial : 0U);
        table[0][b] = crc;
    }
    for (std::size_t k = 1; k < 8; ++k)
        for (std::size_t b = 0; b < 256; ++b)
            table[k][b] = (table[k - 1][b] >> 8U) ^ table[0][table[k - 1][b] & 0xFFU];
    return table;
}();

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t crc) {
    crc = ~crc;
    for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), 8);
        word ^= crc;
        crc = 0;
        for (std::size_t i = 0; i < 8; ++i) crc ^= kTable[7 - i][(word >> (8U * i)) & 0xFFU];
    }
    for (const std::byte byte : bytes)
        crc = (crc >> 8U) ^ kTable[0][(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xFFU];
    return ~crc;
}

}  // namespace orrery
