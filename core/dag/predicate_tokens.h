#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

enum class TokenKind : std::uint8_t {
    Name,
    Number,
    Open,
    Close,
    Comma,
    And,
    Or,
    Not,
    True,
    False,
    Step,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    End,
};

/// One word or sign of a predicate's text.
struct Token {
    TokenKind kind = TokenKind::End;
    std::string_view text;    ///< part of the tokenized text
    int column = 1;           ///< from 1, in characters
    std::int32_t number = 0;  ///< value of a Number
};

/// Splits a predicate's text; the last token is End.
/// @throws Error (BadInput) "column 4: ..." on a sign that has no meaning
std::vector<Token> tokenizePredicate(std::string_view text);

/// Throws the Error of a mistake at a column.
[[noreturn]] void failPredicate(int column, const std::string& text);

}  // namespace orrery
