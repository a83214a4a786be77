#include "widgets/world/spec_scene.h"

#include <algorithm>
#include <array>

#include "core/world/world_editing.h"
#include "widgets/world/spec_edit.h"

namespace orrery {

namespace {

bool liesOnFloor(PieceKind kind) {
    return kind != PieceKind::Wall && kind != PieceKind::Lava &&
           kind != PieceKind::UnsteadyGround && kind != PieceKind::GoalTile;
}

void addGoals(const WorldSpec& spec, const std::vector<SpecAgent>& agents, WorldScene& scene) {
    const std::vector<GoalList> lists = goalListsOf(spec);
    int color = 0, human = 0;
    for (int agent = 0; agent < std::ssize(agents); ++agent) {
        if (!agents[static_cast<std::size_t>(agent)].isHuman) continue;
        const auto own = std::ranges::find(lists, agent, &GoalList::agent);
        const GoalList& list = own == lists.end() ? lists.front() : *own;
        for (int g = 0; g < std::ssize(list.goals); ++g)
            scene.goals.push_back({human, g, list.goals[static_cast<std::size_t>(g)],
                                   scene.letters[static_cast<std::size_t>(agent)],
                                   (2 + color++) % 8, false});
        ++human;
    }
    // Without a human the shared goals are still there to be edited.
    if (human == 0)
        for (int g = 0; g < std::ssize(lists.front().goals); ++g)
            scene.goals.push_back(
                {0, g, lists.front().goals[static_cast<std::size_t>(g)], {}, (2 + g) % 8, false});
}

}  // namespace

std::vector<QString> specLetters(const WorldSpec& spec) {
    static constexpr std::array<char16_t, 3> kFirst = {u'A', u'R', u'a'};
    std::array<int, 3> counts{};
    std::vector<QString> letters;
    for (const SpecAgent& agent : agentsOf(spec)) {
        const std::size_t role = agent.isHuman ? 0 : agent.isRobot ? 1 : 2;
        const int index = counts[role]++;
        QString letter(QChar(static_cast<char16_t>(kFirst[role] + index % 9)));
        if (index >= 9) letter += QString::number(index / 9 + 1);
        letters.push_back(letter);
    }
    return letters;
}

WorldScene sceneOfSpec(const WorldSpec& spec) {
    WorldScene scene;
    const WorldEditing& editing = editingOf(spec);
    const QSize size = sizeOf(spec);
    scene.width = size.width();
    scene.height = size.height();
    scene.letters = specLetters(spec);
    const std::vector<SpecAgent> agents = agentsOf(spec);
    std::vector<Piece> above;
    for (int y = 0; y < scene.height; ++y) {
        for (int x = 0; x < scene.width; ++x) {
            Piece piece = editing.pieceOf(editing.codeAt(spec, x, y));
            piece.x = x;
            piece.y = y;
            if (piece.kind == PieceKind::Agent) {
                const auto at = std::ranges::find(agents, QPoint(x, y), &SpecAgent::cell);
                piece.agent = static_cast<int>(at - agents.begin());
                piece.isHuman = at->isHuman;
                piece.isRobot = at->isRobot;
                piece.direction = static_cast<std::uint8_t>(at->direction < 0 ? 4 : at->direction);
                if (auto below = editing.belowAgents(spec)) {
                    below->x = x;
                    below->y = y;
                    scene.pieces.push_back(*below);
                }
            }
            if (liesOnFloor(piece.kind)) {
                Piece floor;
                floor.x = x;
                floor.y = y;
                scene.pieces.push_back(floor);
            }
            (piece.kind == PieceKind::Agent ? above : scene.pieces).push_back(piece);
        }
    }
    scene.pieces.insert(scene.pieces.end(), above.begin(), above.end());
    addGoals(spec, agents, scene);
    return scene;
}

}  // namespace orrery
