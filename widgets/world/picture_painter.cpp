#include "widgets/world/picture_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/world/world_picture.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/world/piece_painter.h"
#include "widgets/world/world_painter.h"

namespace orrery {

namespace {

constexpr double kLeastText = 7;  ///< pixels; smaller text is no text

QColor opaqueColor(const PictureColor& color, const Tokens& tokens) {
    switch (color.tone) {
        case Tone::Ink:
            return tokens.text;
        case Tone::Muted:
            return tokens.text3;
        case Tone::Line:
            return tokens.floorLine;
        case Tone::Ground:
            return tokens.floor;
        case Tone::Solid:
            return tokens.wall;
        case Tone::Good:
            return tokens.ok;
        case Tone::Bad:
            return tokens.error;
        case Tone::Warning:
            return tokens.warning;
        case Tone::Accent:
            return tokens.accent;
        case Tone::Data:
            return tokens.data[color.index % tokens.data.size()];
        case Tone::Thing:
            return tokens.world[color.index % tokens.world.size()];
        case Tone::Fixed:
            break;
    }
    return {color.red, color.green, color.blue};
}

QColor colorOf(const PictureColor& color, const Tokens& tokens) {
    QColor drawn = opaqueColor(color, tokens);
    drawn.setAlphaF(std::clamp(color.opacity, 0.F, 1.F));
    return drawn;
}

/// `corners` points around the middle, at these radii in turn, the first one to the right.
QPolygonF regular(int corners, double outer, double inner) {
    QPolygonF polygon;
    for (int i = 0; i < corners; ++i) {
        const double angle = 2 * std::numbers::pi * i / corners;
        const double radius = i % 2 == 0 ? outer : inner;
        polygon << QPointF(radius * std::cos(angle), radius * std::sin(angle));
    }
    return polygon;
}

QPainterPath pathOf(const QPolygonF& polygon) {
    QPainterPath path;
    path.addPolygon(polygon);
    path.closeSubpath();
    return path;
}

/// In a box of size 1 around 0.
QPainterPath pathOf(PictureSprite::Shape shape) {
    using enum PictureSprite::Shape;
    QPainterPath path;
    switch (shape) {
        case Disc:
            path.addEllipse(QRectF(-0.5, -0.5, 1, 1));
            break;
        case Square:
            path.addRect(QRectF(-0.5, -0.5, 1, 1));
            break;
        case Triangle:
            return pathOf(QPolygonF({{0.5, 0}, {-0.4, 0.45}, {-0.4, -0.45}}));
        case Diamond:
            return pathOf(regular(4, 0.5, 0.5));
        case Star:
            return pathOf(regular(10, 0.5, 0.22));
        case Cross:
            path.addPolygon(QPolygonF({{-0.45, -0.3}, {-0.3, -0.45}, {0.45, 0.3}, {0.3, 0.45}}));
            path.closeSubpath();
            path.addPolygon(QPolygonF({{0.3, -0.45}, {0.45, -0.3}, {-0.3, 0.45}, {-0.45, 0.3}}));
            path.closeSubpath();
            path.setFillRule(Qt::WindingFill);
            break;
        case Ring:
            path.addEllipse(QRectF(-0.5, -0.5, 1, 1));
            path.addEllipse(QRectF(-0.3, -0.3, 0.6, 0.6));
            break;
        case Flag:
            path.addRect(QRectF(-0.34, -0.5, 0.1, 1));
            path.addPolygon(QPolygonF({{-0.24, -0.5}, {0.45, -0.22}, {-0.24, 0.06}}));
            path.closeSubpath();
            break;
    }
    return path;
}

/// One drawing of a picture.
struct PictureDrawing {
    QPainter& painter;
    const PictureLayout& layout;
    const Tokens& tokens;

    QPointF at(const PicturePoint& point) const { return layout.rect(point, 0, 0).topLeft(); }

