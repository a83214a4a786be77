#include "core/filter/filter_tokens.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "core/base/text.h"

namespace orrery {

namespace {

using Kind = FilterToken::Kind;

constexpr std::size_t kMaxLength = 65'536;
constexpr std::string_view kSignCharacters = "=!<>~:";
constexpr std::string_view kMinus = "−";

/// Those that kSignCharacters make up; a run of these characters is one sign.
constexpr std::pair<std::string_view, FilterSign> kSigns[] = {
    {"=", FilterSign::Equal},    {"==", FilterSign::Equal},        {"!=", FilterSign::NotEqual},
    {"<", FilterSign::Less},     {"<=", FilterSign::LessEqual},    {">", FilterSign::Greater},
    {"~", FilterSign::Contains}, {">=", FilterSign::GreaterEqual}, {":", FilterSign::Is},
};
struct Joint {
    std::string_view text;
    Kind kind;
    FilterSign sign = FilterSign::Equal;
};
constexpr Joint kJoints[] = {{"&&", Kind::And},
                             {"||", Kind::Or},
                             {"(", Kind::Open},
                             {")", Kind::Close},
                             {"≠", Kind::Sign, FilterSign::NotEqual},
                             {"≤", Kind::Sign, FilterSign::LessEqual},
                             {"≥", Kind::Sign, FilterSign::GreaterEqual}};
constexpr std::string_view kWideBlanks[] = {"\u00A0", "\u2007", "\u2009", "\u200A",
                                            "\u202F", "\u2003", "\u3000"};
constexpr std::pair<std::string_view, Kind> kWords[] = {
    {"and", Kind::And}, {"or", Kind::Or}, {"not", Kind::Not}};

bool isOneOf(char c, std::string_view characters) {
    return characters.find(c) != std::string_view::npos;
}

class FilterTokenizer {
public:
    explicit FilterTokenizer(std::string_view text) : m_text(text) {}

    std::vector<FilterToken> run() {
        while (true) {
            while (const std::size_t blank = blankAt(m_at)) m_at += blank;
            if (m_at >= m_text.size()) break;
            next();
        }
        add(Kind::End, 0);
        return std::move(m_tokens);
    }

private:
    bool startsWith(std::size_t at, std::string_view part) const {
        return m_text.substr(at).starts_with(part);
    }
    /// Bytes of the blank there; 0 if it is none.
    std::size_t blankAt(std::size_t at) const {
        if (at >= m_text.size()) return 0;
        if (isOneOf(m_text[at], " \t\n\r\v\f")) return 1;
        for (const std::string_view blank : kWideBlanks)
            if (startsWith(at, blank)) return blank.size();
        return 0;
    }

    FilterToken& add(Kind kind, std::size_t length) {
        m_column += characters(m_text.substr(m_counted, m_at - m_counted));
        const std::string_view text = m_text.substr(m_at, length);
        const int end = m_column + characters(text);
        m_tokens.push_back({kind, text, m_at, m_at + length, m_column, end});
        m_counted = m_at += length;
        m_column = end;
        return m_tokens.back();
    }

    void next() {
        const char c = m_text[m_at];
        if (c == '"' || c == '\'') return quoted(c);
        if (const Joint* joint = jointAt(m_at)) {
            add(joint->kind, joint->text.size()).sign = joint->sign;
            return;
        }
        if (isOneOf(c, kSignCharacters)) return sign();
        std::size_t end = m_at + 1;
        while (end < m_text.size() && !endsWord(end)) ++end;
        FilterToken& word = add(Kind::Word, end - m_at);
        for (const auto& [keyword, kind] : kWords)
            if (inLowerCase(word.text) == keyword) word.kind = kind;
    }

    const Joint* jointAt(std::size_t at) const {
        for (const Joint& joint : kJoints)
            if (startsWith(at, joint.text)) return &joint;
        return nullptr;
    }
    bool endsWord(std::size_t at) const {
        return isOneOf(m_text[at], kSignCharacters) || m_text[at] == '"' || blankAt(at) != 0 ||
               jointAt(at) != nullptr;
    }

    void quoted(char quote) {
        const std::size_t close = m_text.find(quote, m_at + 1);
        if (close == std::string_view::npos)
            throw FilterError(add(Kind::End, 0).column, "the quote is not closed");
        FilterToken& token = add(Kind::Quoted, close + 1 - m_at);
        token.text = token.text.substr(1, token.text.size() - 2);
    }

    void sign() {
        const std::size_t past = m_text.find_first_not_of(kSignCharacters, m_at);
        const std::string_view run = m_text.substr(m_at, past - m_at);
        if (run.find_first_not_of('!') == std::string_view::npos) {
            for (std::size_t i = 0; i < run.size(); ++i) add(Kind::Not, 1);
            return;
        }
        FilterToken& token = add(Kind::Sign, run.size());
        const auto known =
            std::ranges::find(kSigns, run, &std::pair<std::string_view, FilterSign>::first);
        if (known == std::end(kSigns))
            throw FilterError(token.column, "\"" + escaped(run, 60) +
                                                "\" is no comparison; use = != < <= > >= ~ or :");
        token.sign = known->second;
    }

    std::string_view m_text;
    std::vector<FilterToken> m_tokens;
    std::size_t m_at = 0, m_counted = 0;  ///< bytes; those that m_column counts
    int m_column = 1;
};

}  // namespace

std::string inLowerCase(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

int characters(std::string_view text) {
    int count = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        count += (byte & 0xC0U) == 0x80U ? 0 : byte >= 0xF0U ? 2 : 1;
    }
    return count;
}

std::optional<double> filterNumber(std::string_view word) {
    std::string text(word);
    if (text.starts_with(kMinus)) text.replace(0, kMinus.size(), "-");
    if (text == "inf") return std::numeric_limits<double>::infinity();
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.erase(0, 1);
    double factor = 1;
    if (text.ends_with('k')) factor = 1e3;
    if (text.ends_with('M')) factor = 1e6;
    if (text.ends_with('G')) factor = 1e9;
    if (factor > 1) text.pop_back();
    const auto number = parseDouble(text);
    if (!number) return std::nullopt;
    return *number * factor;
}

bool isNameOrNumber(std::string_view word) {
    const char c = inLowerCase(word.substr(0, 1))[0];
    return word.starts_with(kMinus) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           isOneOf(c, "_-+.,");
}

std::vector<FilterToken> filterTokens(std::string_view text) {
    if (text.size() > kMaxLength)
        throw FilterError(1, "the condition has " + std::to_string(text.size()) +
                                 " characters; at most " + std::to_string(kMaxLength) +
                                 " are read");
    return FilterTokenizer(text).run();
}

}  // namespace orrery
