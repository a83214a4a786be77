#pragma once

#include <cstdint>

namespace orrery {

__extension__ using Uint128 = unsigned __int128;

/// Odd numbers without a pattern in their bits, a factor for each of four lanes.
inline constexpr std::uint64_t kMixFactors[4] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9,
                                                 0x94d049bb133111eb, 0xd6e8feb86659fd93};

/// Both halves of the product of two words of 64 bits, in one.
inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<Uint128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace orrery
