#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace orrery {

/// SHA-256 (FIPS 180-4) of bytes that come in pieces. One object, one thread, one digest.
class Sha256 {
public:
    using Digest = std::array<std::uint8_t, 32>;

    void update(std::span<const std::byte> bytes);
    void update(std::string_view text) { update(std::as_bytes(std::span(text))); }

    /// Ends the message; call it once.
    Digest finish();
    /// finish() as 64 lower-case hexadecimal digits.
    std::string finishHex();

private:
    void compress(const std::byte* block);

    std::array<std::uint32_t, 8> m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, 64> m_block{};
    std::uint64_t m_bytes = 0;
};

/// 64 lower-case hexadecimal digits.
std::string sha256Hex(std::string_view text);

/// The digest of a regular file's content.
/// @throws Error (Resource) if it cannot be read to its end
std::string sha256HexOfFile(const std::filesystem::path& path);
/// The same for an open file, from its position on; `path` is for the message.
std::string sha256HexOfFile(int fd, const std::filesystem::path& path);

}  // namespace orrery
