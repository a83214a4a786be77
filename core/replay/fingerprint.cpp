#include "core/replay/fingerprint.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/replay/mixing.h"

namespace orrery {

namespace {

/// A one-to-one mixing of 64 bits.
std::uint64_t stirred(std::uint64_t x) {
    x = (x ^ (x >> 30)) * kMixFactors[1];
    x = (x ^ (x >> 27)) * kMixFactors[2];
    return x ^ (x >> 31);
}

}  // namespace

Fingerprint fingerprintOf(std::span<const std::byte> bytes, std::uint64_t seed) {
    // Four lanes of 128 bits take eight bytes each in turn, so that their multiplications overlap.
    // In a lane each step is one-to-one in the word, so that a single changed word always shows.
    std::uint64_t a[4], b[4];
    for (std::size_t lane = 0; lane < 4; ++lane) {
        a[lane] = stirred(seed + kMixFactors[lane]);
        b[lane] = stirred(a[lane] ^ bytes.size());
    }
    const auto take = [&](std::size_t lane, std::uint64_t word) {
        a[lane] = std::rotl(a[lane] ^ word, 29) * kMixFactors[lane];
        b[lane] = (std::rotl(b[lane], 31) + (a[lane] ^ word)) * kMixFactors[3 - lane];
    };
    std::size_t at = 0;
    for (; at + 32 <= bytes.size(); at += 32) {
        std::uint64_t words[4];
        std::memcpy(words, bytes.data() + at, sizeof(words));
        for (std::size_t lane = 0; lane < 4; ++lane) take(lane, words[lane]);
    }
    for (std::size_t lane = 0; at < bytes.size(); at += 8, ++lane) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
        take(lane, word);
    }
    Fingerprint print{.high = bytes.size(), .low = seed};
    for (std::size_t lane = 0; lane < 4; ++lane) {
        print.high =
            mixed(print.high ^ stirred(a[lane] + lane), kMixFactors[lane]) + std::rotl(b[lane], 17);
        print.low = mixed(print.low ^ stirred(b[lane] - lane), kMixFactors[3 - lane]) + a[lane];
    }
    return {.high = stirred(print.high ^ std::rotl(print.low, 32)),
            .low = stirred(print.low + kMixFactors[0] * print.high)};
}

}  // namespace orrery
