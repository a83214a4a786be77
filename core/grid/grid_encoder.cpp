#include <algorithm>
#include <array>
#include <tuple>

#include "core/encode/agent_order.h"
#include "core/encode/state_encoder.h"
#include "core/grid/grid_layout.h"
#include "core/grid/grid_world.h"

namespace orrery {

namespace {

constexpr int kMostOfAKind = 4;
/// Who works a button and whom it concerns (spec 1.4).
constexpr int kHuman = static_cast<int>(Color::Yellow);
constexpr int kRobot = static_cast<int>(Color::Grey);

int planeOf(Terrain terrain) {
    switch (terrain) {
        case Terrain::Wall:
            return kWallPlane;
        case Terrain::GoalTile:
            return kGoalPlane;
        case Terrain::Lava:
            return kLavaPlane;
        case Terrain::Unsteady:
            return kUnsteadyPlane;
        case Terrain::SwitchTile:
            return kSwitchPlane;
        case Terrain::KillButton:
            return kKillButtonPlane;
        case Terrain::PauseSwitch:
            return kPauseSwitchPlane;
        case Terrain::DisablingSwitch:
            return kDisablingSwitchPlane;
        case Terrain::ControlButton:
            return kControlButtonPlane;
        default:
            return CellBits::kEmpty;
    }
}

int planeOf(PieceKind target) {
    return target == PieceKind::KillButton    ? kKillButtonPlane
           : target == PieceKind::PauseSwitch ? kPauseSwitchPlane
                                              : kControlButtonPlane;
}

std::int16_t typeOf(Carried thing) {
    switch (thing) {
        case Carried::Ball:
            return kBallPlane;
        case Carried::Box:
            return kBoxPlane;
        case Carried::Key:
            return CellBits::kKey;
        default:
            return -1;
    }
}

class GridEncoder final : public StateEncoder::Family {
public:
    GridEncoder(const GridWorld& world, bool hidesWhatIsUnder)
        : m_layout(world.spec()), m_order(encodedAgentOrder(world)), m_hides(hidesWhatIsUnder) {}

    void encode(std::span<const std::uint64_t> configuration, const EncodingShape& shape,
                CompactParts<std::byte> out) override {
        m_layout.unpack(configuration.data(), m_state);
        m_shape = shape;
        m_cells = out.cells;
        encodeTerrain();
        encodeThings();
        for (std::size_t i = 0; i < m_order.size(); ++i)
            encodeAgent(
                static_cast<std::size_t>(m_order[i]),
                out.agents.subspan(i * EncodingShape::kAgentNumbers, EncodingShape::kAgentNumbers));
        encodeButtons(out.interactive.first(EncodingShape::kInteractiveNumbers));
        encodeMore(out.interactive.subspan(EncodingShape::kInteractiveNumbers));
        out.globals[1] = static_cast<float>(m_layout.spec.stumbleProbability);
        out.globals[2] = static_cast<float>(m_layout.spec.magicEntryProbability);
        out.globals[3] = static_cast<float>(m_layout.spec.solidifyProbability);
    }

private:
    std::int32_t& at(int cell) {
        const int place = cell / m_layout.width * m_shape.width + cell % m_layout.width;
        return m_cells[static_cast<std::size_t>(place)];
    }

    CellBits terrainBits(const GridCell& cell) const {
        CellBits bits{.type = planeOf(cell.terrain)};
        const std::size_t k = cell.index;
        if (cell.terrain == Terrain::Door)
            bits = {.type = CellBits::kDoor,
                    .color = static_cast<int>(m_layout.doorColors[k]),
                    .door = 1 + static_cast<int>(m_state.doors[k])};
        else if (cell.terrain == Terrain::MagicWall)
            bits.magic = m_state.magicActive[k] != 0 ? 1 + m_layout.magicSides[k] : 6;
        else if (cell.terrain == Terrain::Bush && m_state.bushTrampled[k] == 0)
            bits.type = kBushPlane;
        return bits;
    }

    void encodeTerrain() {
        for (std::size_t cell = 0; cell < m_layout.cells.size(); ++cell)
            at(static_cast<int>(cell)) = terrainBits(m_layout.cells[cell]).packed();
    }