    void text(const std::string& text, const QPointF& middle, double height,
              const QColor& color) const {
        if (text.empty() || height < kLeastText) return;
        painter.setFont(numberFont(height, QFont::DemiBold));
        painter.setPen(color);
        const QRectF box(middle.x() - 500, middle.y() - height, 1000, 2 * height);
        painter.drawText(box, Qt::AlignCenter, QString::fromStdString(text));
    }

    void draw(const PictureTile& tile) const {
        painter.fillRect(layout.rect(tile.corner, tile.width, tile.height),
                         colorOf(tile.fill, tokens));
    }

    void draw(const PictureFrame& frame) const {
        const QRectF rect =
            layout.rect(frame.corner, frame.width, frame.height).adjusted(2.5, 2.5, -2.5, -2.5);
        if (rect.width() < 4) return;
        const QColor color = colorOf(frame.color, tokens);
        QPen pen(color, frame.isStrong ? 3 : 1.5, Qt::DashLine);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect, 3, 3);
        if (layout.cell >= kDetailCell && !frame.label.empty())
            paintGoalTag(painter, rect.topLeft() + QPointF(1.5, 1.5), layout.cell, color,
                         QString::fromStdString(frame.label), tokens);
    }

    void draw(const PictureLine& line) const {
        if (line.points.size() < 2) return;
        QPolygonF points;
        for (const PicturePoint& point : line.points) points << at(point);
        const double width = std::max(1.0, line.width * layout.cell);
        const QColor color = colorOf(line.color, tokens);
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(points);
        if (!line.isArrow) return;
        const QPointF tip = points.last(), from = points[points.size() - 2];
        const double angle = std::atan2(tip.y() - from.y(), tip.x() - from.x());
        const double length = std::max(4.0, 3 * width);
        QPolygonF head{tip};
        for (const double side : {0.85, -0.85})
            head << tip - length * QPointF(std::cos(angle + side / 2), std::sin(angle + side / 2));
        painter.setBrush(color);
        painter.drawPolygon(head);
    }

    void draw(const PictureSprite& sprite) const {
        const double size = sprite.size * layout.cell;
        const QColor fill = colorOf(sprite.fill, tokens);
        painter.save();
        painter.translate(at(sprite.center));
        painter.rotate(sprite.degrees);
        painter.scale(size, size);
        QPen edge(fill.darker(150), 1);
        edge.setCosmetic(true);
        painter.setPen(sprite.isOutlined && size >= 6 ? edge : QPen(Qt::NoPen));
        painter.setBrush(fill);
        painter.drawPath(pathOf(sprite.shape));
        painter.restore();
        text(sprite.label, at(sprite.center), size * 0.5,
             fill.alphaF() > 0.5F ? textOn(fill) : tokens.text);
    }

    void draw(const PictureLabel& label) const {
        text(label.text, at(label.center), label.height * layout.cell,
             colorOf(label.color, tokens));
    }

