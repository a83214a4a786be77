#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace orrery {

/// CRC-32C (Castagnoli) of `bytes`, continuing from `crc`: crc32c(b, crc32c(a)) is that of a + b.
/// About 1.5 GB/s; any thread.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t crc = 0);
inline std::uint32_t crc32c(std::string_view text, std::uint32_t crc = 0) {
    return crc32c(std::as_bytes(std::span(text)), crc);
}

}  // namespace orrery
