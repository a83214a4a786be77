#include "widgets/learned/error_map.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "widgets/common/color_map.h"
#include "widgets/common/grid_keys.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/common/trust_mark.h"

namespace orrery {

namespace {

constexpr double kScaleRoom = 78, kScaleWide = 12, kScaleTop = 12;

}  // namespace

ErrorMap::ErrorMap(QWidget* parent) : PaintedWidget(parent) {
    setObjectName(QStringLiteral("errorMap"));
    setAccessibleName(tr("Mean error by the cell of an agent"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ErrorMap::show(std::shared_ptr<const World> world, int agent, ErrorField field) {
    m_world = std::move(world);
    m_agent = agent;
    m_field = std::move(field);
    m_hover.reset();
    m_scene = {};
    if (m_world) {
        const Configuration initial = m_world->initialConfiguration();
        m_scene = sceneOf(*m_world, initial);
        // Where agents stand at first says nothing about the other states.
        std::erase_if(m_scene.pieces, [](const Piece& p) { return p.kind == PieceKind::Agent; });
        m_scene.showCoordinates = false;
        setAccessibleDescription(
            tr("%1: up to %2")
                .arg(
                    QString::fromStdString(m_world->agents()[static_cast<std::size_t>(agent)].name),
                    valueText(m_field.high, 4)));
    }
    update();
}

WorldLayout ErrorMap::layoutIn(const QRectF& all) const {
    return layoutWorld(all.adjusted(4, 4, -kScaleRoom, -4), m_scene);
}

std::size_t ErrorMap::indexOf(const QPoint& cell) const {
    return static_cast<std::size_t>(cell.y()) * static_cast<std::size_t>(m_field.width) +
           static_cast<std::size_t>(cell.x());
}

void ErrorMap::paintHeat(QPainter& painter, const WorldLayout& layout) const {
    for (int y = 0; y < m_field.height; ++y)
        for (int x = 0; x < m_field.width; ++x) {
            const std::size_t at = indexOf({x, y});
            if (m_field.states[at] == 0) continue;
            QColor fill = sequentialColor(m_field.high > 0 ? m_field.mean[at] / m_field.high : 0);
            const QRectF cell = layout.cellRect(x, y);
            const bool isBare = std::ranges::none_of(m_scene.pieces, [&](const Piece& p) {
                return p.x == x && p.y == y && p.kind != PieceKind::Floor;
            });
            if (!isBare) fill.setAlphaF(0.8F);
            painter.fillRect(cell, fill);
            if (layout.cell < 34) continue;
            painter.setFont(numberFont(10));
            painter.setPen(textOn(fill));
            painter.drawText(cell, Qt::AlignCenter, valueText(m_field.mean[at], 3));
        }
}

void ErrorMap::paintScale(QPainter& painter, const QRectF& all, const Tokens& t) const {
    const QRectF bar(all.right() - kScaleRoom + 16, kScaleTop + 16, kScaleWide,
                     std::max(30.0, all.height() - kScaleTop - 70.0));
    painter.setFont(interfaceFont(11));
    painter.setPen(t.text2);
    painter.drawText(QPointF(bar.left() + 12, bar.top() - 13), tr("error"));
    paintTrustMark(painter, QPointF(bar.left() + 4, bar.top() - 17), TrustKind::Learned, t);
    constexpr int kSlices = 48;
    for (int i = 0; i < kSlices; ++i)
        painter.fillRect(QRectF(bar.left(), bar.top() + bar.height() * i / kSlices, bar.width(),
                                bar.height() / kSlices + 0.5),
                         sequentialColor(1 - (i + 0.5) / kSlices));
    painter.setFont(numberFont(10));
    for (int i = 0; i <= 2; ++i) {
        const double y = bar.bottom() - bar.height() * i / 2;
        painter.setPen(t.chartAxis);
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 4, y));
        painter.setPen(t.text2);
        painter.drawText(QRectF(bar.right() + 7, y - 8, 50, 16), Qt::AlignLeft | Qt::AlignVCenter,
                         valueText(m_field.high * i / 2, m_field.high < 0.1 ? 4 : 3));
    }
}

void ErrorMap::paintEvent(QPaintEvent*) {
    if (!m_world) return;
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const WorldLayout layout = layoutNow();
    paintWorld(painter, m_scene, layout, t);
    paintHeat(painter, layout);
    const auto outline = [&](const QPoint& cell, const QColor& color) {
        const QRectF box = layout.cellRect(cell.x(), cell.y()).adjusted(1, 1, -1, -1);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(t.underHeat, 4));
        painter.drawRect(box);
        painter.setPen(QPen(color, 2));
        painter.drawRect(box);
    };
    if (m_key && hasFocus()) outline(*m_key, t.accent);
    if (m_hover) outline(*m_hover, t.hover);
    paintScale(painter, rect(), t);
}

QString ErrorMap::figureId() const {
    return QStringLiteral("errorMap");
}

QString ErrorMap::figureTitle() const {
    if (!m_world) return {};
    return tr("Mean error by the cell of %1: %2")
        .arg(QString::fromStdString(m_world->agents()[static_cast<std::size_t>(m_agent)].name),
             m_heading);
}

bool ErrorMap::hasFigure() const {
    return m_world != nullptr;
}

void ErrorMap::paintFigure(QPainter& painter, const FigurePage& page) {
    const QRectF all(QPointF(0, 0), page.size);
    const WorldLayout layout = layoutIn(all);
    painter.setRenderHint(QPainter::Antialiasing);
    paintWorld(painter, m_scene, layout, *page.tokens);
    paintHeat(painter, layout);
    paintScale(painter, all, *page.tokens);
}

QString ErrorMap::tipAt(const QPoint& point) const {
    const auto cell = m_world ? layoutNow().cellAt(point) : std::nullopt;
    if (!cell) return {};
    const std::size_t at = indexOf(*cell);
    if (m_field.states[at] == 0)
        return tr("Cell %1,%2: no state has the agent here").arg(cell->x()).arg(cell->y());
    return tr("Cell %1,%2: mean error %3 over %4 states. Click: the worst of them")
        .arg(cell->x())
        .arg(cell->y())
        .arg(valueText(m_field.mean[at], 4), countText(m_field.states[at]));
}

void ErrorMap::mouseMoveEvent(QMouseEvent* event) {
    if (!m_world) return;
    m_hover = layoutNow().cellAt(event->position());
    showTipAt(event->position());
    update();
}

void ErrorMap::pick(const QPoint& cell) {
    const std::int64_t state = m_field.worst[indexOf(cell)];
    if (state >= 0) Q_EMIT picked(state);
}

void ErrorMap::mousePressEvent(QMouseEvent* event) {
    setFocus();
    if (!m_world || event->button() != Qt::LeftButton) return;
    if (const auto cell = layoutNow().cellAt(event->position())) {
        m_key = cell;
        pick(*cell);
    }
    update();
}

void ErrorMap::keyPressEvent(QKeyEvent* event) {
    if (m_world && m_key && event->key() == Qt::Key_Return) return pick(*m_key);
    const auto step = arrowStep(event->key());
    if (!m_world || !step) return QWidget::keyPressEvent(event);
    const QPoint to = m_key.value_or(QPoint(0, 0)) + *step;
    m_key =
        QPoint(std::clamp(to.x(), 0, m_field.width - 1), std::clamp(to.y(), 0, m_field.height - 1));
    showTipAt(layoutNow().cellRect(m_key->x(), m_key->y()).center());
    update();
}

void ErrorMap::leaveEvent(QEvent* event) {
    m_hover.reset();
    update();
    QWidget::leaveEvent(event);
}

std::vector<NamedSpot> ErrorMap::namedSpots() const {
    std::vector<NamedSpot> spots;
    if (!m_world) return spots;
    const WorldLayout layout = layoutNow();
    for (int y = 0; y < m_field.height; ++y)
        for (int x = 0; x < m_field.width; ++x) {
            const std::size_t at = indexOf({x, y});
            if (m_field.states[at] > 0)
                spots.push_back(
                    {QStringLiteral("cell %1,%2").arg(x).arg(y),
                     layout.cellRect(x, y).toAlignedRect(),
                     {{QStringLiteral("error"), m_field.mean[at]},
                      {QStringLiteral("states"), static_cast<qint64>(m_field.states[at])}}});
        }
    return spots;
}

QJsonObject ErrorMap::spotFacts() const {
    return {{QStringLiteral("agent"), m_agent}, {QStringLiteral("high"), m_field.high}};
}

}  // namespace orrery
