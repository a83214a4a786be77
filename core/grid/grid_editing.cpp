#include "core/grid/grid_editing.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/grid/grid_layout.h"
#include "core/grid/grid_spec.h"

namespace orrery {

namespace {

constexpr char kBlankCode[] = "..", kWallCode[] = "We", kHumanCode[] = "Ay", kRobotCode[] = "Ae";

/// What a grid world keeps for an agent by index.
struct GridTraits {
    std::optional<ActionSet> actionSet;
    bool canEnterMagicWalls = false;
    bool isListedHuman = false, isListedRobot = false;
};

const GridWorldSpec& gridOf(const WorldSpec& spec) {
    return *spec.as<GridWorldSpec>();
}
GridWorldSpec& gridOf(WorldSpec& spec) {
    return *spec.as<GridWorldSpec>();
}

bool isListed(const std::optional<std::vector<int>>& list, std::size_t agent) {
    return list && std::ranges::find(*list, static_cast<int>(agent)) != list->end();
}

bool entersMagic(const GridWorldSpec& grid, std::size_t agent) {
    return agent < grid.canEnterMagicWalls.size() && grid.canEnterMagicWalls[agent];
}

/// Role and traits of one agent, from the lists of the spec.
void takeTraits(const GridWorldSpec& grid, std::size_t index, DraftAgent& agent) {
    const GridTraits traits{.actionSet = index < grid.agentActionSets.size()
                                             ? grid.agentActionSets[index]
                                             : std::nullopt,
                            .canEnterMagicWalls = entersMagic(grid, index),
                            .isListedHuman = isListed(grid.humanAgents, index),
                            .isListedRobot = isListed(grid.robotAgents, index)};
    Color color{};
    colorOfLetter(agent.code[1], color);
    agent.role = roleOf(grid, index, color);
    agent.direction = startDirection(grid, index);
    agent.traits = traits;
}

/// The lists without the values at their ends that mean the same as none.
void shortenLists(GridWorldSpec& grid) {
    auto& directions = grid.orientations;
    if (std::ranges::count(directions, directions.empty() ? 0 : directions[0]) ==
        std::ssize(directions))
        directions.resize(std::min<std::size_t>(1, directions.size()));
    if (directions == std::vector{0}) directions.clear();
    while (!grid.agentActionSets.empty() && !grid.agentActionSets.back())
        grid.agentActionSets.pop_back();
    while (!grid.canEnterMagicWalls.empty() && !grid.canEnterMagicWalls.back())
        grid.canEnterMagicWalls.pop_back();
}

class GridEditing final : public WorldEditing {
public:
    WorldSpec specOfRows(const std::vector<std::string>& rows) const override {
        GridWorldSpec spec;
        for (const std::string& row : rows) {
            spec.map.push_back(row);
            std::erase_if(spec.map.back(), [](char c) { return c == ' ' || c == '\t'; });
        }
        return spec;
    }

    int width(const WorldSpec& spec) const override {
        const auto& map = gridOf(spec).map;
        return map.empty() ? 0 : static_cast<int>(map[0].size() / 2);
    }
    int height(const WorldSpec& spec) const override {
        return static_cast<int>(gridOf(spec).map.size());
    }
    std::string codeAt(const WorldSpec& spec, int x, int y) const override {
        const auto& map = gridOf(spec).map;
        if (x < 0 || y < 0 || y >= std::ssize(map)) return {};
        const std::string& row = map[static_cast<std::size_t>(y)];
        const std::size_t at = 2 * static_cast<std::size_t>(x);
        return at < row.size() ? row.substr(at, 2) : std::string();
    }
    void setCode(WorldSpec& spec, int x, int y, const std::string& code) const override {
        if (!codeAt(spec, x, y).empty())
            gridOf(spec).map[static_cast<std::size_t>(y)].replace(2 * static_cast<std::size_t>(x),
                                                                  2, code);
    }
    void setCodes(WorldSpec& spec,
                  const std::vector<std::vector<std::string>>& codes) const override {
        auto& map = gridOf(spec).map;
        map.clear();
        for (const auto& row : codes) {
            map.emplace_back();
            for (const std::string& code : row) map.back() += code;
        }
    }

    std::string blank() const override { return kBlankCode; }
    std::string wall() const override { return kWallCode; }
    bool isCode(const std::string& code) const override {
        CellCode cell;
        return decodeCell(code, cell);
    }
    bool isAgent(const std::string& code) const override {
        CellCode cell;
        return decodeCell(code, cell) && cell.kind == PieceKind::Agent;
    }
    std::string agentCode(AgentRole role) const override {
        return role == AgentRole::Human ? kHumanCode : kRobotCode;
    }
    std::vector<WorldBrush> brushes(const WorldSpec& spec) const override;
    std::string firstBrush(const std::string& before) const override {
        return isCode(before) ? before : kWallCode;
    }
    Piece pieceOf(const std::string& code) const override;
    std::string mirrored(const std::string& code, bool leftRight, bool upDown) const override;
    std::optional<std::string> turned(const std::string& code) const override;
    int wayClass(const WorldSpec& spec, int agent) const override {
        return entersMagic(gridOf(spec), static_cast<std::size_t>(agent)) ? 1 : 0;
    }
    bool isWay(const std::string& code, int wayClass) const override;

    std::vector<DraftAgent> agents(const WorldSpec& spec) const override;
    void initAgent(DraftAgent& agent) const override;
    void setAgents(WorldSpec& spec, const std::vector<DraftAgent>& agents) const override;

