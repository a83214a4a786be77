#include "tests/support/random_world.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace orrery::reference {
namespace {

const std::string kAllColors = "rgbpye";
constexpr Cell kNowhere = {-1, -1};

/// Families of map codes; a world uses several of them, so that things meet that belong together.
const std::vector<std::vector<std::string>>& families() {
    static const std::vector<std::vector<std::string>> kFamilies = {
        {"Bl", "Ro", "Bl", "Ro"},
        {"La", "Gg", "Sw"},
        {"Un", "Un", "Un"},
        {"Mn", "Ms", "Mw", "Me", "Ma", "Ma"},
        {"Bu", "Bu", "Bu"},
        {"Ki", "Pa", "Dk", "Dp", "Kb", "Ps", "dK", "dP"},
        {"CB", "dC", "CB", "DC"},
        {"Kr", "Lr", "Cr", "Or", "Lg", "Kg", "Og"},
        {"Br", "Xp", "Xr", "Bb", "Oy", "Cb"},
        {"We", "Wr"}};
    return kFamilies;
}

template <class T>
const T& pick(Rng& rng, const std::vector<T>& list) {
    return list[rng.below(list.size())];
}

bool happens(Rng& rng, double probability) {
    return rng.uniform() < probability;
}

int between(Rng& rng, int low, int high) {
    return low + static_cast<int>(rng.below(static_cast<std::uint64_t>(high - low) + 1));
}

/// Often two or three families at once, sometimes all.
std::vector<std::string> chooseCodes(Rng& rng) {
    const double share = happens(rng, 0.7) ? 0.25 : 0.4 + 0.6 * rng.uniform();
    std::vector<std::string> codes;
    while (codes.empty())
        for (const std::vector<std::string>& family : families())
            if (happens(rng, share)) codes.insert(codes.end(), family.begin(), family.end());
    return codes;
}

std::vector<std::string> randomMap(Rng& rng, int width, int height, int numAgents) {
    const std::vector<std::string> codes = chooseCodes(rng);
    const double filled = 0.2 + 0.6 * rng.uniform();
    const double shaky = happens(rng, 0.4) ? rng.uniform() : 0.0;
    std::vector<std::vector<std::string>> cells(height + 2,
                                                std::vector<std::string>(width + 2, "We"));
    for (int y = 1; y <= height; ++y)
        for (int x = 1; x <= width; ++x) {
            cells[y][x] = happens(rng, shaky) ? "Un" : "..";
            if (happens(rng, filled)) cells[y][x] = pick(rng, codes);
        }
    const std::string colors = "yeyeyeyergbp";
    for (int i = 0; i < numAgents; ++i) {
        std::string* cell = nullptr;
        do {
            cell = &cells[between(rng, 1, height)][between(rng, 1, width)];
        } while ((*cell)[0] == 'A');
        const char color = i < 2 ? "ye"[i] : colors[rng.below(colors.size())];
        *cell = std::string("A") + (happens(rng, 0.1) ? colors[rng.below(colors.size())] : color);
    }
    std::vector<std::string> rows;
    for (const std::vector<std::string>& line : cells) {
        rows.emplace_back();
        for (const std::string& cell : line) rows.back() += cell;
    }
    return rows;
}

bool usesObjects(const std::vector<std::string>& map) {
    static const std::vector<std::string> kWithObjects = {"Ki", "Kb", "Pa", "Ps", "CB", "dC",
                                                          "DC", "Dk", "dK", "Dp", "dP"};
    for (const std::string& row : map)
        for (std::size_t i = 0; i < row.size(); i += 2) {
            const std::string code = row.substr(i, 2);
            if (std::find(kWithObjects.begin(), kWithObjects.end(), code) != kWithObjects.end() ||
                std::string("KBXLCO").find(code[0]) != std::string::npos)
                return true;
        }
    return false;
}

bool hasControlButton(const std::vector<std::string>& map) {
    return std::any_of(map.begin(), map.end(), [](const std::string& row) {
        for (std::size_t i = 0; i < row.size(); i += 2)
            if (row.substr(i, 2) == "CB") return true;
        return false;
    });
}

std::vector<std::string> chooseActionSets(Rng& rng, const std::vector<std::string>& map,
                                          int numAgents) {
    static const std::vector<std::string> kAll = {"SmallActions", "ObjectActions", "Actions",
                                                  "MineActions", "MinimalActions"};
    // A control button hands action ids from one agent to another: all sets must agree then.
    if (!hasControlButton(map) && happens(rng, 0.15)) {
        std::vector<std::string> names(static_cast<std::size_t>(numAgents));
        for (std::string& name : names) name = pick(rng, kAll);
        return names;
    }
    if (usesObjects(map)) return {happens(rng, 0.9) ? "ObjectActions" : "Actions"};
    return {happens(rng, 0.6) ? "SmallActions" : pick(rng, kAll)};
}

double randomProbability(Rng& rng) {
    const std::vector<double> ends = {0.0, 1.0, 0.5, 0.1};
    return happens(rng, 0.6) ? pick(rng, ends) : rng.uniform();
}

bool hasGround(const RefWorld& world, Ground ground) {
    return std::find(world.ground.begin(), world.ground.end(), ground) != world.ground.end();
}

bool can(const RefWorld& world, int agent, Act act) {
    const ActSet& set = world.actions[agent];
    return std::find(set.begin(), set.end(), act) != set.end();
}

bool anyoneCan(const RefWorld& world, Act act, const std::string& colors = kAllColors) {
    for (int i = 0; i < world.numAgents(); ++i)
        if (colors.find(world.agentColor[i]) != std::string::npos && can(world, i, act))
            return true;
    return false;
}

bool anyoneTramples(const RefWorld& world) {
    for (int i = 0; i < world.numAgents(); ++i)
        if (world.agentColor[i] == 'e' || world.parameters.canEnterMagicWalls[i] ||
            world.parameters.pushRockColors.find(world.agentColor[i]) != std::string::npos)
            return true;
    return false;
}

/// Moves everything about, but changes only what can change in this world at all.
class Scatter {
public:
    Scatter(const RefWorld& world, Rng& rng) : m_world(world), m_rng(rng), m_state(world.start) {}

