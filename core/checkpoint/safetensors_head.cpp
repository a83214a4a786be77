#include "core/checkpoint/safetensors_head.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/crc32c.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/json_limits.h"
#include "core/checkpoint/safetensors.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

/// Takes the events of a JSON parser; everything that is not exactly a head is refused.
class HeadReader final : public nlohmann::json_sax<Json> {
public:
    explicit HeadReader(const std::filesystem::path& path) : m_path(path) {}

    bool null() override { refuse("null stands where it does not belong"); }
    bool boolean(bool) override { refuse("a truth value stands where it does not belong"); }
    bool number_integer(number_integer_t) override { refuse("a number is negative"); }
    bool number_float(number_float_t, const string_t&) override {
        refuse("a number is too large or not whole");
    }
    bool binary(binary_t&) override { refuse("binary data stand in the head"); }

    bool number_unsigned(number_unsigned_t number) override {
        if (m_where == Where::Shape) {
            if (number > static_cast<std::uint64_t>(INT64_MAX)) refuse("a length is too large");
            if (m_place.shape.size() == kMaxSafetensorsRank) refuse("it has too many dimensions");
            m_place.shape.push_back(static_cast<std::int64_t>(number));
        } else if (m_where == Where::Offsets) {
            if (m_numOffsets == 2) refuse("data_offsets has more than two numbers");
            (m_numOffsets++ == 0 ? m_place.begin : m_place.end) = number;
        } else {
            refuse("a number stands where it does not belong");
        }
        return true;
    }

    bool string(string_t& text) override {
        if (m_where == Where::Texts) {
            if (text.size() > kMaxSafetensorsTextBytes) refuse("a text is too long");
            if (m_head.texts.size() == kMaxSafetensorsTexts) refuse("it has too many texts");
            if (!m_head.texts.emplace(m_textName, std::move(text)).second)
                refuse("the text '" + escaped(m_textName) + "' comes twice");
        } else if (m_where == Where::Tensor && m_key == "dtype") {
            const std::optional<TensorType> type = tensorTypeNamed(text);
            if (!type) refuse("its type '" + escaped(text, 40) + "' is not known");
            m_place.type = *type;
        } else {
            refuse("a text stands where it does not belong");
        }
        return true;
    }

    bool start_object(std::size_t) override {
        if (m_where == Where::Start) {
            m_where = Where::Top;
        } else if (m_where == Where::Top && m_inTexts) {
            m_where = Where::Texts;
        } else if (m_where == Where::Top) {
            m_where = Where::Tensor;
            m_seen = {};
        } else {
            refuse("an object stands where it does not belong");
        }
        return true;
    }

    bool key(string_t& name) override {
        if (m_where == Where::Top)
            beginMember(name);
        else if (m_where == Where::Texts)
            m_textName = std::move(name);
        else
            beginField(name);
        return true;
    }

    bool end_object() override {
        if (m_where == Where::Texts) {
            m_where = Where::Top;
        } else if (m_where == Where::Tensor) {
            if (!m_seen.type || !m_seen.shape || !m_seen.offsets)
                refuse("it needs dtype, shape and data_offsets");
            m_head.places.push_back(std::move(m_place));
            m_place = {};
            m_where = Where::Top;
        } else {
            m_where = Where::End;
        }
        return true;
    }

    bool start_array(std::size_t) override {
        if (m_where == Where::Tensor && m_key == "shape")
            m_where = Where::Shape;
        else if (m_where == Where::Tensor && m_key == "data_offsets")
            m_where = Where::Offsets;
        else
            refuse("a list stands where it does not belong");
        m_numOffsets = 0;
        return true;
    }

    bool end_array() override {
        if (m_where == Where::Offsets && m_numOffsets != 2)
            refuse("data_offsets has fewer than two numbers");
        m_where = Where::Tensor;
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception&) override {
        m_place.name.clear();
        refuse("its head is no JSON at byte " + std::to_string(position));
    }

