#include "core/grid/grid_layout.h"

#include <algorithm>

namespace orrery {

namespace {

/// The ground of a cell that holds nothing numbered.
Terrain plainTerrain(PieceKind kind) {
    switch (kind) {
        case PieceKind::Wall:
            return Terrain::Wall;
        case PieceKind::GoalTile:
            return Terrain::GoalTile;
        case PieceKind::SwitchTile:
            return Terrain::SwitchTile;
        case PieceKind::Lava:
            return Terrain::Lava;
        case PieceKind::UnsteadyGround:
            return Terrain::Unsteady;
        default:
            return GridCell{}.terrain;
    }
}

}  // namespace

GridLayout::GridLayout(const GridWorldSpec& worldSpec) : spec(worldSpec) {
    name = spec.metadata.name.empty() ? "grid world" : spec.metadata.name;
    height = static_cast<int>(spec.map.size());
    width = static_cast<int>(spec.map[0].size() / 2);
    readMap();
    makeAgents();
    makeGoals();
    planFields();
    makeVariables();
}

void GridLayout::readMap() {
    cells.resize(static_cast<std::size_t>(width) * height);
    for (int cell = 0; cell < width * height; ++cell) {
        CellCode code;
        decodeCell(std::string_view(spec.map[cell / width])
                       .substr(2 * static_cast<std::size_t>(cell % width), 2),
                   code);
        cells[cell].color = code.color;
        cells[cell].terrain = plainTerrain(code.kind);
        placeFixture(cell, code);
        placeThing(cell, code);
    }
    std::ranges::stable_sort(initial.mobiles, {}, &GridState::Mobile::isRock);
}

void GridLayout::placeFixture(int cell, const CellCode& code) {
    const auto place = [&](Terrain terrain, std::vector<int>& list, Color color) {
        list.push_back(cell);
        cells[cell] = {terrain, static_cast<std::uint16_t>(list.size() - 1), color};
    };
    switch (code.kind) {
        case PieceKind::Door:
            place(Terrain::Door, doorCells, code.color);
            doorColors.push_back(code.color);
            initial.doors.push_back(code.door);
            break;
        case PieceKind::MagicWall:
            place(Terrain::MagicWall, magicCells, Color::Purple);
            magicSides.push_back(code.side);
            initial.magicActive.push_back(1);
            break;
        case PieceKind::Bush:
            place(Terrain::Bush, bushCells, Color::Green);
            initial.bushTrampled.push_back(0);
            break;
        case PieceKind::KillButton:
            place(Terrain::KillButton, killCells, Color::Red);
            initial.killEnabled.push_back(1);
            break;
        case PieceKind::PauseSwitch:
            place(Terrain::PauseSwitch, pauseCells, Color::Yellow);
            initial.pauseOn.push_back(0);
            initial.pauseEnabled.push_back(1);
            break;
        case PieceKind::DisablingSwitch:
            place(Terrain::DisablingSwitch, disablingCells, Color::Grey);
            disablingTargets.push_back(code.target);
            break;
        case PieceKind::ControlButton:
            place(Terrain::ControlButton, controlCells, Color::Blue);
            initial.controls.emplace_back();
            break;
        default:
            break;
    }
}

void GridLayout::placeThing(int cell, const CellCode& code) {
    switch (code.kind) {
        case PieceKind::Block:
        case PieceKind::Rock:
            initial.mobiles.push_back({.isRock = code.kind == PieceKind::Rock, .cell = cell});
            break;
        case PieceKind::Key:
            initial.ground.push_back({Carried::Key, cell, code.color});
            break;
        case PieceKind::Ball:
            initial.ground.push_back({Carried::Ball, cell, code.color});
            break;
        case PieceKind::Box:
            boxCells.push_back(cell);
            initial.ground.push_back({Carried::Box, cell, code.color});
            break;
        case PieceKind::Agent:
            initial.agents.push_back({.cell = cell});
            agents.push_back({.color = code.color,
                              .canPushRocks = false,
                              .canEnterMagicWalls = false,
                              .robotLike = false,
                              .acts = {}});
            break;
        default:
            break;
    }
}

void GridLayout::makeAgents() {
    const bool objects = !doorCells.empty() || !initial.ground.empty() || !pauseCells.empty() ||
                         !disablingCells.empty() || !controlCells.empty() || !killCells.empty();
    const ActionSet common =
        spec.actionSet.value_or(objects ? ActionSet::Object : ActionSet::Small);
    int counts[3] = {0, 0, 0};
    for (std::size_t i = 0; i < agents.size(); ++i) {
        GridAgent& agent = agents[i];
        for (const char letter : spec.canPushRocks) {
            Color color = Color::Grey;
            if (colorOfLetter(letter, color) && color == agent.color) agent.canPushRocks = true;
        }
        agent.canEnterMagicWalls = i < spec.canEnterMagicWalls.size() && spec.canEnterMagicWalls[i];
        agent.robotLike =
            agent.canPushRocks || agent.canEnterMagicWalls || agent.color == Color::Grey;
        const bool own = i < spec.agentActionSets.size() && spec.agentActionSets[i].has_value();
        agent.acts = actionsOf(own ? *spec.agentActionSets[i] : common);
        initial.agents[i].direction = static_cast<std::uint8_t>(startDirection(spec, i));

        AgentInfo info;
        info.color = agent.color;
        info.role = roleOf(spec, i, agent.color);
        constexpr const char* kPrefixes[] = {"human", "robot", "agent"};
        const int role = static_cast<int>(info.role);
        info.name = kPrefixes[role] + std::to_string(counts[role]++);
        for (const Act act : agent.acts) info.actions.emplace_back(actName(act));
        infos.push_back(std::move(info));
    }
}

void GridLayout::makeGoals() {
    for (int i = 0; i < static_cast<int>(agents.size()); ++i) {
        if (infos[i].role != AgentRole::Human) continue;
        HumanGoals list{.agent = i, .goals = spec.possibleGoals, .weights = spec.goalWeights};
        for (const HumanGoals& own : spec.ownGoals)
            if (own.agent == i) list = own;
        if (list.weights.empty())
            list.weights.assign(list.goals.size(), 1.0 / static_cast<double>(list.goals.size()));
        goals.push_back(std::move(list));
    }
}

void GridLayout::makeVariables() {
    for (std::size_t i = 0; i < agents.size(); ++i) {
        const std::string& agent = infos[i].name;
        variables.push_back({agent + ".x", 0, width - 1});
        variables.push_back({agent + ".y", 0, height - 1});
        variables.push_back({agent + ".direction", 0, 3});
        variables.push_back({agent + ".terminated", 0, 1});
        variables.push_back({agent + ".paused", 0, 1});
        variables.push_back({agent + ".carries", 0, static_cast<int>(carriables.size())});
        variables.push_back({agent + ".forced", -1, static_cast<int>(agents[i].acts.size()) - 1});
    }
    int blocks = 0;
    int rocks = 0;
    for (const auto& mobile : initial.mobiles) {
        const std::string thing =
            mobile.isRock ? "rock" + std::to_string(rocks++) : "block" + std::to_string(blocks++);
        variables.push_back({thing + ".x", 0, width - 1});
        variables.push_back({thing + ".y", 0, height - 1});
    }
    for (const SetFields& set : groundSets)
        for (std::size_t k = 0; k < set.cell.size(); ++k) {
            const char* kind = set.kind == Carried::Key    ? "_key"
                               : set.kind == Carried::Ball ? "_ball"
                                                           : "_box";
            const std::string thing = colorName(set.color) + std::string(kind) + std::to_string(k);
            variables.push_back({thing + ".x", -1, width - 1});
            variables.push_back({thing + ".y", -1, height - 1});
        }
    const auto flags = [&](const char* kind, std::size_t count,
                           std::initializer_list<const char*> names) {
        for (std::size_t k = 0; k < count; ++k)
            for (const char* flag : names)
                variables.push_back({kind + std::to_string(k) + "." + flag, 0, 1});
    };
    flags("door", doorCells.size(), {"open", "locked"});
    flags("magic", magicCells.size(), {"active"});
    flags("bush", bushCells.size(), {"trampled"});
    flags("kill", killCells.size(), {"enabled"});
    flags("pause", pauseCells.size(), {"on", "enabled"});
    const int numAgents = static_cast<int>(agents.size());
    for (std::size_t k = 0; k < controlCells.size(); ++k) {
        const std::string button = "control" + std::to_string(k);
        variables.push_back({button + ".enabled", 0, 1});
        variables.push_back({button + ".awaiting", 0, 1});
        variables.push_back({button + ".controlled", -1, numAgents - 1});
        variables.push_back({button + ".triggered", -1, 8});
    }
}

}  // namespace orrery
