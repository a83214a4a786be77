#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

/// What a JSON text may contain before a parser is let at it.
struct JsonLimits {
    int depth = 8;                     ///< nested objects and arrays
    std::size_t stringBytes = 500000;  ///< of one string as written
    std::size_t otherBytes = 1000000;  ///< of one number, word or run of blanks
};

/// Looks through a text without taking memory and says which limit it breaks, or that there is a
/// NUL in it; nothing if all is well. Whether it is JSON at all is for the parser to say.
std::optional<std::string> jsonBeyondLimits(std::string_view text, const JsonLimits& limits);

}  // namespace orrery
