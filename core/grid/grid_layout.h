#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/grid/grid_spec.h"
#include "core/grid/grid_state.h"
#include "core/world/world.h"

namespace orrery {

/// What an action does; agents choose by index into their action set.
enum class Act : std::uint8_t { Still, Left, Right, Forward, Pickup, Drop, Toggle, Done, Build };

/// The actions of a set, by action index.
std::vector<Act> actionsOf(ActionSet set);
const char* actName(Act act);

/// The unchanging part of a cell.
enum class Terrain : std::uint8_t {
    Floor,
    GoalTile,
    SwitchTile,
    Lava,
    Unsteady,
    Wall,
    MagicWall,
    Bush,
    Door,
    KillButton,
    PauseSwitch,
    DisablingSwitch,
    ControlButton,
};

struct GridCell {
    Terrain terrain = Terrain::Floor;
    std::uint16_t index = 0;  ///< among the cells of its kind, row-major order
    Color color = Color::Grey;
};

struct GridAgent {
    Color color = Color::Grey;
    bool canPushRocks = false;
    bool canEnterMagicWalls = false;
    bool robotLike = false;  ///< tramples bushes
    std::vector<Act> acts;   ///< [A] by action index
};

/// One bit field of a packed configuration.
struct BitField {
    std::uint16_t shift = 0;
    std::uint16_t width = 0;  ///< 0: always the same value
};

/// Reads and writes bit fields of a packed configuration; fields may straddle words.
struct BitString {
    static std::uint64_t get(const std::uint64_t* words, BitField field) {
        if (field.width == 0) return 0;
        const unsigned word = field.shift / 64U;
        const unsigned bit = field.shift % 64U;
        std::uint64_t value = words[word] >> bit;
        if (bit + field.width > 64) value |= words[word + 1] << (64 - bit);
        return value & mask(field.width);
    }
    /// The bits must be zero before.
    static void put(std::uint64_t* words, BitField field, std::uint64_t value) {
        if (field.width == 0) return;
        const unsigned word = field.shift / 64U;
        const unsigned bit = field.shift % 64U;
        words[word] |= value << bit;
        if (bit + field.width > 64) words[word + 1] |= value >> (64 - bit);
    }
    static std::uint64_t mask(unsigned width) {
        return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    }
};

/// The two-character code of a cell taken apart; kind Floor for "..".
struct CellCode {
    PieceKind kind = PieceKind::Floor;
    Color color = Color::Grey;
    DoorState door = DoorState::Open;
    std::uint8_t side = 0;                     ///< magic wall
    PieceKind target = PieceKind::KillButton;  ///< disabling switch
};

/// Everything about a grid world that no step changes, and the plan of its packed configurations.
/// A field gets only the bits that its possible values need: cells an agent can get to, flags that
/// some object of the map can change.
struct GridLayout {
    explicit GridLayout(const GridWorldSpec& spec);  ///< the spec must have passed validate()

    GridWorldSpec spec;
    std::string name;
    int width = 0, height = 0;
    std::vector<GridCell> cells;  ///< [height * width]
    std::vector<GridAgent> agents;
    std::vector<AgentInfo> infos;   ///< as agents
    std::vector<HumanGoals> goals;  ///< by human
    std::vector<int> doorCells, boxCells, magicCells, bushCells, killCells, pauseCells,
        controlCells;
    std::vector<Color> doorColors;
    std::vector<std::uint8_t> magicSides;  ///< 0 E 1 S 2 W 3 N 4 all
    std::vector<int> disablingCells;
    std::vector<PieceKind> disablingTargets;  ///< KillButton, PauseSwitch or ControlButton
    GridState initial;
    std::vector<Variable> variables;

    int step(int direction) const {
        return direction == 0 ? 1 : direction == 1 ? width : direction == 2 ? -1 : -width;
    }
    int frontOf(const GridState::Agent& agent) const { return agent.cell + step(agent.direction); }

    /// Packing.
    struct AgentFields {
        BitField cell, direction, terminated, paused, carried, forced;
        std::vector<std::int32_t> cellOfCode;  ///< [codes]
        std::vector<std::int32_t> codeOfCell;  ///< [cells], -1: cannot get there
    };
    /// A kind of thing of which equal ones are interchangeable; cells kept in ascending code order.
    struct SetFields {
        bool isRock = false;              ///< mobiles
        Carried kind = Carried::Nothing;  ///< pickables
        Color color = Color::Grey;        ///< pickables
        std::vector<BitField> cell;       ///< [members]; pickables: 0 is "not on the ground"
    };
    std::vector<AgentFields> agentFields;
    std::vector<std::pair<Carried, Color>> carriables;  ///< code 1 + index in a carried field
    std::vector<SetFields> mobileSets, groundSets;
    std::vector<std::int32_t> thingCellOfCode;  ///< cells where mobiles and pickables can lie
    std::vector<std::int32_t> thingCodeOfCell;
    std::vector<BitField> doorFields, magicFields, bushFields, killFields, pauseOnFields,
        pauseEnabledFields;
    struct ControlFields {
        BitField enabled, awaiting, controlled, triggered;
    };
    std::vector<ControlFields> controlFields;
    int keyBits = 0;
    int keyWords = 1;

    void unpack(const std::uint64_t* words, GridState& state) const;
    /// `words` has keyWords words. The state must be one of this world; lists need not be sorted.
    void pack(const GridState& state, std::uint64_t* words) const;

private:
    void readMap();
    void placeFixture(int cell, const CellCode& code);
    void placeThing(int cell, const CellCode& code);
    void makeAgents();
    void makeGoals();
    void planFields();
    void planAgentFields(BitField& next, std::size_t agent);
    void planThingFields(BitField& next);
    void planFlagFields(BitField& next);
    void makeVariables();
    void unpackThings(const std::uint64_t* words, GridState& state) const;
    void unpackFixtures(const std::uint64_t* words, GridState& state) const;
    void packAgent(const GridState::Agent& agent, std::size_t index, std::uint64_t* words) const;
    void packThings(const GridState& state, std::uint64_t* words) const;
    void packFixtures(const GridState& state, std::uint64_t* words) const;
    std::vector<std::int32_t> reachableCells(int from, bool entersMagic) const;
    bool anyAct(Act act) const;
    bool anyAgentToggles(Color color) const;
};

/// @return false if the code is not one of spec 1.2
bool decodeCell(std::string_view code, CellCode& out);

inline constexpr std::string_view kColorLetters = "rgbpye";  ///< of Color::Red to Color::Grey

/// The colour of a letter r g b p y e.
bool colorOfLetter(char letter, Color& out);

/// The role of an agent: as the spec lists it, else by its colour.
AgentRole roleOf(const GridWorldSpec& spec, std::size_t agent, Color color);

/// Where an agent looks at the start: the spec has one direction for all, or one each.
int startDirection(const GridWorldSpec& spec, std::size_t agent);

/// The piece that a thing is on the ground.
PieceKind pieceOf(Carried thing);

}  // namespace orrery
