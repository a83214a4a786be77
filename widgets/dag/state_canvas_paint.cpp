#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "core/dag/state_marks.h"
#include "core/solve/solution.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/card_pictures.h"
#include "widgets/dag/state_canvas.h"
#include "widgets/world/world_painter.h"

namespace orrery {

namespace {

constexpr double kStub = 15;      ///< pixels of an open end
constexpr double kDotZoom = 0.2;  ///< below it a card is a dot
constexpr std::size_t kMaxCurves = 400;

/// The part of a line between the top and the bottom of the widget: painting hundreds of thousands
/// of pixels outside would cost as much as inside.
QLineF clipped(const QLineF& line, double height) {
    if (line.dy() == 0) return line;
    const double top = std::clamp((-20 - line.y1()) / line.dy(), 0.0, 1.0);
    const double bottom = std::clamp((height + 20 - line.y1()) / line.dy(), 0.0, 1.0);
    return QLineF(line.pointAt(std::min(top, bottom)), line.pointAt(std::max(top, bottom)));
}

/// An outline of whole pixels; cheaper than a stroke, of which there may be hundreds.
void outline(QPainter& painter, const QRectF& box, double width, const QColor& color) {
    const QRectF outer = box.adjusted(-width / 2, -width / 2, width / 2, width / 2);
    painter.fillRect(QRectF(outer.topLeft(), QSizeF(outer.width(), width)), color);
    painter.fillRect(QRectF(outer.left(), outer.bottom() - width, outer.width(), width), color);
    painter.fillRect(QRectF(outer.topLeft(), QSizeF(width, outer.height())), color);
    painter.fillRect(QRectF(outer.right() - width, outer.top(), width, outer.height()), color);
}

QString edgeProbabilityText(double probability) {
    return probability < 0.005 ? QStringLiteral("<.01") : QString::number(probability, 'f', 2);
}

}  // namespace

void StateCanvas::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.fillRect(rect(), t.canvas);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (m_graph.nodes().empty())
        paintEmpty(painter, t);
    else
        paintGraph(painter, t);
    if (m_isSlow) paintSkeleton(painter, t);
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
    }
}

void StateCanvas::paintGraph(QPainter& painter, const Tokens& t) {
    m_cards.clear();
    for (int node = 0; node < std::ssize(m_graph.nodes()); ++node)
        m_cards.push_back(cardRect(node));
    chooseEdges();
    paintEdges(painter, t);
    // On paper a card is whole or left out.
    const QRectF seen = area().adjusted(-30, -4, 30, 4);
    if (m_zoom < kDotZoom) paintDots(painter, t);
    for (int node = 0; node < std::ssize(m_graph.nodes()) && m_zoom >= kDotZoom; ++node)
        if (m_figure ? area().contains(m_cards[static_cast<std::size_t>(node)])
                     : m_cards[static_cast<std::size_t>(node)].intersects(seen)) {
            if (isDetailed()) paintStubs(painter, t, node);
            paintCard(painter, t, node);
        }
    for (const int edge : m_curves)
        paintEdgeLabel(painter, t, m_graph.edges()[static_cast<std::size_t>(edge)]);
}

void StateCanvas::paintEmpty(QPainter& painter, const Tokens& t) const {
    painter.setFont(interfaceFont(12));
    painter.setPen(t.text2);
    paintEmptyText(painter, rect(),
                   m_solution ? tr("This state is not in the solved graph.")
                              : tr("Solve the world (F5) to walk through its states."));
}

/// The shape of what will come: neighbours without a picture.
void StateCanvas::paintSkeleton(QPainter& painter, const Tokens& t) const {
    const auto state = current();
    const auto at = state ? m_graph.find(*state) : std::nullopt;
    if (at && m_graph.nodes().size() < 2) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(mixed(t.canvas, t.border, 0.6));
        const QPointF step(CanvasGraph::kColumnPitch * m_zoom, CanvasGraph::kRowPitch * m_zoom);
        for (const double side : {-1.0, 1.0})
            for (const double row : {-1.0, 0.0, 1.0})
                painter.drawRoundedRect(cardRect(*at).translated(side * step.x(), row * step.y()),
                                        6, 6);
    }
    painter.setFont(interfaceFont(11));
    painter.setPen(t.text2);
    painter.drawText(QRectF(rect()).adjusted(16, 0, -16, -8), Qt::AlignLeft | Qt::AlignBottom,
                     tr("Looking for neighbours"));
}

