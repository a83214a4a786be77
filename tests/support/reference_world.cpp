#include "tests/support/reference_world.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/base/sha256.h"

namespace orrery::reference {
namespace {

constexpr const char* kColors = "rgbpye";

bool isColor(char c) {
    return std::string(kColors).find(c) != std::string::npos;
}

std::string colorName(char c) {
    static const std::map<char, std::string> kNames = {{'r', "red"},    {'g', "green"},
                                                       {'b', "blue"},   {'p', "purple"},
                                                       {'y', "yellow"}, {'e', "grey"}};
    return kNames.at(c);
}

std::string itemName(ItemType type) {
    switch (type) {
        case ItemType::Ball:
            return "ball";
        case ItemType::Box:
            return "box";
        case ItemType::Key:
            break;
    }
    return "key";
}

/// The codes that have no colour letter.
const std::map<std::string, Ground>& fixedCodes() {
    static const std::map<std::string, Ground> kCodes = {{"..", Ground::Empty},
                                                         {"La", Ground::Lava},
                                                         {"Sw", Ground::FloorSwitch},
                                                         {"Un", Ground::Unsteady},
                                                         {"Mn", Ground::MagicWall},
                                                         {"Ms", Ground::MagicWall},
                                                         {"Mw", Ground::MagicWall},
                                                         {"Me", Ground::MagicWall},
                                                         {"Ma", Ground::MagicWall},
                                                         {"Bu", Ground::Bush},
                                                         {"Kb", Ground::KillButton},
                                                         {"Ki", Ground::KillButton},
                                                         {"Ps", Ground::PauseSwitch},
                                                         {"Pa", Ground::PauseSwitch},
                                                         {"Dk", Ground::DisableKillButtons},
                                                         {"dK", Ground::DisableKillButtons},
                                                         {"Dp", Ground::DisablePauseSwitches},
                                                         {"dP", Ground::DisablePauseSwitches},
                                                         {"DC", Ground::DisableControlButtons},
                                                         {"dC", Ground::DisableControlButtons},
                                                         {"CB", Ground::ControlButton}};
    return kCodes;
}

Side magicSideOf(char letter) {
    switch (letter) {
        case 'n':
            return Side::North;
        case 's':
            return Side::South;
        case 'w':
            return Side::West;
        case 'e':
            return Side::East;
        default:
            return Side::All;
    }
}

bool hasFixture(Ground kind) {
    return kind == Ground::Door || kind == Ground::MagicWall || kind == Ground::Bush ||
           kind == Ground::KillButton || kind == Ground::PauseSwitch ||
           kind == Ground::ControlButton;
}

std::vector<std::vector<std::string>> cellsOf(const std::vector<std::string>& rows) {
    std::vector<std::vector<std::string>> cells;
    for (std::string row : rows) {
        row.erase(std::remove(row.begin(), row.end(), ' '), row.end());
        if (row.size() % 2 != 0)
            throw Error("Map row " + std::to_string(cells.size()) +
                            " has an odd number of letters: write two for each cell.",
                        Error::Kind::BadInput);
        std::vector<std::string> line;
        for (std::size_t i = 0; i < row.size(); i += 2) line.push_back(row.substr(i, 2));
        if (!cells.empty() && line.size() != cells.front().size())
            throw Error("Map row " + std::to_string(cells.size()) +
                            " has another length than the first: make them equal.",
                        Error::Kind::BadInput);
        cells.push_back(line);
    }
    if (cells.size() < 3 || cells.front().size() < 3)
        throw Error("The map is smaller than 3 x 3: add walls around it.", Error::Kind::BadInput);
    return cells;
}

/// Puts one coloured code on the map.
void placeColored(RefWorld& world, const std::string& code, Cell at) {
    const char kind = code[0];
    const char color = code[1];
    const std::string known = "WLCOKBXGA";
    if (known.find(kind) == std::string::npos || !isColor(color))
        throw Error("Unknown map code '" + code + "' at column " + std::to_string(at.x) + ", row " +
                        std::to_string(at.y) + ": see the list of codes.",
                    Error::Kind::BadInput);
    Ground& ground = world.ground[world.index(at)];
    if (kind == 'W') ground = Ground::Wall;
    if (kind == 'G') ground = Ground::Goal;
    if (kind == 'L' || kind == 'C' || kind == 'O') {
        ground = Ground::Door;
        world.doorColor[world.index(at)] = color;
        world.start.fixtures.push_back(
            {.kind = ground, .at = at, .open = kind == 'O', .locked = kind == 'L'});
    }
    if (kind == 'K') world.start.items.push_back({ItemType::Key, at, color});
    if (kind == 'B') world.start.items.push_back({ItemType::Ball, at, color});
    if (kind == 'X') {
        world.start.items.push_back({ItemType::Box, at, color});
        world.start.fixtures.push_back({.kind = Ground::Empty, .at = at});
    }
    if (kind == 'A') {
        const std::size_t i = world.agentColor.size();
        const std::vector<int>& dirs = world.parameters.orientations;
        world.agentColor.push_back(color);
        world.start.agents.push_back({.at = at, .dir = i < dirs.size() ? dirs[i] : 0});
    }
}

void place(RefWorld& world, const std::string& code, Cell at) {
    if (code == "Bl" || code == "Ro") {
        world.start.mobile.push_back({code == "Bl" ? MobileType::Block : MobileType::Rock, at});
        return;
    }
    const auto fixed = fixedCodes().find(code);
    if (fixed == fixedCodes().end()) {
        placeColored(world, code, at);
        return;
    }
    world.ground[world.index(at)] = fixed->second;
    if (fixed->second == Ground::MagicWall) world.magicSide[world.index(at)] = magicSideOf(code[1]);
    if (hasFixture(fixed->second))
        world.start.fixtures.push_back({.kind = fixed->second, .at = at});
}

std::string flag(bool value) {
    return value ? "true" : "false";
}

std::string numberOrNull(int value) {
    return value < 0 ? "null" : std::to_string(value);
}

std::string cellText(Cell c) {
    return std::to_string(c.x) + "," + std::to_string(c.y);
}

std::string agentText(const AgentState& a) {
    const std::string carried =
        a.carried ? "\"" + itemName(a.carried->type) + "\",\"" + colorName(a.carried->color) + "\""
                  : "null,null";
    return "[" + cellText(a.at) + "," + std::to_string(a.dir) + "," + flag(a.terminated) +
           ",true," + flag(a.paused) + "," + carried + "," + numberOrNull(a.forced) + "]";
}

std::string fixtureText(const Fixture& f) {
    const std::string at = "," + cellText(f.at) + ",";
    switch (f.kind) {
        case Ground::Door:
            return "[\"door\"" + at + flag(f.open) + "," + flag(f.locked) + "]";
        case Ground::MagicWall:
            return "[\"magicwall\"" + at + flag(f.active) + "]";
        case Ground::Bush:
            return "[\"bush\"" + at + flag(f.trampled) + "]";
        case Ground::KillButton:
            return "[\"killbutton\"" + at + flag(f.enabled) + "]";
        case Ground::PauseSwitch:
            return "[\"pauseswitch\"" + at + flag(f.on) + "," + flag(f.enabled) + "]";
        case Ground::ControlButton:
            return "[\"controlbutton\"" + at + flag(f.enabled) + "," + numberOrNull(f.controlled) +
                   "," + numberOrNull(f.triggered) + "," + flag(f.awaiting) + "]";
        default:
            return "[\"box\"" + at + "null,null]";
    }
}

template <class T, class Text>
std::string listText(const std::vector<T>& list, Text text) {
    std::string out = "[";
    for (const T& element : list) out += (out.size() > 1 ? "," : "") + text(element);
    return out + "]";
}

}  // namespace

Cell ahead(Cell c, int dir) {
    constexpr Cell kSteps[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    return {c.x + kSteps[dir].x, c.y + kSteps[dir].y};
}

ActSet actionSetNamed(const std::string& name) {
    using enum Act;
    if (name == "SmallActions") return {Still, Left, Right, Forward};
    if (name == "ObjectActions") return {Still, Left, Right, Forward, Pickup, Drop, Toggle};
    if (name == "Actions") return {Still, Left, Right, Forward, Pickup, Drop, Toggle, Done};
    if (name == "MineActions") return {Still, Left, Right, Forward, Build};
    if (name == "MinimalActions") return {Forward, Left};
    throw Error("Unknown action set '" + name + "'.", Error::Kind::BadInput);
}

int RefWorld::numProfiles() const {
    int product = 1;
    for (const ActSet& set : actions) product *= static_cast<int>(set.size());
    return product;
}

std::vector<int> RefWorld::profile(int index) const {
    std::vector<int> ids;
    for (const ActSet& set : actions) {
        ids.push_back(index % static_cast<int>(set.size()));
        index /= static_cast<int>(set.size());
    }
    return ids;
}

RefWorld parseWorld(const std::vector<std::string>& rows, const RefParameters& parameters) {
    const std::vector<std::vector<std::string>> cells = cellsOf(rows);
    RefWorld world;
    world.parameters = parameters;
    world.height = static_cast<int>(cells.size());
    world.width = static_cast<int>(cells.front().size());
    const std::size_t size = cells.size() * cells.front().size();
    world.ground.assign(size, Ground::Empty);
    world.magicSide.assign(size, Side::All);
    world.doorColor.assign(size, 'r');
    for (int y = 0; y < world.height; ++y)
        for (int x = 0; x < world.width; ++x) place(world, cells[y][x], {x, y});
    std::sort(world.start.mobile.begin(), world.start.mobile.end());
    std::sort(world.start.items.begin(), world.start.items.end());

    const std::size_t numAgents = world.agentColor.size();
    world.actions = parameters.actions;
    if (world.actions.size() == 1) world.actions.resize(numAgents, parameters.actions.front());
    if (world.actions.size() != numAgents)
        throw Error(
            "Give one action set, or one for each of the " + std::to_string(numAgents) + " agents.",
            Error::Kind::BadInput);
    world.parameters.canEnterMagicWalls.resize(numAgents, false);
    return world;
}

std::string canonicalText(const RefState& s) {
    const auto mobileText = [](const Mobile& m) {
        return (m.type == MobileType::Block ? "[\"block\"," : "[\"rock\",") + cellText(m.at) + "]";
    };
    const auto itemText = [](const ItemAt& item) {
        return "[\"" + itemName(item.type) + "\"," + cellText(item.at) + ",\"" +
               colorName(item.color) + "\"]";
    };
    return "[" + std::to_string(s.t) + "," + listText(s.agents, agentText) + "," +
           listText(s.mobile, mobileText) + "," + listText(s.fixtures, fixtureText) + "," +
           listText(s.items, itemText) + "]";
}

std::string stateSetHash(std::vector<std::string> canonicalTexts) {
    std::sort(canonicalTexts.begin(), canonicalTexts.end());
    std::string all;
    for (const std::string& text : canonicalTexts) all += (all.empty() ? "" : "\n") + text;
    return sha256Hex(all);
}

}  // namespace orrery::reference
