#include "widgets/replay/plane_grid.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/common/color_map.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr double kMapWidth = 118;  ///< pixels that a plane's cells take at most
constexpr double kTitleHeight = 18, kPlaneGap = 12, kPlaneMargin = 12;
constexpr double kLeastPlaneCell = 3, kLargestPlaneCell = 16;

/// The most that a plane's numbers reach: all kinds of numbers are drawn on one scale, but those of
/// magic walls, doors and densities go higher.
double topOf(float value) {
    return value <= 1 ? 1 : value <= 6 ? 6 : 256;
}

}  // namespace

PlaneGrid::PlaneGrid(QWidget* parent) : PaintedWidget(parent) {
    setObjectName(QStringLiteral("planeGrid"));
    setAccessibleName(tr("Planes"));
    setToolTip(
        tr("One heat map a plane. Point at a cell to read its number; arrow keys move, Page "
           "Up and Page Down go to the plane above or below."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void PlaneGrid::setState(std::shared_ptr<const ShownState> state, PlaneLayout layout) {
    m_state = std::move(state);
    m_layout = layout;
    if (m_picked &&
        (!m_state || m_picked->place >= numShown() || m_picked->cell.x() >= m_state->shape.width ||
         m_picked->cell.y() >= m_state->shape.height))
        m_picked.reset();
    updateGeometry();
    update();
    Q_EMIT readoutChanged(readout());
}

void PlaneGrid::setCell(std::optional<QPoint> cell) {
    m_cell = cell;
    update();
}

int PlaneGrid::numShown() const {
    return m_state ? numPlanes(m_layout) : 0;
}

double PlaneGrid::cellSize() const {
    if (!m_state) return kLeastPlaneCell;
    const int longest = std::max(m_state->shape.width, m_state->shape.height);
    return std::clamp(std::floor(kMapWidth / longest), kLeastPlaneCell, kLargestPlaneCell);
}

QSizeF PlaneGrid::tileSize() const {
    if (!m_state) return {kMapWidth, kMapWidth};
    return {std::max(kMapWidth, cellSize() * m_state->shape.width),
            kTitleHeight + cellSize() * m_state->shape.height};
}

int PlaneGrid::columns(int width) const {
    const double step = tileSize().width() + kPlaneGap;
    return std::max(1, static_cast<int>((width - 2 * kPlaneMargin + kPlaneGap) / step));
}

int PlaneGrid::heightForWidth(int width) const {
    const int perRow = columns(width);
    const int rows = (numShown() + perRow - 1) / perRow;
    return static_cast<int>(2 * kPlaneMargin + rows * (tileSize().height() + kPlaneGap));
}

QRectF PlaneGrid::tileRect(int place) const {
    const int perRow = columns(width());
    const QSizeF size = tileSize();
    const int row = place / perRow;
    return QRectF(QPointF(kPlaneMargin + place % perRow * (size.width() + kPlaneGap),
                          kPlaneMargin + row * (size.height() + kPlaneGap)),
                  size);
}

std::optional<PlaneGrid::Spot> PlaneGrid::spotAt(const QPointF& point) const {
    for (int place = 0; place < numShown(); ++place) {
        const QRectF tile = tileRect(place);
        if (!tile.contains(point)) continue;
        const QPoint cell(
            static_cast<int>(std::floor((point.x() - tile.left()) / cellSize())),
            static_cast<int>(std::floor((point.y() - tile.top() - kTitleHeight) / cellSize())));
        if (point.y() < tile.top() + kTitleHeight || cell.x() >= m_state->shape.width ||
            cell.y() >= m_state->shape.height)
            return std::nullopt;
        return Spot{place, cell};
    }
    return std::nullopt;
}

float PlaneGrid::value(int place, const QPoint& cell) const {
    const std::vector<float>& planes =
        m_layout == PlaneLayout::Whole ? m_state->planes40 : m_state->planes39;
    return planes[static_cast<std::size_t>(place) * m_state->shape.cells() +
                  static_cast<std::size_t>(cell.y() * m_state->shape.width + cell.x())];
}

QString PlaneGrid::nameOf(int place) const {
    for (int plane = 0; plane < kNumPlanes; ++plane)
        if (placeOf(plane, m_layout) == place) return QString::fromStdString(planeName(plane));
    return {};
}

QString PlaneGrid::readout() const {
    if (!m_state || !m_picked) return {};
    return tr("%1 %2 · cell %3,%4 = %5")
        .arg(m_picked->place)
        .arg(nameOf(m_picked->place))
        .arg(m_picked->cell.x())
        .arg(m_picked->cell.y())
        .arg(value(m_picked->place, m_picked->cell));
}

void PlaneGrid::setPicked(std::optional<Spot> spot) {
    if (spot == m_picked) return;
    m_picked = spot;
    update();
    Q_EMIT readoutChanged(readout());
}

void PlaneGrid::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.fillRect(rect(), currentTokens().canvas);
    for (int place = 0; place < numShown(); ++place)
        if (tileRect(place).adjusted(-3, -3, 3, 3).intersects(QRectF(event->rect())))
            paintTile(painter, place);
}

void PlaneGrid::paintTile(QPainter& painter, int place) const {
    const Tokens& t = currentTokens();
    const QRectF tile = tileRect(place);
    const double cell = cellSize();
    float most = 0;
    for (int y = 0; y < m_state->shape.height; ++y)
        for (int x = 0; x < m_state->shape.width; ++x) most = std::max(most, value(place, {x, y}));
    painter.setFont(interfaceFont(11, most > 0 ? QFont::DemiBold : QFont::Normal));
    painter.setPen(most > 0 ? t.text : t.text3);
    const QString title = QStringLiteral("%1  %2").arg(place).arg(nameOf(place));
    painter.drawText(
        QRectF(tile.topLeft(), QSizeF(tile.width(), kTitleHeight - 2)),
        Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(title, Qt::ElideRight, static_cast<int>(tile.width())));
    const QPointF origin = tile.topLeft() + QPointF(0, kTitleHeight);
    const auto cellRect = [&](const QPoint& at) {
        return QRectF(origin + QPointF(at.x() * cell, at.y() * cell), QSizeF(cell, cell));
    };
    const QRectF map(origin, QSizeF(cell * m_state->shape.width, cell * m_state->shape.height));
    painter.fillRect(map, t.floor);
    for (int y = 0; y < m_state->shape.height; ++y)
        for (int x = 0; x < m_state->shape.width; ++x)
            if (const float v = value(place, {x, y}); v != 0)
                painter.fillRect(cellRect({x, y}), sequentialColor(v / topOf(most)));
    painter.setPen(QPen(t.floorLine, 1));
    if (cell >= 6) {
        for (int x = 1; x < m_state->shape.width; ++x)
            painter.drawLine(QPointF(origin.x() + x * cell, map.top()),
                             QPointF(origin.x() + x * cell, map.bottom()));
        for (int y = 1; y < m_state->shape.height; ++y)
            painter.drawLine(QPointF(map.left(), origin.y() + y * cell),
                             QPointF(map.right(), origin.y() + y * cell));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(most > 0 ? t.strongBorder : t.border, 1));
    painter.drawRect(map.adjusted(-0.5, -0.5, 0.5, 0.5));
    const auto outline = [&](const QPoint& at, const QColor& color) {
        painter.setPen(QPen(t.underHeat, 4));
        painter.drawRect(cellRect(at));
        painter.setPen(QPen(color, 2));
        painter.drawRect(cellRect(at));
    };
    if (m_cell && m_cell->x() < m_state->shape.width && m_cell->y() < m_state->shape.height)
        outline(*m_cell, t.accent);
    if (m_picked && m_picked->place == place)
        outline(m_picked->cell, hasFocus() ? t.accent : t.hover);
}

void PlaneGrid::mouseMoveEvent(QMouseEvent* event) {
    setPicked(spotAt(event->position()));
}

void PlaneGrid::mousePressEvent(QMouseEvent* event) {
    setPicked(spotAt(event->position()));
    if (m_picked) Q_EMIT cellPicked(m_picked->cell);
}

void PlaneGrid::leaveEvent(QEvent*) {
    if (!hasFocus()) setPicked(std::nullopt);
}

void PlaneGrid::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (!m_picked && numShown() > 0 && event->reason() != Qt::MouseFocusReason)
        setPicked(Spot{0, QPoint(0, 0)});
}

void PlaneGrid::keyPressEvent(QKeyEvent* event) {
    if (numShown() == 0) return QWidget::keyPressEvent(event);
    Spot spot = m_picked.value_or(Spot{});
    const int perRow = columns(width());
    switch (event->key()) {
        case Qt::Key_Left:
            if (spot.cell.x() > 0) {
                spot.cell.rx() -= 1;
            } else if (spot.place > 0) {
                spot.place -= 1;
                spot.cell.setX(m_state->shape.width - 1);
            }
            break;
        case Qt::Key_Right:
            if (spot.cell.x() + 1 < m_state->shape.width) {
                spot.cell.rx() += 1;
            } else if (spot.place + 1 < numShown()) {
                spot.place += 1;
                spot.cell.setX(0);
            }
            break;
        case Qt::Key_Up:
            spot.cell.setY(std::max(0, spot.cell.y() - 1));
            break;
        case Qt::Key_Down:
            spot.cell.setY(std::min(m_state->shape.height - 1, spot.cell.y() + 1));
            break;
        case Qt::Key_PageUp:
            spot.place = std::max(0, spot.place - perRow);
            break;
        case Qt::Key_PageDown:
            spot.place = std::min(numShown() - 1, spot.place + perRow);
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            Q_EMIT cellPicked(spot.cell);
            break;
        default:
            return QWidget::keyPressEvent(event);
    }
    setPicked(spot);
}

std::vector<NamedSpot> PlaneGrid::namedSpots() const {
    std::vector<NamedSpot> spots;
    for (int place = 0; place < numShown(); ++place) {
        const QRect tile = tileRect(place).toAlignedRect();
        if (!visibleRegion().boundingRect().intersects(tile)) continue;
        double sum = 0;
        for (int y = 0; y < m_state->shape.height; ++y)
            for (int x = 0; x < m_state->shape.width; ++x) sum += value(place, {x, y});
        spots.push_back(
            {.name = QStringLiteral("plane %1").arg(place),
             .rect = tile,
             .facts = {{QStringLiteral("text"), nameOf(place)}, {QStringLiteral("sum"), sum}}});
    }
    return spots;
}

QJsonObject PlaneGrid::spotFacts() const {
    return {{QStringLiteral("planes"), numShown()}, {QStringLiteral("readout"), readout()}};
}

}  // namespace orrery
