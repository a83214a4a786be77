#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

#include "core/files/tensorboard.h"
#include "core/files/tensorboard_record.h"

namespace orrery {

namespace {

enum class Wire : std::uint32_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

template <typename T>
std::string littleEndian(T value) {
    std::string bytes;
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes += static_cast<char>(value >> 8 * i & 0xff);
    return bytes;
}

/// A protobuf message, field after field.
class MessageWriter {
public:
    MessageWriter& number(std::uint32_t field, std::uint64_t value) {
        begin(field, Wire::Varint);
        varint(value);
        return *this;
    }
    MessageWriter& real(std::uint32_t field, double value) {
        begin(field, Wire::Fixed64);
        m_bytes += littleEndian(std::bit_cast<std::uint64_t>(value));
        return *this;
    }
    MessageWriter& real(std::uint32_t field, float value) {
        begin(field, Wire::Fixed32);
        m_bytes += littleEndian(std::bit_cast<std::uint32_t>(value));
        return *this;
    }
    MessageWriter& bytes(std::uint32_t field, std::string_view content) {
        begin(field, Wire::Bytes);
        varint(content.size());
        m_bytes += content;
        return *this;
    }
    MessageWriter& message(std::uint32_t field, const MessageWriter& inner) {
        return bytes(field, inner.m_bytes);
    }
    const std::string& content() const { return m_bytes; }

private:
    void begin(std::uint32_t field, Wire wire) {
        varint(field << 3U | static_cast<std::uint32_t>(wire));
    }
    void varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7U) m_bytes += static_cast<char>((value & 0x7fU) | 0x80U);
        m_bytes += static_cast<char>(value);
    }

    std::string m_bytes;
};

/// Rounded to single precision; what is too large becomes infinite.
float singlePrecision(double value) {
    if (std::isfinite(value) && std::abs(value) > std::numeric_limits<float>::max())
        return std::copysign(std::numeric_limits<float>::infinity(),
                             static_cast<float>(value > 0 ? 1 : -1));
    return static_cast<float>(value);
}

MessageWriter eventOf(std::int64_t step, double wallTime, const MessageWriter& value) {
    MessageWriter summary;
    summary.message(summary_field::kValue, value);
    MessageWriter event;
    event.real(event_field::kWallTime, wallTime);
    event.number(event_field::kStep, static_cast<std::uint64_t>(step));
    event.message(event_field::kSummary, summary);
    return event;
}

}  // namespace

TensorBoardWriter::TensorBoardWriter(FileWriter& out, double wallTime) : m_out(out) {
    MessageWriter event;
    event.real(event_field::kWallTime, wallTime);
    event.bytes(event_field::kVersion, kTensorBoardVersion);
    record(event.content());
}

void TensorBoardWriter::scalar(std::string_view tag, std::int64_t step, double wallTime,
                               double value) {
    MessageWriter entry;
    entry.bytes(value_field::kTag, tag).real(value_field::kScalar, singlePrecision(value));
    record(eventOf(step, wallTime, entry).content());
}

void TensorBoardWriter::text(std::string_view tag, std::int64_t step, double wallTime,
                             std::string_view text) {
    MessageWriter plugin, metadata, dimension, shape, tensor, entry;
    plugin.bytes(plugin_field::kName, kTextPlugin);
    metadata.message(metadata_field::kPlugin, plugin)
        .number(metadata_field::kDataClass, metadata_field::kTensorClass);
    dimension.number(shape_field::kSize, 1);
    shape.message(shape_field::kDimension, dimension);
    tensor.number(tensor_field::kType, tensor_field::kStringType)
        .message(tensor_field::kShape, shape)
        .bytes(tensor_field::kString, text);
    entry.bytes(value_field::kTag, tag)
        .message(value_field::kTensor, tensor)
        .message(value_field::kMetadata, metadata);
    record(eventOf(step, wallTime, entry).content());
}

void TensorBoardWriter::restart(std::int64_t step, double wallTime) {
    MessageWriter session, event;
    session.number(session_field::kStatus, session_field::kStart);
    event.real(event_field::kWallTime, wallTime);
    event.number(event_field::kStep, static_cast<std::uint64_t>(step));
    event.message(event_field::kSession, session);
    record(event.content());
}

void TensorBoardWriter::record(std::string_view event) {
    const std::string length = littleEndian(static_cast<std::uint64_t>(event.size()));
    m_out.write(length + littleEndian(maskedCrc32c(length)));
    m_out.write(event);
    m_out.write(littleEndian(maskedCrc32c(event)));
}

std::string tensorBoardFileName(double wallTime, std::string_view writer) {
    std::string seconds = std::to_string(std::max(0LL, std::llround(wallTime)));
    constexpr std::size_t kDigits = 10;
    if (seconds.size() < kDigits) seconds.insert(0, kDigits - seconds.size(), '0');
    return "events.out.tfevents." + seconds + "." + std::string(writer);
}

}  // namespace orrery
