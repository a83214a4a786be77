#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "core/base/byte_buffer.h"

namespace orrery {

/// Takes one record after the other, each of at most some MiB.
using RecordSink = std::function<void(std::span<const std::byte>)>;

/// Gives the next record, valid until the next call; false after the last.
using RecordSource = std::function<bool(std::span<const std::byte>&)>;

/// Size at which a record is closed.
inline constexpr std::size_t kRecordBytes = std::size_t{1} << 20;

/// The next record. @throws Error (Damaged) after the last
inline ByteReader nextRecord(const RecordSource& source, const std::string& what) {
    std::span<const std::byte> bytes;
    const bool isThere = source(bytes);
    ByteReader reader(isThere ? bytes : std::span<const std::byte>(), what);
    reader.require(isThere, "a part is missing");
    return reader;
}

}  // namespace orrery
