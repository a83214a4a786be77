#pragma once

#include <QColor>
#include <QPoint>
#include <QRect>
#include <QRectF>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/env/picture.h"
#include "core/world/goal.h"
#include "core/world/world.h"
#include "widgets/world/arrow_field.h"
#include "widgets/world/heat_field.h"

class QPainter;

namespace orrery {

class StateGraph;
struct Tokens;

/// A goal's frame.
struct GoalMark {
    int human = 0, goal = 0;  ///< indices into World::goals() and its list
    Goal where;
    QString letter;      ///< of the human
    int colorIndex = 0;  ///< into Tokens::data
    bool isCurrent = false;
};

/// Something that may be there after the chosen joint action.
struct Ghost {
    Piece piece;
    double probability = 0;
    std::vector<std::size_t> outcomes = {};  ///< in which it is there
};

/// Everything that one picture of a world shows.
struct WorldScene {
    int width = 0, height = 0;  ///< cells
    std::vector<Piece> pieces;
    std::shared_ptr<const Picture> picture;  ///< drawn in the place of pieces; null: those are
    std::vector<QString> letters;            ///< [agent]
    std::vector<GoalMark> goals;
    std::shared_ptr<const HeatField> heat;     ///< null: none
    std::shared_ptr<const ArrowField> arrows;  ///< null: none
    std::shared_ptr<const HeatField> visits;   ///< counts in the cells' corners; null: none
    std::vector<Ghost> ghosts;
    bool numbersGhosts = false;   ///< ghosts say in which outcome (from 1) they are
    std::vector<QPoint> changed;  ///< cells that the last step or the hovered successor changed
    std::optional<QPoint> hover, current;  ///< outlined cells
    QRect dragged;                         ///< cells that a tool is about to change; empty: none
    bool showCoordinates = true;
    bool showGoals = true;
    bool isThumbnail = false;  ///< small and without goals, coordinates and outlines
    int border = 0;            ///< cells that were cut off at each side, see thumbnailOf
};

/// The scene of one configuration with the goals of all humans.
WorldScene sceneOf(const World& world, std::span<const std::uint64_t> configuration);

/// The scene of a picture of anything, in whole cells.
WorldScene sceneOf(std::shared_ptr<const Picture> picture);

/// Draws the states of an episode or a list, by their index, from any thread.
using SceneSource = std::function<WorldScene(std::size_t index)>;

/// Draws a state of a walk. GUI thread only.
using StateScene = std::function<WorldScene(std::span<const std::uint64_t> configuration)>;

/// True if walls stand all round, so that nothing ever happens in the outermost cells.
bool isWalled(const WorldScene& scene);

/// The scene as a small picture: without goals and coordinates, and without its outermost cells if
/// `cutsBorder`, so that what changes is as large as it can be.
WorldScene thumbnailOf(WorldScene scene, bool cutsBorder);

/// The configurations of a graph as small pictures; none without a graph.
SceneSource thumbnailsOf(std::shared_ptr<const StateGraph> graph);

/// Where the cells of a scene lie.
struct WorldLayout {
    QRectF grid;
    double cell = 0;  ///< pixels
    QRectF colorBar;  ///< null if the scene has no heat
    QRectF visible;   ///< cells outside of it need not be drawn; null: all are

    QRectF cellRect(int x, int y) const {
        return QRectF(grid.left() + x * cell, grid.top() + y * cell, cell, cell);
    }
    /// The cell under a point; nothing outside the grid.
    std::optional<QPoint> cellAt(const QPointF& point) const;
};

/// Fits a scene into an area: whole-pixel cells from 8 px on, coordinates and colour bar outside
/// the grid. `zoom` >= 1 enlarges about the middle, `pan` moves the grid.
WorldLayout layoutWorld(const QRectF& area, const WorldScene& scene, double zoom = 1,
                        const QPointF& pan = {});

/// Draws the scene. Vectors and text only, no clipping, so it works for SVG too.
void paintWorld(QPainter& painter, const WorldScene& scene, const WorldLayout& layout,
                const Tokens& tokens);

/// The colour of a value in a field's range; values outside it have the colour of its end.
QColor heatColor(const HeatField& field, double value);

/// The things that differ between two configurations, weighted: what successors add to the picture.
std::vector<Ghost> ghostsOf(const World& world, std::span<const std::uint64_t> from,
                            const std::vector<Outcome>& outcomes);

/// Cells whose things differ.
std::vector<QPoint> changedCells(const World& world, std::span<const std::uint64_t> before,
                                 std::span<const std::uint64_t> after);

}  // namespace orrery