    /// The start state if no place is found for something.
    RefState state() {
        for (Fixture& f : m_state.fixtures) scatterFixture(f);
        for (AgentState& a : m_state.agents) a.at = kNowhere;
        std::vector<ItemAt> items;
        std::swap(items, m_state.items);
        const bool itemsMove = anyoneCan(m_world, Act::Pickup);
        for (Mobile& m : m_state.mobile)
            if (m.type == MobileType::Block || anyonePushesRocks()) m.at = kNowhere;
        if (!itemsMove) m_state.items = items;
        for (std::size_t i = 0; i < m_state.agents.size(); ++i) scatterAgent(static_cast<int>(i));
        for (Mobile& m : m_state.mobile)
            if (m.at == kNowhere) m.at = freeCell(thingCells());
        if (itemsMove)
            for (const ItemAt& item : items) scatterItem(item);
        std::sort(m_state.mobile.begin(), m_state.mobile.end());
        std::sort(m_state.items.begin(), m_state.items.end());
        return m_isStuck ? m_world.start : m_state;
    }

private:
    void scatterFixture(Fixture& f) {
        const bool greyToggles = anyoneCan(m_world, Act::Toggle, "e");
        const auto canFlip = [&](Ground disabler) {
            return greyToggles && hasGround(m_world, disabler);
        };
        switch (f.kind) {
            case Ground::Door:
                if (!anyoneCan(m_world, Act::Toggle) || (f.locked && happens(m_rng, 0.5))) break;
                f.locked = false;
                f.open = happens(m_rng, 0.6);
                break;
            case Ground::MagicWall:
                f.active = !anyoneEntersWalls() || happens(m_rng, 0.8);
                break;
            case Ground::Bush:
                f.trampled = anyoneTramples(m_world) && happens(m_rng, 0.2);
                break;
            case Ground::KillButton:
                f.enabled = !canFlip(Ground::DisableKillButtons) || happens(m_rng, 0.7);
                break;
            case Ground::PauseSwitch:
                f.enabled = !canFlip(Ground::DisablePauseSwitches) || happens(m_rng, 0.7);
                f.on = anyoneCan(m_world, Act::Toggle, "y") && happens(m_rng, 0.5);
                break;
            case Ground::ControlButton:
                f.enabled = !canFlip(Ground::DisableControlButtons) || happens(m_rng, 0.7);
                if (greyToggles) scatterControl(f);
                break;
            default:
                break;
        }
    }

