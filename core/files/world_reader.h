#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/files/goal_reader.h"
#include "core/files/map_reader.h"
#include "core/files/value_reader.h"
#include "core/files/world_file.h"

namespace orrery {

struct WorldFormat;

/// Fills a WorldSpec from the tree of a world file. For one file, by one thread.
class WorldReader {
public:
    /// @param mapLines  lines of the file that hold the map's rows, if the tree has them not
    WorldReader(const YamlNode& root, const LineIndex& lines, ByteRange mapLines, Diagnostics& out,
                const WorldReadOptions& options);

    /// Reads everything; asks validate() too, once the map is readable. To be called once.
    WorldSpec read();

    // What the readers of keys ask for.
    WorldSpec& spec() { return m_spec; }
    template <class Spec>
    Spec& specAs() {
        if constexpr (std::is_same_v<Spec, SharedSpec>)
            return *m_spec.operator->();
        else
            return *m_spec.as<Spec>();
    }
    ValueReader& values() { return m_values; }
    bool hasMap() const { return m_hasMap; }
    MapSize mapSize() const;  ///< 0 x 0: not known
    /// [agents] names as World has them, at most kMostAgents; none without a map.
    const std::vector<std::string>& agents() const { return m_agents; }
    /// True for a list that is not longer than there are agents. Where the map shows none, an
    /// unknown cell may be one: that is reported, not the list.
    bool isListForAgents(const YamlNode& value, const WorldFileKey& key);
    /// The agent that a member's name means: an index or a name; nothing after an error, or
    /// without a map.
    std::optional<int> agentNamed(const YamlMember& member);
    void refuseKey(const YamlMember& member, const std::string& what,
                   const std::vector<std::string>& known);

    /// Far more than a world may have; keeps the work on hostile maps small.
    static constexpr std::size_t kMostAgents = 64;

private:
    const WorldFamily& familyOfFile();
    void checkKeys();
    void readKey(const WorldFileKey& key);
    bool hasValue(const YamlMember& member);
    void readMap();
    void nameAgents();
    void check();
    Diagnostics::Place placeOf(const SpecProblem& problem) const;

    const YamlNode& m_root;
    ByteRange m_mapLines;
    Diagnostics& m_out;
    WorldReadOptions m_options;
    ValueReader m_values;
    MapReader m_map;
    const WorldFormat* m_format = nullptr;
    bool m_hasMap = false;
    WorldSpec m_spec;
    std::vector<std::string> m_agents;
    std::set<std::string> m_failed;  ///< keys with an error
};

}  // namespace orrery
