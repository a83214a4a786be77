#include "tests/support/corridor_window/corridor_walk.h"

#include <QKeyEvent>
#include <QPainter>
#include <cmath>

#include "tests/support/corridor_window/corridor_part.h"
#include "widgets/common/tokens.h"
#include "widgets/world/picture_painter.h"

namespace orrery::test {

CorridorWalk::CorridorWalk(CorridorPart* part, QWidget* parent)
    : PaintedWidget(parent), m_part(part) {
    setObjectName(QStringLiteral("corridorWalk"));
    setAccessibleName(tr("Corridor"));
    setFocusPolicy(Qt::StrongFocus);
    connect(part, &CorridorPart::changed, this, &CorridorWalk::refresh);
    refresh();
}

void CorridorWalk::refresh() {
    m_length = m_part->length();
    m_cell = m_part->cell();
    m_picture = corridorPicture(m_length, m_cell, {}, {});
    update();
}

int CorridorWalk::cellAt(const QPoint& point) const {
    const PictureLayout layout = layoutPicture(rect(), m_picture);
    if (!layout.area.contains(point)) return -1;
    return static_cast<int>(std::floor((point.x() - layout.area.left()) / layout.cell));
}

std::vector<NamedSpot> CorridorWalk::namedSpots() const {
    const PictureLayout layout = layoutPicture(rect(), m_picture);
    std::vector<NamedSpot> spots;
    spots.reserve(static_cast<std::size_t>(m_length));
    for (int cell = 0; cell < m_length; ++cell)
        spots.push_back({QStringLiteral("cell %1").arg(cell),
                         layout.rect({static_cast<float>(cell), 0}, 1, 1).toAlignedRect(),
                         {{QStringLiteral("here"), cell == m_cell}},
                         tr("cell %1 of %2").arg(cell).arg(m_length)});
    return spots;
}

QJsonObject CorridorWalk::spotFacts() const {
    return {{QStringLiteral("cell"), m_cell}, {QStringLiteral("length"), m_length}};
}

void CorridorWalk::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), currentTokens().canvas);
    paintPicture(painter, m_picture, layoutPicture(rect(), m_picture), currentTokens());
    if (!hasFocus()) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(currentTokens().accent, 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

void CorridorWalk::mousePressEvent(QMouseEvent* event) {
    const int cell = cellAt(event->position().toPoint());
    if (m_part && cell >= 0 && cell != m_cell) m_part->walk(cell < m_cell ? -1 : 1);
}

void CorridorWalk::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (step == 0 || !m_part) return PaintedWidget::keyPressEvent(event);
    m_part->walk(step);
}

}  // namespace orrery::test
