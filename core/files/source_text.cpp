#include "core/files/source_text.h"

#include <algorithm>
#include <cstdio>

namespace orrery {

namespace {

constexpr std::size_t kMarkEvery = 512;
/// Far above the depth that the tree accepts: brackets in texts and comments count here, too.
constexpr int kMaxOpenBrackets = 1000;
constexpr int kMaxLines = 1'000'000;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool isContinuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Bytes of the UTF-8 character at `at`, or 0 if there is none; its code point in `code`.
std::size_t characterAt(std::string_view text, std::size_t at, std::uint32_t& code) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    if (lead < 0x80) {
        code = lead;
        return 1;
    }
    const std::size_t length = lead >= 0xF0 && lead < 0xF5   ? 4
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                                                             : 0;
    if (length == 0 || text.size() - at < length) return 0;
    code = lead & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if (!isContinuation(text[at + i])) return 0;
        code = code << 6 | (byte(at + i) & 0x3Fu);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    return overlong || surrogate || code > 0x10FFFF ? 0 : length;
}

bool isControl(std::uint32_t code) {
    return (code < 0x20 && code != '\t' && code != '\n' && code != '\r') ||
           (code >= 0x7F && code < 0xA0);
}

/// The number of a "\uXXXX" escape at `at`, or 0.
std::uint32_t escapeAt(std::string_view text, std::size_t at) {
    if (text.size() - at < 6 || text[at] != '\\' || text[at + 1] != 'u') return 0;
    std::uint32_t code = 0;
    for (std::size_t i = at + 2; i < at + 6; ++i) {
        const char c = text[i];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0) return 0;
        code = code * 16 + static_cast<std::uint32_t>(digit);
    }
    return code;
}

TextFault badByte(std::string_view file, std::size_t at) {
    const bool utf16 = file.starts_with("\xFF\xFE") || file.starts_with("\xFE\xFF");
    char hex[8];
    std::snprintf(hex, sizeof hex, "%02X", static_cast<unsigned char>(file[at]));
    return {at, "E103", std::string("byte 0x") + hex + " is not UTF-8",
            utf16 ? "the file looks like UTF-16: save it as UTF-8" : "save the file as UTF-8"};
}

TextFault badControl(std::size_t at, std::uint32_t code) {
    char hex[8];
    std::snprintf(hex, sizeof hex, "%04X", code);
    return {at, "E103", std::string("control character U+") + hex, "remove it"};
}

/// Walks over a file's text and writes the clean one.
class Cleaner {
public:
    Cleaner(std::string_view file, CleanText& clean) : m_file(file), m_clean(clean) {}

    bool run(ByteRange leaveOut, TextFault& fault) {
        if (m_file.starts_with(kByteOrderMark)) jumpTo(kByteOrderMark.size());
        m_isJson = startsLikeJson();
        while (m_at < m_file.size()) {
            if (m_at >= leaveOut.begin && m_at < leaveOut.end) {
                jumpTo(leaveOut.end);
            } else if (!step(fault)) {
                return false;
            }
        }
        return true;
    }

private:
    bool step(TextFault& fault) {
        const char c = m_file[m_at];
        if (c == '\r') {
            const bool pair = m_at + 1 < m_file.size() && m_file[m_at + 1] == '\n';
            m_clean.text += '\n';
            if (pair)
                jumpTo(m_at + 2);
            else
                ++m_at;
            return countLine(fault);
        }
        if (m_isJson && c == '\\' && takeEscape()) return true;
        std::uint32_t code = 0;
        const std::size_t length = characterAt(m_file, m_at, code);
        if (length == 0) {
            fault = badByte(m_file, m_at);
            return false;
        }
        if (isControl(code)) {
            fault = badControl(m_at, code);
            return false;
        }
        if (!countBracket(c, fault)) return false;
        if (c == '\n' && !countLine(fault)) return false;
        m_clean.text.append(m_file, m_at, length);
        m_at += length;
        return true;
    }

