#include "core/grid/grid_rules.h"

#include <algorithm>
#include <utility>

namespace orrery {

namespace {

bool isTurn(Act act) {
    return act == Act::Left || act == Act::Right;
}

/// What agents of one conflict block compete for.
struct Resource {
    enum Kind { None, Cell, Pickup, Drop } kind = None;
    int cell = -1;
    bool operator==(const Resource&) const = default;
};

}  // namespace

GridRules::GridRules(const GridLayout& layout) : m_layout(layout) {
    const std::size_t n = layout.agents.size();
    m_acts.resize(n);
    m_actions.resize(n);
    m_manner.resize(n);
    m_startCells.resize(n);
    m_outcome.resize(n);
}

int GridRules::agentAt(const GridState& state, int cell) const {
    for (std::size_t i = 0; i < state.agents.size(); ++i)
        if (state.agents[i].cell == cell) return static_cast<int>(i);
    return -1;
}

int GridRules::mobileAt(const GridState& state, int cell) const {
    for (std::size_t i = 0; i < state.mobiles.size(); ++i)
        if (state.mobiles[i].cell == cell) return static_cast<int>(i);
    return -1;
}

int GridRules::pickableAt(const GridState& state, int cell) const {
    for (std::size_t i = 0; i < state.ground.size(); ++i)
        if (state.ground[i].cell == cell) return static_cast<int>(i);
    return -1;
}

bool GridRules::isOverlappable(const GridState& state, int cell) const {
    const GridCell& here = m_layout.cells[cell];
    switch (here.terrain) {
        case Terrain::Floor:
        case Terrain::GoalTile:
        case Terrain::SwitchTile:
        case Terrain::Lava:
        case Terrain::Unsteady:
            break;
        case Terrain::Door:
            if (state.doors[here.index] != DoorState::Open) return false;
            break;
        case Terrain::Bush:
            if (!state.bushTrampled[here.index]) return false;
            break;
        default:
            return false;
    }
    return mobileAt(state, cell) < 0 && pickableAt(state, cell) < 0;
}

int GridRules::cellBehindRun(const GridState& state, int cell, int direction) const {
    const int step = m_layout.step(direction);
    while (mobileAt(state, cell) >= 0) cell += step;
    return cell;
}

const GridCell* GridRules::activeMagicWallAhead(const GridState& state, std::size_t agent) const {
    if (!m_layout.agents[agent].canEnterMagicWalls) return nullptr;
    const int front = m_layout.frontOf(state.agents[agent]);
    const GridCell& cell = m_layout.cells[front];
    const bool active = cell.terrain == Terrain::MagicWall && state.magicActive[cell.index] != 0;
    // Who stands in the wall is faced instead of it.
    return active && agentAt(state, front) < 0 ? &cell : nullptr;
}

bool GridRules::facesMagicSide(const GridState& state, std::size_t agent) const {
    const GridCell* wall = activeMagicWallAhead(state, agent);
    return wall != nullptr &&
           (state.agents[agent].direction + 2) % 4 == m_layout.magicSides[wall->index];
}

bool GridRules::facesMagicAll(const GridState& state, std::size_t agent) const {
    const GridCell* wall = activeMagicWallAhead(state, agent);
    return wall != nullptr && m_layout.magicSides[wall->index] == 4;
}

bool GridRules::facesUncertainBush(const GridState& state, std::size_t agent) const {
    if (m_layout.agents[agent].robotLike || m_layout.spec.enterBushSuccessProbability >= 1.0)
        return false;
    const int front = m_layout.frontOf(state.agents[agent]);
    const GridCell& cell = m_layout.cells[front];
    return cell.terrain == Terrain::Bush && !state.bushTrampled[cell.index] &&
           agentAt(state, front) < 0;
}

bool GridRules::isStochasticForward(const GridState& state, std::size_t agent) const {
    return m_layout.cells[state.agents[agent].cell].terrain == Terrain::Unsteady ||
           facesMagicSide(state, agent) || facesUncertainBush(state, agent) ||
           (m_layout.spec.fixMagicAll && facesMagicAll(state, agent));
}

bool GridRules::startedBusy(int cell, int except) const {
    for (std::size_t i = 0; i < m_startCells.size(); ++i)
        if (m_startCells[i] == cell && static_cast<int>(i) != except) return true;
    return false;
}

GridRules::Branch& GridRules::newBranch() {
    if (m_used == m_branches.size()) m_branches.emplace_back();
    return m_branches[m_used++];
}

std::span<const GridRules::Branch> GridRules::step(const GridState& start,
                                                   std::span<const int> actions) {
    m_used = 0;
    m_base = start;
    m_acting.clear();
    int nonTurning = 0;
    bool stochastic = false;
    for (std::size_t i = 0; i < m_acts.size(); ++i) {
        GridState::Agent& agent = m_base.agents[i];
        m_startCells[i] = agent.terminated ? -1 : agent.cell;
        m_manner[i] = Manner::Idle;
        m_actions[i] = -1;
        if (actions[i] < 0) continue;
        m_actions[i] = agent.forcedAction >= 0 ? agent.forcedAction : actions[i];
        m_acts[i] = m_layout.agents[i].acts[m_actions[i]];
        agent.forcedAction = -1;
        if (agent.terminated || agent.paused || m_acts[i] == Act::Still) continue;
        m_acting.push_back(static_cast<int>(i));
        if (!isTurn(m_acts[i])) ++nonTurning;
        if (m_acts[i] == Act::Forward && isStochasticForward(start, i)) stochastic = true;
    }
    // At most one agent that does more than turn: nobody competes, so there is one outcome, and the
    // order of the agents does not matter.
    const bool fast = (m_acting.size() <= 1 || nonTurning < 2) && !stochastic;
    classify(start, fast);
    if (fast) {
        m_winners.assign(m_acting.begin(), m_acting.end());
        m_blocks.clear();
        Branch& only = newBranch();
        only.probability = 1.0;
        only.state = m_base;
        runBranch(only.state);
    } else {
        findBlocks(m_base);
        enumerate(m_base);
    }
    return {m_branches.data(), m_used};
}

void GridRules::classify(const GridState& start, bool fast) {
    for (const int i : m_acting) {
        m_manner[i] = Manner::Normal;
        if (fast || m_acts[i] != Act::Forward) continue;
        if (facesMagicSide(start, i) || facesMagicAll(start, i))
            m_manner[i] = Manner::Magic;
        else if (facesUncertainBush(start, i))
            m_manner[i] = Manner::Bush;
        else if (m_layout.cells[start.agents[i].cell].terrain == Terrain::Unsteady)
            m_manner[i] = Manner::Unsteady;
    }
}

void GridRules::findBlocks(const GridState& start) {
    m_blocks.clear();
    std::vector<Resource> resources;
    for (const int i : m_acting) {
        if (m_manner[i] != Manner::Normal) continue;
        const GridState::Agent& agent = start.agents[i];
        const int front = m_layout.frontOf(agent);
        Resource wanted;
        if (m_acts[i] == Act::Forward) {
            if (mobileAt(start, front) < 0)
                wanted = {Resource::Cell, front};
            else if (canMoveRun(start, i, front, agent.direction))
                wanted = {Resource::Cell, cellBehindRun(start, front, agent.direction)};
        } else if (m_acts[i] == Act::Pickup && pickableAt(start, front) >= 0) {
            wanted = {Resource::Pickup, front};
        } else if (m_acts[i] == Act::Drop && agentAt(start, front) >= 0) {
            wanted = {Resource::Drop, front};
        }
        const auto same = std::ranges::find(resources, wanted);
        if (wanted.kind != Resource::None && same != resources.end()) {
            m_blocks[same - resources.begin()].members.push_back(i);
        } else {
            resources.push_back(wanted);
            m_blocks.push_back({{i}});
        }
    }
    mergeSwitchBlocks(start);
}

/// Whether a grey agent acts before or after it is killed or paused makes a difference: it competes
/// with whoever toggles such a button.
void GridRules::mergeSwitchBlocks(const GridState& start) {
    const auto blockOf = [&](int agent) {
        return std::ranges::find_if(m_blocks,
                                    [agent](const Block& block) {
                                        return std::ranges::count(block.members, agent) > 0;
                                    }) -
               m_blocks.begin();
    };
    for (const int i : m_acting) {
        if (m_acts[i] != Act::Toggle || m_layout.agents[i].color != Color::Yellow) continue;
        const GridCell& front = m_layout.cells[m_layout.frontOf(start.agents[i])];
        const bool kills =
            front.terrain == Terrain::KillButton && start.killEnabled[front.index] != 0;
        const bool pauses =
            front.terrain == Terrain::PauseSwitch && start.pauseEnabled[front.index] != 0;
        if (!kills && !pauses) continue;
        for (const int other : m_acting) {
            if (other == i || m_manner[other] != Manner::Normal ||
                m_layout.agents[other].color != Color::Grey)
                continue;
            auto first = blockOf(i);
            auto second = blockOf(other);
            if (first == second) continue;
            if (second < first) std::swap(first, second);
            auto& members = m_blocks[first].members;
            const auto& moved = m_blocks[second].members;
            members.insert(members.end(), moved.begin(), moved.end());
            m_blocks.erase(m_blocks.begin() + second);
        }
    }
}

double GridRules::chooseBranch(std::int64_t choice) {
    double probability = 1.0;
    const auto digit = [&choice](int base) {
        const auto value = static_cast<int>(choice % base);
        choice /= base;
        return value;
    };
    m_winners.clear();
    for (const Block& block : m_blocks) {
        const int size = static_cast<int>(block.members.size());
        m_winners.push_back(block.members[digit(size)]);
        if (size > 1) probability *= 1.0 / size;
    }
    const GridWorldSpec& spec = m_layout.spec;
    const double stumble = spec.stumbleProbability;
    const double entry = spec.magicEntryProbability;
    const double solidify = spec.solidifyProbability;
    const double bush = spec.enterBushSuccessProbability;
    for (const int i : m_acting) {
        double p = 1.0;
        if (m_manner[i] == Manner::Unsteady) {
            m_outcome[i] = stumble > 0.0 ? digit(3) : 0;
            p = m_outcome[i] == 0 ? 1.0 - stumble : stumble / 2.0;
        } else if (m_manner[i] == Manner::Magic) {
            m_outcome[i] = digit(3);
            p = m_outcome[i] == 0   ? entry
                : m_outcome[i] == 1 ? (1.0 - entry) * (1.0 - solidify)
                                    : (1.0 - entry) * solidify;
        } else if (m_manner[i] == Manner::Bush) {
            m_outcome[i] = digit(2);
            p = m_outcome[i] == 0 ? bush : 1.0 - bush;
        }
        probability *= p;
    }
    return probability;
}

void GridRules::enumerate(const GridState& start) {
    std::int64_t choices = 1;
    bool plain = true;
    for (const Block& block : m_blocks) {
        choices *= std::ssize(block.members);
        plain = plain && block.members.size() == 1;
    }
    for (const int i : m_acting) {
        plain = plain && m_manner[i] == Manner::Normal;
        choices *= m_manner[i] == Manner::Magic                                              ? 3
                   : m_manner[i] == Manner::Bush                                             ? 2
                   : m_manner[i] == Manner::Unsteady && m_layout.spec.stumbleProbability > 0 ? 3
                                                                                             : 1;
    }
    for (std::int64_t choice = 0; choice < choices; ++choice) {
        const double probability = chooseBranch(choice);
        if (plain) std::ranges::sort(m_winners);
        Branch& branch = newBranch();
        branch.probability = probability;
        branch.state = start;
        runBranch(branch.state);
    }
}

void GridRules::runBranch(GridState& state) {
    m_plainCells.clear();
    for (const int i : m_winners) execute(state, i);
    for (const int i : m_acting)
        if (m_manner[i] == Manner::Normal && std::ranges::count(m_winners, i) == 0)
            execute(state, i);
    runUnsteady(state);
    runMagic(state);
    runBush(state);
}

}  // namespace orrery
