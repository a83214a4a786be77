#include "core/bush/bush_format.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/bush/bush_spec.h"
#include "core/files/world_fields.h"
#include "core/files/world_format.h"

namespace orrery {

namespace {

bool readBushMap(WorldReader& reader, MapReader& map) {
    auto rows = map.wordRows();
    if (rows) reader.specAs<BushWorldSpec>().map = std::move(*rows);
    return rows.has_value();
}

MapSize sizeOfField(const WorldSpec& spec) {
    const auto& map = spec.as<BushWorldSpec>()->map;
    return {map.front().size(), map.size()};
}

std::vector<AgentRole> rolesInField(const WorldSpec& spec, std::size_t most) {
    std::vector<AgentRole> roles;
    for (const auto& [text, role] :
         {std::pair{"Ro", AgentRole::Robot}, std::pair{"Hu", AgentRole::Human}})
        for (const auto& row : spec.as<BushWorldSpec>()->map)
            for (std::ptrdiff_t n = std::ranges::count(row, text); n > 0 && roles.size() < most;
                 --n)
                roles.push_back(role);
    return roles;
}

void writeBush(const WorldSpec& world, WorldFields& fields) {
    const BushWorldSpec& spec = *world.as<BushWorldSpec>();
    fields.value("family", jsonText("bush"));
    std::vector<std::string> rows;
    for (const std::vector<std::string>& cells : spec.map) {
        std::string& row = rows.emplace_back();
        for (const std::string& cell : cells) row += (row.empty() ? "" : " ") + cell;
    }
    fields.map(std::move(rows));
    fields.value("B", std::to_string(spec.capacity));
    fields.value("fill_density", std::to_string(spec.fillDensity));
}

std::vector<WorldFileKey> bushKeys() {
    std::vector<WorldFileKey> keys = keysBefore("Ro, Hu or a density; at most 10^6 cells");
    keys.insert(
        keys.end(),
        {
            {"B", "whole number", 1, 1e6, "", "10",
             "Capacity: a human enters a cell of density d with probability 1 - d/B.",
             readKey<&BushWorldSpec::capacity>, true},
            {"fill_density", "whole number", 0, 1e6, "", "0",
             "Density under the players at the start.", readKey<&BushWorldSpec::fillDensity>},
            stepsKey(),
        });
    for (const WorldFileKey& key : goalKeys()) keys.push_back(key);
    return keys;
}

}  // namespace

const WorldFormat& bushFormat() {
    static const WorldFormat kFormat{
        .keys = bushKeys(),
        .telling = {"B", "fill_density"},
        .standard = [] { return WorldSpec(BushWorldSpec()); },
        .readMap = readBushMap,
        .mapSize = sizeOfField,
        .roles = rolesInField,
        .write = writeBush,
    };
    return kFormat;
}

}  // namespace orrery
