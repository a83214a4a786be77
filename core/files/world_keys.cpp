#include "core/files/world_keys.h"

#include <algorithm>

#include "core/base/text.h"

namespace orrery {

namespace {

constexpr double kNone = 1, kNoNumber = 0;  // low > high
constexpr double kMaxSide = 1e8;

constexpr WorldFileKey kKeys[] = {
    {"metadata", true, true, "map", kNone, kNoNumber, "", "",
     "Words about the world that no computation uses."},
    {"metadata.name", true, true, "text", kNone, kNoNumber, "", "", "Name shown in lists."},
    {"metadata.description", true, true, "text", kNone, kNoNumber, "", "",
     "What the world is for."},
    {"metadata.author", true, true, "text", kNone, kNoNumber, "", "", "Who made it."},
    {"metadata.version", true, true, "text", kNone, kNoNumber, "", "", "Version of the world."},
    {"metadata.created", true, true, "text", kNone, kNoNumber, "", "", "When it was made."},
    {"metadata.category", true, true, "text", kNone, kNoNumber, "", "", "Group in lists."},
    {"metadata.tags", true, true, "list of texts", kNone, kNoNumber, "", "",
     "Words to find it by."},
    {"family", true, true, "name", kNone, kNoNumber, "grid or bush", "",
     "Kind of world. Left out: bush if B or fill_density is there, else grid."},
    {"map", true, true, "block of text or list of rows", kNone, kNoNumber,
     "grid: at least 3 x 3 cells of two characters; bush: Ro, Hu or a density; at most 10^8 cells",
     "", "The cells at the start, row by row."},
    {"width", true, false, "whole number", 1, kMaxSide, "", "",
     "Cells in a row; only checked against the map."},
    {"height", true, false, "whole number", 1, kMaxSide, "", "",
     "Rows; only checked against the map."},
    {"grid_size", true, false, "whole number or list of two", 1, kMaxSide, "", "",
     "Side of a square map, or [width, height]; only checked against the map."},
    {"B", false, true, "whole number", 1, 1e6, "", "10",
     "Capacity: a human enters a cell of density d with probability 1 - d/B."},
    {"fill_density", false, true, "whole number", 0, 1e6, "", "0",
     "Density under the players at the start."},
    {"max_steps", true, true, "whole number", 0, 1e6, "", "100",
     "Steps after which every state is terminal."},
    {"orientations", true, false, "direction or list of directions", kNone, kNoNumber,
     "0 to 3 or e, s, w, n; one for all agents or one for each", "0",
     "Where the agents look at the start."},
    {"action_class", true, false, "name", kNone, kNoNumber,
     "SmallActions, ObjectActions, Actions, MineActions or MinimalActions", "",
     "Action set of all agents. Left out: chosen from what the map holds."},
    {"action_sets", true, false, "list or map of names", kNone, kNoNumber,
     "one for each agent, or agent: name; null is action_class", "",
     "Action sets of single agents."},
    {"human_agents", true, false, "list of whole numbers", 0, 1e6, "", "",
     "Indices of the humans. Left out: the yellow agents."},
    {"robot_agents", true, false, "list of whole numbers", 0, 1e6, "", "",
     "Indices of the robots. Left out: the grey agents."},
    {"can_push_rocks", true, false, "text", kNone, kNoNumber, "colour letters r g b p y e", "e",
     "Colours of the agents that can push rocks."},
    {"can_enter_magic_walls", true, false, "truth value or list of them", kNone, kNoNumber,
     "one for all agents or one for each", "false", "Who can enter magic walls."},
    {"stumble_probability", true, false, "number", 0, 1, "", "0.5",
     "Probability to turn while walking on unsteady ground."},
    {"magic_entry_probability", true, false, "number", 0, 1, "", "0.5",
     "Probability to get into an active magic wall."},
    {"solidify_probability", true, false, "number", 0, 1, "", "0.1",
     "Probability that a magic wall becomes solid when an entry fails."},
    {"enter_bush_success_prob", true, false, "number", 0, 1, "", "1",
     "Probability to get into a bush without trampling it."},
    {"duration_per_nonzero_action", true, false, "number", 0, 1e6, "", "0",
     "c in the duration 1 + c n of a step in which n agents choose another action than the first."},
    {"possible_goals", true, true, "list of goals", kNone, kNoNumber,
     "x,y or x1,y1,x2,y2 as text or list, [[x1,y1],[x2,y2]], {cell: ..} or {rect: ..}; at most 64",
     "", "Goals of every human without a list of its own; bush: every cell if left out."},
    {"goal_weights", true, true, "list of numbers", 1e-300, 1e300, "one for each goal", "",
     "Weights of possible_goals. Left out: 1/n each."},
    {"human_goals", true, true, "map of goal lists", kNone, kNoNumber,
     "agent index or name: list of goals, each may be {cell: .., weight: ..}", "",
     "Goals of single humans, instead of possible_goals."},
    {"fix_magic_all", true, false, "truth value", kNone, kNoNumber, "", "false",
     "Mends magic walls of side all, which a lone agent cannot enter in the original."},
    {"seed", true, false, "whole number", 0, 2147483647, "", "2", "Seed of random rollouts."},
    {"partial_obs", true, false, "truth value", kNone, kNoNumber, "", "false",
     "Agents see a part of the grid; no effect on planning."},
    {"agent_view_size", true, false, "whole number", 1, 1000, "", "7",
     "Side of the part that an agent sees; no effect on planning."},
    {"see_through_walls", true, false, "truth value", kNone, kNoNumber, "", "true",
     "Walls do not limit what an agent sees; no effect on planning."},
};

}  // namespace

std::string WorldFileKey::rangeText() const {
    if (!isNumber()) return range;
    const auto number = [](double value) {
        const bool isWhole = value >= 0 && value <= 1e9 && value == static_cast<int>(value);
        return isWhole ? std::to_string(static_cast<int>(value)) : formatDouble(value);
    };
    std::string text = number(low) + " to " + number(high);
    if (*range != '\0') text = text + "; " + range;
    return text;
}

std::span<const WorldFileKey> worldFileKeys() {
    return kKeys;
}

const WorldFileKey* worldFileKey(std::string_view name) {
    const auto* found = std::ranges::find(kKeys, name, &WorldFileKey::name);
    return found == std::end(kKeys) ? nullptr : found;
}

}  // namespace orrery
