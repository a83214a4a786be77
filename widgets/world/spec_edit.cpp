#include "widgets/world/spec_edit.h"

#include <algorithm>

#include "core/world/world_editing.h"
#include "widgets/world/spec_agents.h"

namespace orrery {

QSize sizeOf(const WorldSpec& spec) {
    const WorldEditing& editing = editingOf(spec);
    return {editing.width(spec), editing.height(spec)};
}

std::string codeAt(const WorldSpec& spec, const QPoint& cell) {
    if (!QRect(QPoint(0, 0), sizeOf(spec)).contains(cell)) return {};
    return editingOf(spec).codeAt(spec, cell.x(), cell.y());
}

std::string emptyCode(const WorldSpec& spec) {
    return editingOf(spec).blank();
}

std::vector<SpecAgent> agentsOf(const WorldSpec& spec) {
    std::vector<SpecAgent> agents;
    for (const DraftAgent& agent : editingOf(spec).agents(spec))
        agents.push_back({QPoint(agent.x, agent.y), agent.role == AgentRole::Human,
                          agent.role == AgentRole::Robot, agent.direction});
    return agents;
}

int agentAt(const WorldSpec& spec, const QPoint& cell) {
    const std::vector<SpecAgent> agents = agentsOf(spec);
    const auto found = std::ranges::find(agents, cell, &SpecAgent::cell);
    return found == agents.end() ? -1 : static_cast<int>(found - agents.begin());
}

void setCells(WorldSpec& spec, const std::vector<QPoint>& cells, const std::string& code) {
    const WorldEditing& editing = editingOf(spec);
    const std::vector<PlacedAgent> before = takenApart(spec);
    for (const QPoint& cell : cells)
        if (!codeAt(spec, cell).empty()) editing.setCode(spec, cell.x(), cell.y(), code);
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
        const auto index =
            static_cast<std::size_t>(cell.y()) * static_cast<std::size_t>(size.width()) +
            static_cast<std::size_t>(cell.x());
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
    const WorldEditing& editing = editingOf(spec);
    const std::vector<PlacedAgent> before = takenApart(spec);
    editing.setCode(spec, from.x(), from.y(), editing.blank());
    editing.setCode(spec, to.x(), to.y(), code);
    carryAgents(spec, before, [&](const QPoint& cell) { return cell == to ? from : cell; });
}

bool turnThing(WorldSpec& spec, const QPoint& cell) {
    std::vector<PlacedAgent> placed = takenApart(spec);
    const auto agent = std::ranges::find(placed, cell, &PlacedAgent::cell);
    if (agent != placed.end()) {
        if (agent->draft.direction < 0) return false;
        agent->draft.direction = (agent->draft.direction + 1) % 4;
        putTogether(spec, placed);
        return true;
    }
    const WorldEditing& editing = editingOf(spec);
    const auto turned = editing.turned(codeAt(spec, cell));
    if (turned) editing.setCode(spec, cell.x(), cell.y(), *turned);
    return turned.has_value();
}

}  // namespace orrery
