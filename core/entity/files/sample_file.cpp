#include "core/entity/files/sample_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

static_assert(std::endian::native == std::endian::little);

namespace {

constexpr std::uint64_t kVersion = 1, kNumber = sizeof(std::uint64_t);
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // of a sample

}  // namespace

Sample::Sample(const EntityLayout& layout)
    : frames(layout), chosen(layout.actions.size(), RaggedBuffer<std::int64_t>(1)) {}

SampleReader::SampleReader(const std::filesystem::path& path)
    : m_path(path), m_file(openFile(path, O_RDONLY | O_NONBLOCK)) {
    if (!m_file) throwFileError("open", path, errno);
    struct stat info {};
    if (::fstat(m_file.get(), &info) != 0) throwFileError("read", path, errno);
    if (!S_ISREG(info.st_mode)) refuse("", "it is no regular file");
    m_size = static_cast<std::uint64_t>(info.st_size);
    std::uint64_t version = 0;
    const ssize_t got = readUpTo(m_file.get(), std::as_writable_bytes(std::span(&version, 1)));
    if (got < 0) throwFileError("read", path, errno);
    if (got != kNumber || version != kVersion)
        refuse("", "it does not begin with the number 1 in 8 bytes, as a file of samples does");
    m_end = kNumber;
    const auto head = block();
    if (!head) refuse("", "it ends within its head");
    try {
        m_head = unpackSampleHead(*head);
        m_layout = entityLayoutOf(m_head.spaces);
    } catch (const Error& error) {
        refuse("head: ", error.what());
    }
}

void SampleReader::refuse(const std::string& where, const std::string& why) const {
    throw badInput("'" + escaped(m_path.string(), 100) + "' is no file of samples: " + where + why);
}

/// Behind its length; nothing where the file ends.
std::optional<std::string> SampleReader::block() {
    std::uint64_t size = 0;
    const std::uint64_t left = m_size - m_end;
    if (left == 0) return {};
    m_isCut = true;
    if (left < kNumber) return {};
    const auto readInto = [this](std::span<std::byte> bytes) {
        const ssize_t got = readUpTo(m_file.get(), bytes);
        if (got < 0) throwFileError("read", m_path, errno);
        return static_cast<std::size_t>(got) == bytes.size();
    };
    if (!readInto(std::as_writable_bytes(std::span(&size, 1))) || size > left - kNumber) return {};
    if (size > kMostBytes)
        refuse("byte " + std::to_string(m_end) + ": ", "a sample has more than 1 GiB");
    std::string bytes(size, '\0');
    if (!readInto(std::as_writable_bytes(std::span(bytes)))) return {};
    m_isCut = false;
    m_end += kNumber + size;
    return bytes;
}

template <class Read>
auto SampleReader::readNext(Read read) -> std::optional<decltype(read(std::string_view()))> {
    const std::uint64_t begin = m_end;
    const auto bytes = block();
    if (!bytes) return {};
    try {
        auto made = read(std::string_view(*bytes));
        ++m_samples;
        return made;
    } catch (const Error& error) {
        m_end = begin;
        refuse("sample " + std::to_string(m_samples + 1) + ": ", error.what());
    }
}

std::optional<Sample> SampleReader::next() {
    return readNext([this](std::string_view bytes) { return unpackSample(m_layout, bytes); });
}

std::optional<std::vector<std::int64_t>> SampleReader::nextEpisodes() {
    return readNext([](std::string_view bytes) { return unpackEpisodes(bytes); });
}

namespace {

/// Where the last whole sample ends that begins before `most`, by lengths alone; 0: not even a
/// head is whole.
std::uint64_t wholeBytes(int fd, std::uint64_t most) {
    std::uint64_t end = kNumber, size = 0;
    const auto fits = [&] {
        return ::pread(fd, &size, kNumber, static_cast<off_t>(end)) ==
                   static_cast<ssize_t>(kNumber) &&
               size <= kMostBytes && end + kNumber + size <= most;
    };
    while (fits()) end += kNumber + size;
    return end > kNumber ? end : 0;
}

}  // namespace

SampleWriter::SampleWriter(std::filesystem::path path, const SampleHead& head,
                           std::uint64_t keptBytes)
    : m_path(std::move(path)),
      m_file(openFile(m_path, O_RDWR | O_CREAT | O_NOFOLLOW | (keptBytes == 0 ? O_TRUNC : 0))) {
    if (!m_file) throwWriteError("open", m_path, errno);
    struct stat info {};
    if (::fstat(m_file.get(), &info) != 0) throwFileError("read", m_path, errno);
    m_bytes =
        wholeBytes(m_file.get(), std::min(keptBytes, static_cast<std::uint64_t>(info.st_size)));
    if (::ftruncate(m_file.get(), static_cast<off_t>(m_bytes)) != 0 ||
        ::lseek(m_file.get(), static_cast<off_t>(m_bytes), SEEK_SET) < 0)
        throwWriteError("write", m_path, errno);
    if (m_bytes > 0) return;
    std::string begin(kNumber, '\0');
    std::memcpy(begin.data(), &kVersion, kNumber);
    const std::string packed = packSampleHead(head);
    const std::uint64_t size = packed.size();
    begin.append(reinterpret_cast<const char*>(&size), kNumber).append(packed);
    append(begin);
}

void SampleWriter::append(std::string_view bytes) {
    const int error = writeAll(m_file.get(), std::as_bytes(std::span(bytes)));
    if (error == 0) {
        m_bytes += bytes.size();
        return;
    }
    // Back to what is whole.
    if (::ftruncate(m_file.get(), static_cast<off_t>(m_bytes)) != 0 ||
        ::lseek(m_file.get(), static_cast<off_t>(m_bytes), SEEK_SET) < 0)
        throwWriteError("write", m_path, errno);
    throwWriteError("write", m_path, error);
}

void SampleWriter::add(const EntityLayout& layout, const Sample& sample) {
    std::string bytes(kNumber, '\0');
    bytes += packSample(layout, sample);
    const std::uint64_t size = bytes.size() - kNumber;
    std::memcpy(bytes.data(), &size, kNumber);
    append(bytes);
}

void SampleWriter::sync() {
    if (const int error = syncFile(m_file.get()); error != 0)
        throwWriteError("write", m_path, error);
}

}  // namespace orrery
