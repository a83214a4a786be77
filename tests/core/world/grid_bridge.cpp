#include "tests/core/world/grid_bridge.h"

#include <algorithm>

#include "core/base/error.h"

namespace orrery::test {
namespace {

using namespace orrery::reference;

constexpr char kLetters[] = "rgbpye";  // in the order of the product's Color

orrery::ActionSet productActions(const ActSet& actions) {
    using Named = orrery::ActionSet;
    for (const Named set : {Named::Small, Named::Object, Named::All, Named::Mine, Named::Minimal})
        if (actionSetNamed(actionSetName(set)) == actions) return set;
    throw Error("This action set has no name.", Error::Kind::BadInput);
}

Color colorOf(char letter) {
    return static_cast<Color>(std::string(kLetters).find(letter));
}

char letterOf(Color color) {
    return kLetters[static_cast<int>(color)];
}

Carried carriedOf(ItemType type) {
    if (type == ItemType::Key) return Carried::Key;
    return type == ItemType::Ball ? Carried::Ball : Carried::Box;
}

ItemType itemTypeOf(Carried carried) {
    if (carried == Carried::Key) return ItemType::Key;
    return carried == Carried::Ball ? ItemType::Ball : ItemType::Box;
}

/// Reads the fixtures of one product state in the reference's order.
class FixtureReader {
public:
    explicit FixtureReader(const GridState& state) : m_state(state) {}

    void read(Fixture& f) {
        switch (f.kind) {
            case Ground::Door: {
                const DoorState door = m_state.doors.at(m_door++);
                f.open = door == DoorState::Open;
                f.locked = door == DoorState::Locked;
                break;
            }
            case Ground::MagicWall:
                f.active = m_state.magicActive.at(m_magic++) != 0;
                break;
            case Ground::Bush:
                f.trampled = m_state.bushTrampled.at(m_bush++) != 0;
                break;
            case Ground::KillButton:
                f.enabled = m_state.killEnabled.at(m_kill++) != 0;
                break;
            case Ground::PauseSwitch:
                f.on = m_state.pauseOn.at(m_pause) != 0;
                f.enabled = m_state.pauseEnabled.at(m_pause++) != 0;
                break;
            case Ground::ControlButton: {
                const GridState::Control& c = m_state.controls.at(m_control++);
                f.enabled = c.enabled;
                f.awaiting = c.awaiting;
                f.controlled = c.controlledAgent;
                f.triggered = c.triggeredAction;
                break;
            }
            default:
                break;
        }
    }

    bool isAllRead() const {
        return m_door == m_state.doors.size() && m_magic == m_state.magicActive.size() &&
               m_bush == m_state.bushTrampled.size() && m_kill == m_state.killEnabled.size() &&
               m_pause == m_state.pauseOn.size() && m_pause == m_state.pauseEnabled.size() &&
               m_control == m_state.controls.size();
    }

private:
    const GridState& m_state;
    std::size_t m_door = 0, m_magic = 0, m_bush = 0, m_kill = 0, m_pause = 0, m_control = 0;
};

void writeFixture(const Fixture& f, GridState& out) {
    switch (f.kind) {
        case Ground::Door:
            out.doors.push_back(f.open     ? DoorState::Open
                                : f.locked ? DoorState::Locked
                                           : DoorState::Closed);
            break;
        case Ground::MagicWall:
            out.magicActive.push_back(f.active);
            break;
        case Ground::Bush:
            out.bushTrampled.push_back(f.trampled);
            break;
        case Ground::KillButton:
            out.killEnabled.push_back(f.enabled);
            break;
        case Ground::PauseSwitch:
            out.pauseOn.push_back(f.on);
            out.pauseEnabled.push_back(f.enabled);
            break;
        case Ground::ControlButton:
            out.controls.push_back({.enabled = f.enabled,
                                    .awaiting = f.awaiting,
                                    .controlledAgent = static_cast<std::int8_t>(f.controlled),
                                    .triggeredAction = static_cast<std::int8_t>(f.triggered)});
            break;
        default:
            break;
    }
}

}  // namespace

GridWorldSpec specOf(const std::vector<std::string>& map, const RefParameters& p) {
    GridWorldSpec spec;
    for (std::string row : map) {
        row.erase(std::remove(row.begin(), row.end(), ' '), row.end());
        spec.map.push_back(row);
    }
    spec.maxSteps = p.maxSteps;
    spec.actionSet = productActions(p.actions.front());
    if (p.actions.size() > 1)
        for (const ActSet& actions : p.actions)
            spec.agentActionSets.push_back(productActions(actions));
    spec.orientations = p.orientations;
    spec.canPushRocks = p.pushRockColors;
    spec.canEnterMagicWalls = p.canEnterMagicWalls;
    spec.stumbleProbability = p.stumble;
    spec.magicEntryProbability = p.magicEntry;
    spec.solidifyProbability = p.magicSolidify;
    spec.enterBushSuccessProbability = p.bushEntry;
    spec.fixMagicAll = p.fixMagicAll;
    return spec;
}

RefState refStateOf(const RefWorld& world, const GridState& state, int t) {
    const auto cell = [&](std::int32_t index) {
        return Cell{index % world.width, index / world.width};
    };
    RefState out;
    out.t = t;
    for (const GridState::Agent& a : state.agents) {
        AgentState agent{.at = cell(a.cell), .dir = a.direction};
        agent.terminated = a.terminated;
        agent.paused = a.paused;
        agent.forced = a.forcedAction;
        if (a.carried != Carried::Nothing)
            agent.carried = Item{itemTypeOf(a.carried), letterOf(a.carriedColor)};
        out.agents.push_back(agent);
    }
    for (const GridState::Mobile& m : state.mobiles)
        out.mobile.push_back({m.isRock ? MobileType::Rock : MobileType::Block, cell(m.cell)});
    for (const GridState::Pickable& p : state.ground)
        out.items.push_back({itemTypeOf(p.kind), cell(p.cell), letterOf(p.color)});
    FixtureReader reader(state);
    for (Fixture f : world.start.fixtures) {
        reader.read(f);
        out.fixtures.push_back(f);
    }
    if (!reader.isAllRead()) throw Error("The product has other fixtures than the map.");
    return out;
}

GridState gridStateOf(const RefWorld& world, const RefState& state) {
    const auto cell = [&](Cell c) { return static_cast<std::int32_t>(world.index(c)); };
    GridState out;
    for (const AgentState& a : state.agents) {
        GridState::Agent agent;
        agent.cell = cell(a.at);
        agent.direction = static_cast<std::uint8_t>(a.dir);
        agent.terminated = a.terminated;
        agent.paused = a.paused;
        agent.forcedAction = static_cast<std::int8_t>(a.forced);
        if (a.carried) {
            agent.carried = carriedOf(a.carried->type);
            agent.carriedColor = colorOf(a.carried->color);
        }
        out.agents.push_back(agent);
    }
    for (const Mobile& m : state.mobile)
        out.mobiles.push_back({m.type == MobileType::Rock, cell(m.at)});
    for (const ItemAt& item : state.items)
        out.ground.push_back({carriedOf(item.type), cell(item.at), colorOf(item.color)});
    for (const Fixture& f : state.fixtures) writeFixture(f, out);
    return out;
}

}  // namespace orrery::test
