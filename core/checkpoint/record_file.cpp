#include "core/checkpoint/record_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/crc32c.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/sha256.h"
#include "core/base/text.h"

namespace orrery {

namespace {

constexpr std::uint32_t kRecordFormat = 1;
constexpr std::size_t kBlockBytes = std::size_t{1} << 18U;
constexpr std::uint32_t kBlockMark = 0x4b4c4252;  // "RBLK"
constexpr std::uint32_t kEndMark = 0x444e4552;    // "REND"

struct RecordFileHead {
    std::array<char, 8> magic;
    std::uint32_t format;
    Sha256::Digest schema;
    std::uint32_t crc;  ///< of what stands before it
};
static_assert(sizeof(RecordFileHead) == 48);
constexpr std::array<char, 8> kMagic{'O', 'R', 'R', 'E', 'C', 'O', 'R', 'D'};

struct RecordBlockHead {
    std::uint32_t mark;
    std::uint32_t records;
    std::uint64_t bytes;
    std::uint32_t contentCrc;
    std::uint32_t crc;  ///< of what stands before it
};
static_assert(sizeof(RecordBlockHead) == 24);

struct RecordFileEnd {
    std::uint32_t mark;
    std::uint32_t zero;
    std::uint64_t records;
    std::uint64_t blocks;
    std::uint32_t crc;  ///< of what stands before it
    std::uint32_t zeroAgain;
};
static_assert(sizeof(RecordFileEnd) == 32);

template <typename Part>
std::uint32_t crcOf(const Part& part) {
    return crc32c(std::as_bytes(std::span(&part, 1)).first(offsetof(Part, crc)));
}

Sha256::Digest digestOf(std::string_view text) {
    Sha256 sha;
    sha.update(text);
    return sha.finish();
}

}  // namespace

RecordWriter::RecordWriter(FileWriter& file, std::string_view schema) : m_file(file) {
    RecordFileHead head{kMagic, kRecordFormat, digestOf(schema), 0};
    head.crc = crcOf(head);
    m_file.write(std::as_bytes(std::span(&head, 1)));
    m_block.reserve(kBlockBytes);
}

void RecordWriter::append(std::span<const std::byte> record) {
    assert(record.size() <= kMaxRecordBytes);
    const auto length = static_cast<std::uint32_t>(record.size());
    if (!m_block.empty() && m_block.size() + sizeof(length) + record.size() > kBlockBytes) flush();
    const std::span<const std::byte> prefix = std::as_bytes(std::span(&length, 1));
    m_block.insert(m_block.end(), prefix.begin(), prefix.end());
    m_block.insert(m_block.end(), record.begin(), record.end());
    ++m_blockRecords;
    ++m_records;
}

void RecordWriter::flush() {
    RecordBlockHead head{kBlockMark, m_blockRecords, m_block.size(), crc32c(m_block), 0};
    head.crc = crcOf(head);
    m_file.write(std::as_bytes(std::span(&head, 1)));
    m_file.write(m_block);
    m_block.clear();
    m_blockRecords = 0;
    ++m_blocks;
}

void RecordWriter::finish() {
    if (m_blockRecords > 0) flush();
    RecordFileEnd end{kEndMark, 0, m_records, m_blocks, 0, 0};
    end.crc = crcOf(end);
    m_file.write(std::as_bytes(std::span(&end, 1)));
}

RecordReader::RecordReader(int fd, std::filesystem::path path, std::string_view schema)
    : m_fd(fd), m_path(std::move(path)) {
    struct stat info {};
    if (::fstat(m_fd, &info) != 0 || ::lseek(m_fd, 0, SEEK_SET) < 0)
        throwFileError("read", m_path, errno);
    if (!S_ISREG(info.st_mode)) damaged("it is not a regular file");
    m_left = static_cast<std::uint64_t>(info.st_size);
    RecordFileHead head{};
    read(std::as_writable_bytes(std::span(&head, 1)));
    if (head.magic != kMagic) damaged("it does not begin as such a file");
    if (crcOf(head) != head.crc) damaged("its head does not agree with its checksum");
    if (head.format != kRecordFormat)
        damaged("it was written by a newer Orrery (format " + std::to_string(head.format) +
                "; this one reads " + std::to_string(kRecordFormat) + ")");
    if (head.schema != digestOf(schema)) damaged("its records are of another kind than this run's");
}

void RecordReader::damaged(const std::string& why) const {
    throw Error("Record file '" + escaped(m_path.native()) + "' is damaged: " + why +
                    ". Use another copy of it.",
                Error::Kind::Damaged);
}

void RecordReader::read(std::span<std::byte> bytes) {
    if (bytes.size() > m_left) damaged("it ends too early");
    const ssize_t got = readUpTo(m_fd, bytes);
    if (got < 0) throwFileError("read", m_path, errno);
    if (static_cast<std::size_t>(got) != bytes.size())
        damaged("it became shorter while it was read");
    m_left -= bytes.size();
}

bool RecordReader::next(std::span<const std::byte>& record) {
    if (m_blockRecords == 0 && !readBlock()) return false;
    std::uint32_t length = 0;
    const std::size_t left = m_block.size() - m_at;
    if (left >= sizeof(length)) std::memcpy(&length, m_block.data() + m_at, sizeof(length));
    if (left < sizeof(length) || length > left - sizeof(length))
        damaged("a record of block " + std::to_string(m_blocks) + " is longer than the block");
    record = std::span<const std::byte>(m_block).subspan(m_at + sizeof(length), length);
    m_at += sizeof(length) + length;
    ++m_records;
    if (--m_blockRecords == 0 && m_at != m_block.size())
        damaged("block " + std::to_string(m_blocks) + " holds more than its records");
    return true;
}

bool RecordReader::readBlock() {
    if (m_ended) return false;
    const std::string where = "block " + std::to_string(m_blocks + 1);
    RecordBlockHead head{};
    read(std::as_writable_bytes(std::span(&head.mark, 1)));
    if (head.mark == kEndMark) {
        readEnd();
        return false;
    }
    read(std::as_writable_bytes(std::span(&head, 1)).subspan(sizeof(head.mark)));
    if (head.mark != kBlockMark || crcOf(head) != head.crc || head.records == 0)
        damaged("the head of " + where + " does not agree with its checksum");
    if (head.bytes > m_left) damaged(where + " is cut off");
    m_block.resize(head.bytes);
    read(m_block);
    if (crc32c(m_block) != head.contentCrc) damaged(where + " does not agree with its checksum");
    m_at = 0;
    m_blockRecords = head.records;
    ++m_blocks;
    return true;
}

void RecordReader::readEnd() {
    RecordFileEnd end{};
    end.mark = kEndMark;
    read(std::as_writable_bytes(std::span(&end, 1)).subspan(sizeof(end.mark)));
    if (crcOf(end) != end.crc || end.zeroAgain != 0)
        damaged("its end does not agree with its checksum");
    if (end.records != m_records || end.blocks != m_blocks)
        damaged("it should hold " + std::to_string(end.records) + " records and holds " +
                std::to_string(m_records));
    if (m_left != 0) damaged("something follows its end");
    m_ended = true;
}

}  // namespace orrery
