#pragma once

#include <QColor>
#include <QPointF>
#include <QString>
#include <vector>

class QPainter;

namespace orrery {

struct Tokens;

/// One entry of a figure's legend: a sign and what it means.
struct FigureKey {
    enum class Sign { Box, Line, Dashes, Dot, Ring, None };
    Sign sign = Sign::None;
    QColor color;
    QString text;
};

/// Height of a row of keys, in units.
inline constexpr double kFigureKeyRow = 18;

/// Draws the keys in rows from `corner` on, at most `width` wide. @return the height of all rows
double paintFigureKeys(QPainter& painter, const QPointF& corner, double width,
                       const std::vector<FigureKey>& keys, const Tokens& tokens);
/// The height that paintFigureKeys would take.
double figureKeysHeight(double width, const std::vector<FigureKey>& keys);

}  // namespace orrery
