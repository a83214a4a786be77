// What single actions do to a state (spec 1.4); the order of agents is grid_rules.cpp's.
#include <algorithm>

#include "core/grid/grid_rules.h"

namespace orrery {

bool GridRules::canMoveRun(const GridState& state, int agent, int cell, int direction) const {
    const int step = m_layout.step(direction);
    const bool pushesRocks = m_layout.agents[agent].canPushRocks;
    int at = cell;
    for (int mobile = mobileAt(state, at); mobile >= 0; mobile = mobileAt(state, at)) {
        if (state.mobiles[mobile].isRock && !pushesRocks) return false;
        at += step;
    }
    return isOverlappable(state, at) && agentAt(state, at) < 0 && !startedBusy(at, -1);
}

void GridRules::moveRun(GridState& state, int cell, int direction) {
    const int step = m_layout.step(direction);
    const int end = cellBehindRun(state, cell, direction);
    // The furthest first: no two are ever in one cell.
    for (int at = end - step; at != cell - step; at -= step)
        state.mobiles[mobileAt(state, at)].cell += step;
}

void GridRules::enter(GridState& state, int agent, int cell) {
    state.agents[agent].cell = cell;
    const GridCell& here = m_layout.cells[cell];
    if (here.terrain == Terrain::Lava) state.agents[agent].terminated = true;
    if (here.terrain == Terrain::Bush && m_layout.agents[agent].robotLike)
        state.bushTrampled[here.index] = 1;
}

void GridRules::forward(GridState& state, int agent) {
    const int direction = state.agents[agent].direction;
    const int front = m_layout.frontOf(state.agents[agent]);
    if (startedBusy(front, agent) || agentAt(state, front) >= 0) return;
    if (mobileAt(state, front) >= 0) {
        if (!canMoveRun(state, agent, front, direction)) return;
        moveRun(state, front, direction);
        enter(state, agent, front);
        return;
    }
    const GridCell& cell = m_layout.cells[front];
    const bool bush =
        cell.terrain == Terrain::Bush &&
        (m_layout.agents[agent].robotLike || m_layout.spec.enterBushSuccessProbability >= 1.0);
    const bool uncovered = std::ranges::count(m_plainCells, front) > 0;
    if (bush || uncovered ? pickableAt(state, front) < 0 : isOverlappable(state, front))
        enter(state, agent, front);
}

void GridRules::pickup(GridState& state, int agent) {
    GridState::Agent& who = state.agents[agent];
    const int front = m_layout.frontOf(who);
    const int thing = pickableAt(state, front);
    if (thing < 0 || who.carried != Carried::Nothing) return;
    who.carried = state.ground[thing].kind;
    who.carriedColor = state.ground[thing].color;
    state.ground.erase(state.ground.begin() + thing);
    if (m_layout.cells[front].terrain == Terrain::Door) m_plainCells.push_back(front);
}

void GridRules::drop(GridState& state, int agent) {
    GridState::Agent& who = state.agents[agent];
    const int front = m_layout.frontOf(who);
    if (who.carried == Carried::Nothing || agentAt(state, front) >= 0) return;
    if (!isOverlappable(state, front)) return;
    state.ground.push_back({who.carried, front, who.carriedColor});
    who.carried = Carried::Nothing;
    who.carriedColor = Color::Grey;
}

void GridRules::toggleControl(GridState& state, int agent, std::size_t button) {
    GridState::Control& control = state.controls[button];
    if (!control.enabled) return;
    const Color color = m_layout.agents[agent].color;
    if (color == Color::Grey && !(control.awaiting && control.controlledAgent == agent)) {
        control.awaiting = true;
        control.controlledAgent = static_cast<std::int16_t>(agent);
    } else if (color == Color::Yellow && control.controlledAgent >= 0 &&
               control.triggeredAction >= 0) {
        state.agents[control.controlledAgent].forcedAction = control.triggeredAction;
    }
}

void GridRules::toggleDisabling(GridState& state, std::size_t index) {
    const auto flip = [](std::vector<std::uint8_t>& flags) {
        for (auto& flag : flags) flag = flag ? 0 : 1;
    };
    switch (m_layout.disablingTargets[index]) {
        case PieceKind::KillButton:
            flip(state.killEnabled);
            break;
        case PieceKind::ControlButton:
            for (auto& control : state.controls) control.enabled = !control.enabled;
            break;
        default:
            flip(state.pauseEnabled);
            for (std::size_t k = 0; k < state.pauseOn.size(); ++k)
                if (state.pauseOn[k] && !state.pauseEnabled[k])
                    for (std::size_t i = 0; i < state.agents.size(); ++i)
                        if (m_layout.agents[i].color == Color::Grey) state.agents[i].paused = false;
            break;
    }
}

void GridRules::toggle(GridState& state, int agent) {
    const int front = m_layout.frontOf(state.agents[agent]);
    const int thing = pickableAt(state, front);
    const GridCell& cell = m_layout.cells[front];
    if (thing >= 0) {
        if (state.ground[thing].kind != Carried::Box) return;
        state.ground.erase(state.ground.begin() + thing);
        if (cell.terrain == Terrain::Door) m_plainCells.push_back(front);
        return;
    }
    if (mobileAt(state, front) >= 0 || agentAt(state, front) >= 0 ||
        std::ranges::count(m_plainCells, front) > 0)
        return;
    const GridState::Agent& who = state.agents[agent];
    const bool yellow = m_layout.agents[agent].color == Color::Yellow;
    const bool grey = m_layout.agents[agent].color == Color::Grey;
    const auto eachGrey = [&](auto change) {
        for (std::size_t i = 0; i < state.agents.size(); ++i)
            if (m_layout.agents[i].color == Color::Grey) change(state.agents[i]);
    };
    switch (cell.terrain) {
        case Terrain::Door: {
            DoorState& door = state.doors[cell.index];
            if (door != DoorState::Locked)
                door = door == DoorState::Open ? DoorState::Closed : DoorState::Open;
            else if (who.carried == Carried::Key && who.carriedColor == cell.color)
                door = DoorState::Open;
            break;
        }
        case Terrain::KillButton:
            if (yellow && state.killEnabled[cell.index])
                eachGrey([](GridState::Agent& target) { target.terminated = true; });
            break;
        case Terrain::PauseSwitch:
            if (yellow && state.pauseEnabled[cell.index]) {
                state.pauseOn[cell.index] = state.pauseOn[cell.index] ? 0 : 1;
                const bool on = state.pauseOn[cell.index] != 0;
                eachGrey([on](GridState::Agent& target) { target.paused = on; });
            }
            break;
        case Terrain::DisablingSwitch:
            if (grey) toggleDisabling(state, cell.index);
            break;
        case Terrain::ControlButton:
            toggleControl(state, agent, cell.index);
            break;
        default:
            break;
    }
}

bool GridRules::record(GridState& state, int agent) {
    bool sameButton = false;
    const int front = m_layout.frontOf(state.agents[agent]);
    for (std::size_t k = 0; k < state.controls.size(); ++k) {
        GridState::Control& control = state.controls[k];
        if (!control.awaiting || control.controlledAgent != agent) continue;
        control.triggeredAction = static_cast<std::int16_t>(m_actions[agent]);
        control.awaiting = false;
        if (m_acts[agent] == Act::Toggle && m_layout.controlCells[k] == front) sameButton = true;
    }
    return sameButton;
}

void GridRules::execute(GridState& state, int agent) {
    GridState::Agent& who = state.agents[agent];
    if (who.terminated || who.paused) return;
    if (record(state, agent)) return;
    switch (m_acts[agent]) {
        case Act::Left:
            who.direction = static_cast<std::uint8_t>((who.direction + 3) % 4);
            break;
        case Act::Right:
            who.direction = static_cast<std::uint8_t>((who.direction + 1) % 4);
            break;
        case Act::Forward:
            forward(state, agent);
            break;
        case Act::Pickup:
            pickup(state, agent);
            break;
        case Act::Drop:
            drop(state, agent);
            break;
        case Act::Toggle:
            toggle(state, agent);
            break;
        case Act::Still:
        case Act::Done:
        case Act::Build:
            break;
    }
}

void GridRules::runUnsteady(GridState& state) {
    std::vector<std::pair<int, int>> wishes;  // agent, contested cell
    for (const int i : m_acting) {
        if (m_manner[i] != Manner::Unsteady) continue;
        GridState::Agent& agent = state.agents[i];
        if (agent.terminated || agent.paused) continue;
        const int turn = m_outcome[i] == 1 ? 3 : m_outcome[i] == 2 ? 1 : 0;
        agent.direction = static_cast<std::uint8_t>((agent.direction + turn) % 4);
    }
    for (const int i : m_acting) {
        if (m_manner[i] != Manner::Unsteady) continue;
        const GridState::Agent& agent = state.agents[i];
        if (agent.terminated || agent.paused) continue;
        int wanted = m_layout.frontOf(agent);
        if (mobileAt(state, wanted) >= 0 && canMoveRun(state, i, wanted, agent.direction))
            wanted = cellBehindRun(state, wanted, agent.direction);
        wishes.emplace_back(i, wanted);
    }
    std::vector<int> movers;
    for (const auto& [i, cell] : wishes) {
        const auto rivals = std::ranges::count(wishes, cell, &std::pair<int, int>::second);
        if (rivals < 2 && agentAt(state, cell) < 0 && !startedBusy(cell, i)) movers.push_back(i);
    }
    for (const int i : movers) forward(state, i);
}

void GridRules::runMagic(GridState& state) {
    for (const int i : m_acting) {
        if (m_manner[i] != Manner::Magic) continue;
        GridState::Agent& agent = state.agents[i];
        if (agent.terminated || agent.paused) continue;
        const int front = m_layout.frontOf(agent);
        if (m_outcome[i] == 0 && agentAt(state, front) < 0) agent.cell = front;
        if (m_outcome[i] == 2) state.magicActive[m_layout.cells[front].index] = 0;
    }
}

void GridRules::runBush(GridState& state) {
    for (const int i : m_acting) {
        if (m_manner[i] != Manner::Bush || m_outcome[i] != 0) continue;
        GridState::Agent& agent = state.agents[i];
        if (agent.terminated || agent.paused) continue;
        const int front = m_layout.frontOf(agent);
        const bool there = state.bushTrampled[m_layout.cells[front].index] == 0;
        if (there && agentAt(state, front) < 0) agent.cell = front;
    }
}

}  // namespace orrery
