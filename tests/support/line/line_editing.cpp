#include <algorithm>

#include "core/world/world_editing.h"
#include "tests/support/line/line_world.h"

namespace orrery::test {

namespace {

const LineSpec& lineOf(const WorldSpec& spec) {
    return *spec.as<LineSpec>();
}

class LineEditing final : public WorldEditing {
public:
    int width(const WorldSpec& spec) const override {
        return static_cast<int>(lineOf(spec).cells.size());
    }
    int height(const WorldSpec& spec) const override { return lineOf(spec).cells.empty() ? 0 : 1; }
    std::string codeAt(const WorldSpec& spec, int x, int y) const override {
        return y == 0 && x >= 0 && x < width(spec) ? lineOf(spec).cells[static_cast<std::size_t>(x)]
                                                   : std::string();
    }
    void setCode(WorldSpec& spec, int x, int /*y*/, const std::string& code) const override {
        spec.as<LineSpec>()->cells[static_cast<std::size_t>(x)] = code;
    }
    /// A line stays one: of several rows the first with somebody on it.
    void setCodes(WorldSpec& spec,
                  const std::vector<std::vector<std::string>>& codes) const override {
        if (codes.empty()) return;
        const auto isPeopled = [this](const std::vector<std::string>& row) {
            return std::ranges::any_of(row,
                                       [this](const std::string& code) { return isAgent(code); });
        };
        const auto row = std::ranges::find_if(codes, isPeopled);
        spec.as<LineSpec>()->cells = row == codes.end() ? codes.front() : *row;
    }

    std::string blank() const override { return "."; }
    bool isCode(const std::string& code) const override { return code == "." || isAgent(code); }
    bool isAgent(const std::string& code) const override { return code == "H" || code == "R"; }
    std::vector<WorldBrush> brushes(const WorldSpec& /*spec*/) const override {
        return {{{"."}}, {{"H"}}, {{"R"}}};
    }
    Piece pieceOf(const std::string& code) const override {
        Piece piece;
        if (!isAgent(code)) return piece;
        piece.kind = PieceKind::Agent;
        piece.isHuman = code == "H";
        piece.isRobot = code == "R";
        piece.color = piece.isHuman ? Color::Yellow : Color::Grey;
        piece.direction = 4;
        return piece;
    }

    std::vector<DraftAgent> agents(const WorldSpec& spec) const override {
        std::vector<DraftAgent> agents;
        for (int x = 0; x < width(spec); ++x)
            if (const std::string code = codeAt(spec, x, 0); isAgent(code))
                agents.push_back({.x = x,
                                  .code = code,
                                  .role = code == "H" ? AgentRole::Human : AgentRole::Robot,
                                  .traits = {}});
        return agents;
    }

    std::vector<WorldRule> rules() const override {
        return {{.key = "slip",
                 .label = "Slipping",
                 .text = [](const WorldSpec& spec) { return typedText(lineOf(spec).slip); },
                 .take =
                     [](WorldSpec& spec, const std::string& text) {
                         const auto value = typedNumber(text);
                         if (value) spec.as<LineSpec>()->slip = *value;
                         return value.has_value();
                     }}};
    }
};

}  // namespace

const WorldEditing& lineEditing() {
    static const LineEditing kEditing;
    return kEditing;
}

}  // namespace orrery::test
