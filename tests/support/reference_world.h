#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace orrery::reference {

/// The grid world of specs/empo.md section 1 written as plainly as possible: readable states, no
/// packing, no caches, one joint action at a time. Slow on purpose; the tests compare the product
/// with it. It knows nothing of core/world. Nothing here keeps state between calls, so everything
/// may be called from any thread.

/// What an agent can do; an action id is an index into the agent's own ActSet.
enum class Act { Still, Left, Right, Forward, Pickup, Drop, Toggle, Done, Build };

using ActSet = std::vector<Act>;

/// SmallActions, ObjectActions, Actions, MineActions or MinimalActions.
/// @throws Error for any other name
ActSet actionSetNamed(const std::string& name);

/// What the map puts on a cell for ever. Agents, blocks, rocks, keys, balls and boxes move and are
/// not among them.
enum class Ground {
    Empty,
    Wall,
    Lava,
    Goal,
    FloorSwitch,
    Unsteady,
    Door,
    MagicWall,
    Bush,
    KillButton,
    PauseSwitch,
    DisableKillButtons,
    DisablePauseSwitches,
    DisableControlButtons,
    ControlButton
};

// NOLINTBEGIN(modernize-use-nullptr): the 0 of <=> is no pointer
struct Cell {
    int x = 0;  ///< column, 0 at the left
    int y = 0;  ///< row, 0 at the top

    friend auto operator<=>(const Cell&, const Cell&) = default;
};

/// The neighbour cell in direction 0 east, 1 south, 2 west, 3 north.
Cell ahead(Cell c, int dir);

enum class Side { North, South, West, East, All };

enum class ItemType { Ball, Box, Key };

/// A thing that can be carried. Items are ordered as the oracles order them: ball, box, key.
struct Item {
    ItemType type = ItemType::Key;
    char color = 'r';  ///< one of r g b p y e

    friend auto operator<=>(const Item&, const Item&) = default;
};

struct ItemAt {
    ItemType type = ItemType::Key;
    Cell at;
    char color = 'r';

    friend auto operator<=>(const ItemAt&, const ItemAt&) = default;
};

enum class MobileType { Block, Rock };

struct Mobile {
    MobileType type = MobileType::Block;
    Cell at;

    friend auto operator<=>(const Mobile&, const Mobile&) = default;
};

struct AgentState {
    Cell at;
    int dir = 0;  ///< 0 east, 1 south, 2 west, 3 north
    bool terminated = false;
    bool paused = false;
    std::optional<Item> carried = std::nullopt;
    int forced = -1;  ///< action id that replaces the one chosen in the next step, -1 = none

    friend auto operator<=>(const AgentState&, const AgentState&) = default;
};

/// The changeable part of a door, magic wall, bush, button or switch. `kind` says which of the
/// flags mean something; the others keep their defaults. A box of the map has an entry, too, which
/// never changes (kind = Empty).
struct Fixture {
    Ground kind = Ground::Empty;
    Cell at;
    bool open = false;      ///< door
    bool locked = false;    ///< door
    bool active = true;     ///< magic wall
    bool trampled = false;  ///< bush
    bool enabled = true;    ///< kill button, pause switch, control button
    bool on = false;        ///< pause switch
    bool awaiting = false;  ///< control button: waits for the programmer's next action
    int controlled = -1;    ///< control button: agent index, -1 = none
    int triggered = -1;     ///< control button: the action id stored, -1 = none

    friend auto operator<=>(const Fixture&, const Fixture&) = default;
};

struct RefState {
    int t = 0;
    std::vector<AgentState> agents;
    std::vector<Mobile> mobile;     ///< sorted
    std::vector<Fixture> fixtures;  ///< in row-major order of the first map
    std::vector<ItemAt> items;      ///< lying about, sorted

    friend auto operator<=>(const RefState&, const RefState&) = default;
};
// NOLINTEND(modernize-use-nullptr)

/// What a world needs beside its map.
struct RefParameters {
    int maxSteps = 100;
    std::vector<ActSet> actions;           ///< one for all agents, or one per agent
    std::vector<int> orientations;         ///< per agent; missing ones are 0
    std::string pushRockColors = "e";      ///< colour letters
    std::vector<bool> canEnterMagicWalls;  ///< per agent; missing ones are false
    double stumble = 0.5;
    double magicEntry = 0.5;
    double magicSolidify = 0.1;
    double bushEntry = 1.0;
    bool fixMagicAll = false;  ///< a wall magic on all sides works for a lone agent, too
};

struct RefWorld {
    int width = 0;
    int height = 0;
    std::vector<Ground> ground;    ///< [height*width], row-major
    std::vector<Side> magicSide;   ///< [height*width], only meaningful for magic walls
    std::vector<char> doorColor;   ///< [height*width], only meaningful for doors
    std::vector<char> agentColor;  ///< [agents]
    std::vector<ActSet> actions;   ///< [agents]
    RefParameters parameters;
    RefState start;

    Ground groundAt(Cell c) const { return ground[index(c)]; }
    std::size_t index(Cell c) const { return static_cast<std::size_t>(c.y) * width + c.x; }
    bool isInside(Cell c) const { return c.x >= 0 && c.y >= 0 && c.x < width && c.y < height; }
    int numAgents() const { return static_cast<int>(agentColor.size()); }
    bool isHuman(int agent) const { return agentColor[agent] == 'y'; }
    bool isTerminal(const RefState& s) const { return s.t >= parameters.maxSteps; }
    /// Number of joint action profiles.
    int numProfiles() const;
    /// Action ids of a profile index; agent 0 varies fastest.
    std::vector<int> profile(int index) const;
};

/// Reads a map of two-character codes; blanks are ignored.
/// @throws Error for unequal rows, a map smaller than 3 x 3, an unknown code, or an agent's cell
///         without a colour
RefWorld parseWorld(const std::vector<std::string>& rows, const RefParameters& parameters);

using Outcomes = std::vector<std::pair<double, RefState>>;

/// Every successor of a non-terminal state under one joint action (ids, one per agent), equal ones
/// merged, most likely first. Outcomes of probability 0 are kept where the rules produce them.
/// @throws Error for an action id outside the agent's set; asserts that the state is not terminal
Outcomes transitions(const RefWorld& world, const RefState& state, const std::vector<int>& profile);

/// The compact JSON array [t,agents,mobile,mutable,ground] of the oracle files.
std::string canonicalText(const RefState& state);

/// SHA-256 (hex) of the sorted canonical texts joined by newlines.
std::string stateSetHash(std::vector<std::string> canonicalTexts);

}  // namespace orrery::reference
