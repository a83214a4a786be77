#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace orrery {

/// `text` made safe for a message or table: control characters become \n, \t, \xNN or \u{NNNN};
/// so do bidirectional controls, invisible marks and line separators; bytes that are no UTF-8
/// become \xNN. More than `maxBytes` are cut at a character and end in "...".
std::string escaped(std::string_view text, std::size_t maxBytes = 300);
/// A name made safe in the same way; of more than `maxBytes` the middle gives way to "...": there
/// names that begin alike differ least.
std::string escapedName(std::string_view name, std::size_t maxBytes);

/// The candidate most like `name`: fewest insertions, deletions, replacements and swaps of
/// neighbours, case ignored, the first of equals. Nothing if none is near (a third of the length).
std::optional<std::string> closestName(std::string_view name,
                                       std::span<const std::string> candidates);

/// A finite decimal number that takes up the whole token; '.' is the decimal point in any locale.
/// No blanks, no leading '+', no hexadecimal, no "nan" or "inf"; out of range is nothing.
std::optional<double> parseDouble(std::string_view token);

/// A decimal integer that takes up the whole token. No blanks, no leading '+'.
std::optional<std::int64_t> parseInt(std::string_view token);

/// The shortest decimal text that parseDouble reads back to the same bits; "nan", "inf", "-inf".
std::string formatDouble(double value);

/// "1 234 567" for people.
std::string grouped(std::int64_t value);
/// A value with so many significant digits.
std::string shortNumber(double value, int digits = 6);

/// One cell of a CSV table (RFC 4180). Text that a spreadsheet would take for a formula (it begins
/// with = + - @, tab or return and is no number) gets a leading apostrophe inside its quotes.
std::string csvCell(std::string_view text);

/// The texts with `between` between them.
std::string joined(std::span<const std::string> texts, std::string_view between);
/// "red, green, blue".
std::string commaList(std::span<const std::string> texts);

/// Now as "2026-03-01T12:34:56.789Z": a label for people, never an order.
std::string utcNow();

}  // namespace orrery
