#include "tests/support/reference_step.h"

#include <algorithm>

namespace orrery::reference {
namespace {

/// The direction in which one walks into a wall whose magic side is `side`.
int directionInto(Side side) {
    switch (side) {
        case Side::North:
            return 1;
        case Side::South:
            return 3;
        case Side::West:
            return 0;
        default:
            return 2;
    }
}

}  // namespace

bool RefStep::canAct(int agent) const {
    return !m_now.agents[agent].terminated && !m_now.agents[agent].paused;
}

bool RefStep::isRobotLike(int agent) const {
    const char color = m_world.agentColor[agent];
    return m_world.parameters.pushRockColors.find(color) != std::string::npos ||
           m_world.parameters.canEnterMagicWalls[agent] || color == 'e';
}

Cell RefStep::frontOf(int agent) const {
    return ahead(m_now.agents[agent].at, m_now.agents[agent].dir);
}

bool RefStep::hasAgent(Cell c) const {
    return std::any_of(m_now.agents.begin(), m_now.agents.end(),
                       [&](const AgentState& a) { return a.at == c; });
}

const Mobile* RefStep::mobileAt(Cell c) const {
    for (const Mobile& m : m_now.mobile)
        if (m.at == c) return &m;
    return nullptr;
}

const ItemAt* RefStep::itemAt(Cell c) const {
    for (const ItemAt& item : m_now.items)
        if (item.at == c) return &item;
    return nullptr;
}

const Fixture* RefStep::fixtureAt(Cell c) const {
    for (const Fixture& f : m_now.fixtures)
        if (f.at == c) return &f;
    return nullptr;
}

Fixture* RefStep::fixtureAt(Cell c) {
    return const_cast<Fixture*>(std::as_const(*this).fixtureAt(c));
}

bool RefStep::facesMagicWall(int agent, bool countAll) const {
    const Cell front = frontOf(agent);
    const Fixture* wall = fixtureAt(front);
    if (!m_world.parameters.canEnterMagicWalls[agent] || wall == nullptr ||
        wall->kind != Ground::MagicWall || !wall->active || hasAgent(front))
        return false;
    const Side side = m_world.magicSide[m_world.index(front)];
    if (side == Side::All) return countAll;
    return m_now.agents[agent].dir == directionInto(side);
}

bool RefStep::facesBush(int agent) const {
    const Fixture* bush = fixtureAt(frontOf(agent));
    return bush != nullptr && bush->kind == Ground::Bush && !bush->trampled && !hasAgent(bush->at);
}

bool RefStep::isOverlappable(Cell c) const {
    const Fixture* fixture = fixtureAt(c);
    switch (m_world.groundAt(c)) {
        case Ground::Empty:
        case Ground::Goal:
        case Ground::FloorSwitch:
        case Ground::Lava:
        case Ground::Unsteady:
            return true;
        case Ground::Door:
            return fixture->open || m_plainDoors.contains(c);
        case Ground::Bush:
            return fixture->trampled;
        default:
            return false;
    }
}

bool RefStep::isVacant(Cell c) const {
    return m_world.isInside(c) && !hasAgent(c) && mobileAt(c) == nullptr && itemAt(c) == nullptr &&
           isOverlappable(c);
}

bool RefStep::wasOccupied(Cell c, int exceptAgent) const {
    for (int i = 0; i < m_world.numAgents(); ++i)
        if (i != exceptAgent && m_before.agents[i].at == c && !m_before.agents[i].terminated)
            return true;
    return false;
}

bool RefStep::landingOf(int agent, Cell& landing) const {
    const bool pushesRocks =
        m_world.parameters.pushRockColors.find(m_world.agentColor[agent]) != std::string::npos;
    landing = frontOf(agent);
    for (const Mobile* m = mobileAt(landing); m != nullptr; m = mobileAt(landing)) {
        if (m->type == MobileType::Rock && !pushesRocks) return false;
        landing = ahead(landing, m_now.agents[agent].dir);
    }
    return isVacant(landing) && !wasOccupied(landing, -1);
}

void RefStep::moveTo(int agent, Cell c) {
    m_now.agents[agent].at = c;
    if (m_world.groundAt(c) == Ground::Lava) m_now.agents[agent].terminated = true;
}

void RefStep::forward(int agent) {
    const Cell front = frontOf(agent);
    if (wasOccupied(front, agent)) return;
    if (mobileAt(front) != nullptr) {
        Cell landing;
        if (!landingOf(agent, landing)) return;
        const int dir = m_now.agents[agent].dir;
        std::vector<std::size_t> run;
        for (Cell c = front; c != landing; c = ahead(c, dir))
            run.push_back(static_cast<std::size_t>(mobileAt(c) - m_now.mobile.data()));
        for (const std::size_t i : run) m_now.mobile[i].at = ahead(m_now.mobile[i].at, dir);
        std::sort(m_now.mobile.begin(), m_now.mobile.end());
        moveTo(agent, front);
        return;
    }
    if (facesBush(agent)) {
        // With an uncertain bush the rules know only "success" and "failure" of a bush agent; an
        // agent that stumbles against one by a turn is not among them and stops.
        if (!isRobotLike(agent) && m_world.parameters.bushEntry < 1.0) return;
        if (isRobotLike(agent)) fixtureAt(front)->trampled = true;
        moveTo(agent, front);
        return;
    }
    if (isVacant(front)) moveTo(agent, front);
}

void RefStep::removeItem(const ItemAt& item) {
    if (m_world.groundAt(item.at) == Ground::Door) m_plainDoors.insert(item.at);
    m_now.items.erase(m_now.items.begin() + (&item - m_now.items.data()));
}

void RefStep::pickup(int agent) {
    const ItemAt* item = itemAt(frontOf(agent));
    if (item == nullptr || m_now.agents[agent].carried) return;
    m_now.agents[agent].carried = Item{item->type, item->color};
    removeItem(*item);
}

void RefStep::drop(int agent) {
    std::optional<Item>& carried = m_now.agents[agent].carried;
    if (!carried || !isVacant(frontOf(agent))) return;
    m_now.items.push_back({carried->type, frontOf(agent), carried->color});
    std::sort(m_now.items.begin(), m_now.items.end());
    carried.reset();
}

void RefStep::flipEnabled(Ground kind) {
    for (Fixture& f : m_now.fixtures) {
        if (f.kind != kind) continue;
        f.enabled = !f.enabled;
        if (kind != Ground::PauseSwitch || f.enabled || !f.on) continue;
        for (int i = 0; i < m_world.numAgents(); ++i)
            if (m_world.agentColor[i] == 'e') m_now.agents[i].paused = false;
    }
}

void RefStep::toggleControlButton(int agent, Fixture& button) {
    if (!button.enabled) return;
    const char color = m_world.agentColor[agent];
    if (color == 'e') {
        button.awaiting = true;
        button.controlled = agent;
    }
    if (color == 'y' && button.controlled >= 0 && button.triggered >= 0)
        m_now.agents[button.controlled].forced = button.triggered;
}

void RefStep::toggle(int agent, const std::set<Cell>& recordedBy) {
    const Cell front = frontOf(agent);
    const AgentState& me = m_now.agents[agent];
    const char color = m_world.agentColor[agent];
    if (hasAgent(front) || mobileAt(front) != nullptr || m_plainDoors.contains(front)) return;
    if (const ItemAt* item = itemAt(front)) {
        if (item->type == ItemType::Box) removeItem(*item);
        return;
    }
    const Ground ground = m_world.groundAt(front);
    Fixture* fixture = fixtureAt(front);
    if (ground == Ground::Door) {
        const bool hasKey = me.carried && me.carried->type == ItemType::Key &&
                            me.carried->color == m_world.doorColor[m_world.index(front)];
        if (fixture->locked && !hasKey) return;
        fixture->open = fixture->locked || !fixture->open;
        fixture->locked = false;
    }
    if (ground == Ground::KillButton && fixture->enabled && color == 'y')
        for (int i = 0; i < m_world.numAgents(); ++i)
            if (m_world.agentColor[i] == 'e') m_now.agents[i].terminated = true;
    if (ground == Ground::PauseSwitch && fixture->enabled && color == 'y') {
        fixture->on = !fixture->on;
        for (int i = 0; i < m_world.numAgents(); ++i)
            if (m_world.agentColor[i] == 'e') m_now.agents[i].paused = fixture->on;
    }
    if (ground == Ground::DisableKillButtons && color == 'e') flipEnabled(Ground::KillButton);
    if (ground == Ground::DisablePauseSwitches && color == 'e') flipEnabled(Ground::PauseSwitch);
    if (ground == Ground::DisableControlButtons && color == 'e') flipEnabled(Ground::ControlButton);
    if (ground == Ground::ControlButton && !recordedBy.contains(front))
        toggleControlButton(agent, *fixture);
}

std::set<Cell> RefStep::record(int agent, int id) {
    std::set<Cell> recordedBy;
    for (Fixture& f : m_now.fixtures) {
        if (f.kind != Ground::ControlButton || !f.awaiting || f.controlled != agent) continue;
        f.triggered = id;
        f.awaiting = false;
        recordedBy.insert(f.at);
    }
    return recordedBy;
}

void RefStep::execute(int agent, int id) {
    if (!canAct(agent)) return;
    const std::set<Cell> recordedBy = record(agent, id);
    int& dir = m_now.agents[agent].dir;
    switch (actOf(agent, id)) {
        case Act::Left:
            dir = (dir + 3) % 4;
            break;
        case Act::Right:
            dir = (dir + 1) % 4;
            break;
        case Act::Forward:
            forward(agent);
            break;
        case Act::Pickup:
            pickup(agent);
            break;
        case Act::Drop:
            drop(agent);
            break;
        case Act::Toggle:
            toggle(agent, recordedBy);
            break;
        case Act::Still:
        case Act::Done:
        case Act::Build:
            break;
    }
}

void RefStep::executeUnsteady(const std::vector<int>& agents, const std::vector<int>& turns) {
    std::vector<int> movers;
    for (std::size_t k = 0; k < agents.size(); ++k) {
        if (!canAct(agents[k])) continue;
        int& dir = m_now.agents[agents[k]].dir;
        dir = (dir + turns[k] + 4) % 4;
        movers.push_back(agents[k]);
    }
    std::vector<Cell> contested;
    for (const int i : movers) {
        Cell cell = frontOf(i);
        Cell landing;
        if (mobileAt(cell) != nullptr && landingOf(i, landing)) cell = landing;
        contested.push_back(cell);
    }
    std::vector<int> free;
    for (std::size_t k = 0; k < movers.size(); ++k) {
        const Cell c = contested[k];
        const bool wantedTwice = std::count(contested.begin(), contested.end(), c) > 1;
        if (!wantedTwice && !hasAgent(c) && !wasOccupied(c, movers[k])) free.push_back(movers[k]);
    }
    for (const int i : free) forward(i);
}

void RefStep::executeMagic(int agent, int result) {
    if (!canAct(agent)) return;
    const Cell wall = frontOf(agent);
    if (result == 2) fixtureAt(wall)->active = false;
    if (result == 0 && !hasAgent(wall)) moveTo(agent, wall);
}

void RefStep::executeBush(int agent, int result) {
    if (!canAct(agent)) return;
    if (result == 0 && facesBush(agent)) moveTo(agent, frontOf(agent));
}

}  // namespace orrery::reference
