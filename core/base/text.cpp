#include "core/base/text.h"

#include <sys/time.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <vector>

namespace orrery {

namespace {

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 1;
    bool valid = false;
};

/// Decodes the first character of non-empty text; overlong forms and surrogates are not valid.
Character firstCharacter(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t lead = byte(0);
    if (lead < 0x80) return {lead, 1, true};
    std::size_t length = 0;
    std::uint32_t code = 0;
    std::uint32_t least = 0;
    if ((lead & 0xE0U) == 0xC0) {
        length = 2, code = lead & 0x1FU, least = 0x80;
    } else if ((lead & 0xF0U) == 0xE0) {
        length = 3, code = lead & 0x0FU, least = 0x800;
    } else if ((lead & 0xF8U) == 0xF0) {
        length = 4, code = lead & 0x07U, least = 0x10000;
    }
    if (length == 0 || length > text.size()) return {lead, 1, false};
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80) return {lead, 1, false};
        code = (code << 6U) | (byte(i) & 0x3FU);
    }
    const bool valid = code >= least && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return valid ? Character{code, length, true} : Character{lead, 1, false};
}

/// Controls (C0, DEL, C1), directional and invisible marks, line separators, non-characters.
bool needsEscape(std::uint32_t code) {
    constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 12> kRanges{{
        {0x00, 0x1F},
        {0x7F, 0x9F},
        {0xAD, 0xAD},
        {0x61C, 0x61C},
        {0x180E, 0x180E},
        {0x200B, 0x200F},
        {0x2028, 0x202E},
        {0x2060, 0x206F},
        {0xFEFF, 0xFEFF},
        {0xFFF9, 0xFFFB},
        {0xFFFE, 0xFFFF},
        {0xE0000, 0xE0FFF},
    }};
    return std::ranges::any_of(
        kRanges, [code](const auto& range) { return code >= range.first && code <= range.second; });
}

std::string hexadecimal(std::uint32_t value, int digits) {
    std::array<char, 16> text{};
    const int size = std::snprintf(text.data(), text.size(), "%0*x", digits, value);
    return {text.data(), static_cast<std::size_t>(size)};
}

std::string escapedCharacter(const Character& character, std::string_view bytes) {
    if (!character.valid) return "\\x" + hexadecimal(character.code, 2);
    if (!needsEscape(character.code)) return std::string(bytes.substr(0, character.bytes));
    switch (character.code) {
        case '\n':
            return "\\n";
        case '\t':
            return "\\t";
        case '\r':
            return "\\r";
        default:
            return character.code < 0x80 ? "\\x" + hexadecimal(character.code, 2)
                                         : "\\u{" + hexadecimal(character.code, 4) + "}";
    }
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Optimal string alignment distance, case ignored.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> previous(b.size() + 1);
    std::vector<std::size_t> current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            current[j] =
                std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0U : 1U)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                current[j] = std::min(current[j], before[j - 2] + 1);
        }
        before.swap(previous);
        previous.swap(current);
    }
    return previous[b.size()];
}

}  // namespace

std::string escaped(std::string_view text, std::size_t maxBytes) {
    std::string safe;
    while (!text.empty()) {
        const Character character = firstCharacter(text);
        const std::string piece = escapedCharacter(character, text);
        const std::size_t room = text.size() > character.bytes ? 3 : 0;  // for the dots
        if (safe.size() + piece.size() + room > maxBytes) {
            // The rest may still fit without dots.
            std::string rest;
            for (std::string_view left = text; !left.empty() && rest.size() <= 3;) {
                const Character next = firstCharacter(left);
                rest += escapedCharacter(next, left);
                left.remove_prefix(next.bytes);
                if (left.empty() && safe.size() + rest.size() <= maxBytes) return safe + rest;
            }
            return safe + "...";
        }
        safe += piece;
        text.remove_prefix(character.bytes);
    }
    return safe;
}

std::string escapedName(std::string_view name, std::size_t maxBytes) {
    std::string whole = escaped(name, name.size() * 8);  // no character becomes longer
    if (whole.size() <= maxBytes) return whole;
    const auto isInside = [&](std::size_t at) { return (whole[at] & 0xC0) == 0x80; };
    const std::size_t room = maxBytes - 3;  // beside the dots
    std::size_t head = room / 2, tail = whole.size() - (room - head);
    while (head > 0 && isInside(head)) --head;
    while (tail < whole.size() && isInside(tail)) ++tail;
    return whole.substr(0, head) + "..." + whole.substr(tail);
}

std::optional<std::string> closestName(std::string_view name,
                                       std::span<const std::string> candidates) {
    constexpr std::size_t kLongest = 200;  // bounds the time for hostile names
    if (name.empty() || name.size() > kLongest) return std::nullopt;
    std::optional<std::string> best;
    std::size_t bestDistance = std::numeric_limits<std::size_t>::max();
    for (const std::string& candidate : candidates) {
        if (candidate.size() > kLongest) continue;
        const std::size_t allowed =
            std::max<std::size_t>(1, std::max(name.size(), candidate.size()) / 3);
        const std::size_t distance = editDistance(name, candidate);
        // A name of one letter is near everything: only its other case counts.
        const bool near = distance <= allowed && distance < std::max(name.size(), candidate.size());
        if (near && distance < bestDistance) {
            best = candidate;
            bestDistance = distance;
        }
    }
    return best;
}

std::optional<double> parseDouble(std::string_view token) {
    double value = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc() || end != token.data() + token.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<std::int64_t> parseInt(std::string_view token) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc() || end != token.data() + token.size()) return std::nullopt;
    return value;
}

std::string formatDouble(double value) {
    if (std::isnan(value)) return "nan";
    std::array<char, 32> text{};
    const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), result.ptr};
}

std::string csvCell(std::string_view text) {
    const bool formula =
        !text.empty() &&
        std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos &&
        !parseDouble(text);
    if (!formula && text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string cell = formula ? "\"'" : "\"";
    for (const char c : text) {
        if (c == '"') cell.push_back('"');
        cell.push_back(c);
    }
    return cell + '"';
}

std::string joined(std::span<const std::string> texts, std::string_view between) {
    std::string all;
    for (const std::string& text : texts) {
        if (&text != texts.data()) all += between;
        all += text;
    }
    return all;
}

std::string commaList(std::span<const std::string> texts) {
    return joined(texts, ", ");
}

std::string utcNow() {
    const auto now =
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
    const std::time_t time = std::chrono::system_clock::to_time_t(seconds);
    std::tm utc{};
    ::gmtime_r(&time, &utc);
    std::array<char, 80> text{};
    const int size =
        std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
                      utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min,
                      utc.tm_sec, static_cast<int>((now - seconds).count()));
    return {text.data(), static_cast<std::size_t>(size)};
}

std::string grouped(std::int64_t value) {
    std::string digits = std::to_string(value);
    for (auto i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > (value < 0 ? 1 : 0); i -= 3)
        digits.insert(static_cast<std::size_t>(i), 1, ' ');
    return digits;
}

std::string shortNumber(double value, int digits) {
    std::array<char, 64> buffer{};
    const int length = std::snprintf(buffer.data(), buffer.size(), "%.*g", digits, value);
    return {buffer.data(), static_cast<std::size_t>(std::clamp(length, 0, 63))};
}

}  // namespace orrery