bool StateCanvas::isStrong(const CanvasEdge& edge) const {
    const auto now = current();
    if (!now || !m_highlighted) return false;
    return m_graph.nodes()[static_cast<std::size_t>(edge.from)].state == *now &&
           m_graph.nodes()[static_cast<std::size_t>(edge.to)].state == *m_highlighted;
}

void StateCanvas::chooseEdges() {
    m_curves.clear();
    m_lines.clear();
    const QRectF seen = area();
    const auto isSeen = [&](int node) {
        return m_cards[static_cast<std::size_t>(node)].intersects(seen);
    };
    for (const int index : m_edgeOrder) {
        const CanvasEdge& edge = m_graph.edges()[static_cast<std::size_t>(index)];
        if (!isSeen(edge.from) && !isSeen(edge.to)) continue;
        const double rise = std::abs(m_cards[static_cast<std::size_t>(edge.from)].center().y() -
                                     m_cards[static_cast<std::size_t>(edge.to)].center().y());
        // A curve that is mostly outside costs the more the longer it is.
        const bool isShort = rise < 2.0 * area().height();
        if (isStrong(edge) || (isDetailed() && isShort && m_curves.size() < kMaxCurves))
            m_curves.push_back(index);
        else if (m_lines.size() < kMaxDrawnEdges)
            m_lines.push_back(index);
    }
    // What matters most is drawn last.
    std::ranges::reverse(m_curves);
    std::stable_partition(m_curves.begin(), m_curves.end(), [this](int index) {
        return !isStrong(m_graph.edges()[static_cast<std::size_t>(index)]);
    });
}

void StateCanvas::paintEdges(QPainter& painter, const Tokens& t) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, m_lines.size() < 1000);
    painter.setPen(QPen(mixed(t.canvas, t.text3, 0.55), 1));
    std::vector<QLineF> lines;
    for (const int index : m_lines) {
        const CanvasEdge& edge = m_graph.edges()[static_cast<std::size_t>(index)];
        const QRectF& from = m_cards[static_cast<std::size_t>(edge.from)];
        const QRectF& to = m_cards[static_cast<std::size_t>(edge.to)];
        lines.push_back(clipped(
            QLineF(QPointF(from.right(), from.center().y()), QPointF(to.left(), to.center().y())),
            area().height()));
    }
    painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    painter.restore();
    for (const int index : m_curves)
        paintEdge(painter, t, m_graph.edges()[static_cast<std::size_t>(index)]);
}

/// Thousands of cards from afar.
void StateCanvas::paintDots(QPainter& painter, const Tokens& t) const {
    std::vector<QRectF> plain, marked;
    const auto& marks = m_session->selection().stateMarks();
    const QRectF seen = area();
    for (std::size_t node = 0; node < m_cards.size(); ++node)
        if (m_cards[node].intersects(seen))
            (marks && marks->contains(m_graph.nodes()[node].state) ? marked : plain)
                .push_back(m_cards[node]);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(t.strongBorder, t.text3, 0.4));
    painter.drawRects(plain.data(), static_cast<int>(plain.size()));
    painter.setBrush(t.data[0]);
    painter.drawRects(marked.data(), static_cast<int>(marked.size()));
    painter.setRenderHint(QPainter::Antialiasing);
    const auto state = current();
    if (const auto at = state ? m_graph.find(*state) : std::nullopt) {
        painter.setPen(QPen(t.accent, 3));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(m_cards[static_cast<std::size_t>(*at)].adjusted(-3, -3, 3, 3));
    }
}