    std::vector<WorldRule> rules() const override { return gridRules(); }
    std::vector<WorldRuleChoice> choices() const override { return gridChoices(); }
};

std::vector<WorldBrush> GridEditing::brushes(const WorldSpec& /*spec*/) const {
    std::vector<WorldBrush> brushes;
    const auto plain = [&](std::initializer_list<const char*> codes) {
        for (const char* code : codes) brushes.push_back({{code}});
    };
    const auto colored = [&](char letter) {
        WorldBrush brush;
        for (const char color : kColorLetters) {
            const std::string code{letter, color};
            // The file format has no blue key: its code is that of a kill button.
            brush.codes.push_back(code == "Kb" ? "Kr" : code);
        }
        brushes.push_back(std::move(brush));
    };
    plain({kBlankCode, kWallCode, "Bl", "Ro"});
    for (const char letter : {'L', 'C', 'O', 'K', 'B', 'X'}) colored(letter);
    plain({"La", "Un", "Me", "Ma", "Bu", "Sw", "Ki", "Pa", "CB", "Dk"});
    colored('G');
    plain({kHumanCode, kRobotCode});
    return brushes;
}

Piece GridEditing::pieceOf(const std::string& code) const {
    Piece piece;
    CellCode cell;
    if (!decodeCell(code, cell)) return piece;
    piece.kind = cell.kind;
    piece.color = cell.color;
    piece.door = cell.door;
    piece.magicSide = cell.side;
    if (cell.kind == PieceKind::DisablingSwitch) piece.target = static_cast<int>(cell.target);
    if (cell.kind == PieceKind::ControlButton) piece.number = -1;
    if (cell.kind == PieceKind::Agent) {
        piece.isHuman = cell.color == Color::Yellow;
        piece.isRobot = cell.color == Color::Grey;
    }
    return piece;
}

/// Magic walls have a side.
std::string GridEditing::mirrored(const std::string& code, bool leftRight, bool upDown) const {
    if (code.size() != 2 || code[0] != 'M') return code;
    std::string image = code;
    const auto swap = [&](char a, char b) {
        image[1] = image[1] == a ? b : image[1] == b ? a : image[1];
    };
    if (leftRight) swap('e', 'w');
    if (upDown) swap('n', 's');
    return image;
}

std::optional<std::string> GridEditing::turned(const std::string& code) const {
    for (const std::vector<std::string>& ring :
         {std::vector<std::string>{"Me", "Ms", "Mw", "Mn", "Ma"},
          std::vector<std::string>{"Dk", "Dp", "DC"}}) {
        const auto at = std::ranges::find(ring, code);
        if (at != ring.end()) return at + 1 == ring.end() ? ring.front() : *(at + 1);
    }
    return std::nullopt;
}

bool GridEditing::isWay(const std::string& code, int wayClass) const {
    CellCode cell;
    if (!decodeCell(code, cell)) return false;
    switch (cell.kind) {
        case PieceKind::Wall:
        case PieceKind::KillButton:
        case PieceKind::PauseSwitch:
        case PieceKind::DisablingSwitch:
        case PieceKind::ControlButton:
            return false;
        case PieceKind::MagicWall:
            return wayClass == 1;
        default:
            return true;
    }
}

/// Row by row.
std::vector<DraftAgent> GridEditing::agents(const WorldSpec& spec) const {
    std::vector<DraftAgent> agents;
    const int wide = width(spec), high = height(spec);
    for (int y = 0; y < high; ++y)
        for (int x = 0; x < wide; ++x)
            if (std::string code = codeAt(spec, x, y); isAgent(code)) {
                DraftAgent agent{.x = x, .y = y, .code = std::move(code), .traits = {}};
                takeTraits(gridOf(spec), agents.size(), agent);
                agents.push_back(std::move(agent));
            }
    return agents;
}

void GridEditing::initAgent(DraftAgent& agent) const {
    GridTraits traits;
    traits.isListedHuman = agent.code == kHumanCode;
    traits.isListedRobot = agent.code == kRobotCode;
    agent.role = traits.isListedHuman   ? AgentRole::Human
                 : traits.isListedRobot ? AgentRole::Robot
                                        : AgentRole::Other;
    agent.direction = 0;
    agent.traits = traits;
}

void GridEditing::setAgents(WorldSpec& spec, const std::vector<DraftAgent>& agents) const {
    GridWorldSpec& grid = gridOf(spec);
    grid.orientations.clear();
    grid.agentActionSets.clear();
    grid.canEnterMagicWalls.clear();
    if (grid.humanAgents) grid.humanAgents->clear();
    if (grid.robotAgents) grid.robotAgents->clear();
    for (int i = 0; i < std::ssize(agents); ++i) {
        const DraftAgent& agent = agents[static_cast<std::size_t>(i)];
        const auto* own = std::any_cast<GridTraits>(&agent.traits);
        const GridTraits traits = own != nullptr ? *own : GridTraits{};
        grid.orientations.push_back(agent.direction);
        grid.agentActionSets.push_back(traits.actionSet);
        grid.canEnterMagicWalls.push_back(traits.canEnterMagicWalls);
        if (grid.humanAgents && traits.isListedHuman) grid.humanAgents->push_back(i);
        if (grid.robotAgents && traits.isListedRobot) grid.robotAgents->push_back(i);
    }
    shortenLists(grid);
}

}  // namespace

const WorldEditing& gridEditing() {
    static const GridEditing kEditing;
    return kEditing;
}

}  // namespace orrery