    /// Something that lies in a cell: as its type on plain floor, else on top of the type.
    void put(int cell, int type, int color) {
        CellBits bits = CellBits::of(at(cell));
        if (m_hides || bits.packed() == CellBits{}.packed()) {
            bits = {.type = type, .color = color};
        } else {
            bits.thing = type == CellBits::kKey ? CellBits::kKeyThing : type;
            bits.thingColor = color;
        }
        at(cell) = bits.packed();
    }

    void encodeThings() {
        for (const GridState::Pickable& thing : m_state.ground)
            put(thing.cell, typeOf(thing.kind),
                thing.kind == Carried::Key ? static_cast<int>(thing.color) : 0);
        for (const GridState::Mobile& mobile : m_state.mobiles)
            put(mobile.cell, mobile.isRock ? kRockPlane : kBlockPlane, 0);
    }

    void encodeAgent(std::size_t index, std::span<std::int16_t> out) {
        const GridState::Agent& agent = m_state.agents[index];
        const GridAgent& fixed = m_layout.agents[index];
        CellBits bits = CellBits::of(at(agent.cell));
        // The original forgets all but bushes.
        if (m_hides && bits.type != kBushPlane) bits = {};
        bits.agent = static_cast<int>(fixed.color);
        at(agent.cell) = bits.packed();
        std::ranges::fill(out, std::int16_t{0});
        out[0] = static_cast<std::int16_t>(agent.cell % m_layout.width);
        out[1] = static_cast<std::int16_t>(agent.cell / m_layout.width);
        out[2U + agent.direction] = 1;
        out[6] = fixed.canEnterMagicWalls ? 1 : 0;
        out[7] = fixed.canPushRocks ? 1 : 0;
        out[8] = typeOf(agent.carried);
        out[9] = agent.carried == Carried::Nothing ? std::int16_t{-1}
                                                   : static_cast<std::int16_t>(agent.carriedColor);
        out[10] = agent.paused ? 1 : 0;
        out[11] = agent.terminated ? 1 : 0;
        out[12] = agent.forcedAction;
    }

    /// Gives each of `most` things of a kind, from the `first` one on, its cell and more numbers.
    /// @return what is left of `out`
    template <typename Numbers>
    std::span<std::int16_t> write(std::span<std::int16_t> out, const std::vector<int>& cells,
                                  Numbers numbersOf, std::size_t first = 0,
                                  std::size_t most = kMostOfAKind) {
        constexpr std::size_t kNumbers = 2 + std::tuple_size_v<decltype(numbersOf(0))>;
        for (std::size_t k = first; k < cells.size() && k < first + most; ++k) {
            const auto part = out.subspan((k - first) * kNumbers, kNumbers);
            part[0] = static_cast<std::int16_t>(cells[k] % m_layout.width);
            part[1] = static_cast<std::int16_t>(cells[k] / m_layout.width);
            std::ranges::copy(numbersOf(k), part.begin() + 2);
        }
        return out.subspan(most * kNumbers);
    }

    std::array<int, 4> pauseNumbers(std::size_t k) const {
        return {m_state.pauseEnabled[k], m_state.pauseOn[k], kHuman, kRobot};
    }

    std::array<int, 5> controlNumbers(std::size_t k) const {
        const GridState::Control& control = m_state.controls[k];
        const bool isTold = !m_hides && control.controlledAgent >= 0;
        const int controlled = isTold ? kNumPlaneColors + control.controlledAgent : kRobot;
        return {control.enabled, kHuman, controlled, control.triggeredAction, control.awaiting};
    }

    void encodeButtons(std::span<std::int16_t> out) {
        out = write(out, m_layout.killCells, [this](std::size_t k) {
            return std::array<int, 3>{m_state.killEnabled[k], kHuman, kRobot};
        });
        out = write(out, m_layout.pauseCells, [this](std::size_t k) { return pauseNumbers(k); });
        out = write(out, m_layout.disablingCells, [this](std::size_t k) {
            return std::array<int, 4>{1, 0, kRobot, planeOf(m_layout.disablingTargets[k])};
        });
        write(out, m_layout.controlCells, [this](std::size_t k) { return controlNumbers(k); });
    }

    /// What makes the state whole, as far as the shape has room for it.
    void encodeMore(std::span<std::int16_t> out) {
        const auto room = [](int count) { return static_cast<std::size_t>(count); };
        const auto colored =
            out.first(room(EncodingShape::kColoredNumbers * m_shape.coloredThings));
        std::ranges::fill(colored, std::int16_t{-1});
        if (!colored.empty()) encodeColored(colored);
        out = out.subspan(colored.size());
        out = write(
            out, m_layout.pauseCells, [this](std::size_t k) { return pauseNumbers(k); },
            kMostOfAKind, room(m_shape.morePauseSwitches));
        write(
            out, m_layout.controlCells, [this](std::size_t k) { return controlNumbers(k); },
            kMostOfAKind, room(m_shape.moreControlButtons));
    }

