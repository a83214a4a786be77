#pragma once

#include <QPointF>
#include <QString>

class QPainter;

namespace orrery {

/// Draws a symbol such as "V_h^e" or "pi_r" in the painter's pen: the subscript at 76 % of the size
/// and 24 % down, the superscript after it and 36 % up. `pixels` is the size of the main letter. A
/// text whose main part is more than a letter, such as "batch_size", is drawn as it is.
/// @return the width drawn
double paintSymbol(QPainter& painter, const QPointF& baseline, double pixels, const QString& symbol,
                   int weight = 600);

/// The width that paintSymbol would draw.
double symbolWidth(double pixels, const QString& symbol, int weight = 600);

}  // namespace orrery
