#include "core/checkpoint/json_limits.h"

#include <algorithm>

namespace orrery {

namespace {

enum class Token { Blank, Mark, Other };

Token tokenOf(char c) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') return Token::Blank;
    const std::string_view marks = "{}[],:\"";
    return marks.find(c) == std::string_view::npos ? Token::Other : Token::Mark;
}

/// @return the place behind the closing quote, or the text's end
std::size_t endOfString(std::string_view text, std::size_t quote) {
    std::size_t at = quote + 1;
    while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
    return std::min(at + 1, text.size());
}

}  // namespace

std::optional<std::string> jsonBeyondLimits(std::string_view text, const JsonLimits& limits) {
    // Some parsers take it for the end of the text.
    if (text.find('\0') != std::string_view::npos) return "there is a NUL in it";
    int depth = 0;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        const Token token = tokenOf(c);
        std::size_t end = at + 1;
        if (c == '"') {
            end = endOfString(text, at);
            if (end - at > limits.stringBytes) return "a text in it is too long";
        } else if (token != Token::Mark) {
            while (end < text.size() && tokenOf(text[end]) == token) ++end;
            if (end - at > limits.otherBytes) return "a number or a gap in it is too long";
        } else if (c == '{' || c == '[') {
            if (++depth > limits.depth) return "it is nested too deeply";
        } else if (c == '}' || c == ']') {
            --depth;
        }
        at = end;
    }
    return std::nullopt;
}

}  // namespace orrery
