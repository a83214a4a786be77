#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/dag/state_graph.h"
#include "widgets/common/agent_letters.h"
#include "widgets/world/world_painter.h"

namespace orrery {

namespace {

constexpr double kCoordinateLeft = 30, kCoordinateTop = 24, kColorBarColumn = 96, kSceneMargin = 8;

}  // namespace

WorldScene sceneOf(const World& world, std::span<const std::uint64_t> configuration) {
    WorldScene scene;
    scene.width = world.width();
    scene.height = world.height();
    scene.pieces = world.scene(configuration);
    scene.letters = agentLetters(world);
    int color = 0;
    const auto humans = world.goals();
    for (int h = 0; h < std::ssize(humans); ++h) {
        const HumanGoals& own = humans[static_cast<std::size_t>(h)];
        for (int g = 0; g < std::ssize(own.goals); ++g)
            scene.goals.push_back({h, g, own.goals[static_cast<std::size_t>(g)],
                                   scene.letters[static_cast<std::size_t>(own.agent)],
                                   (2 + color++) % 8, false});
    }
    return scene;
}

WorldScene sceneOf(std::shared_ptr<const Picture> picture) {
    WorldScene scene;
    scene.width = static_cast<int>(std::ceil(picture->width));
    scene.height = static_cast<int>(std::ceil(picture->height));
    scene.showCoordinates = picture->hasGrid;
    scene.picture = std::move(picture);
    return scene;
}

bool isWalled(const WorldScene& scene) {
    if (scene.width < 3 || scene.height < 3) return false;
    const auto isOutermost = [&](const Piece& p) {
        return p.x == 0 || p.y == 0 || p.x == scene.width - 1 || p.y == scene.height - 1;
    };
    std::set<std::pair<int, int>> walls;
    for (const Piece& piece : scene.pieces) {
        if (!isOutermost(piece) || piece.kind == PieceKind::Floor) continue;
        if (piece.kind != PieceKind::Wall) return false;
        walls.emplace(piece.x, piece.y);
    }
    return std::ssize(walls) == 2 * (scene.width + scene.height) - 4;
}

WorldScene thumbnailOf(WorldScene scene, bool cutsBorder) {
    scene.isThumbnail = true;
    scene.showGoals = false;
    scene.showCoordinates = false;
    scene.goals.clear();
    if (!cutsBorder || scene.picture) return scene;
    scene.border = 1;
    scene.width -= 2;
    scene.height -= 2;
    for (Piece& piece : scene.pieces) {
        --piece.x;
        --piece.y;
    }
    std::erase_if(scene.pieces, [&](const Piece& p) {
        return p.x < 0 || p.y < 0 || p.x >= scene.width || p.y >= scene.height;
    });
    return scene;
}

SceneSource thumbnailsOf(std::shared_ptr<const StateGraph> graph) {
    if (!graph) return {};
    const World& world = graph->world();
    const bool cutsBorder = isWalled(sceneOf(world, world.initialConfiguration()));
    return [graph = std::move(graph), cutsBorder](std::size_t config) {
        return thumbnailOf(
            sceneOf(graph->world(), graph->configuration(static_cast<ConfigIndex>(config))),
            cutsBorder);
    };
}

std::optional<QPoint> WorldLayout::cellAt(const QPointF& point) const {
    if (cell <= 0 || !grid.contains(point)) return std::nullopt;
    return QPoint(static_cast<int>((point.x() - grid.left()) / cell),
                  static_cast<int>((point.y() - grid.top()) / cell));
}

WorldLayout layoutWorld(const QRectF& area, const WorldScene& scene, double zoom,
                        const QPointF& pan) {
    WorldLayout layout;
    if (scene.width <= 0 || scene.height <= 0) return layout;
    const double margin = scene.isThumbnail ? 0 : kSceneMargin;
    const double left = scene.showCoordinates ? kCoordinateLeft : margin;
    const double top = scene.showCoordinates ? kCoordinateTop : margin;
    const double right = scene.heat ? kColorBarColumn : margin;
    const QRectF inner = area.adjusted(left, top, -right, -margin);
    double cell = std::min(inner.width() / scene.width, inner.height() / scene.height);
    cell = std::max(cell * zoom, scene.isThumbnail ? 0.25 : 1.0);
    if (cell >= 8) cell = std::floor(cell);
    layout.cell = cell;
    const QSizeF size(cell * scene.width, cell * scene.height);
    const QPointF corner = inner.center() - QPointF(size.width(), size.height()) / 2 + pan;
    layout.grid = QRectF(QPointF(std::round(corner.x()), std::round(corner.y())), size);
    if (scene.heat) {
        const double x = std::min(layout.grid.right() + 20, area.right() - kColorBarColumn + 14);
        const double visibleTop = std::max(layout.grid.top(), area.top() + kCoordinateTop);
        const double visibleBottom = std::min(layout.grid.bottom(), area.bottom() - kSceneMargin);
        layout.colorBar =
            QRectF(x, visibleTop + 22, 14, std::max(40.0, visibleBottom - visibleTop - 84));
    }
    return layout;
}

std::vector<Ghost> ghostsOf(const World& world, std::span<const std::uint64_t> from,
                            const std::vector<Outcome>& outcomes) {
    std::vector<Ghost> ghosts;
    for (std::size_t row = 0; row < outcomes.size(); ++row) {
        const Outcome& outcome = outcomes[row];
        if (std::ranges::equal(outcome.successor, from)) continue;
        for (const Piece& piece : world.change(from, outcome.successor).added) {
            const auto known = std::ranges::find_if(
                ghosts, [&](const Ghost& ghost) { return isSame(ghost.piece, piece); });
            if (known != ghosts.end()) {
                known->probability += outcome.probability;
                known->outcomes.push_back(row);
            } else {
                ghosts.push_back({piece, outcome.probability, {row}});
            }
        }
    }
    return ghosts;
}

std::vector<QPoint> changedCells(const World& world, std::span<const std::uint64_t> before,
                                 std::span<const std::uint64_t> after) {
    const SceneChange change = world.change(before, after);
    std::vector<QPoint> cells;
    for (const std::vector<Piece>* pieces : {&change.gone, &change.added})
        for (const Piece& piece : *pieces)
            if (const QPoint cell(piece.x, piece.y); std::ranges::find(cells, cell) == cells.end())
                cells.push_back(cell);
    return cells;
}

}  // namespace orrery
