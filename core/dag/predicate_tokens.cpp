#include "core/dag/predicate_tokens.h"

#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

namespace {

constexpr std::size_t kMaxLength = 65'536;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool startsCharacter(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

constexpr std::pair<std::string_view, TokenKind> kSigns[] = {
    {"&&", TokenKind::And},    {"||", TokenKind::Or},        {"!=", TokenKind::NotEqual},
    {"==", TokenKind::Equal},  {"<=", TokenKind::LessEqual}, {">=", TokenKind::GreaterEqual},
    {"!", TokenKind::Not},     {"=", TokenKind::Equal},      {"<", TokenKind::Less},
    {">", TokenKind::Greater}, {"(", TokenKind::Open},       {")", TokenKind::Close},
    {",", TokenKind::Comma},
};

constexpr std::pair<std::string_view, TokenKind> kWords[] = {
    {"and", TokenKind::And},   {"or", TokenKind::Or},       {"not", TokenKind::Not},
    {"true", TokenKind::True}, {"false", TokenKind::False}, {"step", TokenKind::Step},
};

class Tokenizer {
public:
    explicit Tokenizer(std::string_view text) : m_text(text) {}

    std::vector<Token> run() {
        std::vector<Token> tokens;
        while (true) {
            while (m_at < m_text.size() && isBlank(m_text[m_at])) advance(1);
            if (m_at == m_text.size()) break;
            tokens.push_back(next());
        }
        tokens.push_back({TokenKind::End, m_text.substr(m_text.size()), m_column, 0});
        return tokens;
    }

private:
    char peek(std::size_t ahead) const {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }

    void advance(std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; ++i)
            if (startsCharacter(m_text[m_at++])) ++m_column;
    }

    Token take(TokenKind kind, std::size_t length) {
        Token token{kind, m_text.substr(m_at, length), m_column, 0};
        advance(length);
        return token;
    }

    Token next() {
        if (isLetter(peek(0))) return word();
        if (isDigit(peek(0)) || (peek(0) == '-' && isDigit(peek(1)))) return number();
        for (const auto& [sign, kind] : kSigns)
            if (m_text.substr(m_at).starts_with(sign)) return take(kind, sign.size());
        if (peek(0) == '&' || peek(0) == '|')
            failPredicate(m_column, std::string("a single \"") + peek(0) +
                                        "\" has no meaning; write \"" +
                                        (peek(0) == '&' ? "and" : "or") + "\"");
        std::size_t length = 1;
        while (m_at + length < m_text.size() && !startsCharacter(m_text[m_at + length])) ++length;
        failPredicate(m_column,
                      "\"" + escaped(m_text.substr(m_at, length)) + "\" has no meaning here");
    }

    Token word() {
        std::size_t length = 1;
        while (isLetter(peek(length)) || isDigit(peek(length)) ||
               (peek(length) == '.' && (isLetter(peek(length + 1)) || isDigit(peek(length + 1)))))
            ++length;
        const std::string_view text = m_text.substr(m_at, length);
        for (const auto& [keyword, kind] : kWords)
            if (text == keyword) return take(kind, length);
        return take(TokenKind::Name, length);
    }

    Token number() {
        std::size_t length = 1;
        while (isDigit(peek(length))) ++length;
        const auto value = parseInt(m_text.substr(m_at, length));
        if (!value || *value > std::numeric_limits<std::int32_t>::max() ||
            *value < std::numeric_limits<std::int32_t>::min())
            failPredicate(m_column, "the number " + escaped(m_text.substr(m_at, length), 30) +
                                        " is too large");
        if (isLetter(peek(length)) || peek(length) == '.')
            failPredicate(m_column, "only whole numbers can be compared");
        Token token = take(TokenKind::Number, length);
        token.number = static_cast<std::int32_t>(*value);
        return token;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_column = 1;
};

}  // namespace

void failPredicate(int column, const std::string& text) {
    throw Error("column " + std::to_string(column) + ": " + text + (text.ends_with('?') ? "" : "."),
                Error::Kind::BadInput);
}

std::vector<Token> tokenizePredicate(std::string_view text) {
    if (text.size() > kMaxLength)
        failPredicate(1, "the predicate has " + std::to_string(text.size()) +
                             " characters; at most " + std::to_string(kMaxLength) + " are read");
    return Tokenizer(text).run();
}

}  // namespace orrery