    SafetensorsHead take() { return std::move(m_head); }

private:
    enum class Where { Start, Top, Texts, Tensor, Shape, Offsets, End };

    [[noreturn]] void refuse(const std::string& why) const {
        throwDamagedTensors(m_path, m_place.name, why);
    }

    void beginMember(const std::string& name) {
        m_inTexts = name == "__metadata__";
        if (m_inTexts) {
            if (std::exchange(m_hadTexts, true)) refuse("__metadata__ comes twice");
            return;
        }
        if (!isTensorName(name))
            refuse("the name '" + escaped(name, 80) + "' is not allowed for a tensor");
        if (m_head.places.size() == kMaxSafetensors)
            refuse("it has more than " + std::to_string(kMaxSafetensors) + " tensors");
        m_place.name = name;
    }

    void beginField(const std::string& name) {
        bool* const seen = name == "dtype"          ? &m_seen.type
                           : name == "shape"        ? &m_seen.shape
                           : name == "data_offsets" ? &m_seen.offsets
                                                    : nullptr;
        if (seen == nullptr) refuse("the field '" + escaped(name, 40) + "' is not known");
        if (std::exchange(*seen, true)) refuse("the field " + name + " comes twice");
        m_key = name;
    }

    const std::filesystem::path& m_path;
    SafetensorsHead m_head;
    Where m_where = Where::Start;
    bool m_inTexts = false, m_hadTexts = false;
    std::string m_textName, m_key;
    SafetensorsPlace m_place;
    struct {
        bool type = false, shape = false, offsets = false;
    } m_seen;
    int m_numOffsets = 0;
};

void requireDifferentNames(const SafetensorsHead& head, const std::filesystem::path& path) {
    std::vector<std::string_view> names;
    names.reserve(head.places.size());
    for (const SafetensorsPlace& place : head.places) names.emplace_back(place.name);
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice != names.end()) throwDamagedTensors(path, *twice, "the name comes twice");
}

std::uint64_t bytesByShape(const SafetensorsPlace& place, const std::filesystem::path& path) {
    std::int64_t bytes = static_cast<std::int64_t>(sizeOf(place.type));
    bool overflow = false, empty = false;
    for (const std::int64_t length : place.shape) {
        empty = empty || length == 0;
        // A zero beside them does not excuse lengths that nobody could multiply.
        overflow =
            __builtin_mul_overflow(bytes, std::max<std::int64_t>(length, 1), &bytes) || overflow;
    }
    if (overflow) throwDamagedTensors(path, place.name, "its shape is larger than any memory");
    return empty ? 0 : static_cast<std::uint64_t>(bytes);
}

