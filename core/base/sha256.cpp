#include "core/base/sha256.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/sha256_blocks.h"
#include "core/base/text.h"

namespace orrery {

void Sha256::compress(const std::byte* block) {
    sha256Blocks()(m_state, block, 1);
}

void Sha256::update(std::span<const std::byte> bytes) {
    const std::size_t held = m_bytes % kSha256BlockBytes;
    m_bytes += bytes.size();
    if (held > 0) {
        const std::size_t taken = std::min(kSha256BlockBytes - held, bytes.size());
        std::copy_n(bytes.begin(), taken, m_block.begin() + static_cast<std::ptrdiff_t>(held));
        bytes = bytes.subspan(taken);
        if (held + taken < kSha256BlockBytes) return;
        compress(m_block.data());
    }
    const std::size_t whole = bytes.size() / kSha256BlockBytes;
    sha256Blocks()(m_state, bytes.data(), whole);
    std::ranges::copy(bytes.subspan(whole * kSha256BlockBytes), m_block.begin());
}

Sha256::Digest Sha256::finish() {
    const std::uint64_t bits = m_bytes * 8;
    std::array<std::byte, 2 * kSha256BlockBytes> tail{std::byte{0x80}};
    const std::size_t held = m_bytes % kSha256BlockBytes;
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
