#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/diagnostic.h"

namespace orrery {

/// Finds line and column of a byte offset. "\n", "\r\n" and "\r" end a line; columns count
/// characters; a byte order mark at the start counts for nothing. The text must outlive the index.
/// Building is O(size) time and size/20 memory, a question O(1).
class LineIndex {
public:
    explicit LineIndex(std::string_view text);

    Diagnostics::Place at(std::size_t offset) const;
    std::string_view text() const { return m_text; }

private:
    struct Mark {
        std::uint32_t line;
        std::uint32_t column;
    };
    /// Moves `mark` over byte i.
    void pass(std::size_t i, Mark& mark) const;

    std::string_view m_text;
    std::vector<Mark> m_marks;  ///< position of every 512th byte
};

/// Adds a character. @param code  at most U+10FFFF, and no surrogate
void appendUtf8(std::uint32_t code, std::string& out);

/// A range of bytes [begin, end).
struct ByteRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// A file's text made ready for the YAML parser, and the way back from its offsets: byte order mark
/// dropped, line ends "\n", pairs of JSON surrogate escapes turned into characters, one range left
/// out. Everything is checked to be UTF-8 without control characters and with few nested brackets.
struct CleanText {
    std::string text;

    /// The offset in the file of an offset in `text`.
    std::size_t fileOffset(std::size_t offset) const;

    struct Shift {
        std::size_t clean;
        std::size_t file;
    };
    std::vector<Shift> shifts;  ///< ascending; each holds from its offset on
};

/// Why a text was refused, and the byte in the file where.
struct TextFault {
    std::size_t offset = 0;
    std::string code;
    std::string message;
    std::string hint;
};

/// Cleans `file`. @return false, with the first fault, if the text is not acceptable.
bool cleanText(std::string_view file, ByteRange leaveOut, CleanText& clean, TextFault& fault);

}  // namespace orrery