    void encodeColored(std::span<std::int16_t> out) {
        m_colored.clear();
        for (const GridState::Pickable& thing : m_state.ground)
            if (thing.kind != Carried::Key) m_colored.push_back(&thing);
        std::ranges::sort(m_colored, {}, &GridState::Pickable::cell);
        for (const GridState::Pickable* thing : m_colored) {
            out[0] = static_cast<std::int16_t>(thing->cell % m_layout.width);
            out[1] = static_cast<std::int16_t>(thing->cell / m_layout.width);
            out[2] = typeOf(thing->kind);
            out[3] = static_cast<std::int16_t>(thing->color);
            out = out.subspan(EncodingShape::kColoredNumbers);
        }
    }

    GridLayout m_layout;
    std::vector<int> m_order;
    bool m_hides;
    GridState m_state;
    std::vector<const GridState::Pickable*> m_colored;  ///< of m_state
    EncodingShape m_shape;
    std::span<std::int32_t> m_cells;
};

/// Whether things of this kind are of several colours and can be carried.
bool losesColors(const GridLayout& layout, Carried kind) {
    const bool canMove = std::ranges::any_of(
        layout.agentFields, [](const auto& fields) { return fields.carried.width > 0; });
    return canMove &&
           std::ranges::count(layout.carriables, kind, &std::pair<Carried, Color>::first) > 1;
}

/// How many things of a kind stand behind the fourth; 0 if nothing can happen to them. All of a
/// kind are enabled or disabled together.
template <typename Fields, typename Width>
int numLost(const Fields& fields, Width widthOf) {
    if (fields.size() <= kMostOfAKind) return 0;
    const bool canChange = std::any_of(fields.begin() + kMostOfAKind, fields.end(),
                                       [&](const auto& field) { return widthOf(field) > 0; });
    return canChange ? static_cast<int>(fields.size()) - kMostOfAKind : 0;
}

int numLostPauses(const GridLayout& layout) {
    return numLost(layout.pauseOnFields, [](const BitField& on) { return int{on.width}; });
}

int numLostControls(const GridLayout& layout) {
    return numLost(layout.controlFields, [](const GridLayout::ControlFields& fields) {
        return fields.awaiting.width + fields.controlled.width + fields.triggered.width;
    });
}

/// Adds to a shape what makes encoded states of the world whole.
void addGridNeeds(const GridWorld& world, EncodingShape& shape) {
    const GridLayout layout(world.spec());
    if (losesColors(layout, Carried::Ball) || losesColors(layout, Carried::Box))
        for (const GridLayout::SetFields& set : layout.groundSets)
            if (set.kind != Carried::Key) shape.coloredThings += static_cast<int>(set.cell.size());
    shape.morePauseSwitches = numLostPauses(layout);
    shape.moreControlButtons = numLostControls(layout);
}

/// As notEncoded() of state_encoder.h.
std::vector<std::string> notEncodedOf(const GridWorld& world) {
    const GridLayout layout(world.spec());
    std::vector<std::string> lines;
    if (losesColors(layout, Carried::Ball)) lines.emplace_back("the colours of balls");
    if (losesColors(layout, Carried::Box)) lines.emplace_back("the colours of boxes");
    if (numLostPauses(layout) > 0) lines.emplace_back("more than four pause switches");
    if (numLostControls(layout) > 0) lines.emplace_back("more than four control buttons");
    return lines;
}

}  // namespace

const WorldEncoding* GridWorld::encoding() const {
    static constexpr WorldEncoding kEncoding{
        .make = [](const World& world, bool hides) -> std::unique_ptr<StateEncoder::Family> {
            return std::make_unique<GridEncoder>(static_cast<const GridWorld&>(world), hides);
        },
        .addNeeds =
            [](const World& world, EncodingShape& shape) {
                addGridNeeds(static_cast<const GridWorld&>(world), shape);
            },
        .notEncoded =
            [](const World& world) { return notEncodedOf(static_cast<const GridWorld&>(world)); }};
    return &kEncoding;
}

}  // namespace orrery
