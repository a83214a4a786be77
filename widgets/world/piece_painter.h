#pragma once

#include <QColor>
#include <QRectF>
#include <QString>

#include "core/world/piece.h"

class QPainter;

namespace orrery {

struct Tokens;

/// How a piece is drawn besides what it is.
struct PieceLook {
    QString letter;       ///< of an agent, shown in cells of 28 px or more
    bool onHeat = false;  ///< a heat colour lies under it: terrain fills are left out, small things
                          ///< get a floor-coloured disc
    double opacity = 1;   ///< ghosts are fainter
};

/// Cells of this size or more, in device-independent pixels, show letters and detail lines.
inline constexpr double kDetailCell = 28;

/// Draws one piece as vectors into a square cell. Colour never stands alone: every kind and state
/// has a shape of its own. Keeps the painter's state.
void paintPiece(QPainter& painter, const Piece& piece, const QRectF& cell, const Tokens& tokens,
                const PieceLook& look = {});

/// True for pieces that fill their cell and lie under everything: walls, floors, lava.
bool isTerrain(PieceKind kind);

/// A flag in a tag, as goals carry it: `anchor` is the tag's upper left corner.
void paintGoalTag(QPainter& painter, const QPointF& anchor, double cellSize, const QColor& color,
                  const QString& letter, const Tokens& tokens);

}  // namespace orrery
