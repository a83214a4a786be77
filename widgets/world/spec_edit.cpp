#include "widgets/world/spec_edit.h"

#include <algorithm>
#include <optional>

#include "core/world/grid_layout.h"

namespace orrery {

namespace {

/// What belongs to one agent besides its cell.
struct Traits {
    int direction = 0;
    std::optional<ActionSet> actionSet;
    bool canEnterMagicWalls = false;
    bool isListedHuman = false, isListedRobot = false;
    std::optional<HumanGoals> ownGoals;
};

struct Placed {
    QPoint cell;
    std::string code;
    Traits traits;
};

bool isAgentCode(const WorldSpec& spec, const std::string& code) {
    if (std::holds_alternative<BushWorldSpec>(spec)) return code == "Ro" || code == "Hu";
    CellCode cell;
    return decodeCell(code, cell) && cell.kind == PieceKind::Agent;
}

/// The cells of the agents by agent index: row by row, in a bush world the robots first.
std::vector<Placed> placedOf(const WorldSpec& spec) {
    std::vector<Placed> placed;
    const QSize size = sizeOf(spec);
    for (int y = 0; y < size.height(); ++y)
        for (int x = 0; x < size.width(); ++x)
            if (std::string code = codeAt(spec, {x, y}); isAgentCode(spec, code))
                placed.push_back({{x, y}, std::move(code), {}});
    if (std::holds_alternative<BushWorldSpec>(spec))
        std::ranges::stable_partition(placed, [](const Placed& p) { return p.code == "Ro"; });
    return placed;
}

int directionOf(const GridWorldSpec& spec, std::size_t agent) {
    if (spec.orientations.empty()) return 0;
    return spec.orientations[spec.orientations.size() == 1
                                 ? 0
                                 : std::min(agent, spec.orientations.size() - 1)];
}

bool contains(const std::optional<std::vector<int>>& list, std::size_t agent) {
    return list && std::ranges::find(*list, static_cast<int>(agent)) != list->end();
}

std::vector<HumanGoals>& ownGoalsOf(WorldSpec& spec) {
    return std::visit([](auto& s) -> std::vector<HumanGoals>& { return s.ownGoals; }, spec);
}

/// Every agent with what belongs to it.
std::vector<Placed> takenApart(WorldSpec& spec) {
    std::vector<Placed> placed = placedOf(spec);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        Traits& traits = placed[i].traits;
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

void writeLists(GridWorldSpec& grid, const std::vector<Placed>& placed) {
    grid.orientations.clear();
    grid.agentActionSets.clear();
    grid.canEnterMagicWalls.clear();
    if (grid.humanAgents) grid.humanAgents->clear();
    if (grid.robotAgents) grid.robotAgents->clear();
    bool allSame = true;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const Traits& traits = placed[i].traits;
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

void putTogether(WorldSpec& spec, const std::vector<Placed>& placed) {
    std::vector<HumanGoals>& own = ownGoalsOf(spec);
    own.clear();
    for (std::size_t i = 0; i < placed.size(); ++i) {
        if (!placed[i].traits.ownGoals) continue;
        own.push_back(*placed[i].traits.ownGoals);
        own.back().agent = static_cast<int>(i);
    }
    if (auto* grid = std::get_if<GridWorldSpec>(&spec)) writeLists(*grid, placed);
}

void writeCode(WorldSpec& spec, const QPoint& cell, const std::string& code) {
    const auto x = static_cast<std::size_t>(cell.x()), y = static_cast<std::size_t>(cell.y());
    if (auto* bush = std::get_if<BushWorldSpec>(&spec))
        bush->map[y][x] = code;
    else
        std::get<GridWorldSpec>(spec).map[y].replace(2 * x, 2, code);
}

/// The agents after a change of the map; `cameFrom` is where the thing in a cell stood before.
template <typename CameFrom>
void carryAgents(WorldSpec& spec, const std::vector<Placed>& before, CameFrom cameFrom) {
    std::vector<Placed> after = placedOf(spec);
    for (Placed& agent : after) {
        const QPoint origin = cameFrom(agent.cell);
        const auto known = std::ranges::find_if(before, [&](const Placed& old) {
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

}  // namespace

QSize sizeOf(const WorldSpec& spec) {
    if (const auto* bush = std::get_if<BushWorldSpec>(&spec))
        return bush->map.empty() ? QSize(0, 0)
                                 : QSize(static_cast<int>(bush->map[0].size()),
                                         static_cast<int>(bush->map.size()));
    const auto& map = std::get<GridWorldSpec>(spec).map;
    return map.empty() ? QSize(0, 0)
                       : QSize(static_cast<int>(map[0].size() / 2), static_cast<int>(map.size()));
}

std::string codeAt(const WorldSpec& spec, const QPoint& cell) {
    if (!QRect(QPoint(0, 0), sizeOf(spec)).contains(cell)) return {};
    const auto x = static_cast<std::size_t>(cell.x()), y = static_cast<std::size_t>(cell.y());
    if (const auto* bush = std::get_if<BushWorldSpec>(&spec)) return bush->map[y][x];
    return std::get<GridWorldSpec>(spec).map[y].substr(2 * x, 2);
}

std::string emptyCode(const WorldSpec& spec) {
    return std::holds_alternative<BushWorldSpec>(spec) ? "0" : "..";
}

std::vector<SpecAgent> agentsOf(const WorldSpec& spec) {
    std::vector<SpecAgent> agents;
    const std::vector<Placed> placed = placedOf(spec);
    const auto* grid = std::get_if<GridWorldSpec>(&spec);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        SpecAgent agent{placed[i].cell, placed[i].code == "Hu", placed[i].code == "Ro", -1};
        if (grid) {
            agent.isHuman =
                grid->humanAgents ? contains(grid->humanAgents, i) : placed[i].code == "Ay";
            agent.isRobot =
                grid->robotAgents ? contains(grid->robotAgents, i) : placed[i].code == "Ae";
            agent.direction = directionOf(*grid, i);
        }
        agents.push_back(agent);
    }
    return agents;
}

int agentAt(const WorldSpec& spec, const QPoint& cell) {
    const std::vector<Placed> placed = placedOf(spec);
    const auto found = std::ranges::find(placed, cell, &Placed::cell);
    return found == placed.end() ? -1 : static_cast<int>(found - placed.begin());
}

void setCells(WorldSpec& spec, const std::vector<QPoint>& cells, const std::string& code) {
    const std::vector<Placed> before = takenApart(spec);
    for (const QPoint& cell : cells)
        if (!codeAt(spec, cell).empty()) writeCode(spec, cell, code);
    carryAgents(spec, before, [](const QPoint& cell) { return cell; });
}

std::vector<QPoint> filledFrom(const WorldSpec& spec, const QPoint& start) {
    const QSize size = sizeOf(spec);
    const std::string code = codeAt(spec, start);
    std::vector<QPoint> filled;
    if (code.empty()) return filled;
    std::vector<bool> seen(static_cast<std::size_t>(size.width()) *
                           static_cast<std::size_t>(size.height()));
    const auto add = [&](const QPoint& cell) {
        if (codeAt(spec, cell) != code) return;
        const auto index = static_cast<std::size_t>(cell.y() * size.width() + cell.x());
        if (seen[index]) return;
        seen[index] = true;
        filled.push_back(cell);
    };
    add(start);
    for (std::size_t i = 0; i < filled.size(); ++i) {
        const QPoint at = filled[i];
        for (const QPoint& side : {QPoint(1, 0), QPoint(0, 1), QPoint(-1, 0), QPoint(0, -1)})
            add(at + side);
    }
    return filled;
}

std::vector<QPoint> cellsOf(const QRect& cells) {
    std::vector<QPoint> list;
    for (int y = cells.top(); y <= cells.bottom(); ++y)
        for (int x = cells.left(); x <= cells.right(); ++x) list.emplace_back(x, y);
    return list;
}

void moveThing(WorldSpec& spec, const QPoint& from, const QPoint& to) {
    const std::string code = codeAt(spec, from);
    if (code.empty() || codeAt(spec, to).empty() || from == to) return;
    const std::vector<Placed> before = takenApart(spec);
    writeCode(spec, from, emptyCode(spec));
    writeCode(spec, to, code);
    carryAgents(spec, before, [&](const QPoint& cell) { return cell == to ? from : cell; });
}

bool turnThing(WorldSpec& spec, const QPoint& cell) {
    if (!std::holds_alternative<GridWorldSpec>(spec)) return false;
    std::vector<Placed> placed = takenApart(spec);
    const auto agent = std::ranges::find(placed, cell, &Placed::cell);
    if (agent != placed.end()) {
        agent->traits.direction = (agent->traits.direction + 1) % 4;
        putTogether(spec, placed);
        return true;
    }
    const std::string code = codeAt(spec, cell);
    for (const std::vector<std::string>& ring :
         {std::vector<std::string>{"Me", "Ms", "Mw", "Mn", "Ma"},
          std::vector<std::string>{"Dk", "Dp", "DC"}}) {
        const auto at = std::ranges::find(ring, code);
        if (at == ring.end()) continue;
        writeCode(spec, cell, at + 1 == ring.end() ? ring.front() : *(at + 1));
        return true;
    }
    return false;
}

}  // namespace orrery
