#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/atomic_write.h"

namespace orrery {

/// A sequence of records of any length: what a replay buffer is stored as. A head (magic, version,
/// hash of the schema), blocks of about 256 KiB each with its length, number of records and
/// CRC-32C, and an end block with the totals. Little-endian.
///
/// The schema is any text that changes when the meaning of the records does; a file of another
/// schema is not read.
inline constexpr std::uint64_t kMaxRecordBytes = std::uint64_t{1} << 30U;

class RecordWriter {
public:
    /// Writes the head. `file` must outlive the writer.
    RecordWriter(FileWriter& file, std::string_view schema);

    /// @param record  at most kMaxRecordBytes
    void append(std::span<const std::byte> record);
    /// Writes what is pending and the end block; call it once, last.
    void finish();

private:
    void flush();

    FileWriter& m_file;
    std::vector<std::byte> m_block;
    std::uint32_t m_blockRecords = 0;
    std::uint64_t m_records = 0, m_blocks = 0;
};

/// Reads a record file from its beginning, block by block.
class RecordReader {
public:
    /// Reads the head.
    /// @param fd    stays open as long as the reader
    /// @param path  for messages
    /// @throws Error (Damaged) if it is no record file, newer, or of another schema
    RecordReader(int fd, std::filesystem::path path, std::string_view schema);

    /// The next record; it stays until the next call. False after the last one.
    /// @throws Error (Damaged) naming file and block if a checksum or length does not agree, or if
    ///         the file ends before its end block
    bool next(std::span<const std::byte>& record);

private:
    bool readBlock();
    void readEnd();
    [[noreturn]] void damaged(const std::string& why) const;
    void read(std::span<std::byte> bytes);

    int m_fd;
    std::filesystem::path m_path;
    std::uint64_t m_left = 0;  ///< bytes of the file not yet read
    std::vector<std::byte> m_block;
    std::size_t m_at = 0;              ///< in m_block
    std::uint32_t m_blockRecords = 0;  ///< of it, not yet given
    std::uint64_t m_records = 0, m_blocks = 0;
    bool m_ended = false;
};

}  // namespace orrery
