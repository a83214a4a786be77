#include "core/base/sha256_blocks.h"

#include <bit>
#include <cstdlib>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace orrery {

namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4).
alignas(16) constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t bigEndian(const std::byte* bytes) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i)
        word = (word << 8U) | std::to_integer<std::uint32_t>(bytes[i]);
    return word;
}

void plainBlock(Sha256State& state, const std::byte* block) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t t = 0; t < 16; ++t) w[t] = bigEndian(block + 4 * t);
    for (std::size_t t = 16; t < 64; ++t) {
        const std::uint32_t x = w[t - 15];
        const std::uint32_t y = w[t - 2];
        w[t] = w[t - 16] + (std::rotr(x, 7) ^ std::rotr(x, 18) ^ (x >> 3U)) + w[t - 7] +
               (std::rotr(y, 17) ^ std::rotr(y, 19) ^ (y >> 10U));
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t t = 0; t < 64; ++t) {
        const std::uint32_t choice = (e & f) ^ (~e & g);
        const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        const std::uint32_t t1 =
            h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + choice + kRound[t] + w[t];
        const std::uint32_t t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    const Sha256State sum{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += sum[i];
}

#if defined(__x86_64__)

/// The processor works on the words a, b, e, f and c, d, g, h together, the first of each at the
/// top.
struct WorkingWords {
    __m128i abef, cdgh;
};

__attribute__((target("sha,sse4.1"))) WorkingWords toWorking(const Sha256State& state) {
    const __m128i dcba = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data()));
    const __m128i hgfe = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data() + 4));
    const __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1);
    const __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1B);
    return {_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xF0)};
}

__attribute__((target("sha,sse4.1"))) void fromWorking(const WorkingWords& words,
                                                       Sha256State& state) {
    const __m128i feba = _mm_shuffle_epi32(words.abef, 0x1B);
    const __m128i dchg = _mm_shuffle_epi32(words.cdgh, 0xB1);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}

__attribute__((target("sha,sse4.1"))) void processorBlocks(Sha256State& state,
                                                           const std::byte* blocks,
                                                           std::size_t count) {
    const __m128i byteOrder = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    WorkingWords words = toWorking(state);
    for (; count > 0; --count, blocks += kSha256BlockBytes) {
        const WorkingWords before = words;
        __m128i w[4];  // the newest sixteen words of the schedule, four by four
#pragma GCC unroll 16
        for (int i = 0; i < 16; ++i) {
            __m128i& now = w[i % 4];
            if (i < 4) {
                now = _mm_shuffle_epi8(
                    _mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks) + i), byteOrder);
            } else {
                const __m128i& last = w[(i + 3) % 4];
                const __m128i middle = _mm_alignr_epi8(last, w[(i + 2) % 4], 4);
                now = _mm_sha256msg2_epu32(
                    _mm_add_epi32(_mm_sha256msg1_epu32(now, w[(i + 1) % 4]), middle), last);
            }
            const __m128i four = _mm_add_epi32(
                now, _mm_load_si128(reinterpret_cast<const __m128i*>(kRound.data()) + i));
            words.cdgh = _mm_sha256rnds2_epu32(words.cdgh, words.abef, four);
            words.abef =
                _mm_sha256rnds2_epu32(words.abef, words.cdgh, _mm_shuffle_epi32(four, 0x0E));
        }
        words.abef = _mm_add_epi32(words.abef, before.abef);
        words.cdgh = _mm_add_epi32(words.cdgh, before.cdgh);
    }
    fromWorking(words, state);
}

bool hasShaInstructions() {
    constexpr unsigned kLeaf = 7, kShaBit = 29;
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(kLeaf, 0, &a, &b, &c, &d) != 0 && (b >> kShaBit & 1U) != 0 &&
           __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3");
}

#endif

}  // namespace

void sha256BlocksPlain(Sha256State& state, const std::byte* blocks, std::size_t count) {
    for (; count > 0; --count, blocks += kSha256BlockBytes) plainBlock(state, blocks);
}

Sha256Blocks sha256BlocksOfProcessor() {
#if defined(__x86_64__)
    if (hasShaInstructions()) return processorBlocks;
#endif
    return nullptr;
}

Sha256Blocks sha256Blocks() {
    static const Sha256Blocks kChosen = [] {
        // Read once, before any thread of ours could change the environment.
        const char* const wish = std::getenv("ORRERY_CPU");  // NOLINT(concurrency-mt-unsafe)
        const Sha256Blocks own = sha256BlocksOfProcessor();
        const bool isPlain = wish != nullptr && std::string_view(wish) == "baseline";
        return own == nullptr || isPlain ? sha256BlocksPlain : own;
    }();
    return kChosen;
}

}  // namespace orrery
