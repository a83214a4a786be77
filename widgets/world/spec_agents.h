#pragma once

#include <QPoint>
#include <functional>
#include <optional>
#include <vector>

#include "core/world/world_editing.h"

namespace orrery {

// The agents of a spec while its map is changed: what belongs to them follows them.

/// An agent with all that belongs to it.
struct PlacedAgent {
    DraftAgent draft;
    std::optional<HumanGoals> ownGoals;

    QPoint cell() const { return {draft.x, draft.y}; }
    void moveTo(const QPoint& cell) {
        draft.x = cell.x();
        draft.y = cell.y();
    }
};

/// Every agent with what belongs to it, by agent index.
std::vector<PlacedAgent> takenApart(const WorldSpec& spec);
/// Writes what belongs to the agents into the spec whose map they stand in.
void putTogether(WorldSpec& spec, const std::vector<PlacedAgent>& placed);
/// Gives the agents of a changed map what belonged to those before. `cameFrom` says where the thing
/// in a cell stood before the change.
void carryAgents(WorldSpec& spec, const std::vector<PlacedAgent>& before,
                 const std::function<QPoint(const QPoint& cell)>& cameFrom);

}  // namespace orrery
