#pragma once

#include <QRect>
#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "widgets/world/spec_agents.h"

namespace orrery {

// Changes of a spec that concern the shape of its map, and symmetric painting. Things, agents with
// all that belongs to them, and goals stay where they stand in the picture.

enum class MapLines { Rows, Columns };
enum class MapSide { Left, Top, Right, Bottom };

/// Some rows or columns that follow each other.
struct MapSpan {
    MapLines lines = MapLines::Rows;
    int at = 0;  ///< the first one, from 0
    int count = 1;
};

/// Where a side's button inserts: next to the outer wall, at the very side where maps have none.
/// And which line it removes; nothing if too few would be left.
MapSpan insertedAt(const WorldSpec& spec, MapSide side);
std::optional<MapSpan> removedAt(const WorldSpec& spec, MapSide side);

/// Puts empty lines before the first of the span (or behind the last line). On the rim of a walled
/// map they are wall. A goal area that they cut grows. False, and nothing is changed, if the
/// family's maps have no more lines in this direction.
bool insertLines(WorldSpec& spec, const MapSpan& span);

/// What a removal loses.
struct MapLoss {
    struct Thing {
        QPoint cell;
        std::string code;
        int agent = -1;  ///< -1: no agent
    };
    std::vector<Thing> things;  ///< agents first; no walls
    std::vector<Goal> goals;    ///< that lie in the removed lines altogether
    int numWalls = 0;           ///< that do not belong to the rim
    bool isNothing() const { return things.empty() && goals.empty(); }
};
MapLoss lossOf(const WorldSpec& spec, const MapSpan& span);
/// Takes the lines out of the map. A goal area that they cut shrinks. False, and nothing is
/// changed, if fewer than three lines (one where maps have no wall) would be left.
bool removeLines(WorldSpec& spec, const MapSpan& span);

/// Which halves painting repeats.
struct MapSymmetry {
    bool leftRight = false, upDown = false;
    bool operator==(const MapSymmetry&) const = default;
};

/// setCells, with the mirrored cells too. A magic wall in them shows the mirrored side, an agent
/// looks the mirrored way.
void paintCells(WorldSpec& spec, const std::vector<QPoint>& cells, const std::string& code,
                const MapSymmetry& symmetry);

/// A rectangle of cells with what belongs to its agents, to be put elsewhere.
struct MapPatch {
    QSize size;
    std::vector<std::string> codes;   ///< row by row
    std::vector<PlacedAgent> agents;  ///< their cells are within the patch

    /// Codes with blanks between, a line for each row.
    QString text() const;
};
MapPatch patchOf(const WorldSpec& spec, const QRect& cells);
/// Reads the text of a patch for a world; nothing if it is none, or of the other family.
std::optional<MapPatch> patchFromText(const WorldSpec& spec, const QString& text);
/// Puts a patch with its left upper cell at `to`. Cells outside the map are left out.
/// @return the cells that were put
QRect putPatch(WorldSpec& spec, const MapPatch& patch, const QPoint& to);

}  // namespace orrery