void requireFilledFile(SafetensorsHead& head, std::uint64_t numberBytes,
                       const std::filesystem::path& path) {
    std::ranges::sort(head.places, [](const SafetensorsPlace& a, const SafetensorsPlace& b) {
        return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    std::uint64_t at = 0;
    for (const SafetensorsPlace& place : head.places) {
        if (place.begin > place.end)
            throwDamagedTensors(path, place.name, "it ends before it begins");
        if (place.end > numberBytes)
            throwDamagedTensors(path, place.name, "it reaches beyond the file's end");
        if (place.begin != at)
            throwDamagedTensors(
                path, place.name,
                place.begin < at ? "it overlaps another tensor" : "there is a gap before it");
        if (bytesByShape(place, path) != place.end - place.begin)
            throwDamagedTensors(path, place.name, "its shape does not fit its bytes");
        at = place.end;
    }
    if (at != numberBytes)
        throwDamagedTensors(
            path, {},
            "it has " + std::to_string(numberBytes - at) + " bytes that belong to no tensor");
}

/// Where the digits of the checksums stand in a head; npos if there are none.
std::size_t placeOfChecksums(std::string_view head) {
    const std::string key = "\"" + std::string(kSafetensorsCrcKey) + "\":\"";
    const std::size_t found = head.find(key);
    if (found == std::string_view::npos) return found;
    const std::size_t at = found + key.size();
    return at + kSafetensorsCrcDigits <= head.size() ? at : std::string_view::npos;
}

std::string hexOf(std::uint32_t number) {
    std::string text(8, '0');
    for (std::size_t i = 0; i < 8; ++i) text[i] = "0123456789abcdef"[number >> (28 - 4 * i) & 15U];
    return text;
}

/// Takes our own texts out of the head. A file has both or, from elsewhere, none.
void requireKnownFormat(SafetensorsHead& head, std::string_view text,
                        const std::filesystem::path& path) {
    const auto formatText = head.texts.find(kSafetensorsFormatKey);
    const auto crcText = head.texts.find(kSafetensorsCrcKey);
    if (formatText == head.texts.end() && crcText == head.texts.end()) return;
    if (formatText == head.texts.end() || crcText == head.texts.end())
        throwDamagedTensors(path, {}, "its format or its checksum is missing");
    const std::optional<std::int64_t> format = parseInt(formatText->second);
    if (!format || *format < 1) throwDamagedTensors(path, {}, "its format is no number");
    const std::size_t at = placeOfChecksums(text);
    if (at == std::string_view::npos) throwDamagedTensors(path, {}, "its checksum is not in place");
    const std::string_view digits = text.substr(at, kSafetensorsCrcDigits);
    std::uint32_t numbersCrc = 0;
    std::from_chars(digits.data() + 8, digits.data() + 16, numbersCrc, 16);
    std::string blank(text);
    blank.replace(at, kSafetensorsCrcDigits, kSafetensorsCrcDigits, '0');
    if (withChecksums(std::move(blank), numbersCrc) != text)
        throwDamagedTensors(path, {}, "its head does not agree with its checksum");
    if (*format > kSafetensorsFormat)
        throw Error("Tensor file '" + escaped(path.native()) +
                        "' was written by a newer Orrery (format " + std::to_string(*format) +
                        "; this one reads up to " + std::to_string(kSafetensorsFormat) +
                        "). Install the newer version.",
                    Error::Kind::Damaged);
    head.numbersCrc = numbersCrc;
    head.texts.erase(formatText);
    head.texts.erase(crcText);
}

}  // namespace

void throwDamagedTensors(const std::filesystem::path& path, std::string_view name,
                         const std::string& why) {
    throw Error("Tensor file '" + escaped(path.native()) + "' is damaged: " +
                    (name.empty() ? std::string() : "tensor '" + std::string(name) + "': ") + why +
                    ". Use another copy of it.",
                Error::Kind::Damaged);
}

std::string withChecksums(std::string head, std::uint32_t numbersCrc) {
    const std::size_t at = placeOfChecksums(head);
    assert(at != std::string::npos);
    const std::string digits = hexOf(crc32c(head)) + hexOf(numbersCrc);
    return head.replace(at, kSafetensorsCrcDigits, digits);
}

SafetensorsHead parseSafetensorsHead(std::string_view head, std::uint64_t numberBytes,
                                     const std::filesystem::path& path) {
    const std::string_view whole = head;
    const std::size_t last = head.find_last_not_of(' ');
    head = head.substr(0, last == std::string_view::npos ? 0 : last + 1);
    if (!head.starts_with('{')) throwDamagedTensors(path, {}, "its head is no JSON object");
    const JsonLimits limits{.depth = 3, .stringBytes = 6 * kMaxSafetensorsTextBytes + 2};
    if (const auto beyond = jsonBeyondLimits(head, limits))
        throwDamagedTensors(path, {}, "its head is refused: " + *beyond);
    HeadReader reader(path);
    if (!Json::sax_parse(head.begin(), head.end(), &reader))
        throwDamagedTensors(path, {}, "its head is no JSON");
    SafetensorsHead parsed = reader.take();
    requireKnownFormat(parsed, whole, path);
    requireDifferentNames(parsed, path);
    requireFilledFile(parsed, numberBytes, path);
    return parsed;
}

}  // namespace orrery
