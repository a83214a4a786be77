#pragma once

#include <vector>

#include "widgets/common/draws_figure.h"
#include "widgets/common/figure_keys.h"
#include "widgets/world/world_painter.h"

class QPainter;

namespace orrery {

/// Draws a scene on paper: the world with its colour bar, below it (if the page has a legend) the
/// keys and what the pieces are.
void paintWorldFigure(QPainter& painter, const WorldScene& scene,
                      const std::vector<FigureKey>& keys, const FigurePage& page);

/// A page size at which the cells of a scene have about that many units.
QSizeF worldFigureSize(const WorldScene& scene, double cell = 40);

}  // namespace orrery
