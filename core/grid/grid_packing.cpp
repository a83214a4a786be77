#include <algorithm>
#include <bit>

#include "core/grid/grid_layout.h"

namespace orrery {

namespace {

/// Bits for values 0 .. count-1.
unsigned bitsFor(std::size_t count) {
    return count <= 1 ? 0 : static_cast<unsigned>(std::bit_width(count - 1));
}

/// A field of width 0 takes no room in the key: what cannot change in a world is not stored, which
/// keeps keys short. unpack() knows it from the initial state.
BitField take(BitField& next, unsigned width) {
    const BitField field{next.shift, static_cast<std::uint16_t>(width)};
    next.shift = static_cast<std::uint16_t>(next.shift + width);
    return field;
}

bool blocksForEver(Terrain terrain) {
    return terrain == Terrain::Wall || terrain == Terrain::KillButton ||
           terrain == Terrain::PauseSwitch || terrain == Terrain::DisablingSwitch ||
           terrain == Terrain::ControlButton;
}

}  // namespace

bool GridLayout::anyAct(Act act) const {
    return std::ranges::any_of(
        agents, [act](const GridAgent& agent) { return std::ranges::count(agent.acts, act) > 0; });
}

bool GridLayout::anyAgentToggles(Color color) const {
    return std::ranges::any_of(agents, [color](const GridAgent& agent) {
        return agent.color == color && std::ranges::count(agent.acts, Act::Toggle) > 0;
    });
}

std::vector<std::int32_t> GridLayout::reachableCells(int from, bool entersMagic) const {
    std::vector<std::uint8_t> seen(cells.size(), 0);
    std::vector<std::int32_t> found{from};
    seen[from] = 1;
    for (std::size_t k = 0; k < found.size(); ++k)
        for (int direction = 0; direction < 4; ++direction) {
            const int next = found[k] + step(direction);
            if (next < 0 || next >= width * height || seen[next]) continue;
            const Terrain terrain = cells[next].terrain;
            if (blocksForEver(terrain) || (terrain == Terrain::MagicWall && !entersMagic)) continue;
            seen[next] = 1;
            found.push_back(next);
        }
    std::ranges::sort(found);
    return found;
}

void GridLayout::planFields() {
    for (const auto& thing : initial.ground) {
        const std::pair<Carried, Color> kind{thing.kind, thing.color};
        if (std::ranges::count(carriables, kind) == 0) carriables.push_back(kind);
    }
    std::ranges::sort(carriables);
    BitField next;
    agentFields.resize(agents.size());
    for (std::size_t i = 0; i < agents.size(); ++i) planAgentFields(next, i);
    planThingFields(next);
    planFlagFields(next);
    keyBits = next.shift;
    keyWords = std::max(1, (keyBits + 63) / 64);
}

void GridLayout::planAgentFields(BitField& next, std::size_t agent) {
    AgentFields& fields = agentFields[agent];
    const GridAgent& who = agents[agent];
    const bool moves = std::ranges::count(who.acts, Act::Forward) > 0;
    fields.cellOfCode = moves ? reachableCells(initial.agents[agent].cell, who.canEnterMagicWalls)
                              : std::vector<std::int32_t>{initial.agents[agent].cell};
    fields.codeOfCell.assign(cells.size(), -1);
    bool lava = false;
    for (std::size_t code = 0; code < fields.cellOfCode.size(); ++code) {
        fields.codeOfCell[fields.cellOfCode[code]] = static_cast<std::int32_t>(code);
        lava = lava || cells[fields.cellOfCode[code]].terrain == Terrain::Lava;
    }
    const bool grey = who.color == Color::Grey;
    const bool killed = grey && !killCells.empty() && anyAgentToggles(Color::Yellow);
    const bool pausable = grey && !pauseCells.empty() && anyAgentToggles(Color::Yellow);
    const bool controlled = grey && !controlCells.empty() &&
                            std::ranges::count(who.acts, Act::Toggle) > 0 &&
                            anyAgentToggles(Color::Yellow);
    const bool carries = std::ranges::count(who.acts, Act::Pickup) > 0;
    fields.cell = take(next, bitsFor(fields.cellOfCode.size()));
    fields.direction = take(next, 2);
    fields.terminated = take(next, lava || killed ? 1 : 0);
    fields.paused = take(next, pausable ? 1 : 0);
    fields.carried = take(next, carries ? bitsFor(carriables.size() + 1) : 0);
    fields.forced = take(next, controlled ? bitsFor(who.acts.size() + 1) : 0);
}

void GridLayout::planThingFields(BitField& next) {
    // Mobiles and pickables move only through cells that some agent can get to.
    std::vector<std::uint8_t> possible(cells.size(), 0);
    for (const AgentFields& fields : agentFields)
        for (const int cell : fields.cellOfCode) {
            const Terrain terrain = cells[cell].terrain;
            if (terrain != Terrain::MagicWall) possible[cell] = 1;
        }
    for (const auto& mobile : initial.mobiles) possible[mobile.cell] = 1;
    for (const auto& thing : initial.ground) possible[thing.cell] = 1;
    thingCodeOfCell.assign(cells.size(), -1);
    if (!initial.mobiles.empty() || !initial.ground.empty())
        for (int cell = 0; cell < width * height; ++cell)
            if (possible[cell]) {
                thingCodeOfCell[cell] = static_cast<std::int32_t>(thingCellOfCode.size());
                thingCellOfCode.push_back(cell);
            }
    const unsigned mobileBits = anyAct(Act::Forward) ? bitsFor(thingCellOfCode.size()) : 0;
    for (const bool isRock : {false, true}) {
        SetFields set{.isRock = isRock, .kind = Carried::Nothing, .color = Color::Grey, .cell = {}};
        const bool pushable =
            !isRock || std::ranges::any_of(agents, [](const auto& a) { return a.canPushRocks; });
        for (const auto& mobile : initial.mobiles)
            if (mobile.isRock == isRock) set.cell.push_back(take(next, pushable ? mobileBits : 0));
        if (!set.cell.empty()) mobileSets.push_back(std::move(set));
    }
    const bool taken = anyAct(Act::Pickup) || anyAct(Act::Drop);
    const bool toggled = anyAct(Act::Toggle);
    for (const auto& [kind, color] : carriables) {
        SetFields set{.isRock = false, .kind = kind, .color = color, .cell = {}};
        const bool changes = taken || (toggled && kind == Carried::Box);
        for (const auto& thing : initial.ground)
            if (thing.kind == kind && thing.color == color)
                set.cell.push_back(take(next, changes ? bitsFor(thingCellOfCode.size() + 1) : 0));
        groundSets.push_back(std::move(set));
    }
}

void GridLayout::planFlagFields(BitField& next) {
    const bool toggles = anyAct(Act::Toggle);
    const bool entersMagic =
        std::ranges::any_of(agents, [](const auto& a) { return a.canEnterMagicWalls; });
    const bool tramples = std::ranges::any_of(agents, [](const auto& a) { return a.robotLike; });
    const auto disabled = [&](PieceKind kind) {
        return std::ranges::count(disablingTargets, kind) > 0 && anyAgentToggles(Color::Grey);
    };
    for (const DoorState door : initial.doors)
        doorFields.push_back(take(next, !toggles ? 0 : door == DoorState::Locked ? 2 : 1));
    for (std::size_t k = 0; k < magicCells.size(); ++k)
        magicFields.push_back(take(next, entersMagic ? 1 : 0));
    for (std::size_t k = 0; k < bushCells.size(); ++k)
        bushFields.push_back(take(next, tramples ? 1 : 0));
    for (std::size_t k = 0; k < killCells.size(); ++k)
        killFields.push_back(take(next, disabled(PieceKind::KillButton) ? 1 : 0));
    for (std::size_t k = 0; k < pauseCells.size(); ++k) {
        pauseOnFields.push_back(take(next, anyAgentToggles(Color::Yellow) ? 1 : 0));
        pauseEnabledFields.push_back(take(next, disabled(PieceKind::PauseSwitch) ? 1 : 0));
    }
    const bool programmed = anyAgentToggles(Color::Grey);
    for (std::size_t k = 0; k < controlCells.size(); ++k)
        controlFields.push_back(
            {.enabled = take(next, disabled(PieceKind::ControlButton) ? 1 : 0),
             .awaiting = take(next, programmed ? 1 : 0),
             .controlled = take(next, programmed ? bitsFor(agents.size() + 1) : 0),
             .triggered = take(next, programmed ? 4 : 0)});
}

void GridLayout::unpack(const std::uint64_t* words, GridState& state) const {
    state.agents.resize(agents.size());
    for (std::size_t i = 0; i < agents.size(); ++i) {
        const AgentFields& fields = agentFields[i];
        GridState::Agent& agent = state.agents[i];
        agent.cell = fields.cellOfCode[BitString::get(words, fields.cell)];
        agent.direction = static_cast<std::uint8_t>(BitString::get(words, fields.direction));
        agent.terminated = BitString::get(words, fields.terminated) != 0;
        agent.paused = BitString::get(words, fields.paused) != 0;
        const std::uint64_t carried = BitString::get(words, fields.carried);
        agent.carried = carried == 0 ? Carried::Nothing : carriables[carried - 1].first;
        agent.carriedColor = carried == 0 ? Color::Grey : carriables[carried - 1].second;
        agent.forcedAction =
            static_cast<std::int16_t>(static_cast<int>(BitString::get(words, fields.forced)) - 1);
    }
    unpackThings(words, state);
    unpackFixtures(words, state);
}

void GridLayout::unpackThings(const std::uint64_t* words, GridState& state) const {
    state.mobiles.clear();
    std::size_t fixed = 0;
    for (const SetFields& set : mobileSets)
        for (const BitField field : set.cell) {
            const int cell = field.width > 0 ? thingCellOfCode[BitString::get(words, field)]
                                             : initial.mobiles[fixed].cell;
            state.mobiles.push_back({set.isRock, cell});
            ++fixed;
        }
    state.ground.clear();
    for (const SetFields& set : groundSets)
        for (const BitField field : set.cell) {
            if (field.width == 0) continue;
            const std::uint64_t code = BitString::get(words, field);
            if (code > 0) state.ground.push_back({set.kind, thingCellOfCode[code - 1], set.color});
        }
    for (const auto& thing : initial.ground) {
        const auto set = std::ranges::find_if(groundSets, [&](const SetFields& s) {
            return s.kind == thing.kind && s.color == thing.color;
        });
        if (set->cell[0].width == 0) state.ground.push_back(thing);
    }
}

void GridLayout::unpackFixtures(const std::uint64_t* words, GridState& state) const {
    const auto flags = [&](std::vector<std::uint8_t>& values, const std::vector<BitField>& fields,
                           const std::vector<std::uint8_t>& start) {
        values.resize(fields.size());
        for (std::size_t k = 0; k < fields.size(); ++k)
            values[k] = fields[k].width == 0
                            ? start[k]
                            : static_cast<std::uint8_t>(BitString::get(words, fields[k]));
    };
    state.doors.resize(doorFields.size());
    for (std::size_t k = 0; k < doorFields.size(); ++k)
        state.doors[k] = doorFields[k].width == 0
                             ? initial.doors[k]
                             : static_cast<DoorState>(BitString::get(words, doorFields[k]));
    flags(state.magicActive, magicFields, initial.magicActive);
    flags(state.bushTrampled, bushFields, initial.bushTrampled);
    flags(state.killEnabled, killFields, initial.killEnabled);
    flags(state.pauseOn, pauseOnFields, initial.pauseOn);
    flags(state.pauseEnabled, pauseEnabledFields, initial.pauseEnabled);
    state.controls.resize(controlFields.size());
    for (std::size_t k = 0; k < controlFields.size(); ++k) {
        const ControlFields& fields = controlFields[k];
        GridState::Control& control = state.controls[k];
        control.enabled = fields.enabled.width == 0 || BitString::get(words, fields.enabled) != 0;
        control.awaiting = BitString::get(words, fields.awaiting) != 0;
        control.controlledAgent = static_cast<std::int16_t>(
            static_cast<int>(BitString::get(words, fields.controlled)) - 1);
        control.triggeredAction = static_cast<std::int16_t>(
            static_cast<int>(BitString::get(words, fields.triggered)) - 1);
    }
}

void GridLayout::pack(const GridState& state, std::uint64_t* words) const {
    std::fill_n(words, keyWords, 0);
    for (std::size_t i = 0; i < agents.size(); ++i) packAgent(state.agents[i], i, words);
    packThings(state, words);
    packFixtures(state, words);
}

void GridLayout::packAgent(const GridState::Agent& agent, std::size_t index,
                           std::uint64_t* words) const {
    const AgentFields& fields = agentFields[index];
    BitString::put(words, fields.cell, static_cast<std::uint64_t>(fields.codeOfCell[agent.cell]));
    BitString::put(words, fields.direction, agent.direction);
    if (fields.terminated.width) BitString::put(words, fields.terminated, agent.terminated);
    if (fields.paused.width) BitString::put(words, fields.paused, agent.paused);
    if (agent.carried != Carried::Nothing) {
        const auto at = std::ranges::find(carriables, std::pair{agent.carried, agent.carriedColor});
        BitString::put(words, fields.carried,
                       static_cast<std::uint64_t>(at - carriables.begin()) + 1);
    }
    BitString::put(words, fields.forced, static_cast<std::uint64_t>(agent.forcedAction + 1));
}

void GridLayout::packThings(const GridState& state, std::uint64_t* words) const {
    // Things of one kind are exchangeable. Sorted, states that differ only in which is which have
    // one key; those that are gone have the code 0 and come first.
    std::vector<std::int32_t> codes;
    codes.reserve(16);
    for (const SetFields& set : mobileSets) {
        if (set.cell[0].width == 0) continue;
        codes.clear();
        for (const auto& mobile : state.mobiles)
            if (mobile.isRock == set.isRock) codes.push_back(thingCodeOfCell[mobile.cell]);
        std::ranges::sort(codes);
        for (std::size_t k = 0; k < codes.size(); ++k)
            BitString::put(words, set.cell[k], static_cast<std::uint64_t>(codes[k]));
    }
    for (const SetFields& set : groundSets) {
        if (set.cell[0].width == 0) continue;
        codes.clear();
        for (const auto& thing : state.ground)
            if (thing.kind == set.kind && thing.color == set.color)
                codes.push_back(thingCodeOfCell[thing.cell] + 1);
        std::ranges::sort(codes);
        const std::size_t gone = set.cell.size() - codes.size();
        for (std::size_t k = 0; k < codes.size(); ++k)
            BitString::put(words, set.cell[gone + k], static_cast<std::uint64_t>(codes[k]));
    }
}

void GridLayout::packFixtures(const GridState& state, std::uint64_t* words) const {
    const auto flags = [&](const std::vector<std::uint8_t>& values,
                           const std::vector<BitField>& fields) {
        for (std::size_t k = 0; k < fields.size(); ++k) BitString::put(words, fields[k], values[k]);
    };
    for (std::size_t k = 0; k < doorFields.size(); ++k)
        BitString::put(words, doorFields[k], static_cast<std::uint64_t>(state.doors[k]));
    flags(state.magicActive, magicFields);
    flags(state.bushTrampled, bushFields);
    flags(state.killEnabled, killFields);
    flags(state.pauseOn, pauseOnFields);
    flags(state.pauseEnabled, pauseEnabledFields);
    for (std::size_t k = 0; k < controlFields.size(); ++k) {
        const ControlFields& fields = controlFields[k];
        const GridState::Control& control = state.controls[k];
        BitString::put(words, fields.enabled, control.enabled);
        BitString::put(words, fields.awaiting, control.awaiting);
        BitString::put(words, fields.controlled,
                       static_cast<std::uint64_t>(control.controlledAgent + 1));
        BitString::put(words, fields.triggered,
                       static_cast<std::uint64_t>(control.triggeredAction + 1));
    }
}

}  // namespace orrery
