#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace orrery {

/// A random stream: xoshiro256** seeded by splitmix64 from (seed, stream). Streams of one seed are
/// independent for our purposes; the same pair gives the same numbers on every machine.
/// Not thread-safe: give each thread, environment or actor a stream of its own.
class Rng {
public:
    explicit Rng(std::uint64_t seed, std::uint64_t stream = 0) : m_state{} {
        std::uint64_t x = seed ^ (stream * 0x9E3779B97F4A7C15ULL + 0xD1B54A32D192ED03ULL);
        for (auto& word : m_state) word = splitmix(x);
    }

    /// 64 random bits.
    std::uint64_t next() {
        const std::uint64_t result = rotl(m_state[1] * 5, 7) * 9;
        const std::uint64_t t = m_state[1] << 17;
        m_state[2] ^= m_state[0];
        m_state[3] ^= m_state[1];
        m_state[1] ^= m_state[2];
        m_state[0] ^= m_state[3];
        m_state[2] ^= t;
        m_state[3] = rotl(m_state[3], 45);
        return result;
    }

    /// Uniform in [0, 1) with 53 bits.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    /// Uniform in [0, n), n > 0, without bias.
    std::uint64_t below(std::uint64_t n) {
        std::uint64_t x = next();
        // Only the last n numbers can lie beyond the last whole multiple: else no second division.
        while (x > UINT64_MAX - n && x >= UINT64_MAX - UINT64_MAX % n) x = next();
        return x % n;
    }

    /// Of the standard normal distribution; takes two of the stream. The last bits are those of the
    /// machine's cosine and logarithm.
    double normal() {
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

    /// All that decides what comes next; never all zero.
    std::array<std::uint64_t, 4> words() const {
        return {m_state[0], m_state[1], m_state[2], m_state[3]};
    }
    void setWords(const std::array<std::uint64_t, 4>& words) {
        std::copy(words.begin(), words.end(), m_state);
    }

private:
    static std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
    static std::uint64_t splitmix(std::uint64_t& x) {
        x += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = x;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    std::uint64_t m_state[4];
};

}  // namespace orrery
