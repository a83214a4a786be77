#include "core/dag/block_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include "core/base/atomic_write.h"
#include "core/base/crc32c.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"

namespace orrery {

namespace {

constexpr std::size_t kAlign = 64;
constexpr std::size_t kCheckedBytes = 4 << 20;  // between two looks at the stop token
constexpr char kMagic[9] = "ORRERYBF";

struct Head {
    char magic[8];
    char kind[8];
    std::uint32_t version;
    std::uint32_t unused;
    char hash[104];
};
static_assert(sizeof(Head) == 128);

struct TableEntry {
    char name[16];
    std::uint64_t offset;
    std::uint64_t bytes;
    std::uint32_t crc;
    std::uint32_t unused;
};
static_assert(sizeof(TableEntry) == 40);

struct Tail {
    std::uint64_t tableOffset;
    std::uint32_t tableEntries;
    std::uint32_t crc;  ///< of head and table
    char magic[8];
    std::uint64_t fileBytes;
};
static_assert(sizeof(Tail) == 32);

template <typename T>
std::span<const std::byte> bytesOf(const T& value) {
    return std::as_bytes(std::span(&value, 1));
}

/// Where the next block may begin.
std::uint64_t aligned(std::uint64_t offset) {
    return (offset + kAlign - 1) / kAlign * kAlign;
}

/// Reports bytes done, at most 30 times a second.
class ByteProgress {
public:
    ByteProgress(const ProgressSink& sink, const char* phase, std::uint64_t total)
        : m_sink(sink), m_phase(phase), m_total(total) {}

