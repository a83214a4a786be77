#include "widgets/world/world_painter.h"

#include <QImage>
#include <QPaintDevice>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <optional>

#include "widgets/common/color_map.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/world/color_bar.h"
#include "widgets/world/picture_painter.h"
#include "widgets/world/piece_painter.h"
#include "widgets/world/piece_stamps.h"

namespace orrery {

namespace {

constexpr double kLeastAgent = 16;  ///< pixels
constexpr int kLargestCopy = 512;   ///< pixels: few cells are as large

/// One drawing of a scene.
struct Drawing {
    QPainter& painter;
    const WorldScene& scene;
    const WorldLayout& layout;
    const Tokens& tokens;
    std::vector<std::uint8_t> closed = {}, covered = {};  ///< [cell]; empty: nobody asks

    bool isSeen(const QRectF& cell) const {
        return layout.visible.isNull() || layout.visible.intersects(cell);
    }
    std::size_t at(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(scene.width) +
               static_cast<std::size_t>(x);
    }
    /// Looks once through all pieces, of which there may be more than cells.
    void noteCells() {
        closed.assign(at(0, scene.height), 0);
        covered.assign(closed.size(), 0);
        for (const Piece& p : scene.pieces) {
            const std::size_t cell = at(p.x, p.y);
            if (!isTerrain(p.kind)) covered[cell] = 1;
            if (p.kind != PieceKind::Floor && p.kind != PieceKind::GoalTile &&
                p.kind != PieceKind::SwitchTile && p.kind != PieceKind::UnsteadyGround &&
                p.kind != PieceKind::Agent && p.kind != PieceKind::Number)
                closed[cell] = 1;
        }
    }
    bool isKnown(int x, int y) const { return scene.heat && scene.heat->at(x, y).count > 0; }
    /// True if nothing that an agent cannot share stands in the cell.
    bool isOpen(int x, int y) const { return closed[at(x, y)] == 0; }
    bool isBare(int x, int y) const { return covered[at(x, y)] == 0; }
    PieceLook lookOf(const Piece& piece) const {
        PieceLook look;
        if (piece.kind == PieceKind::Agent && piece.agent >= 0 &&
            piece.agent < std::ssize(scene.letters))
            look.letter = scene.letters[static_cast<std::size_t>(piece.agent)];
        look.onHeat = isKnown(piece.x, piece.y);
        return look;
    }
};

/// In a large world an agent reaches beyond its cell, so that it is seen.
QRectF pieceRect(const Drawing& d, const Piece& piece) {
    const QRectF cell = d.layout.cellRect(piece.x, piece.y);
    const double grown = (kLeastAgent - cell.width()) / 2;
    const bool grows = piece.kind == PieceKind::Agent && !d.scene.isThumbnail && grown > 0;
    return grows ? cell.adjusted(-grown, -grown, grown, grown) : cell;
}

/// Draws pieces one after the other, in a world of many cells from stamps.
class PieceRow {
public:
    explicit PieceRow(const Drawing& drawing) : m_drawing(drawing) {
        if (PieceStamps::isFor(drawing.painter, drawing.layout))
            m_stamps.emplace(drawing.painter, drawing.layout, drawing.tokens);
    }
    void draw(const Piece& piece, const PieceLook& look) {
        const QRectF cell = pieceRect(m_drawing, piece);
        if (!m_drawing.isSeen(cell)) return;
        if (m_stamps && piece.kind != PieceKind::Agent) return m_stamps->put(piece, look.onHeat);
        flush();  // it lies over what was put before it
        paintPiece(m_drawing.painter, piece, cell, m_drawing.tokens, look);
    }
    void flush() {
        if (m_stamps) m_stamps->flush();
    }

private:
    const Drawing& m_drawing;
    std::optional<PieceStamps> m_stamps;
};

void drawFloor(const Drawing& d) {
    PieceRow row(d);
    Piece floor;
    for (floor.y = 0; floor.y < d.scene.height; ++floor.y)
        for (floor.x = 0; floor.x < d.scene.width; ++floor.x) row.draw(floor, {});
    for (const Piece& piece : d.scene.pieces)
        if (isTerrain(piece.kind) && piece.kind != PieceKind::Floor) row.draw(piece, {});
    row.flush();
}

/// Slanted lines: no state has the agent in that cell.
void paintHatch(QPainter& painter, const QRectF& cell, const Tokens& tokens) {
    painter.setPen(QPen(tokens.strongBorder, 1));
    const double pitch = std::max(6.0, cell.width() / 6);
    for (double offset = pitch; offset < 2 * cell.width(); offset += pitch) {
        const double start = std::min(offset, cell.width());
        const double rest = offset - start;
        painter.drawLine(QPointF(cell.left() + start, cell.top() + rest),
                         QPointF(cell.left() + rest, cell.top() + start));
    }
}

/// The same for many cells: on a screen the lines are drawn once and copied, as Qt looks at the
/// clip for each pixel of a line.
class Hatch {
public:
    explicit Hatch(const Drawing& drawing) : m_drawing(drawing) {
        if (!drawsPixels(drawing.painter) || drawing.painter.transform().isScaling()) return;
        const double ratio = drawing.painter.device()->devicePixelRatio();
        const int side = static_cast<int>(std::ceil(drawing.layout.cell * ratio));
        if (side > kLargestCopy) return;
        m_picture = QImage(side, side, QImage::Format_ARGB32_Premultiplied);
        m_picture.setDevicePixelRatio(ratio);
        m_picture.fill(Qt::transparent);
        QPainter painter(&m_picture);
        paintHatch(painter, {0, 0, drawing.layout.cell, drawing.layout.cell}, drawing.tokens);
    }
    void draw(const QRectF& cell) const {
        if (m_picture.isNull()) return paintHatch(m_drawing.painter, cell, m_drawing.tokens);
        m_drawing.painter.drawImage(cell.topLeft(), m_picture);
    }

private:
    const Drawing& m_drawing;
    QImage m_picture;  ///< of one cell; null: the lines are drawn
};

void drawHeat(const Drawing& d) {
    if (!d.scene.heat) return;
    std::optional<Hatch> hatch;  // where one is needed
    for (int y = 0; y < d.scene.height; ++y) {
        for (int x = 0; x < d.scene.width; ++x) {
            const QRectF cell = d.layout.cellRect(x, y);
            if (!d.isSeen(cell)) continue;
            if (!d.isKnown(x, y)) {
                if (!d.isOpen(x, y)) continue;
                if (!hatch) hatch.emplace(d);
                hatch->draw(cell);
                continue;
            }
            const QColor fill = heatColor(*d.scene.heat, d.scene.heat->at(x, y).value);
            d.painter.fillRect(cell, fill);
            d.painter.setPen(QPen(fill.darker(135), 1));
            d.painter.setBrush(Qt::NoBrush);
            if (d.layout.cell >= 8) d.painter.drawRect(cell);
        }
    }
    PieceRow row(d);
    for (const Piece& piece : d.scene.pieces)
        if (isTerrain(piece.kind) && piece.kind != PieceKind::Floor && d.isKnown(piece.x, piece.y))
            row.draw(piece, d.lookOf(piece));
    row.flush();
}

/// An arrow from near the cell's middle; its area is proportional to the probability.
void drawArrow(const Drawing& d, const QRectF& cell, std::size_t direction, double probability) {
    static constexpr int kX[] = {1, 0, -1, 0}, kY[] = {0, 1, 0, -1};
    const double scale = std::sqrt(probability) * cell.width();
    const double length = 0.38 * scale, head = 0.17 * scale, halfHead = 0.12 * scale;
    const double halfShaft = 0.045 * scale, start = 0.03 * cell.width();
    QPolygonF arrow;
    const auto add = [&](double along, double across) {
        arrow << cell.center() + QPointF(kX[direction] * along - kY[direction] * across,
                                         kY[direction] * along + kX[direction] * across);
    };
    add(start, -halfShaft);
    add(start + length - head, -halfShaft);
    add(start + length - head, -halfHead);
    add(start + length, 0);
    add(start + length - head, halfHead);
    add(start + length - head, halfShaft);
    add(start, halfShaft);
    d.painter.drawPolygon(arrow);
}

void drawArrows(const Drawing& d) {
    if (!d.scene.arrows || d.layout.cell < 16) return;
    d.painter.setPen(Qt::NoPen);
    for (int y = 0; y < d.scene.height; ++y) {
        for (int x = 0; x < d.scene.width; ++x) {
            if (!d.isBare(x, y) || !d.isSeen(d.layout.cellRect(x, y))) continue;
            const auto& move = d.scene.arrows->at(x, y);
            d.painter.setBrush(d.isKnown(x, y)
                                   ? textOn(heatColor(*d.scene.heat, d.scene.heat->at(x, y).value))
                                   : d.tokens.text);
            for (std::size_t direction = 0; direction < 4; ++direction)
                if (move[direction] >= 0.02)
                    drawArrow(d, d.layout.cellRect(x, y), direction, move[direction]);
        }
    }
}

/// A small tag in a cell's lower left corner: how often the agent was there.
void drawVisits(const Drawing& d) {
    if (!d.scene.visits || d.layout.cell < 16) return;
    const QFont font = numberFont(10, QFont::DemiBold);
    d.painter.setFont(font);
    for (int y = 0; y < d.scene.height; ++y) {
        for (int x = 0; x < d.scene.width; ++x) {
            const HeatCell& cell = d.scene.visits->at(x, y);
            if (cell.count == 0 || !d.isSeen(d.layout.cellRect(x, y))) continue;
            const QString text = QString::number(static_cast<int>(cell.value));
            const QRectF at = d.layout.cellRect(x, y);
            const double width = std::max(12.0, QFontMetricsF(font).horizontalAdvance(text) + 6);
            const QRectF tag(at.left() + 3, at.bottom() - 16, width, 13);
            d.painter.setPen(Qt::NoPen);
            d.painter.setBrush(d.tokens.accent);
            d.painter.drawRoundedRect(tag, 6, 6);
            d.painter.setPen(d.tokens.onAccent);
            d.painter.drawText(tag, Qt::AlignCenter, text);
        }
    }
}

/// The cells that a tool is about to change.
void drawDragged(const Drawing& d) {
    if (d.scene.dragged.isEmpty()) return;
    const QRectF frame =
        d.layout.cellRect(d.scene.dragged.left(), d.scene.dragged.top())
            .united(d.layout.cellRect(d.scene.dragged.right(), d.scene.dragged.bottom()));
    QColor tint = d.tokens.accent;
    tint.setAlphaF(0.18F);
    d.painter.setBrush(tint);
    d.painter.setPen(QPen(d.tokens.accent, 2));
    d.painter.drawRoundedRect(frame.adjusted(1, 1, -1, -1), 3, 3);
}

void drawPieces(const Drawing& d) {
    PieceRow row(d);
    for (const Piece& piece : d.scene.pieces)
        if (!isTerrain(piece.kind)) row.draw(piece, d.lookOf(piece));
    row.flush();
}

void drawDashedFrame(const Drawing& d, const QRectF& frame, const QColor& color, double width) {
    d.painter.setBrush(Qt::NoBrush);
    if (d.scene.heat) {
        d.painter.setPen(QPen(d.tokens.isDark ? d.tokens.underHeat : QColor(Qt::white), width + 2));
        d.painter.drawRoundedRect(frame, 3, 3);
    }
    QPen pen(color, width);
    pen.setDashPattern({7 / width, 4 / width});
    pen.setCapStyle(Qt::FlatCap);
    d.painter.setPen(pen);
    d.painter.drawRoundedRect(frame, 3, 3);
}

bool isSamePlace(const Goal& a, const Goal& b) {
    return a.x1 == b.x1 && a.y1 == b.y1 && a.x2 == b.x2 && a.y2 == b.y2;
}

/// Goals of several humans at one place are one frame with all their letters; the current one
/// gives it its colour.
std::vector<GoalMark> mergedGoals(const std::vector<GoalMark>& goals) {
    std::vector<GoalMark> merged;
    for (const GoalMark& goal : goals) {
        const auto same = std::ranges::find_if(
            merged, [&](const GoalMark& m) { return isSamePlace(m.where, goal.where); });
        if (same == merged.end()) {
            merged.push_back(goal);
            continue;
        }
        const QString letters =
            same->letter.contains(goal.letter) ? same->letter : same->letter + goal.letter;
        if (goal.isCurrent) *same = goal;
        same->letter = letters;
    }
    std::stable_partition(merged.begin(), merged.end(),
                          [](const GoalMark& m) { return !m.isCurrent; });
    return merged;
}

/// "ABC", but "A+7" for many humans: the tag stays in its cell.
QString shortLetters(const QString& letters) {
    constexpr int kMostLetters = 3;
    return letters.size() <= kMostLetters
               ? letters
               : QStringLiteral("%1+%2").arg(letters[0]).arg(letters.size() - 1);
}

void drawGoals(const Drawing& d) {
    if (!d.scene.showGoals) return;
    const double inset = d.scene.heat ? 3.5 : 2.5;
    for (const GoalMark& mark : mergedGoals(d.scene.goals)) {
        const QRectF frame = d.layout.cellRect(mark.where.x1, mark.where.y1)
                                 .united(d.layout.cellRect(mark.where.x2, mark.where.y2))
                                 .adjusted(inset, inset, -inset, -inset);
        if (frame.width() < 4) continue;
        const QColor color = d.tokens.data[static_cast<std::size_t>(mark.colorIndex)];
        drawDashedFrame(d, frame, color, mark.isCurrent ? 3 : 1.5);
        if (d.layout.cell >= kDetailCell)
            paintGoalTag(d.painter, frame.topLeft() + QPointF(1.5, 1.5), d.layout.cell, color,
                         shortLetters(mark.letter), d.tokens);
    }
}

void drawGhosts(const Drawing& d) {
    for (const Ghost& ghost : d.scene.ghosts) {
        const QRectF cell = d.layout.cellRect(ghost.piece.x, ghost.piece.y);
        PieceLook look = d.lookOf(ghost.piece);
        look.opacity = 0.55;
        paintPiece(d.painter, ghost.piece, cell, d.tokens, look);
        QPen pen(d.tokens.accent, 1.5);
        pen.setDashPattern({2.5, 1.8});
        d.painter.setPen(pen);
        d.painter.setBrush(Qt::NoBrush);
        d.painter.drawRoundedRect(cell.adjusted(2, 2, -2, -2), 3, 3);
        if (d.layout.cell < kDetailCell) continue;
        QString text = percentText(ghost.probability);
        if (d.scene.numbersGhosts && ghost.outcomes.size() == 1)
            text = QStringLiteral("%1: %2").arg(ghost.outcomes[0] + 1).arg(text);
        const QFont font = numberFont(10, QFont::DemiBold);
        const double width = QFontMetricsF(font).horizontalAdvance(text) + 6;
        const QRectF tag(cell.right() - width - 2, cell.bottom() - 16, width, 14);
        d.painter.setPen(Qt::NoPen);
        d.painter.setBrush(d.tokens.underHeat);
        d.painter.drawRoundedRect(tag, 2, 2);
        d.painter.setFont(font);
        d.painter.setPen(Qt::white);
        d.painter.drawText(tag, Qt::AlignCenter, text);
    }
}

/// Corner brackets: the cell changed.
void drawChanged(const Drawing& d) {
    for (const QPoint& cell : d.scene.changed) {
        const QRectF r = d.layout.cellRect(cell.x(), cell.y()).adjusted(2, 2, -2, -2);
        const double arm = r.width() * 0.25;
        for (const auto& [color, width] :
             {std::pair(d.tokens.underHeat, 4.0), std::pair(d.tokens.warning, 2.0)}) {
            if (!d.scene.heat && width > 2) continue;
            d.painter.setPen(QPen(color, width));
            for (const auto& [x, sx] : {std::pair(r.left(), 1.0), std::pair(r.right(), -1.0)})
                for (const auto& [y, sy] : {std::pair(r.top(), 1.0), std::pair(r.bottom(), -1.0)})
                    d.painter.drawPolyline(QPolygonF{QPointF(x + sx * arm, y), QPointF(x, y),
                                                     QPointF(x, y + sy * arm)});
        }
    }
}

void drawOutline(const Drawing& d, const QPoint& cell, const QColor& color, double width) {
    const QRectF r = d.layout.cellRect(cell.x(), cell.y()).adjusted(1, 1, -1, -1);
    d.painter.setBrush(Qt::NoBrush);
    if (d.scene.heat) {
        d.painter.setPen(QPen(d.tokens.underHeat, 5));
        d.painter.drawRoundedRect(r, 3, 3);
    }
    d.painter.setPen(QPen(color, width));
    d.painter.drawRoundedRect(r, 3, 3);
}

void drawCoordinates(const Drawing& d) {
    d.painter.setFont(numberFont(10));
    d.painter.setPen(d.tokens.text3);
    // Every 2nd, 5th, 10th ... where the numbers would touch.
    const int most = std::max(d.scene.width, d.scene.height) - 1;
    const double wanted =
        6 + QFontMetricsF(d.painter.font()).horizontalAdvance(QString::number(most));
    int stride = 1;
    for (int next = 0; stride * d.layout.cell < wanted && stride < most; ++next)
        stride = next % 3 == 1 ? stride / 2 * 5 : stride * 2;
    const QRectF& grid = d.layout.grid;
    for (int x = 0; x < d.scene.width; x += stride)
        d.painter.drawText(
            QRectF(grid.left() + x * d.layout.cell - 10, grid.top() - 20, d.layout.cell + 20, 16),
            Qt::AlignCenter, QString::number(x));
    for (int y = 0; y < d.scene.height; y += stride)
        d.painter.drawText(
            QRectF(grid.left() - 30, grid.top() + (y + 0.5) * d.layout.cell - 8, 22, 16),
            Qt::AlignRight | Qt::AlignVCenter, QString::number(y));
}

}  // namespace

QColor heatColor(const HeatField& field, double value) {
    const double range = field.high - field.low;
    const double alone = field.isDiverging ? 0.5 : 1.0;  // the one value there is
    const double t = range > 0 ? (value - field.low) / range : alone;
    return field.isDiverging ? divergingColor(2 * t - 1) : sequentialColor(t);
}

void paintWorld(QPainter& painter, const WorldScene& scene, const WorldLayout& layout,
                const Tokens& tokens) {
    if (layout.cell <= 0) return;
    Drawing d{painter, scene, layout, tokens};
    if (scene.heat || scene.arrows) d.noteCells();
    painter.save();
    if (scene.picture)
        paintPicture(painter, *scene.picture, {layout.grid, layout.cell}, tokens);
    else
        drawFloor(d);
    drawHeat(d);
    painter.setRenderHint(QPainter::Antialiasing);
    drawArrows(d);
    if (!scene.isThumbnail) drawGoals(d);
    drawPieces(d);
    if (!scene.isThumbnail) {
        drawVisits(d);
        drawGhosts(d);
        drawChanged(d);
        drawDragged(d);
        if (scene.current) drawOutline(d, *scene.current, tokens.accent, 3);
        if (scene.hover) drawOutline(d, *scene.hover, tokens.hover, 2);
        if (scene.showCoordinates) drawCoordinates(d);
        if (scene.heat) paintColorBar(painter, *scene.heat, layout.colorBar, tokens);
    }
    painter.restore();
}

}  // namespace orrery