    int randomAction(int agent) {
        const ActSet& set = m_world.actions[agent];
        for (;;) {
            const auto id = static_cast<int>(m_rng.below(set.size()));
            if (set[id] != Act::Still) return id;
        }
    }

    void scatterControl(Fixture& f) {
        const int agent = between(m_rng, 0, m_world.numAgents() - 1);
        if (m_world.agentColor[agent] != 'e' || !can(m_world, agent, Act::Toggle)) return;
        f.controlled = agent;
        f.awaiting = happens(m_rng, 0.5);
        if (!f.awaiting || happens(m_rng, 0.5)) f.triggered = randomAction(agent);
    }

    void scatterAgent(int i) {
        AgentState& agent = m_state.agents[i];
        const bool isGrey = m_world.agentColor[i] == 'e';
        agent.at = freeCell(cellsWithin(i));
        if (m_isStuck) return;
        agent.dir = between(m_rng, 0, 3);
        for (int turn = 0; turn < 4 && happens(m_rng, 0.7) && isDull(agent); ++turn)
            agent.dir = (agent.dir + 1) % 4;
        agent.terminated = m_world.groundAt(agent.at) == Ground::Lava ||
                           (isGrey && hasGround(m_world, Ground::KillButton) &&
                            anyoneCan(m_world, Act::Toggle, "y") && happens(m_rng, 0.15));
        agent.paused = isGrey && hasGround(m_world, Ground::PauseSwitch) &&
                       anyoneCan(m_world, Act::Toggle, "y") && happens(m_rng, 0.25);
        if (isGrey && hasGround(m_world, Ground::ControlButton) &&
            anyoneCan(m_world, Act::Toggle, "y") && can(m_world, i, Act::Toggle) &&
            happens(m_rng, 0.3))
            agent.forced = randomAction(i);
    }

    void scatterItem(const ItemAt& item) {
        const int i = between(m_rng, 0, m_world.numAgents() - 1);
        if (happens(m_rng, 0.5) && !m_state.agents[i].carried && can(m_world, i, Act::Pickup)) {
            m_state.agents[i].carried = Item{item.type, item.color};
            return;
        }
        m_state.items.push_back({item.type, freeCell(thingCells()), item.color});
    }

    /// Cells that an agent might get to, were all doors and bushes open.
    std::set<Cell> cellsWithin(int agent) const {
        std::set<Cell> seen = {m_world.start.agents[agent].at};
        std::vector<Cell> open(seen.begin(), seen.end());
        while (!open.empty()) {
            const Cell c = open.back();
            open.pop_back();
            for (int dir = 0; dir < 4; ++dir) {
                const Cell next = ahead(c, dir);
                const Ground ground = m_world.groundAt(next);
                const bool isPassable =
                    ground <= Ground::Door || ground == Ground::Bush ||
                    (ground == Ground::MagicWall && m_world.parameters.canEnterMagicWalls[agent]);
                if (ground != Ground::Wall && isPassable && seen.insert(next).second)
                    open.push_back(next);
            }
        }
        return seen;
    }

    std::set<Cell> thingCells() const {
        std::set<Cell> cells;
        for (int i = 0; i < m_world.numAgents(); ++i) cells.merge(cellsWithin(i));
        std::erase_if(cells, [&](Cell c) {
            const Fixture* fixture = fixtureAt(c);
            const Ground ground = m_world.groundAt(c);
            return ground == Ground::MagicWall || (ground == Ground::Bush && !fixture->trampled);
        });
        return cells;
    }

