#include "app/export/npz.h"

#include <bit>
#include <cassert>

namespace orrery {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they are");

/// The table of CRC-32 (the polynomial of zip, reflected).
constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc & 1U) != 0 ? 0xEDB88320U ^ (crc >> 1U) : crc >> 1U;
        table[i] = crc;
    }
    return table;
}();

std::uint32_t extendCrc(std::uint32_t crc, std::span<const std::byte> data) {
    crc = ~crc;
    for (const std::byte byte : data)
        crc = kCrcTable[(crc ^ static_cast<std::uint32_t>(byte)) & 0xFFU] ^ (crc >> 8U);
    return ~crc;
}

/// A record of little-endian numbers.
class Record {
public:
    Record& u16(std::uint64_t value) { return number(value, 2); }
    Record& u32(std::uint64_t value) { return number(value, 4); }
    Record& u64(std::uint64_t value) { return number(value, 8); }
    Record& text(const std::string& text) {
        m_bytes += text;
        return *this;
    }
    const std::string& bytes() const { return m_bytes; }

private:
    Record& number(std::uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) m_bytes += static_cast<char>(value >> (8 * i) & 0xFFU);
        return *this;
    }
    std::string m_bytes;
};

constexpr std::uint64_t kVersion = 45;         // ZIP64
constexpr std::uint64_t kDescriptor = 1 << 3;  // sizes and checksum follow the content
constexpr std::uint64_t kDate = 0x21;          // 1980-01-01: equal content gives equal bytes
constexpr std::uint64_t kBig = 0xFFFFFFFF;     // the real number is in the ZIP64 field

std::string npyHeader(const char* type, const std::vector<std::int64_t>& shape) {
    std::string text = std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (";
    for (const std::int64_t size : shape) text += std::to_string(size) + ", ";
    text += "), }";
    const std::size_t prefix = 10;  // magic, version, length
    while ((prefix + text.size() + 1) % 64 != 0) text += ' ';
    text += '\n';
    Record record;
    record.text(std::string("\x93NUMPY\x01\x00", 8)).u16(text.size()).text(text);
    return record.bytes();
}

std::span<const std::byte> bytesOf(const std::string& text) {
    return std::as_bytes(std::span(text));
}

}  // namespace

void NpzWriter::bytes(std::span<const std::byte> data) {
    m_crc = extendCrc(m_crc, data);
    m_written += data.size();
    m_out.write(data);
}

void NpzWriter::Array::add(std::span<const double> values) {
    m_writer.bytes(std::as_bytes(values));
}
void NpzWriter::Array::add(std::span<const std::int64_t> values) {
    m_writer.bytes(std::as_bytes(values));
}

bool NpzWriter::array(const std::string& name, Type type, const std::vector<std::int64_t>& shape,
                      const std::function<bool(Array&)>& fill) {
    const std::string header = npyHeader(type == Type::Double ? "<f8" : "<i8", shape);
    std::uint64_t size = 8;
    for (const std::int64_t extent : shape) size *= static_cast<std::uint64_t>(extent);
    size += header.size();

    Entry entry{.name = name + ".npy", .size = size, .offset = m_out.offset()};
    Record local;
    local.u32(0x04034B50).u16(kVersion).u16(kDescriptor).u16(0).u16(0).u16(kDate);
    local.u32(0).u32(kBig).u32(kBig).u16(entry.name.size()).u16(20).text(entry.name);
    local.u16(1).u16(16).u64(size).u64(size);
    m_out.write(local.bytes());

    m_crc = 0;
    m_written = 0;
    bytes(bytesOf(header));
    Array array(*this);
    if (!fill(array)) return false;
    assert(m_written == size);

    entry.crc = m_crc;
    Record descriptor;
    descriptor.u32(0x08074B50).u32(entry.crc).u64(size).u64(size);
    m_out.write(descriptor.bytes());
    m_entries.push_back(std::move(entry));
    return true;
}

void NpzWriter::array(const std::string& name, std::span<const double> values) {
    array(name, Type::Double, {std::ssize(values)}, [&](Array& out) {
        out.add(values);
        return true;
    });
}

void NpzWriter::array(const std::string& name, std::span<const std::int64_t> values) {
    array(name, Type::Int64, {std::ssize(values)}, [&](Array& out) {
        out.add(values);
        return true;
    });
}

void NpzWriter::writeDirectoryEntry(const Entry& entry) {
    Record record;
    record.u32(0x02014B50).u16(kVersion).u16(kVersion).u16(kDescriptor).u16(0).u16(0).u16(kDate);
    record.u32(entry.crc).u32(kBig).u32(kBig).u16(entry.name.size()).u16(28).u16(0);
    record.u16(0).u16(0).u32(0).u32(kBig).text(entry.name);
    record.u16(1).u16(24).u64(entry.size).u64(entry.size).u64(entry.offset);
    m_out.write(record.bytes());
}

void NpzWriter::finish() {
    const std::uint64_t begin = m_out.offset();
    for (const Entry& entry : m_entries) writeDirectoryEntry(entry);
    const std::uint64_t end = m_out.offset();
    const std::uint64_t count = m_entries.size();
    Record record;
    record.u32(0x06064B50).u64(44).u16(kVersion).u16(kVersion).u32(0).u32(0);
    record.u64(count).u64(count).u64(end - begin).u64(begin);
    record.u32(0x07064B50).u32(0).u64(end).u32(1);
    record.u32(0x06054B50).u16(0).u16(0).u16(0xFFFF).u16(0xFFFF).u32(kBig).u32(kBig).u16(0);
    m_out.write(record.bytes());
}

}  // namespace orrery
