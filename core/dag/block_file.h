#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"

namespace orrery {

/// A file of named arrays: a 128-byte head (magic, kind, version, content hash), the blocks each at
/// a multiple of 64 bytes, a table of (name, offset, bytes, CRC-32C), and a 32-byte tail with the
/// table's place and checksum. Little-endian. Written whole or not at all.
struct BlockFileKind {
    const char* kind;       ///< 8 letters
    std::uint32_t version;  ///< newer ones are refused
    const char* what;       ///< for messages: "graph", "solution"
};

struct Block {
    std::string name;                  ///< at most 15 letters
    std::span<const std::byte> bytes;  ///< must stay alive while written
};

/// @param contentHash at most 64 letters
/// @return false if stopped; then nothing is left behind
/// @throws Error (Resource) if it cannot be written
bool writeBlockFile(const std::filesystem::path& file, const BlockFileKind& kind,
                    const std::string& contentHash, std::span<const Block> blocks,
                    std::stop_token stop, const ProgressSink& progress);

/// A mapped block file. Its file must not be truncated by others while it is open.
class MappedBlocks {
public:
    /// Maps the file and checks every byte of it: checksums, and zeros between the blocks.
    /// @param contentHashes those that will do
    /// @return null if stopped
    /// @throws Error (Damaged) if it is broken, newer, or its content hash is none of these
    static std::shared_ptr<const MappedBlocks> open(const std::filesystem::path& file,
                                                    const BlockFileKind& kind,
                                                    std::span<const std::string> contentHashes,
                                                    const std::stop_token& stop,
                                                    const ProgressSink& progress);
    ~MappedBlocks();
    MappedBlocks(const MappedBlocks&) = delete;
    MappedBlocks& operator=(const MappedBlocks&) = delete;

    /// @throws Error (Damaged) if there is no such block or its length is no multiple of T's size
    template <typename T>
    std::span<const T> block(const std::string& name) const {
        const std::span<const std::byte> bytes = find(name, sizeof(T));
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
    bool has(const std::string& name) const;
    const std::string& contentHash() const { return m_contentHash; }

private:
    struct Entry {
        std::string name;
        std::span<const std::byte> bytes;
    };
    std::span<const std::byte> find(const std::string& name, std::size_t elementSize) const;
    MappedBlocks(const std::filesystem::path& file, const BlockFileKind& kind);
    /// @return the table, and where it begins
    std::pair<std::span<const std::byte>, std::uint64_t> readTable(
        const BlockFileKind& kind, std::span<const std::string> contentHashes);
    bool readBlocks(std::span<const std::byte> table, std::uint64_t end,
                    const std::stop_token& stop, const ProgressSink& progress);
    void requireZeros(std::uint64_t begin, std::uint64_t end) const;
    [[noreturn]] void damaged(const std::string& why) const;

    std::filesystem::path m_file;
    const char* m_what;
    std::string m_contentHash;
    void* m_memory = nullptr;
    std::size_t m_size = 0;
    std::vector<Entry> m_entries;
};

}  // namespace orrery
