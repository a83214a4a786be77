#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <optional>

#include "core/base/error.h"
#include "core/base/meter.h"
#include "core/files/tensorboard.h"
#include "core/files/tensorboard_record.h"

namespace orrery {

namespace {

constexpr std::uint64_t kHeaderBytes = 12;                     // length and its checksum
constexpr std::uint64_t kMostRecordBytes = 1ULL << 30U;        // a damaged length is no reason to
constexpr std::size_t kChecksumBytes = sizeof(std::uint32_t);  // reserve memory
constexpr std::size_t kPieceBytes = std::size_t{1} << 22U;     // read between looks at a stop

template <typename T>
T fromLittleEndian(std::string_view bytes) {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        value |= static_cast<T>(static_cast<unsigned char>(bytes[i])) << 8 * i;
    return value;
}

/// Walks through the fields of a protobuf message. A field that runs over the end, or a wire type
/// that events do not use, throws Error (Damaged).
class MessageReader {
public:
    explicit MessageReader(std::string_view bytes) : m_rest(bytes) {}

    /// Goes to the next field; false at the end.
    bool next() {
        if (m_rest.empty()) return false;
        const std::uint64_t head = varint();
        m_field = static_cast<std::uint32_t>(head >> 3U);
        m_wire = static_cast<std::uint32_t>(head & 7U);
        switch (m_wire) {
            case 0:
                m_number = varint();
                break;
            case 1:
                m_content = take(sizeof(std::uint64_t));
                break;
            case 2:
                m_content = take(varint());
                break;
            case 5:
                m_content = take(sizeof(std::uint32_t));
                break;
            default:
                refuse();
        }
        return true;
    }

    std::uint32_t field() const { return m_field; }
    std::uint64_t number() const { return is(0), m_number; }
    std::string_view bytes() const { return is(2), m_content; }
    double real() const {
        return is(1), std::bit_cast<double>(fromLittleEndian<std::uint64_t>(m_content));
    }
    float single() const {
        return is(5), std::bit_cast<float>(fromLittleEndian<std::uint32_t>(m_content));
    }

private:
    [[noreturn]] static void refuse() {
        throw Error("a record is no TensorBoard event", Error::Kind::Damaged);
    }
    void is(std::uint32_t wire) const {
        if (m_wire != wire) refuse();
    }
    std::string_view take(std::uint64_t count) {
        if (count > m_rest.size()) refuse();
        const std::string_view content = m_rest.substr(0, count);
        m_rest.remove_prefix(count);
        return content;
    }
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = static_cast<unsigned char>(take(1)[0]);
            value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
            if ((byte & 0x80U) == 0) return value;
        }
        refuse();
    }

    std::string_view m_rest;
    std::uint32_t m_field = 0, m_wire = 0;
    std::uint64_t m_number = 0;
    std::string_view m_content;
};

/// Fills in a scalar or a text from a TensorProto. False for tensors of another kind.
bool readTensor(std::string_view bytes, TensorBoardValue& value) {
    std::uint64_t type = 0;
    std::string_view content;
    std::optional<std::string_view> text;
    std::optional<double> real;
    for (MessageReader reader(bytes); reader.next();) {
        if (reader.field() == tensor_field::kType) type = reader.number();
        if (reader.field() == tensor_field::kString && !text) text = reader.bytes();
        if (reader.field() == tensor_field::kContent) content = reader.bytes();
        // Numbers may stand one by one or packed.
        if (reader.field() == tensor_field::kFloat || reader.field() == tensor_field::kDouble)
            content = reader.bytes();
    }
    if (type == tensor_field::kStringType && text) {
        value.isText = true;
        value.text = *text;
        return true;
    }
    if (type == tensor_field::kFloatType && content.size() == sizeof(float))
        real = std::bit_cast<float>(fromLittleEndian<std::uint32_t>(content));
    if (type == tensor_field::kDoubleType && content.size() == sizeof(double))
        real = std::bit_cast<double>(fromLittleEndian<std::uint64_t>(content));
    if (!real) return false;
    value.value = static_cast<float>(*real);
    return true;
}

