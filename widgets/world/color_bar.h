#pragma once

#include <QRectF>

class QPainter;

namespace orrery {

struct HeatField;
struct Tokens;

/// The colour bar of a heat field with its symbol above and the hatched "no state" swatch below.
void paintColorBar(QPainter& painter, const HeatField& field, const QRectF& bar,
                   const Tokens& tokens);

}  // namespace orrery