void StateCanvas::paintEdge(QPainter& painter, const Tokens& t, const CanvasEdge& edge) const {
    const QRectF from = m_cards[static_cast<std::size_t>(edge.from)];
    const QRectF to = m_cards[static_cast<std::size_t>(edge.to)];
    const QPointF start(from.right(), from.center().y());
    const QPointF end(to.left(), to.center().y());
    const double bend = (end.x() - start.x()) * 0.55;
    const bool isNow = isStrong(edge);
    const QColor color = isNow ? t.accent : mixed(t.canvas, t.text3, 0.8);
    const double width = (1 + 6 * edge.probability) * std::clamp(m_zoom, 0.5, 1.0);
    const double arrow = 5 + width * 0.8;
    QPainterPath path(start);
    path.cubicTo(start + QPointF(bend, 0), end - QPointF(bend, 0), end - QPointF(arrow, 0));
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    const QPointF head[3] = {end, end + QPointF(-arrow - 1, -arrow * 0.62),
                             end + QPointF(-arrow - 1, arrow * 0.62)};
    painter.drawPolygon(head, 3);
}

void StateCanvas::paintEdgeLabel(QPainter& painter, const Tokens& t, const CanvasEdge& edge) const {
    if (!hasText()) return;
    const QRectF tail = m_cards[static_cast<std::size_t>(edge.from)];
    const QRectF head = m_cards[static_cast<std::size_t>(edge.to)];
    // Beside the end that has the edge for itself.
    const QPointF middle = edge.isForward ? QPointF(head.left() - 34 * m_zoom, head.center().y())
                                          : QPointF(tail.right() + 30 * m_zoom, tail.center().y());
    if (!area().adjusted(-40, -20, 40, 20).contains(middle)) return;
    const double pixels = std::clamp(10.5 * m_zoom, m_figure ? 4.0 : 8.0, 12.0);
    const QRectF box(middle.x() - pixels * 1.55, middle.y() - pixels * 0.78, pixels * 3.1,
                     pixels * 1.56);
    painter.setPen(QPen(isStrong(edge) ? t.accent : t.border, 1));
    painter.setBrush(t.canvas);
    painter.drawRoundedRect(box, 4, 4);
    painter.setFont(numberFont(pixels));
    painter.setPen(t.text);
    painter.drawText(box, Qt::AlignCenter, edgeProbabilityText(edge.probability));
}

