#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/grid/grid_layout.h"

namespace orrery {

bool colorOfLetter(char letter, Color& out) {
    const auto position = kColorLetters.find(letter);
    if (position == std::string_view::npos) return false;
    out = static_cast<Color>(position);
    return true;
}

AgentRole roleOf(const GridWorldSpec& spec, std::size_t agent, Color color) {
    const auto isOne = [&](const std::optional<std::vector<int>>& list, Color own) {
        return list ? std::ranges::count(*list, static_cast<int>(agent)) > 0 : color == own;
    };
    return isOne(spec.humanAgents, Color::Yellow) ? AgentRole::Human
           : isOne(spec.robotAgents, Color::Grey) ? AgentRole::Robot
                                                  : AgentRole::Other;
}

int startDirection(const GridWorldSpec& spec, std::size_t agent) {
    const std::vector<int>& given = spec.orientations;
    if (given.empty()) return 0;
    return given[given.size() == 1 ? 0 : std::min(agent, given.size() - 1)];
}

PieceKind pieceOf(Carried thing) {
    return thing == Carried::Key    ? PieceKind::Key
           : thing == Carried::Ball ? PieceKind::Ball
                                    : PieceKind::Box;
}

namespace {

using enum PieceKind;

/// Codes without a colour; they win over coloured ones ("Kb" is a kill button, not a blue key).
constexpr std::pair<std::string_view, PieceKind> kFixedCodes[] = {
    {"..", Floor},
    {"Bl", Block},
    {"Ro", Rock},
    {"Bu", Bush},
    {"La", Lava},
    {"Sw", SwitchTile},
    {"Un", UnsteadyGround},
    {"Kb", KillButton},
    {"Ki", KillButton},
    {"Ps", PauseSwitch},
    {"Pa", PauseSwitch},
    {"CB", ControlButton},
    {"Dk", DisablingSwitch},
    {"dK", DisablingSwitch},
    {"Dp", DisablingSwitch},
    {"dP", DisablingSwitch},
    {"DC", DisablingSwitch},
    {"dC", DisablingSwitch},
    {"Mn", MagicWall},
    {"Ms", MagicWall},
    {"Mw", MagicWall},
    {"Me", MagicWall},
    {"Ma", MagicWall},
};

/// Codes whose second letter is a colour.
constexpr std::pair<char, PieceKind> kColoredCodes[] = {
    {'W', Wall}, {'L', Door}, {'C', Door},     {'O', Door},  {'K', Key},
    {'B', Ball}, {'X', Box},  {'G', GoalTile}, {'A', Agent},
};

std::uint8_t sideOf(char letter) {
    return letter == 'e' ? 0 : letter == 's' ? 1 : letter == 'w' ? 2 : letter == 'n' ? 3 : 4;
}

PieceKind targetOf(char letter) {
    return letter == 'k' || letter == 'K'   ? KillButton
           : letter == 'p' || letter == 'P' ? PauseSwitch
                                            : ControlButton;
}

}  // namespace

bool decodeCell(std::string_view code, CellCode& out) {
    if (code.size() != 2) return false;
    for (const auto& [text, kind] : kFixedCodes)
        if (text == code) {
            out = {.kind = kind};
            if (kind == MagicWall) out.side = sideOf(code[1]);
            if (kind == DisablingSwitch) out.target = targetOf(code[1]);
            return true;
        }
    for (const auto& [letter, kind] : kColoredCodes)
        if (letter == code[0]) {
            out = {.kind = kind};
            if (kind == Door)
                out.door = letter == 'L'   ? DoorState::Locked
                           : letter == 'C' ? DoorState::Closed
                                           : DoorState::Open;
            return colorOfLetter(code[1], out.color);
        }
    return false;
}

std::vector<Act> actionsOf(ActionSet set) {
    using enum Act;
    switch (set) {
        case ActionSet::Small:
            return {Still, Left, Right, Forward};
        case ActionSet::Object:
            return {Still, Left, Right, Forward, Pickup, Drop, Toggle};
        case ActionSet::All:
            return {Still, Left, Right, Forward, Pickup, Drop, Toggle, Done};
        case ActionSet::Mine:
            return {Still, Left, Right, Forward, Build};
        case ActionSet::Minimal:
            return {Forward, Left};
    }
    return {};
}

const char* actName(Act act) {
    constexpr const char* kNames[] = {"still", "left",   "right", "forward", "pickup",
                                      "drop",  "toggle", "done",  "build"};
    return kNames[static_cast<int>(act)];
}

const char* actionSetName(ActionSet set) {
    constexpr const char* kNames[] = {"SmallActions", "ObjectActions", "Actions", "MineActions",
                                      "MinimalActions"};
    return kNames[static_cast<int>(set)];
}

}  // namespace orrery
