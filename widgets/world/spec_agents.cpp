#include "widgets/world/spec_agents.h"

#include <algorithm>
#include <utility>

namespace orrery {

std::vector<PlacedAgent> takenApart(const WorldSpec& spec) {
    std::vector<PlacedAgent> placed;
    for (DraftAgent& agent : editingOf(spec).agents(spec))
        placed.push_back({std::move(agent), std::nullopt});
    for (const HumanGoals& own : spec->ownGoals)
        if (own.agent >= 0 && own.agent < std::ssize(placed))
            placed[static_cast<std::size_t>(own.agent)].ownGoals = own;
    return placed;
}

void putTogether(WorldSpec& spec, const std::vector<PlacedAgent>& placed) {
    std::vector<HumanGoals> own;
    std::vector<DraftAgent> agents;
    for (const PlacedAgent& agent : placed) {
        if (agent.ownGoals) {
            own.push_back(*agent.ownGoals);
            own.back().agent = static_cast<int>(agents.size());
        }
        agents.push_back(agent.draft);
    }
    spec->ownGoals = std::move(own);
    editingOf(spec).setAgents(spec, agents);
}

void carryAgents(WorldSpec& spec, const std::vector<PlacedAgent>& before,
                 const std::function<QPoint(const QPoint& cell)>& cameFrom) {
    const WorldEditing& editing = editingOf(spec);
    std::vector<PlacedAgent> after;
    for (DraftAgent& agent : editing.agents(spec)) {
        const QPoint cell(agent.x, agent.y), origin = cameFrom(cell);
        const auto known = std::ranges::find_if(before, [&](const PlacedAgent& old) {
            return old.cell() == origin && old.draft.code == agent.code;
        });
        if (known != before.end()) {
            after.push_back(*known);
            after.back().moveTo(cell);
        } else {
            editing.initAgent(agent);
            after.push_back({std::move(agent), std::nullopt});
        }
    }
    putTogether(spec, after);
}

}  // namespace orrery