/// Dashed ends where neighbours are not shown, with their number where it is known.
void StateCanvas::paintStubs(QPainter& painter, const Tokens& t, int node) const {
    const CanvasNode& shown = m_graph.nodes()[static_cast<std::size_t>(node)];
    const QRectF card = m_cards[static_cast<std::size_t>(node)];
    const int lastStep = m_solution->graph().numLevels() - 1;
    painter.setFont(numberFont(std::clamp(10 * m_zoom, m_figure ? 4.0 : 8.0, 11.0)));
    for (const bool isForward : {false, true}) {
        const bool hasMore = isForward ? shown.state.step < lastStep : shown.state.step > 0;
        const std::int64_t numLeftOut = shown.numLeftOut[isForward];
        if (!hasMore || (shown.isExpanded[isForward] && numLeftOut == 0)) continue;
        const QPointF from(isForward ? card.right() : card.left(), card.center().y());
        const double direction = isForward ? 1 : -1;
        QPen pen(t.text3, 1.5);
        pen.setDashPattern({2, 1.6});
        pen.setCapStyle(Qt::FlatCap);
        painter.setPen(pen);
        const QPointF shift(
            0, numLeftOut != 0 && shown.isExpanded[isForward] ? card.height() * 0.36 : 0);
        painter.drawLine(from + shift, from + shift + QPointF(direction * kStub * m_zoom, 0));
        if (numLeftOut <= 0 || !hasText()) continue;
        painter.setPen(t.text3);
        const QString text = QStringLiteral("+%1").arg(countText(numLeftOut));
        const QRectF box(
            isForward ? from.x() + (kStub + 3) * m_zoom : from.x() - (kStub + 3) * m_zoom - 60,
            from.y() + shift.y() - 8, 60, 16);
        painter.drawText(box, (isForward ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                         text);
    }
}

void StateCanvas::paintCard(QPainter& painter, const Tokens& t, int node) {
    const CanvasNode& shown = m_graph.nodes()[static_cast<std::size_t>(node)];
    const QRectF card = m_cards[static_cast<std::size_t>(node)];
    const Selection& selection = m_session->selection();
    const bool isNow = current() == shown.state;
    const bool isLit = m_highlighted == shown.state && !isNow;
    const auto* hovered =
        selection.hover() && !m_figure ? std::get_if<StateItem>(&*selection.hover()) : nullptr;
    const bool isHovered = hovered && hovered->step == shown.state.step &&
                           hovered->index == static_cast<std::int64_t>(shown.state.config);
    const bool isInSet = selection.stateMarks() && selection.stateMarks()->contains(shown.state);
    const double radius = std::max(1.5, 6 * m_zoom);
    if (!hasText()) {
        painter.fillRect(card, t.strongBorder);
        painter.fillRect(card.adjusted(1, 1, -1, -1), isInSet ? t.setTint : t.raised);
    } else {
        painter.setPen(QPen(t.strongBorder, 1));
        painter.setBrush(isInSet ? t.setTint : t.raised);
        painter.drawRoundedRect(card, radius, radius);
    }
    if (isDetailed()) {
        const QRectF picture(card.topLeft() + QPointF(5, 5) * m_zoom,
                             QSizeF(m_pictures->size()) * m_zoom);
        if (m_figure)
            m_pictures->paint(painter, shown.state.config, picture, t);
        else if (const QImage* image = m_pictures->picture(shown.state.config))
            painter.drawImage(picture, *image);
        else
            painter.fillRect(picture, mixed(t.raised, t.border, 0.6));
        paintChanges(painter, t, node, picture);
        if (hasText()) paintCardText(painter, t, node, picture.bottom());
    }
    painter.setBrush(Qt::NoBrush);
    if (isNow) {
        painter.setPen(QPen(t.accent, 3));
        painter.drawRoundedRect(card, radius, radius);
    } else if (isLit || isHovered) {
        painter.setPen(QPen(isLit && !isHovered ? t.text2 : t.hover, 2));
        painter.drawRoundedRect(card, radius, radius);
    }
}

void StateCanvas::paintCardText(QPainter& painter, const Tokens& t, int node, double top) const {
    const CanvasNode& shown = m_graph.nodes()[static_cast<std::size_t>(node)];
    const QRectF& card = m_cards[static_cast<std::size_t>(node)];
    const bool isNow = current() == shown.state;
    const QRectF text(card.left() + 6 * m_zoom, top, card.width() - 12 * m_zoom,
                      card.bottom() - top);
    const QString name = stateText(shown.state.step, shown.state.config);
    painter.setFont(numberFont(10.5 * m_zoom, isNow ? QFont::DemiBold : QFont::Normal));
    painter.setPen(t.text);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, name);
    if (m_solution->spec().phase1Only) return;
    // As many decimals as the name leaves room for; each is taken to be as wide as a digit, since a
    // frame has hundreds of cards and measuring every text took a quarter of it.
    const QFontMetricsF metrics(painter.font());
    const double digit = metrics.horizontalAdvance(u'0');
    const double room = text.width() - metrics.horizontalAdvance(name) - 4 * m_zoom;
    QString value;
    for (int decimals = 3; decimals >= 0; --decimals) {
        value = valueText(m_solution->v_r(shown.state), decimals);
        if (digit * static_cast<double>(value.size()) <= room) break;
    }
    painter.setPen(isNow ? t.text : t.text2);
    painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, value);
}

void StateCanvas::paintChanges(QPainter& painter, const Tokens& t, int node,
                               const QRectF& picture) {
    const std::vector<QPoint>& cells = changedIn(node);
    if (cells.empty()) return;
    painter.setBrush(Qt::NoBrush);
    for (const QPoint& cell : cells) {
        const QRectF at = m_pictures->cellRect(cell);
        if (at.isEmpty()) continue;
        const QRectF box(picture.topLeft() + at.topLeft() * m_zoom, at.size() * m_zoom);
        const double width = std::clamp(1.5 * m_zoom, 1.0, 2.0);
        outline(painter, box, width + (t.isDark ? 1.5 : 0.8), t.underHeat);
        outline(painter, box, width, t.warning);
    }
}

}  // namespace orrery
