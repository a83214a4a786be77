#include "widgets/world/spec_edit.h"

#include <algorithm>
#include <optional>

#include "widgets/world/spec_agents.h"

namespace orrery {

namespace {

bool isListed(const std::optional<std::vector<int>>& list, std::size_t agent) {
    return list && std::ranges::find(*list, static_cast<int>(agent)) != list->end();
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
    const std::vector<PlacedAgent> placed = placedOf(spec);
    const auto* grid = std::get_if<GridWorldSpec>(&spec);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        SpecAgent agent{placed[i].cell, placed[i].code == "Hu", placed[i].code == "Ro", -1};
        if (grid) {
            agent.isHuman =
                grid->humanAgents ? isListed(grid->humanAgents, i) : placed[i].code == "Ay";
            agent.isRobot =
                grid->robotAgents ? isListed(grid->robotAgents, i) : placed[i].code == "Ae";
            agent.direction = directionOf(*grid, i);
        }
        agents.push_back(agent);
    }
    return agents;
}

int agentAt(const WorldSpec& spec, const QPoint& cell) {
    const std::vector<PlacedAgent> placed = placedOf(spec);
    const auto found = std::ranges::find(placed, cell, &PlacedAgent::cell);
    return found == placed.end() ? -1 : static_cast<int>(found - placed.begin());
}

void setCells(WorldSpec& spec, const std::vector<QPoint>& cells, const std::string& code) {
    const std::vector<PlacedAgent> before = takenApart(spec);
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
    const std::vector<PlacedAgent> before = takenApart(spec);
    writeCode(spec, from, emptyCode(spec));
    writeCode(spec, to, code);
    carryAgents(spec, before, [&](const QPoint& cell) { return cell == to ? from : cell; });
}

bool turnThing(WorldSpec& spec, const QPoint& cell) {
    if (!std::holds_alternative<GridWorldSpec>(spec)) return false;
    std::vector<PlacedAgent> placed = takenApart(spec);
    const auto agent = std::ranges::find(placed, cell, &PlacedAgent::cell);
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
