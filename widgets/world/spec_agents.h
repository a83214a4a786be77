#pragma once

#include <QPoint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/world/grid_spec.h"

namespace orrery {

// The agents of a spec while its map is changed: what belongs to them follows them.

/// What belongs to one agent besides its cell.
struct AgentTraits {
    int direction = 0;  ///< 0 E, 1 S, 2 W, 3 N
    std::optional<ActionSet> actionSet;
    bool canEnterMagicWalls = false;
    bool isListedHuman = false, isListedRobot = false;
    std::optional<HumanGoals> ownGoals;
};

struct PlacedAgent {
    QPoint cell;
    std::string code;
    AgentTraits traits;
};

bool isAgentCode(const WorldSpec& spec, const std::string& code);
/// The agents by agent index, without their traits: row by row, in a bush world the robots first.
std::vector<PlacedAgent> placedOf(const WorldSpec& spec);
/// Every agent with what belongs to it.
std::vector<PlacedAgent> takenApart(const WorldSpec& spec);
/// Writes what belongs to the agents into the spec whose map they stand in.
void putTogether(WorldSpec& spec, const std::vector<PlacedAgent>& placed);
/// Gives the agents of a changed map what belonged to those before. `cameFrom` says where the thing
/// in a cell stood before the change.
void carryAgents(WorldSpec& spec, const std::vector<PlacedAgent>& before,
                 const std::function<QPoint(const QPoint& cell)>& cameFrom);
/// The direction of an agent: a spec has one for all, or one each.
int directionOf(const GridWorldSpec& spec, std::size_t agent);
/// Puts a code into a cell of the map and nothing else.
void writeCode(WorldSpec& spec, const QPoint& cell, const std::string& code);

}  // namespace orrery
