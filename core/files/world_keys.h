#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orrery {

enum class WorldFamily : unsigned char { Grid, Bush };

/// One key of a world file. The reader takes type, range and default from here, and so do help
/// texts and forms.
struct WorldFileKey {
    const char* name;          ///< "max_steps"; members of metadata as "metadata.name"
    bool inGrid;               ///< may be in a file of family grid
    bool inBush;               ///< may be in a file of family bush
    const char* type;          ///< "whole number", "list of goals", ...
    double low, high;          ///< range of a number; low > high: no number
    const char* range;         ///< other restrictions in words, or ""
    const char* defaultValue;  ///< as one would write it, "" if the key is required or is left out
    const char* meaning;       ///< one sentence

    bool isNumber() const { return low <= high; }
    /// "0 to 1", or `range`.
    std::string rangeText() const;
};

/// Every key, in the order in which a file is best written.
std::span<const WorldFileKey> worldFileKeys();

/// The key of that name, or null.
const WorldFileKey* worldFileKey(std::string_view name);

}  // namespace orrery
