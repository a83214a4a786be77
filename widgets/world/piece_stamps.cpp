#include "widgets/world/piece_stamps.h"

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/world/scene_change.h"
#include "widgets/common/tokens.h"
#include "widgets/world/piece_painter.h"
#include "widgets/world/world_painter.h"

namespace orrery {

namespace {

constexpr int kManyCells = 1500;
constexpr double kFarCell = 6;  ///< points

/// One premultiplied colour over another.
QRgb over(QRgb color, QRgb ground) {
    const int rest = 255 - qAlpha(color);
    const auto part = [&](int one, int other) { return one + (other * rest + 127) / 255; };
    return qRgba(part(qRed(color), qRed(ground)), part(qGreen(color), qGreen(ground)),
                 part(qBlue(color), qBlue(ground)), part(qAlpha(color), qAlpha(ground)));
}

}  // namespace

bool drawsPixels(const QPainter& painter) {
    const QPaintEngine* engine = painter.paintEngine();
    return engine && engine->type() == QPaintEngine::Raster;
}

bool PieceStamps::isFor(const QPainter& painter, const WorldLayout& layout) {
    if (!drawsPixels(painter)) return false;
    const QRectF seen = layout.visible.isNull() ? layout.grid : layout.grid & layout.visible;
    const double numSeen = seen.width() * seen.height() / (layout.cell * layout.cell);
    return numSeen > kManyCells;
}

PieceStamps::PieceStamps(QPainter& painter, const WorldLayout& layout, const Tokens& tokens)
    : m_painter(painter),
      m_layout(layout),
      m_tokens(tokens),
      m_ratio(painter.device()->devicePixelRatio()),
      m_isFar(layout.cell < kFarCell),
      m_area(
          (layout.visible.isNull() ? layout.grid : layout.grid & layout.visible).toAlignedRect()) {}

const PieceStamps::Stamp& PieceStamps::stampOf(const Piece& piece, bool onHeat) {
    Piece wanted = piece;
    wanted.x = wanted.y = 0;
    const auto fits = [&](const Stamp& stamp) {
        return stamp.onHeat == onHeat && isSame(stamp.piece, wanted);
    };
    if (m_last < m_stamps.size() && fits(m_stamps[m_last])) return m_stamps[m_last];
    for (m_last = 0; m_last < m_stamps.size(); ++m_last)
        if (fits(m_stamps[m_last])) return m_stamps[m_last];
    const double side = m_isFar ? 16 : m_layout.cell;
    QImage picture(QSize(1, 1) * static_cast<int>(std::ceil(side * m_ratio)),
                   QImage::Format_ARGB32_Premultiplied);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.scale(picture.width() / side, picture.height() / side);
    const QRectF cell(0, 0, side, side);
    if (m_isFar && piece.kind != PieceKind::Floor && !onHeat)
        paintPiece(painter, Piece(), cell, m_tokens);
    PieceLook look;
    look.onHeat = onHeat;
    paintPiece(painter, wanted, cell, m_tokens, look);
    painter.end();
    const QColor mean =
        picture.scaled(1, 1, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).pixelColor(0, 0);
    m_stamps.push_back({wanted, onHeat, std::move(picture), mean});
    return m_stamps.back();
}

void PieceStamps::put(const Piece& piece, bool onHeat) {
    const QRectF cell = m_layout.cellRect(piece.x, piece.y);
    if (!cell.intersects(m_area)) return;
    if (m_layer.isNull()) {
        m_layer = QImage((m_area.size() * m_ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
        m_layer.fill(Qt::transparent);
    }
    const Stamp& stamp = stampOf(piece, onHeat);
    const auto pixel = [this](double at, double from) {
        return static_cast<int>(std::lround((at - from) * m_ratio));
    };
    // To where the next cell begins, which is rounded alike: the cell's own end is not.
    const QRectF next = m_layout.cellRect(piece.x + 1, piece.y + 1);
    const QPoint from(pixel(cell.left(), m_area.left()), pixel(cell.top(), m_area.top()));
    const QPoint to(pixel(next.left(), m_area.left()), pixel(next.top(), m_area.top()));
    const QRect target = QRect(from, to - QPoint(1, 1)) & m_layer.rect();
    const QRgb mean = qPremultiply(stamp.mean.rgba());
    const int last = stamp.picture.width() - 1;
    for (int y = target.top(); y <= target.bottom(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(m_layer.scanLine(y));
        const auto* source = reinterpret_cast<const QRgb*>(
            stamp.picture.constScanLine(std::min(y - from.y(), last)));
        for (int x = target.left(); x <= target.right(); ++x) {
            const QRgb color = m_isFar ? mean : source[std::min(x - from.x(), last)];
            line[x] = qAlpha(color) == 255 ? color : over(color, line[x]);
        }
    }
}

void PieceStamps::flush() {
    if (m_layer.isNull()) return;
    m_layer.setDevicePixelRatio(m_ratio);
    m_painter.drawImage(m_area.topLeft(), m_layer);
    m_layer = {};
}

}  // namespace orrery
