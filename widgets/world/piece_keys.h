#pragma once

#include <QPointF>
#include <QString>
#include <vector>

#include "core/world/piece.h"

class QPainter;

namespace orrery {

struct Tokens;

/// A kind and state of things with its name.
struct PieceKey {
    Piece piece;
    QString name;
    bool operator==(const PieceKey& other) const { return name == other.name; }
};

/// One key of each kind and state among the pieces, floors left out, always in the same order.
std::vector<PieceKey> pieceKeys(const std::vector<Piece>& pieces);

/// Draws small pictures with their names in rows from `corner` on. @return the height of all rows
double paintPieceKeys(QPainter& painter, const QPointF& corner, double width,
                      const std::vector<PieceKey>& keys, const Tokens& tokens);
/// The height that paintPieceKeys would take.
double pieceKeysHeight(double width, const std::vector<PieceKey>& keys);

}  // namespace orrery