    void drawGrid(const Picture& picture) const {
        if (layout.cell < 6) return;
        painter.setPen(QPen(tokens.floorLine, 1));
        const QRectF& area = layout.area;
        for (int x = 0; x <= static_cast<int>(picture.width); ++x)
            painter.drawLine(QPointF(area.left() + x * layout.cell, area.top()),
                             QPointF(area.left() + x * layout.cell, area.bottom()));
        for (int y = 0; y <= static_cast<int>(picture.height); ++y)
            painter.drawLine(QPointF(area.left(), area.top() + y * layout.cell),
                             QPointF(area.right(), area.top() + y * layout.cell));
    }
};

/// A picture whose sprites are pieces, as the scene that it was made from.
WorldScene sceneOf(const Picture& picture) {
    WorldScene scene;
    scene.width = static_cast<int>(picture.width);
    scene.height = static_cast<int>(picture.height);
    scene.showCoordinates = false;
    for (const PictureLayer& layer : picture.layers) {
        for (const PictureSprite& sprite : layer.sprites) {
            const Piece piece = pieceOf(sprite);
            scene.pieces.push_back(piece);
            if (piece.kind != PieceKind::Agent || piece.agent < 0) continue;
            const auto agent = static_cast<std::size_t>(piece.agent);
            if (scene.letters.size() <= agent) scene.letters.resize(agent + 1);
            scene.letters[agent] = QString::fromStdString(sprite.label);
        }
        for (const PictureFrame& frame : layer.frames)
            scene.goals.push_back(
                {.human = frame.owner,
                 .goal = frame.number,
                 .where = {.x1 = static_cast<int>(frame.corner.x),
                           .y1 = static_cast<int>(frame.corner.y),
                           .x2 = static_cast<int>(frame.corner.x + frame.width) - 1,
                           .y2 = static_cast<int>(frame.corner.y + frame.height) - 1},
                 .letter = QString::fromStdString(frame.label),
                 .colorIndex = frame.color.index,
                 .isCurrent = frame.isStrong});
    }
    return scene;
}

void paintPieces(QPainter& painter, const Picture& picture, const PictureLayout& layout,
                 const Tokens& tokens) {
    const WorldLayout where{
        .grid = layout.area, .cell = layout.cell, .colorBar = {}, .visible = {}};
    paintWorld(painter, sceneOf(picture), where, tokens);
}

/// Who draws the sprites of a book: a plain list.
struct Book {
    std::string_view name;
    void (*paint)(QPainter&, const Picture&, const PictureLayout&, const Tokens&);
};
constexpr Book kBooks[] = {{kPieceBook, paintPieces}};

}  // namespace

PictureLayout layoutPicture(const QRectF& area, const Picture& picture) {
    constexpr double kMargin = 8;
    const QRectF inner = area.adjusted(kMargin, kMargin, -kMargin, -kMargin);
    double cell = std::min(inner.width() / picture.width, inner.height() / picture.height);
    if (!(cell > 0)) return {};
    if (cell >= 8) cell = std::floor(cell);
    QRectF whole(0, 0, cell * picture.width, cell * picture.height);
    whole.moveCenter(inner.center());
    whole.moveTopLeft(whole.topLeft().toPoint());
    return {.area = whole, .cell = cell};
}

void paintPicture(QPainter& painter, const Picture& picture, const PictureLayout& layout,
                  const Tokens& tokens) {
    if (layout.cell <= 0) return;
    for (const Book& book : kBooks)
        if (book.name == picture.book) return book.paint(painter, picture, layout, tokens);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const PictureDrawing drawing{painter, layout, tokens};
    bool isFirst = true;
    for (const PictureLayer& layer : picture.layers) {
        for (const PictureTile& tile : layer.tiles) drawing.draw(tile);
        if (isFirst && picture.hasGrid) drawing.drawGrid(picture);
        isFirst = false;
        for (const PictureFrame& frame : layer.frames) drawing.draw(frame);
        for (const PictureLine& line : layer.lines) drawing.draw(line);
        for (const PictureSprite& sprite : layer.sprites) drawing.draw(sprite);
        for (const PictureLabel& label : layer.labels) drawing.draw(label);
    }
    painter.restore();
}

std::vector<NamedSpot> spotsOf(const Picture& picture, const PictureLayout& layout) {
    std::vector<NamedSpot> spots;
    for (const PictureLayer& layer : picture.layers)
        for (const PictureSprite& sprite : layer.sprites) {
            if (sprite.label.empty()) continue;
            const PicturePoint corner{sprite.center.x - sprite.size / 2,
                                      sprite.center.y - sprite.size / 2};
            spots.push_back({QString::fromStdString(sprite.name + " " + sprite.label),
                             layout.rect(corner, sprite.size, sprite.size).toAlignedRect(),
                             {{QStringLiteral("x"), static_cast<int>(sprite.center.x)},
                              {QStringLiteral("y"), static_cast<int>(sprite.center.y)}}});
        }
    return spots;
}

}  // namespace orrery
