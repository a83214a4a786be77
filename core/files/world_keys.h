#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

struct YamlNode;
class WorldReader;

inline constexpr double kNoLow = 1, kNoHigh = 0;  ///< the range of what is no number

/// One key of a world file. The reader takes type, range and default from here, and so do help
/// texts and forms.
struct WorldFileKey {
    const char* name = "";                ///< "max_steps"; members of metadata as "metadata.name"
    const char* type = "";                ///< "whole number", "list of goals", ...
    double low = kNoLow, high = kNoHigh;  ///< range of a number; low > high: no number
    const char* range = "";               ///< other restrictions in words, or ""
    /// As one would write it, "" if the key is required or is left out.
    const char* defaultValue = "";
    const char* meaning = "";  ///< one sentence
    /// Puts its value into the reader's spec; null: it is read with another.
    void (*read)(WorldReader& reader, const YamlNode& value, const WorldFileKey& key) = nullptr;
    /// Others depend on it: it is read before them, and where it is wrong the whole is not checked.
    bool isFirst = false;

    bool isNumber() const { return low <= high; }
    /// "0 to 1", or `range`.
    std::string rangeText() const;
    bool isMember() const { return std::string_view(name).find('.') != std::string_view::npos; }
};

// The keys that files of all families have, in three groups between which a family puts its own.
/// Words, family and map. @param map  what its map may be
std::vector<WorldFileKey> keysBefore(const char* map);
WorldFileKey stepsKey();
std::vector<WorldFileKey> goalKeys();

/// "human_agents[2]".
std::string elementName(const WorldFileKey& key, std::size_t i);

/// The key of that name in the first family that has one, or null.
const WorldFileKey* worldFileKey(std::string_view name);

}  // namespace orrery
