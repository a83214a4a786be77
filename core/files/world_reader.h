#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/files/goal_reader.h"
#include "core/files/map_reader.h"
#include "core/files/value_reader.h"
#include "core/files/world_file.h"

namespace orrery {

/// Fills a WorldSpec from the tree of a world file. For one file, by one thread.
class WorldReader {
public:
    /// @param mapLines  lines of the file that hold the map's rows, if the tree has them not
    WorldReader(const YamlNode& root, const LineIndex& lines, ByteRange mapLines, Diagnostics& out,
                const WorldReadOptions& options);

    /// Reads everything; asks validate() too, once the map is readable. To be called once.
    WorldSpec read();

private:
    /// Far more than a world may have; keeps the work on hostile maps small.
    static constexpr std::size_t kMostAgents = 64;

    /// How the value of one key gets into the spec.
    struct Binding {
        const char* key;
        void (WorldReader::*read)(const YamlNode& value, const WorldFileKey& key);
    };
    static std::span<const Binding> bindings();

    bool isBushFile();
    void checkKeys();
    void refuseKey(const YamlMember& member, const std::string& what,
                   const std::vector<std::string>& known);
    void readKey(const Binding& binding);
    bool hasValue(const YamlMember& member);
    void readMap();
    void nameAgents();
    void check(const WorldSpec& spec);
    Diagnostics::Place placeOf(const SpecProblem& problem) const;
    WorldSpec takeSpec();

    void readNumber(const YamlNode& value, const WorldFileKey& key);
    void readInteger(const YamlNode& value, const WorldFileKey& key);
    void readTruth(const YamlNode& value, const WorldFileKey& key);
    void readMetadata(const YamlNode& value, const WorldFileKey& key);
    void readSize(const YamlNode& value, const WorldFileKey& key);
    void readOrientations(const YamlNode& value, const WorldFileKey& key);
    void readActionClass(const YamlNode& value, const WorldFileKey& key);
    void readActionSets(const YamlNode& value, const WorldFileKey& key);
    void readAgentList(const YamlNode& value, const WorldFileKey& key);
    void readPushers(const YamlNode& value, const WorldFileKey& key);
    void readMagicEnterers(const YamlNode& value, const WorldFileKey& key);
    void readPossibleGoals(const YamlNode& value, const WorldFileKey& key);
    void readGoalWeights(const YamlNode& value, const WorldFileKey& key);
    void readHumanGoals(const YamlNode& value, const WorldFileKey& key);

    std::optional<ActionSet> actionSet(const YamlNode& node, std::string_view name);
    void addOrientation(const YamlNode& node);
    bool checkSide(const YamlNode& node, const WorldFileKey& key, std::size_t actual,
                   const char* what);
    std::optional<int> agentNamed(const YamlMember& member);
    bool isListForAgents(const YamlNode& value, const WorldFileKey& key);
    MapSize mapSize() const;

    const YamlNode& m_root;
    ByteRange m_mapLines;
    Diagnostics& m_out;
    WorldReadOptions m_options;
    ValueReader m_values;
    MapReader m_map;
    bool m_isBush = false;
    bool m_hasMap = false;
    GridWorldSpec m_grid;
    BushWorldSpec m_bush;
    std::vector<std::string> m_agents;  ///< [agents] at most kMostAgents names, as World has them
    std::set<std::string> m_failed;     ///< keys with an error
};

}  // namespace orrery