void readSummary(std::string_view bytes, const TensorBoardValue& event, TensorBoardFile& file) {
    for (MessageReader summary(bytes); summary.next();) {
        if (summary.field() != summary_field::kValue) continue;
        TensorBoardValue value = event;
        bool isKnown = false;
        for (MessageReader reader(summary.bytes()); reader.next();) {
            if (reader.field() == value_field::kTag) value.tag = reader.bytes();
            if (reader.field() == value_field::kScalar) {
                value.value = reader.single();
                isKnown = true;
            }
            if (reader.field() == value_field::kTensor) isKnown = readTensor(reader.bytes(), value);
        }
        if (isKnown)
            file.values.push_back(std::move(value));
        else
            ++file.otherValues;
    }
}

bool isStart(std::string_view session) {
    for (MessageReader reader(session); reader.next();)
        if (reader.field() == session_field::kStatus)
            return reader.number() == session_field::kStart;
    return false;
}

void readEvent(std::string_view bytes, TensorBoardFile& file) {
    TensorBoardValue event;
    std::string_view summary, session;
    for (MessageReader reader(bytes); reader.next();) {
        if (reader.field() == event_field::kWallTime) event.wallTime = reader.real();
        if (reader.field() == event_field::kStep)
            event.step = static_cast<std::int64_t>(reader.number());
        if (reader.field() == event_field::kVersion) file.version = reader.bytes();
        if (reader.field() == event_field::kSummary) summary = reader.bytes();
        if (reader.field() == event_field::kSession) session = reader.bytes();
    }
    if (isStart(session)) file.restarts.push_back({file.values.size(), event.step});
    readSummary(summary, event, file);
}

/// The next record's content; nothing if the file ends before, it is damaged, or a stop is
/// requested.
std::optional<std::string> nextRecord(std::istream& in, const std::stop_token& stop) {
    std::string header(kHeaderBytes, '\0');
    if (!in.read(header.data(), static_cast<std::streamsize>(kHeaderBytes))) return std::nullopt;
    const std::string_view length = std::string_view(header).substr(0, sizeof(std::uint64_t));
    const auto size = fromLittleEndian<std::uint64_t>(length);
    if (fromLittleEndian<std::uint32_t>(std::string_view(header).substr(length.size())) !=
            maskedCrc32c(length) ||
        size > kMostRecordBytes)
        return std::nullopt;
    std::string content(size + kChecksumBytes, '\0');
    for (std::size_t at = 0; at < content.size(); at += kPieceBytes) {
        const std::size_t count = std::min(kPieceBytes, content.size() - at);
        if (stop.stop_requested() ||
            !in.read(content.data() + at, static_cast<std::streamsize>(count)))
            return std::nullopt;
    }
    const auto checksum = fromLittleEndian<std::uint32_t>(std::string_view(content).substr(size));
    content.resize(size);
    if (checksum != maskedCrc32c(content)) return std::nullopt;
    return content;
}

}  // namespace

TensorBoardFile readTensorBoardFile(const std::filesystem::path& file, const std::stop_token& stop,
                                    const ProgressSink& progress) {
    std::error_code unreadable;
    const std::uintmax_t size = std::filesystem::file_size(file, unreadable);
    std::ifstream in(file, std::ios::binary);
    if (unreadable || !in)
        throw Error("The event file " + file.string() +
                        " cannot be read. Name a file that exists and that you may read.",
                    Error::Kind::Resource);
    TensorBoardFile result;
    Meter meter({.phase = "read", .unit = "bytes"}, progress);
    const auto tell = [&](bool isEnd) {
        const auto done = static_cast<std::int64_t>(result.soundBytes);
        // The file may grow meanwhile.
        meter.tell(done, std::max(done, static_cast<std::int64_t>(size)), isEnd);
    };
    try {
        while (const auto record = nextRecord(in, stop)) {
            readEvent(*record, result);
            if (result.version.empty()) break;
            result.soundBytes += kHeaderBytes + record->size() + kChecksumBytes;
            tell(false);
        }
    } catch (const Error& error) {
        throw Error("The event file " + file.string() + " is damaged after " +
                        std::to_string(result.soundBytes) + " bytes: " + error.what() +
                        ". Write it again.",
                    Error::Kind::Damaged);
    }
    result.isWhole = result.soundBytes == size;
    if (stop.stop_requested()) return result;
    if (!result.version.starts_with("brain.Event:"))
        throw Error(file.string() +
                        " is no TensorBoard event file: its first record names no "
                        "version. Such files are called events.out.tfevents...",
                    Error::Kind::Damaged);
    tell(true);
    return result;
}

}  // namespace orrery
