#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace orrery {

/// 128 bits that name a string of bytes: two of 10^9 different ones agree with a chance below
/// 10^-20. The same on every machine; not made against people who look for collisions.
struct Fingerprint {
    std::uint64_t high = 0, low = 0;
    bool operator==(const Fingerprint&) const = default;
    bool operator<(const Fingerprint& other) const {
        return high != other.high ? high < other.high : low < other.low;
    }
};

/// @param seed  tells strings of different kinds apart, for instance the layout of a state
/// About 10 bytes a nanosecond.
Fingerprint fingerprintOf(std::span<const std::byte> bytes, std::uint64_t seed = 0);

}  // namespace orrery

template <>
struct std::hash<orrery::Fingerprint> {
    std::size_t operator()(const orrery::Fingerprint& print) const noexcept { return print.low; }
};