    const Fixture* fixtureAt(Cell c) const {
        for (const Fixture& f : m_state.fixtures)
            if (f.at == c) return &f;
        return nullptr;
    }

    bool isFree(Cell c) const {
        const auto isHere = [c](const auto& thing) { return thing.at == c; };
        return std::none_of(m_state.agents.begin(), m_state.agents.end(), isHere) &&
               std::none_of(m_state.mobile.begin(), m_state.mobile.end(), isHere) &&
               std::none_of(m_state.items.begin(), m_state.items.end(), isHere) &&
               (m_world.groundAt(c) != Ground::Door || fixtureAt(c)->open);
    }

    /// Nothing but a wall or an empty cell ahead, as far as is known by now.
    bool isDull(const AgentState& agent) const {
        const Cell c = ahead(agent.at, agent.dir);
        const Ground ground = m_world.groundAt(c);
        return (ground == Ground::Empty || ground == Ground::Wall) && isFree(c);
    }

    bool anyoneEntersWalls() const {
        const std::vector<bool>& able = m_world.parameters.canEnterMagicWalls;
        return std::find(able.begin(), able.end(), true) != able.end();
    }

    bool anyonePushesRocks() const {
        return std::any_of(m_world.agentColor.begin(), m_world.agentColor.end(), [&](char color) {
            return m_world.parameters.pushRockColors.find(color) != std::string::npos;
        });
    }

    Cell freeCell(std::set<Cell> cells) {
        std::erase_if(cells, [&](Cell c) { return !isFree(c); });
        m_isStuck = m_isStuck || cells.empty();
        if (cells.empty()) return kNowhere;
        return *std::next(cells.begin(), static_cast<std::ptrdiff_t>(m_rng.below(cells.size())));
    }

    const RefWorld& m_world;
    Rng& m_rng;
    RefState m_state;
    bool m_isStuck = false;
};

}  // namespace

RefState scatteredState(const RefWorld& world, Rng& rng) {
    return Scatter(world, rng).state();
}

std::string RandomWorld::text() const {
    std::ostringstream out;
    for (const std::string& row : map) out << row << "\n";
    out << "actions";
    for (const std::string& name : actionSetNames) out << " " << name;
    out << "; orientations";
    for (const int dir : parameters.orientations) out << " " << dir;
    out << "; rocks \"" << parameters.pushRockColors << "\"; magic";
    for (const bool can : parameters.canEnterMagicWalls) out << " " << can;
    out.precision(17);
    out << "; stumble " << parameters.stumble << "; entry " << parameters.magicEntry
        << "; solidify " << parameters.magicSolidify << "; bush " << parameters.bushEntry
        << "; fixMagicAll " << parameters.fixMagicAll;
    return out.str();
}

RandomWorld randomWorld(std::uint64_t seed, const RandomWorldLimits& limits) {
    Rng rng(seed, 77);
    RandomWorld random;
    const int numAgents = between(rng, limits.minAgents, limits.maxAgents);
    const int height = between(rng, 2, limits.maxInnerHeight);
    const int width = between(rng, numAgents > 2 ? 3 : 2, std::max(3, limits.maxInnerWidth));
    random.map = randomMap(rng, width, height, numAgents);
    random.actionSetNames = chooseActionSets(rng, random.map, numAgents);

    RefParameters& p = random.parameters;
    p.maxSteps = limits.maxSteps;
    for (const std::string& name : random.actionSetNames) p.actions.push_back(actionSetNamed(name));
    p.pushRockColors = pick(rng, std::vector<std::string>{"e", "", "ey", "y", "rgbpye"});
    for (int i = 0; i < numAgents; ++i) {
        p.orientations.push_back(between(rng, 0, 3));
        p.canEnterMagicWalls.push_back(happens(rng, 0.6));
    }
    p.stumble = randomProbability(rng);
    p.magicEntry = randomProbability(rng);
    p.magicSolidify = randomProbability(rng);
    p.bushEntry = randomProbability(rng);
    p.fixMagicAll = happens(rng, 0.25);
    return random;
}

}  // namespace orrery::reference
