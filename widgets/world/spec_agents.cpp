#include "widgets/world/spec_agents.h"

#include <algorithm>

#include "core/world/grid_layout.h"
#include "widgets/world/spec_edit.h"

namespace orrery {

namespace {

bool contains(const std::optional<std::vector<int>>& list, std::size_t agent) {
    return list && std::ranges::find(*list, static_cast<int>(agent)) != list->end();
}

const std::vector<HumanGoals>& ownGoalsOf(const WorldSpec& spec) {
    return std::visit([](const auto& s) -> const std::vector<HumanGoals>& { return s.ownGoals; },
                      spec);
}

void writeLists(GridWorldSpec& grid, const std::vector<PlacedAgent>& placed) {
    grid.orientations.clear();
    grid.agentActionSets.clear();
    grid.canEnterMagicWalls.clear();
    if (grid.humanAgents) grid.humanAgents->clear();
    if (grid.robotAgents) grid.robotAgents->clear();
    bool allSame = true;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const AgentTraits& traits = placed[i].traits;
        grid.orientations.push_back(traits.direction);
        allSame = allSame && traits.direction == placed[0].traits.direction;
        grid.agentActionSets.push_back(traits.actionSet);
        grid.canEnterMagicWalls.push_back(traits.canEnterMagicWalls);
        if (grid.humanAgents && traits.isListedHuman)
            grid.humanAgents->push_back(static_cast<int>(i));
        if (grid.robotAgents && traits.isListedRobot)
            grid.robotAgents->push_back(static_cast<int>(i));
    }
    if (allSame) grid.orientations.resize(std::min<std::size_t>(1, placed.size()));
    if (grid.orientations == std::vector{0}) grid.orientations.clear();
    while (!grid.agentActionSets.empty() && !grid.agentActionSets.back())
        grid.agentActionSets.pop_back();
    while (!grid.canEnterMagicWalls.empty() && !grid.canEnterMagicWalls.back())
        grid.canEnterMagicWalls.pop_back();
}

}  // namespace

bool isAgentCode(const WorldSpec& spec, const std::string& code) {
    if (std::holds_alternative<BushWorldSpec>(spec)) return code == "Ro" || code == "Hu";
    CellCode cell;
    return decodeCell(code, cell) && cell.kind == PieceKind::Agent;
}

std::vector<PlacedAgent> placedOf(const WorldSpec& spec) {
    std::vector<PlacedAgent> placed;
    const QSize size = sizeOf(spec);
    for (int y = 0; y < size.height(); ++y)
        for (int x = 0; x < size.width(); ++x)
            if (std::string code = codeAt(spec, {x, y}); isAgentCode(spec, code))
                placed.push_back({{x, y}, std::move(code), {}});
    if (std::holds_alternative<BushWorldSpec>(spec))
        std::ranges::stable_partition(placed, [](const PlacedAgent& p) { return p.code == "Ro"; });
    return placed;
}

int directionOf(const GridWorldSpec& spec, std::size_t agent) {
    if (spec.orientations.empty()) return 0;
    return spec.orientations[spec.orientations.size() == 1
                                 ? 0
                                 : std::min(agent, spec.orientations.size() - 1)];
}

std::vector<PlacedAgent> takenApart(const WorldSpec& spec) {
    std::vector<PlacedAgent> placed = placedOf(spec);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        AgentTraits& traits = placed[i].traits;
        for (const HumanGoals& own : ownGoalsOf(spec))
            if (own.agent == static_cast<int>(i)) traits.ownGoals = own;
        const auto* grid = std::get_if<GridWorldSpec>(&spec);
        if (!grid) continue;
        traits.direction = directionOf(*grid, i);
        if (i < grid->agentActionSets.size()) traits.actionSet = grid->agentActionSets[i];
        traits.canEnterMagicWalls =
            i < grid->canEnterMagicWalls.size() && grid->canEnterMagicWalls[i];
        traits.isListedHuman = contains(grid->humanAgents, i);
        traits.isListedRobot = contains(grid->robotAgents, i);
    }
    return placed;
}

void putTogether(WorldSpec& spec, const std::vector<PlacedAgent>& placed) {
    std::vector<HumanGoals> own;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        if (!placed[i].traits.ownGoals) continue;
        own.push_back(*placed[i].traits.ownGoals);
        own.back().agent = static_cast<int>(i);
    }
    std::visit([&](auto& s) { s.ownGoals = std::move(own); }, spec);
    if (auto* grid = std::get_if<GridWorldSpec>(&spec)) writeLists(*grid, placed);
}

void writeCode(WorldSpec& spec, const QPoint& cell, const std::string& code) {
    const auto x = static_cast<std::size_t>(cell.x()), y = static_cast<std::size_t>(cell.y());
    if (auto* bush = std::get_if<BushWorldSpec>(&spec))
        bush->map[y][x] = code;
    else
        std::get<GridWorldSpec>(spec).map[y].replace(2 * x, 2, code);
}

void carryAgents(WorldSpec& spec, const std::vector<PlacedAgent>& before,
                 const std::function<QPoint(const QPoint& cell)>& cameFrom) {
    std::vector<PlacedAgent> after = placedOf(spec);
    for (PlacedAgent& agent : after) {
        const QPoint origin = cameFrom(agent.cell);
        const auto known = std::ranges::find_if(before, [&](const PlacedAgent& old) {
            return old.cell == origin && old.code == agent.code;
        });
        if (known != before.end()) {
            agent.traits = known->traits;
        } else if (std::holds_alternative<GridWorldSpec>(spec)) {
            agent.traits.isListedHuman = agent.code == "Ay";
            agent.traits.isListedRobot = agent.code == "Ae";
        }
    }
    putTogether(spec, after);
}

}  // namespace orrery
