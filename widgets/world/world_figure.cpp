#include "widgets/world/world_figure.h"

#include <QPainter>
#include <algorithm>

#include "widgets/world/piece_keys.h"
#include "widgets/world/world_picture.h"

namespace orrery {

namespace {

constexpr double kFigureMargin = 12, kBetween = 4, kLegendWidth = 460;

}  // namespace

void paintWorldFigure(QPainter& painter, const WorldScene& scene,
                      const std::vector<FigureKey>& keys, const FigurePage& page) {
    const double width = page.size.width() - 2 * kFigureMargin;
    const std::vector<PieceKey> pieces = pieceKeys(scene.pieces);
    double height = 0;
    if (page.hasLegend)
        height = figureKeysHeight(width, keys) + pieceKeysHeight(width, pieces) + 2 * kBetween;
    // A legend that leaves nothing to explain would be none.
    height = std::min(height, 0.6 * page.size.height());
    const QRectF area(0, 0, page.size.width(), page.size.height() - height);
    painter.setRenderHint(QPainter::Antialiasing, false);  // cells meet without a seam
    paintWorld(painter, scene, layoutWorld(area, scene), *page.tokens);
    if (!page.hasLegend) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const double top = area.bottom() + kBetween;
    const double used =
        paintFigureKeys(painter, QPointF(kFigureMargin, top), width, keys, *page.tokens);
    paintPieceKeys(painter, QPointF(kFigureMargin, top + used), width, pieces, *page.tokens);
}

QSizeF worldFigureSize(const WorldScene& scene, double cell) {
    const QSizeF world(pictureSize(scene, cell));
    return QSizeF(std::max(world.width(), kLegendWidth),
                  world.height() + pieceKeysHeight(kLegendWidth, pieceKeys(scene.pieces)) + 60);
}

}  // namespace orrery
