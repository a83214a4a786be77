#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/files/world_keys.h"
#include "core/files/world_reader.h"
#include "core/world/world.h"

namespace orrery {

class WorldFields;

/// How a family's worlds are read and written.
struct WorldFormat {
    std::vector<WorldFileKey> keys;  ///< every key of a file, in the order of writing
    /// A file that has one of these keys is of this family, if it does not say of which.
    std::vector<std::string_view> telling;
    WorldSpec (*standard)();  ///< what is not written
    /// Takes the map's rows into the reader's spec. @return false after an error
    bool (*readMap)(WorldReader& reader, MapReader& map);
    MapSize (*mapSize)(const WorldSpec& spec);  ///< of a spec with a map
    /// [agents, at most `most`] the roles of the agents on the map.
    std::vector<AgentRole> (*roles)(const WorldSpec& spec, std::size_t most);
    /// Adds the map and what is not standard beside what all families have.
    void (*write)(const WorldSpec& spec, WorldFields& fields);
};

/// Reads a number, a whole number or a truth value into a member of the family's spec.
template <auto Member>
void readKey(WorldReader& reader, const YamlNode& value, const WorldFileKey& key) {
    const auto put = [&]<class Spec, class Value>(Value Spec::*member) {
        auto& place = reader.specAs<Spec>().*member;
        if constexpr (std::is_same_v<Value, bool>) {
            if (const auto truth = reader.values().truth(value, key.name)) place = *truth;
        } else if constexpr (std::is_same_v<Value, double>) {
            if (const auto number = reader.values().number(value, key.name, key.low, key.high))
                place = *number;
        } else {
            const auto number =
                reader.values().integer(value, key.name, static_cast<std::int64_t>(key.low),
                                        static_cast<std::int64_t>(key.high));
            if (number) place = static_cast<Value>(*number);
        }
    };
    put(Member);
}

}  // namespace orrery
