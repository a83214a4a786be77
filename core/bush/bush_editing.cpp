#include "core/bush/bush_editing.h"

#include <algorithm>
#include <cstdlib>

#include "core/bush/bush_spec.h"

namespace orrery {

namespace {

constexpr char kHumanCode[] = "Hu", kRobotCode[] = "Ro";
constexpr int kMostBrushes = 20;  ///< densities to paint with

const BushWorldSpec& bushOf(const WorldSpec& spec) {
    return *spec.as<BushWorldSpec>();
}
BushWorldSpec& bushOf(WorldSpec& spec) {
    return *spec.as<BushWorldSpec>();
}

bool hasCell(const BushWorldSpec& bush, int x, int y) {
    return y >= 0 && y < std::ssize(bush.map) && x >= 0 &&
           x < std::ssize(bush.map[static_cast<std::size_t>(y)]);
}

/// A rule that is a whole number.
template <int BushWorldSpec::*member>
WorldRule wholeRule(const char* key, const char* label) {
    return {.key = key,
            .label = label,
            .text = [](const WorldSpec& spec) { return std::to_string(bushOf(spec).*member); },
            .take =
                [](WorldSpec& spec, const std::string& text) {
                    const auto value = typedWhole(text);
                    if (value) bushOf(spec).*member = *value;
                    return value.has_value();
                }};
}

/// A code is a density, or that of an agent.
class BushEditing final : public WorldEditing {
public:
    int width(const WorldSpec& spec) const override {
        const auto& map = bushOf(spec).map;
        return map.empty() ? 0 : static_cast<int>(map[0].size());
    }
    int height(const WorldSpec& spec) const override {
        return static_cast<int>(bushOf(spec).map.size());
    }
    std::string codeAt(const WorldSpec& spec, int x, int y) const override {
        const BushWorldSpec& bush = bushOf(spec);
        if (!hasCell(bush, x, y)) return {};
        return bush.map[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
    }
    void setCode(WorldSpec& spec, int x, int y, const std::string& code) const override {
        BushWorldSpec& bush = bushOf(spec);
        if (hasCell(bush, x, y))
            bush.map[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = code;
    }
    void setCodes(WorldSpec& spec,
                  const std::vector<std::vector<std::string>>& codes) const override {
        bushOf(spec).map = codes;
    }

    std::string blank() const override { return "0"; }
    bool isCode(const std::string& code) const override {
        return isAgent(code) || typedWhole(code).value_or(-1) >= 0;
    }
    bool isAgent(const std::string& code) const override {
        return code == kHumanCode || code == kRobotCode;
    }
    std::string agentCode(AgentRole role) const override {
        return role == AgentRole::Human ? kHumanCode : kRobotCode;
    }
    std::vector<WorldBrush> brushes(const WorldSpec& spec) const override {
        std::vector<WorldBrush> brushes;
        for (int density = 0; density <= std::min(bushOf(spec).capacity, kMostBrushes); ++density)
            brushes.push_back({{std::to_string(density)}});
        brushes.push_back({{kHumanCode}});
        brushes.push_back({{kRobotCode}});
        return brushes;
    }
    std::string firstBrush(const std::string& /*before*/) const override { return "1"; }

    Piece pieceOf(const std::string& code) const override {
        Piece piece;
        piece.isHuman = code == kHumanCode;
        piece.isRobot = code == kRobotCode;
        piece.kind = isAgent(code) ? PieceKind::Agent : PieceKind::Number;
        piece.color = piece.isHuman ? Color::Yellow : Color::Grey;
        piece.direction = 4;
        piece.number = std::atoi(code.c_str());
        return piece;
    }
    std::optional<Piece> belowAgents(const WorldSpec& spec) const override {
        Piece density;
        density.kind = PieceKind::Number;
        density.number = bushOf(spec).fillDensity;
        return density;
    }

    /// Row by row, the robots first.
    std::vector<DraftAgent> agents(const WorldSpec& spec) const override {
        std::vector<DraftAgent> agents;
        const auto& map = bushOf(spec).map;
        for (int y = 0; y < std::ssize(map); ++y)
            for (int x = 0; x < std::ssize(map[static_cast<std::size_t>(y)]); ++x)
                if (std::string code = codeAt(spec, x, y); isAgent(code)) {
                    const AgentRole role = code == kHumanCode ? AgentRole::Human : AgentRole::Robot;
                    agents.push_back(
                        {.x = x, .y = y, .code = std::move(code), .role = role, .traits = {}});
                }
        std::stable_partition(agents.begin(), agents.end(), [](const DraftAgent& agent) {
            return agent.role == AgentRole::Robot;
        });
        return agents;
    }

    std::vector<WorldRule> rules() const override {
        return {wholeRule<&BushWorldSpec::capacity>("B", "Capacity"),
                wholeRule<&BushWorldSpec::fillDensity>("fill_density", "Density below")};
    }
};

}  // namespace

const WorldEditing& bushEditing() {
    static const BushEditing kEditing;
    return kEditing;
}

}  // namespace orrery
