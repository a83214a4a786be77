#include "core/base/sha256.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <vector>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/text.h"

namespace orrery {

namespace {

constexpr std::size_t kBlockBytes = 64;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4).
constexpr std::array<std::uint32_t, 64> kRound{
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

}  // namespace

void Sha256::compress(const std::byte* block) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t t = 0; t < 16; ++t) w[t] = bigEndian(block + 4 * t);
    for (std::size_t t = 16; t < 64; ++t) {
        const std::uint32_t x = w[t - 15];
        const std::uint32_t y = w[t - 2];
        w[t] = w[t - 16] + (std::rotr(x, 7) ^ std::rotr(x, 18) ^ (x >> 3U)) + w[t - 7] +
               (std::rotr(y, 17) ^ std::rotr(y, 19) ^ (y >> 10U));
    }
    auto [a, b, c, d, e, f, g, h] = m_state;
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
    const std::array<std::uint32_t, 8> sum{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) m_state[i] += sum[i];
}

void Sha256::update(std::span<const std::byte> bytes) {
    const std::size_t held = m_bytes % kBlockBytes;
    m_bytes += bytes.size();
    if (held > 0) {
        const std::size_t taken = std::min(kBlockBytes - held, bytes.size());
        std::copy_n(bytes.begin(), taken, m_block.begin() + static_cast<std::ptrdiff_t>(held));
        bytes = bytes.subspan(taken);
        if (held + taken < kBlockBytes) return;
        compress(m_block.data());
    }
    for (; bytes.size() >= kBlockBytes; bytes = bytes.subspan(kBlockBytes)) compress(bytes.data());
    std::ranges::copy(bytes, m_block.begin());
}

Sha256::Digest Sha256::finish() {
    const std::uint64_t bits = m_bytes * 8;
    std::array<std::byte, 2 * kBlockBytes> tail{std::byte{0x80}};
    const std::size_t held = m_bytes % kBlockBytes;
    const std::size_t zeros = (held < 56 ? 56 : 120) - held;  // with the 0x80 in front
    for (std::size_t i = 0; i < 8; ++i)
        tail[zeros + i] = static_cast<std::byte>(bits >> (56U - 8U * i));
    update(std::span(tail).first(zeros + 8));
    Digest digest{};
    for (std::size_t i = 0; i < digest.size(); ++i)
        digest[i] = static_cast<std::uint8_t>(m_state[i / 4] >> (24U - 8U * (i % 4)));
    return digest;
}

std::string Sha256::finishHex() {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (const std::uint8_t byte : finish()) {
        hex.push_back(kDigits[byte >> 4U]);
        hex.push_back(kDigits[byte & 15U]);
    }
    return hex;
}

std::string sha256Hex(std::string_view text) {
    Sha256 hash;
    hash.update(text);
    return hash.finishHex();
}

std::string sha256HexOfFile(const std::filesystem::path& path) {
    const FileDescriptor file = openFile(path, O_RDONLY | O_NONBLOCK);
    if (!file) throwFileError("open", path, errno);
    return sha256HexOfFile(file.get(), path);
}

std::string sha256HexOfFile(int fd, const std::filesystem::path& path) {
    struct stat info {};
    if (::fstat(fd, &info) != 0) throwFileError("read", path, errno);
    if (!S_ISREG(info.st_mode))
        throw Error("'" + escaped(path.native()) + "' is not a regular file. Give a file's path.",
                    Error::Kind::Resource);
    Sha256 hash;
    std::vector<std::byte> buffer(1U << 18U);
    while (true) {
        const ssize_t got = readUpTo(fd, buffer);
        if (got < 0) throwFileError("read", path, errno);
        if (got == 0) return hash.finishHex();
        hash.update(std::span(buffer).first(static_cast<std::size_t>(got)));
    }
}

}  // namespace orrery