    void advance(std::uint64_t bytes) {
        m_done += bytes;
        const auto now = std::chrono::steady_clock::now();
        if (!m_sink || now - m_last < std::chrono::milliseconds(33)) return;
        m_last = now;
        Progress progress{.phase = m_phase,
                          .done = static_cast<std::int64_t>(m_done),
                          .total = static_cast<std::int64_t>(m_total),
                          .unit = "bytes"};
        progress.seconds = std::chrono::duration<double>(now - m_begin).count();
        progress.ratePerSecond = static_cast<double>(m_done) / std::max(1e-9, progress.seconds);
        progress.secondsLeft =
            static_cast<double>(m_total - m_done) / std::max(1.0, progress.ratePerSecond);
        m_sink(progress);
    }

private:
    const ProgressSink& m_sink;
    const char* m_phase;
    std::uint64_t m_total, m_done = 0;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point m_last{};  // so that the first report comes at once
};

Head headOf(const BlockFileKind& kind, const std::string& contentHash) {
    Head head{};
    std::copy_n(kMagic, 8, head.magic);
    std::copy_n(kind.kind, 8, head.kind);
    head.version = kind.version;
    contentHash.copy(head.hash, sizeof head.hash - 1);
    return head;
}

void writePadding(FileWriter& out) {
    const std::array<std::byte, kAlign> zeros{};
    out.write(std::span(zeros).first(aligned(out.offset()) - out.offset()));
}

/// @return false if stopped
bool writeBlock(FileWriter& out, const Block& block, const std::stop_token& stop,
                ByteProgress& progress, TableEntry& entry) {
    writePadding(out);
    block.name.copy(entry.name, sizeof entry.name - 1);
    entry.offset = out.offset();
    entry.bytes = block.bytes.size();
    for (std::size_t at = 0; at < block.bytes.size(); at += kCheckedBytes) {
        if (stop.stop_requested()) return false;
        const auto piece =
            block.bytes.subspan(at, std::min(kCheckedBytes, block.bytes.size() - at));
        entry.crc = crc32c(piece, entry.crc);
        out.write(piece);
        progress.advance(piece.size());
    }
    return true;
}

void writeTable(FileWriter& out, const Head& head, const std::vector<TableEntry>& table) {
    writePadding(out);
    Tail tail{};
    tail.tableOffset = out.offset();
    tail.tableEntries = static_cast<std::uint32_t>(table.size());
    tail.crc = crc32c(std::as_bytes(std::span(table)), crc32c(bytesOf(head)));
    std::copy_n(kMagic, 8, tail.magic);
    tail.fileBytes = tail.tableOffset + table.size() * sizeof(TableEntry) + sizeof(Tail);
    out.write(std::as_bytes(std::span(table)));
    out.write(bytesOf(tail));
}

}  // namespace

bool writeBlockFile(const std::filesystem::path& file, const BlockFileKind& kind,
                    const std::string& contentHash, std::span<const Block> blocks,
                    std::stop_token stop, const ProgressSink& progress) {
    std::uint64_t total = 0;
    for (const Block& block : blocks) total += block.bytes.size();
    ByteProgress report(progress, "write", total);
    return tryAtomicWrite(file, [&](FileWriter& out) {
        const Head head = headOf(kind, contentHash);
        out.write(bytesOf(head));
        std::vector<TableEntry> table(blocks.size());
        for (std::size_t k = 0; k < blocks.size(); ++k)
            if (!writeBlock(out, blocks[k], stop, report, table[k])) return false;
        writeTable(out, head, table);
        return true;
    });
}

MappedBlocks::MappedBlocks(const std::filesystem::path& file, const BlockFileKind& kind)
    : m_file(file), m_what(kind.what) {
    const FileDescriptor fd = openFile(file, O_RDONLY | O_NOFOLLOW);
    struct stat status {};
    if (!fd || fstat(fd.get(), &status) != 0) throwFileError("open", file, errno);
    m_size = static_cast<std::size_t>(status.st_size);
    if (!S_ISREG(status.st_mode) || m_size < sizeof(Head) + sizeof(Tail))
        damaged("it is too short");
    m_memory = mmap(nullptr, m_size, PROT_READ, MAP_SHARED, fd.get(), 0);
    if (m_memory == MAP_FAILED) {
        m_memory = nullptr;
        throwFileError("map", file, errno);
    }
}

std::shared_ptr<const MappedBlocks> MappedBlocks::open(const std::filesystem::path& file,
                                                       const BlockFileKind& kind,
                                                       std::span<const std::string> contentHashes,
                                                       const std::stop_token& stop,
                                                       const ProgressSink& progress) {
    const std::shared_ptr<MappedBlocks> blocks(new MappedBlocks(file, kind));
    const auto [table, begin] = blocks->readTable(kind, contentHashes);
    if (!blocks->readBlocks(table, begin, stop, progress)) return nullptr;
    return blocks;
}

MappedBlocks::~MappedBlocks() {
    if (m_memory != nullptr) munmap(m_memory, m_size);
}

void MappedBlocks::damaged(const std::string& why) const {
    throw Error("The " + std::string(m_what) + " file '" + m_file.string() +
                    "' is damaged: " + why + ". Delete it; it can be computed again",
                Error::Kind::Damaged);
}

std::pair<std::span<const std::byte>, std::uint64_t> MappedBlocks::readTable(
    const BlockFileKind& kind, std::span<const std::string> contentHashes) {
    const auto* base = static_cast<const std::byte*>(m_memory);
    Head head{};
    Tail tail{};
    std::memcpy(&head, base, sizeof head);
    std::memcpy(&tail, base + m_size - sizeof tail, sizeof tail);
    if (!std::equal(kMagic, kMagic + 8, head.magic) ||
        !std::equal(kMagic, kMagic + 8, tail.magic) ||
        !std::equal(kind.kind, kind.kind + 8, head.kind))
        damaged(std::string("it is no ") + m_what + " file, or was cut off");
    if (head.version > kind.version)
        throw Error("The " + std::string(m_what) + " file '" + m_file.string() + "' has format " +
                        std::to_string(head.version) + ", newer than this program's " +
                        std::to_string(kind.version) + ". Use a newer Orrery",
                    Error::Kind::Damaged);
    const std::uint64_t tableBytes = std::uint64_t{tail.tableEntries} * sizeof(TableEntry);
    if (tail.fileBytes != m_size || tableBytes > m_size - sizeof(Tail) ||
        tail.tableOffset != m_size - sizeof(Tail) - tableBytes || tail.tableOffset % kAlign != 0)
        damaged("its table is not where it should be");
    const std::span<const std::byte> tableSpan(base + tail.tableOffset, tableBytes);
    if (crc32c(tableSpan, crc32c(bytesOf(head))) != tail.crc)
        damaged("its table has a wrong checksum");
    head.hash[sizeof head.hash - 1] = 0;
    m_contentHash = head.hash;
    if (std::ranges::count(contentHashes, m_contentHash) == 0)
        throw Error("The " + std::string(m_what) + " file '" + m_file.string() +
                        "' belongs to another world or other options. Choose the right file",
                    Error::Kind::Damaged);
    return {tableSpan, tail.tableOffset};
}

bool MappedBlocks::readBlocks(std::span<const std::byte> table, std::uint64_t end,
                              const std::stop_token& stop, const ProgressSink& progress) {
    const auto* base = static_cast<const std::byte*>(m_memory);
    ByteProgress report(progress, "open", end);
    std::uint64_t next = sizeof(Head);  // the first byte after the blocks so far
    for (std::size_t k = 0; k < table.size() / sizeof(TableEntry); ++k) {
        TableEntry entry{};
        std::memcpy(&entry, table.data() + k * sizeof entry, sizeof entry);
        entry.name[sizeof entry.name - 1] = 0;
        if (entry.offset != aligned(next) || entry.offset > end || entry.bytes > end - entry.offset)
            damaged("block '" + std::string(entry.name) + "' is not where it should be");
        requireZeros(next, entry.offset);
        const std::span<const std::byte> bytes(base + entry.offset, entry.bytes);
        std::uint32_t crc = 0;
        for (std::size_t at = 0; at < bytes.size(); at += kCheckedBytes) {
            if (stop.stop_requested()) return false;
            const auto piece = bytes.subspan(at, std::min(kCheckedBytes, bytes.size() - at));
            crc = crc32c(piece, crc);
            report.advance(piece.size());
        }
        if (crc != entry.crc)
            damaged("block '" + std::string(entry.name) + "' has a wrong checksum");
        m_entries.push_back({entry.name, bytes});
        next = entry.offset + entry.bytes;
    }
    if (aligned(next) != end) damaged("its table is not where it should be");
    requireZeros(next, end);
    return true;
}

void MappedBlocks::requireZeros(std::uint64_t begin, std::uint64_t end) const {
    const auto* base = static_cast<const std::byte*>(m_memory);
    if (std::any_of(base + begin, base + end, [](std::byte b) { return b != std::byte{0}; }))
        damaged("the space between its blocks is not empty");
}

bool MappedBlocks::has(const std::string& name) const {
    return std::ranges::find(m_entries, name, &Entry::name) != m_entries.end();
}

std::span<const std::byte> MappedBlocks::find(const std::string& name,
                                              std::size_t elementSize) const {
    const auto at = std::ranges::find(m_entries, name, &Entry::name);
    if (at == m_entries.end()) damaged("block '" + name + "' is missing");
    if (at->bytes.size() % elementSize != 0) damaged("block '" + name + "' has an odd length");
    return at->bytes;
}

}  // namespace orrery