    /// Copies an escape; a pair of surrogates becomes one character. False if there is none.
    bool takeEscape() {
        if (m_at + 1 >= m_file.size()) return false;
        const std::uint32_t high = escapeAt(m_file, m_at);
        if (high >= 0xD800 && high < 0xDC00 && m_at + 6 < m_file.size()) {
            const std::uint32_t low = escapeAt(m_file, m_at + 6);
            if (low >= 0xDC00 && low < 0xE000) {
                appendUtf8(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00), m_clean.text);
                jumpTo(m_at + 12);
                return true;
            }
        }
        if (m_file[m_at + 1] != '\\') return false;
        m_clean.text += "\\\\";
        m_at += 2;
        return true;
    }

    bool countLine(TextFault& fault) {
        if (++m_lines <= kMaxLines) return true;
        fault = {m_at, "E102", "more than 1,000,000 lines", "split the file"};
        return false;
    }

    bool countBracket(char c, TextFault& fault) {
        if (c == '[' || c == '{') {
            if (++m_open > kMaxOpenBrackets) {
                fault = {m_at, "E105", "more than 1000 open brackets", "close them"};
                return false;
            }
        } else if ((c == ']' || c == '}') && m_open > 0) {
            --m_open;
        }
        return true;
    }

    void jumpTo(std::size_t offset) {
        m_at = offset;
        m_clean.shifts.push_back({m_clean.text.size(), m_at});
    }

    bool startsLikeJson() const {
        const std::size_t first = m_file.find_first_not_of(" \t\r\n", m_at);
        return first != std::string_view::npos && (m_file[first] == '{' || m_file[first] == '[');
    }

    std::string_view m_file;
    CleanText& m_clean;
    std::size_t m_at = 0;
    int m_open = 0;
    int m_lines = 0;
    bool m_isJson = false;
};

}  // namespace

void appendUtf8(std::uint32_t code, std::string& out) {
    const auto byte = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
    if (code < 0x80) return byte(code);
    if (code < 0x800) {
        byte(0xC0 | code >> 6);
    } else if (code < 0x10000) {
        byte(0xE0 | code >> 12);
        byte(0x80 | (code >> 6 & 0x3F));
    } else {
        byte(0xF0 | code >> 18);
        byte(0x80 | (code >> 12 & 0x3F));
        byte(0x80 | (code >> 6 & 0x3F));
    }
    byte(0x80 | (code & 0x3F));
}

LineIndex::LineIndex(std::string_view text) : m_text(text) {
    m_marks.reserve(text.size() / kMarkEvery + 1);
    Mark mark{1, 1};
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i % kMarkEvery == 0) m_marks.push_back(mark);
        pass(i, mark);
    }
    if (text.size() % kMarkEvery == 0) m_marks.push_back(mark);
}

void LineIndex::pass(std::size_t i, Mark& mark) const {
    const char c = m_text[i];
    if (c == '\n' || (c == '\r' && (i + 1 == m_text.size() || m_text[i + 1] != '\n'))) {
        ++mark.line;
        mark.column = 1;
    } else if (!isContinuation(c) && !(i == 0 && m_text.starts_with(kByteOrderMark))) {
        ++mark.column;
    }
}

Diagnostics::Place LineIndex::at(std::size_t offset) const {
    offset = std::min(offset, m_text.size());
    Mark mark = m_marks[offset / kMarkEvery];
    for (std::size_t i = offset / kMarkEvery * kMarkEvery; i < offset; ++i) pass(i, mark);
    return {static_cast<int>(mark.line), static_cast<int>(mark.column)};
}

std::size_t CleanText::fileOffset(std::size_t offset) const {
    const auto after = std::ranges::upper_bound(shifts, offset, {}, &Shift::clean);
    if (after == shifts.begin()) return offset;
    const Shift& shift = *(after - 1);
    return shift.file + (offset - shift.clean);
}

bool cleanText(std::string_view file, ByteRange leaveOut, CleanText& clean, TextFault& fault) {
    clean.text.reserve(file.size() - (leaveOut.end - leaveOut.begin));
    return Cleaner(file, clean).run(leaveOut, fault);
}

}  // namespace orrery
