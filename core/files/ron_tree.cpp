#include "core/files/ron_tree.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace orrery {

namespace {

/// Thrown within the reader and caught in readRon.
struct Fault {
    std::size_t offset;
    std::string code;
    std::string message;
    std::string hint;
};

bool isNameBegin(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isNamePart(char c) {
    return isNameBegin(c) || isDigit(c);
}

/// A number as Rust writes it may have underscores and a type behind it: "1_000u32" is 1000.
std::string plainNumber(std::string_view number) {
    std::string plain;
    for (const char c : number)
        if (c != '_') plain += c;
    const bool isHex = plain.find("0x") != std::string::npos;
    const std::size_t type = plain.find_first_of(isHex ? "ui" : "uif");
    if (type != std::string::npos && plain != "inf" && plain.substr(type) != "inf")
        plain.resize(type);
    if (plain.starts_with('+')) plain.erase(0, 1);
    return plain;
}

/// Reads one text from front to back.
class RonReader {
public:
    RonReader(const CleanText& clean, const LineIndex& lines)
        : m_text(clean.text), m_clean(clean), m_lines(lines) {}

    YamlNode read() {
        skip();
        while (peek() == '#') skipAttribute();
        YamlNode root = value();
        skip();
        if (m_at < m_text.size()) fail("nothing may follow the value", "remove what stands here");
        return root;
    }

private:
    [[noreturn]] void fail(std::string message, std::string hint = {}) const {
        throw Fault{m_clean.fileOffset(std::min(m_at, m_text.size())), "E104",
                    "not valid RON: " + std::move(message), std::move(hint)};
    }

    char peek(std::size_t ahead = 0) const {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }
    bool isAt(std::string_view word) const {
        return std::string_view(m_text).substr(m_at).starts_with(word);
    }

    /// Blanks and comments; those between /* and */ may hold others.
    void skip() {
        for (;;) {
            const char c = peek();
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
                ++m_at;
            } else if (isAt("//")) {
                while (m_at < m_text.size() && peek() != '\n') ++m_at;
            } else if (isAt("/*")) {
                skipBlock();
            } else {
                return;
            }
        }
    }

    void skipBlock() {
        int depth = 0;
        do {
            if (m_at >= m_text.size()) fail("this comment is never closed", "close it with */");
            const bool opens = isAt("/*"), closes = isAt("*/");
            depth += opens ? 1 : closes ? -1 : 0;
            m_at += opens || closes ? 2 : 1;
        } while (depth > 0);
    }

    void skipAttribute() {
        while (m_at < m_text.size() && peek() != ']') ++m_at;
        if (m_at >= m_text.size()) fail("this attribute is never closed", "close it with ]");
        ++m_at;
        skip();
    }

    YamlNode node(YamlNode::Kind kind) {
        const std::size_t offset = m_clean.fileOffset(m_at);
        if (++m_numValues > kMaxYamlValues)
            throw Fault{offset, "E102", "more than 200,000 values", "write a smaller file"};
        YamlNode made;
        made.kind = kind;
        made.offset = offset;
        const Diagnostics::Place place = m_lines.at(offset);
        made.line = place.line;
        made.column = place.column;
        return made;
    }

    YamlNode value() {
        if (m_depth >= kMaxYamlDepth)
            throw Fault{m_clean.fileOffset(m_at), "E105", "nested deeper than 64",
                        "flatten the file"};
        ++m_depth;
        YamlNode read = valueHere();
        --m_depth;
        return read;
    }

    YamlNode valueHere() {
        const char c = peek();
        if (c == '"' || c == '\'' || isRawText()) return text();
        if (c == '[') return sequence(']');
        if (c == '{') return map();
        if (c == '(') return structure();
        if (isDigit(c) || c == '-' || c == '+' || (c == '.' && isDigit(peek(1)))) return number();
        if (isNameBegin(c)) return named();
        fail(c == '\0' && m_at >= m_text.size() ? "the text ends where a value should be"
                                                : "a value cannot begin with this character");
    }

    std::string name() {
        const std::size_t begin = m_at;
        while (isNamePart(peek())) ++m_at;
        return m_text.substr(begin, m_at - begin);
    }

    /// true, None, Some(...), the name of a struct in front of it, or a bare name.
    YamlNode named() {
        YamlNode bare = node(YamlNode::Kind::Scalar);
        const std::string word = name();
        if (word == "inf" || word == "NaN") {
            bare.text = word == "inf" ? "inf" : "nan";
            return bare;
        }
        const std::size_t behind = m_at;
        skip();
        if (word == "None") {
            bare.kind = YamlNode::Kind::Null;
            return bare;
        }
        if (peek() != '(') {
            m_at = behind;
            bare.text = word;
            return bare;
        }
        if (word != "Some") {
            YamlNode made = structure();
            if (made.kind == YamlNode::Kind::Map) made.text = word;
            return made;
        }
        ++m_at;
        skip();
        YamlNode inner = value();
        skip();
        if (peek() == ',') {
            ++m_at;
            skip();
        }
        if (peek() != ')') fail("Some holds one value", "close it with )");
        ++m_at;
        return inner;
    }

    /// "(a: 1, b: 2)", a map; "(1, 2)", a sequence; "()", nothing.
    YamlNode structure() {
        const std::size_t begin = m_at++;
        skip();
        if (peek() == ')') {
            YamlNode unit = node(YamlNode::Kind::Map);
            ++m_at;
            return unit;
        }
        const std::size_t first = m_at;
        bool isNamed = isNameBegin(peek());
        if (isNamed) {
            name();
            skip();
            isNamed = peek() == ':';
        }
        m_at = isNamed ? first : begin;
        return isNamed ? members(')') : sequence(')');
    }

    YamlNode sequence(char end) {
        YamlNode list = node(YamlNode::Kind::Sequence);
        ++m_at;
        for (skip(); peek() != end; skip()) {
            list.elements.push_back(value());
            if (!comma(end)) break;
        }
        ++m_at;
        return list;
    }

    YamlNode map() {
        ++m_at;
        skip();
        return members('}');
    }

    /// Up to the end, which is taken; the opening bracket is behind.
    YamlNode members(char end) {
        YamlNode map = node(YamlNode::Kind::Map);
        std::set<std::string> known;
        for (; peek() != end; skip()) {
            const Diagnostics::Place place = m_lines.at(m_clean.fileOffset(m_at));
            const std::size_t begin = m_at;
            YamlMember member{
                .name = key(), .line = place.line, .column = place.column, .value = {}};
            if (!known.insert(member.name).second)
                throw Fault{m_clean.fileOffset(begin), "E107",
                            "key " + quotedValue(member.name) + " is here twice", "keep one"};
            skip();
            if (peek() != ':') fail("a ':' should stand behind a name");
            ++m_at;
            skip();
            member.value = value();
            map.members.push_back(std::move(member));
            if (!comma(end)) break;
        }
        ++m_at;
        return map;
    }

    std::string key() {
        if (peek() == '"' || isRawText()) return text().text;
        if (isDigit(peek()) || peek() == '-') return number().text;
        if (!isNameBegin(peek()))
            throw Fault{m_clean.fileOffset(m_at), "E110", "this cannot be a key",
                        "write a name before ':'"};
        return name();
    }

    /// Behind an element. @return false at the end
    bool comma(char end) {
        skip();
        if (peek() == end) return false;
        if (peek() != ',')
            fail(std::string("a ',' or '") + end + "' should stand here",
                 m_at >= m_text.size() ? "the text ends too early" : "");
        ++m_at;
        return true;
    }

    YamlNode number() {
        YamlNode scalar = node(YamlNode::Kind::Scalar);
        const std::size_t begin = m_at;
        if (peek() == '-' || peek() == '+') ++m_at;
        while (isNamePart(peek()) || peek() == '.' ||
               ((peek() == '-' || peek() == '+') &&
                (m_text[m_at - 1] == 'e' || m_text[m_at - 1] == 'E')))
            ++m_at;
        scalar.text = plainNumber(std::string_view(m_text).substr(begin, m_at - begin));
        return scalar;
    }

    bool isRawText() const {
        if (peek() != 'r') return false;
        std::size_t ahead = 1;
        while (peek(ahead) == '#') ++ahead;
        return peek(ahead) == '"';
    }

    YamlNode text() {
        YamlNode scalar = node(YamlNode::Kind::Scalar);
        scalar.isQuoted = true;
        scalar.text = peek() == 'r' ? rawText() : quotedText(peek());
        return scalar;
    }

    std::string rawText() {
        ++m_at;
        std::string end = "\"";
        for (; peek() == '#'; ++m_at) end += '#';
        ++m_at;
        const std::size_t close = m_text.find(end, m_at);
        if (close == std::string::npos) fail("this quote is never closed", "close it");
        std::string raw = m_text.substr(m_at, close - m_at);
        m_at = close + end.size();
        return raw;
    }

    std::string quotedText(char quote) {
        const std::size_t begin = m_at++;
        std::string out;
        while (peek() != quote) {
            if (m_at >= m_text.size()) {
                m_at = begin;
                fail("this quote is never closed", "close it");
            }
            if (peek() == '\\')
                escape(out);
            else
                out += m_text[m_at++];
        }
        ++m_at;
        return out;
    }

    void escape(std::string& out) {
        const char c = peek(1);
        m_at += 2;
        switch (c) {
            case 'n':
                out += '\n';
                return;
            case 't':
                out += '\t';
                return;
            case 'r':
                out += '\r';
                return;
            case '0':
                out += '\0';
                return;
            case '\\':
            case '"':
            case '\'':
                out += c;
                return;
            case 'x':
                return appendUtf8(hex(2, 2, 0x7F), out);
            case 'u':
                if (peek() == '{') {
                    ++m_at;
                    appendUtf8(hex(1, 6, 0x10FFFF), out);
                    if (peek() != '}') fail("this escape is never closed", "close it with }");
                    ++m_at;
                } else {
                    appendUtf8(hex(4, 4, 0x10FFFF), out);
                }
                return;
            default:
                m_at -= 2;
                fail("there is no such escape", "write \\\\ for a backslash");
        }
    }

    std::uint32_t hex(std::size_t least, std::size_t most, std::uint32_t highest) {
        std::size_t count = 0;
        while (count < most && std::isxdigit(static_cast<unsigned char>(peek(count))) != 0) ++count;
        std::uint32_t code = 0;
        const char* const begin = m_text.data() + m_at;
        std::from_chars(begin, begin + count, code, 16);
        const bool isSurrogate = code >= 0xD800 && code < 0xE000;
        if (count < least || code > highest || isSurrogate) fail("this is no character's number");
        m_at += count;
        return code;
    }

    const std::string& m_text;
    const CleanText& m_clean;
    const LineIndex& m_lines;
    std::size_t m_at = 0, m_numValues = 0;
    int m_depth = 0;
};

}  // namespace

std::optional<YamlNode> readRon(const LineIndex& lines, Diagnostics& out) {
    const auto refuse = [&](const Fault& fault) {
        out.error(lines.at(fault.offset), fault.code, fault.message, fault.hint);
        return std::nullopt;
    };
    if (lines.text().size() > kMaxYamlBytes)
        return refuse({0, "E102", "larger than 16 MiB", "write a smaller file"});
    CleanText clean;
    TextFault fault;
    if (!cleanText(lines.text(), {}, clean, fault))
        return refuse({fault.offset, fault.code, fault.message, fault.hint});
    try {
        return RonReader(clean, lines).read();
    } catch (const Fault& found) {
        return refuse(found);
    }
}

}  // namespace orrery
