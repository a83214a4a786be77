#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/filter/filter_fields.h"
#include "core/filter/filter_tree.h"

namespace orrery {

/// One word or sign of a filter's text.
struct FilterToken {
    enum class Kind : std::uint8_t { Word, Quoted, Sign, Open, Close, And, Or, Not, End };
    Kind kind = Kind::End;
    std::string_view text;            ///< part of the text; of Quoted without its quotes
    std::size_t begin = 0, past = 0;  ///< bytes of the text, quotes included
    int column = 1, end = 1;          ///< from 1, in characters
    FilterSign sign = FilterSign::Equal;
};

/// Splits a filter's text; the last token is End.
/// @throws FilterError
std::vector<FilterToken> filterTokens(std::string_view text);

/// The characters of a text of UTF-8, those beyond U+FFFF twice.
int characters(std::string_view text);

/// The number that a word is: "3", "-0.5", "1.5k", "2M", "1G", "inf".
std::optional<double> filterNumber(std::string_view word);

/// Whether a word could be a name or a number: "step", "-3", and not "$".
bool isNameOrNumber(std::string_view word);

}  // namespace orrery
