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

struct Stopped {};

template <typename T>
std::span<const std::byte> bytesOf(const T& value) {
    return std::as_bytes(std::span(&value, 1));
}

}  // namespace

bool writeBlockFile(const std::filesystem::path& file, const BlockFileKind& kind,
                    const std::string& contentHash, std::span<const Block> blocks,
                    std::stop_token stop, const ProgressSink& progress) {
    constexpr std::size_t kPiece = 4 << 20;
    std::uint64_t total = 0;
    for (const Block& block : blocks) total += block.bytes.size();
    const auto start = std::chrono::steady_clock::now();
    auto lastReport = start;
    std::uint64_t done = 0;
    const auto report = [&] {
        const auto now = std::chrono::steady_clock::now();
        if (!progress || now - lastReport < std::chrono::milliseconds(33)) return;
        lastReport = now;
        Progress p{.phase = "write",
                   .done = static_cast<std::int64_t>(done),
                   .total = static_cast<std::int64_t>(total),
                   .unit = "bytes"};
        p.seconds = std::chrono::duration<double>(now - start).count();
        p.ratePerSecond = static_cast<double>(done) / p.seconds;
        p.secondsLeft = static_cast<double>(total - done) / std::max(1.0, p.ratePerSecond);
        progress(p);
    };
    const auto writer = [&](FileWriter& out) {
        Head head{};
        std::copy_n(kMagic, 8, head.magic);
        std::copy_n(kind.kind, 8, head.kind);
        head.version = kind.version;
        contentHash.copy(head.hash, sizeof head.hash - 1);
        out.write(bytesOf(head));
        std::vector<TableEntry> table;
        const std::array<std::byte, kAlign> zeros{};
        for (const Block& block : blocks) {
            out.write(std::span(zeros).first((kAlign - out.offset() % kAlign) % kAlign));
            TableEntry entry{};
            block.name.copy(entry.name, sizeof entry.name - 1);
            entry.offset = out.offset();
            entry.bytes = block.bytes.size();
            for (std::size_t at = 0; at < block.bytes.size(); at += kPiece) {
                if (stop.stop_requested()) throw Stopped{};
                const auto piece =
                    block.bytes.subspan(at, std::min(kPiece, block.bytes.size() - at));
                entry.crc = crc32c(piece, entry.crc);
                out.write(piece);
                done += piece.size();
                report();
            }
            table.push_back(entry);
        }
        out.write(std::span(zeros).first((kAlign - out.offset() % kAlign) % kAlign));
        Tail tail{};
        tail.tableOffset = out.offset();
        tail.tableEntries = static_cast<std::uint32_t>(table.size());
        tail.crc = crc32c(std::as_bytes(std::span(table)), crc32c(bytesOf(head)));
        std::copy_n(kMagic, 8, tail.magic);
        tail.fileBytes = tail.tableOffset + table.size() * sizeof(TableEntry) + sizeof(Tail);
        out.write(std::as_bytes(std::span(table)));
        out.write(bytesOf(tail));
    };
    try {
        atomicWrite(file, writer);
    } catch (const Stopped&) {
        return false;
    }
    return true;
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
                                                       const std::string& contentHash,
                                                       const std::stop_token& stop) {
    const std::shared_ptr<MappedBlocks> blocks(new MappedBlocks(file, kind));
    if (!blocks->readTable(kind, contentHash, stop)) return nullptr;
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

bool MappedBlocks::readTable(const BlockFileKind& kind, const std::string& contentHash,
                             const std::stop_token& stop) {
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
    if (contentHash != head.hash)
        throw Error("The " + std::string(m_what) + " file '" + m_file.string() +
                        "' belongs to another world or other options. Choose the right file",
                    Error::Kind::Damaged);
    return readBlocks(tableSpan, tail.tableOffset, stop);
}

bool MappedBlocks::readBlocks(std::span<const std::byte> table, std::uint64_t end,
                              const std::stop_token& stop) {
    constexpr std::size_t kPiece = 16 << 20;
    const auto* base = static_cast<const std::byte*>(m_memory);
    for (std::size_t k = 0; k < table.size() / sizeof(TableEntry); ++k) {
        TableEntry entry{};
        std::memcpy(&entry, table.data() + k * sizeof entry, sizeof entry);
        entry.name[sizeof entry.name - 1] = 0;
        if (entry.offset % kAlign != 0 || entry.offset > end || entry.bytes > end - entry.offset)
            damaged("block '" + std::string(entry.name) + "' lies outside the file");
        const std::span<const std::byte> bytes(base + entry.offset, entry.bytes);
        std::uint32_t crc = 0;
        for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
            if (stop.stop_requested()) return false;
            crc = crc32c(bytes.subspan(at, std::min(kPiece, bytes.size() - at)), crc);
        }
        if (crc != entry.crc)
            damaged("block '" + std::string(entry.name) + "' has a wrong checksum");
        m_entries.push_back({entry.name, bytes});
    }
    return true;
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
