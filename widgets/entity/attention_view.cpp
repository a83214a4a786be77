#include "widgets/entity/attention_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/color_map.h"
#include "widgets/common/parts.h"
#include "widgets/common/selection.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/entity/entity_session.h"

namespace orrery {

namespace {

constexpr double kHeatNames = 86, kHeatBar = 54, kHeatEdge = 10, kMostHeatCell = 34,
                 kLeastNamedCell = 11;
constexpr double kLeastTall = 240, kHeatBelow = 64;  ///< names of columns where there is room

}  // namespace

AttentionHeat::AttentionHeat(EntitySession* session, QWidget* parent)
    : PaintedWidget(parent), m_session(session) {
    setObjectName(QStringLiteral("attentionHeat"));
    setAccessibleName(tr("Attention"));
    setMouseTracking(true);
    setMinimumSize(120, 80);
}

const FrameInsight* AttentionHeat::insight() const {
    const EntityFrame* frame = m_session->frame();
    const bool has = frame != nullptr && frame->insight && !frame->insight->attention.empty() &&
                     frame->insight->heads > 0;
    return has ? frame->insight.get() : nullptr;
}

double AttentionHeat::lookOf(std::int64_t from, std::int64_t to) const {
    const std::vector<float> looks = m_session->looksOf(static_cast<std::size_t>(from));
    return looks.empty() ? 0 : static_cast<double>(looks[static_cast<std::size_t>(to)]);
}

QString AttentionHeat::nameOf(std::int64_t row) const {
    return thingName(m_session->spaces(), m_session->frame()->things,
                     static_cast<std::size_t>(row));
}

AttentionHeat::Grid AttentionHeat::gridIn(const QRectF& room) const {
    const auto rows = static_cast<double>(insight()->rows);
    Grid grid{.names = std::min(kHeatNames, room.width() / 4),
              .below = room.height() >= kLeastTall ? kHeatBelow : 0};
    const double width = room.width() - grid.names - kHeatBar - 2 * kHeatEdge,
                 height = room.height() - 2 * kHeatEdge - 8 - grid.below;
    grid.cell = std::clamp(std::min(width, height) / rows, 2.0, kMostHeatCell);
    grid.cells = {room.left() + kHeatEdge + grid.names, room.top() + kHeatEdge, grid.cell * rows,
                  grid.cell * rows};
    return grid;
}

std::optional<QPoint> AttentionHeat::cellAt(const QPointF& point) const {
    if (insight() == nullptr) return std::nullopt;
    const Grid grid = gridIn(QRectF(rect()));
    // The names belong to their rows.
    if (!grid.cells.adjusted(-grid.names, 0, 0, 0).contains(point)) return std::nullopt;
    const int most = static_cast<int>(insight()->rows) - 1;
    return QPoint(
        std::clamp(static_cast<int>((point.x() - grid.cells.left()) / grid.cell), 0, most),
        std::clamp(static_cast<int>((point.y() - grid.cells.top()) / grid.cell), 0, most));
}

void AttentionHeat::paintInto(QPainter& painter, const QRectF& room, const Tokens& tokens) const {
    const FrameInsight* inside = insight();
    if (inside == nullptr) return;
    const Grid grid = gridIn(room);
    const auto& things = m_session->frame()->things;
    const auto typeColor = [&](std::int64_t row) {
        return row < std::ssize(things)
                   ? tokens.data[things[static_cast<std::size_t>(row)].space % tokens.data.size()]
                   : tokens.text3;
    };
    double most = 0;
    std::vector<std::vector<float>> looks;
    for (std::int64_t i = 0; i < inside->rows; ++i) {
        looks.push_back(m_session->looksOf(static_cast<std::size_t>(i)));
        for (const float look : looks.back()) most = std::max(most, static_cast<double>(look));
    }
    if (most <= 0) most = 1;
    painter.setFont(interfaceFont(10));
    for (std::int64_t i = 0; i < inside->rows; ++i) {
        const double top = grid.cells.top() + static_cast<double>(i) * grid.cell;
        for (std::int64_t j = 0; j < inside->rows; ++j)
            painter.fillRect(
                QRectF(grid.cells.left() + static_cast<double>(j) * grid.cell, top, grid.cell + 0.5,
                       grid.cell + 0.5),
                sequentialColor(
                    static_cast<double>(
                        looks[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]) /
                    most));
        // What is of one type has its colour beside its rows and below its columns.
        painter.fillRect(QRectF(grid.cells.left() - 5, top, 3, grid.cell), typeColor(i));
        painter.fillRect(QRectF(grid.cells.left() + static_cast<double>(i) * grid.cell,
                                grid.cells.bottom() + 2, grid.cell, 3),
                         typeColor(i));
        if (grid.cell < kLeastNamedCell) continue;
        painter.setPen(tokens.text2);
        if (grid.below > 0) {
            painter.save();
            painter.translate(grid.cells.left() + (static_cast<double>(i) + 0.5) * grid.cell,
                              grid.cells.bottom() + 8);
            painter.rotate(90);
            painter.drawText(QRectF(0, -grid.cell / 2, grid.below, grid.cell),
                             Qt::AlignLeft | Qt::AlignVCenter, nameOf(i));
            painter.restore();
        }
        painter.drawText(QRectF(grid.cells.left() - grid.names, top, grid.names - 8, grid.cell),
                         Qt::AlignRight | Qt::AlignVCenter, nameOf(i));
    }
    const QRectF bar(grid.cells.right() + 14, grid.cells.top(), 10, grid.cells.height());
    for (int i = 0; i < 64; ++i)
        painter.fillRect(QRectF(bar.left(), bar.bottom() - (i + 1) * bar.height() / 64, bar.width(),
                                bar.height() / 64 + 0.5),
                         sequentialColor((i + 0.5) / 64));
    painter.setFont(numberFont(10));
    painter.setPen(tokens.text3);
    painter.drawText(QRectF(bar.right() + 4, bar.top() - 6, 40, 14), Qt::AlignLeft,
                     QString::number(most, 'f', 2));
    painter.drawText(QRectF(bar.right() + 4, bar.bottom() - 8, 40, 14), Qt::AlignLeft,
                     QStringLiteral("0"));
    painter.setBrush(Qt::NoBrush);
    if (const auto picked = m_session->pickedThing()) {
        const double at = static_cast<double>(*picked) * grid.cell;
        painter.setPen(QPen(tokens.accent, 2));
        painter.drawRect(QRectF(grid.cells.left() - grid.names + 4, grid.cells.top() + at,
                                grid.cells.width() + grid.names - 4, grid.cell));
        painter.setPen(QPen(tokens.accent, 1, Qt::DashLine));
        painter.drawRect(
            QRectF(grid.cells.left() + at, grid.cells.top(), grid.cell, grid.cells.height()));
    }
}

void AttentionHeat::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& tokens = currentTokens();
    painter.fillRect(rect(), tokens.canvas);
    if (insight() == nullptr) {
        painter.setPen(tokens.text2);
        const bool hasAgent = m_session->agent().facts().has_value();
        const bool isPooled = m_session->frame() != nullptr && m_session->frame()->insight;
        const bool isOver = m_session->frame() != nullptr && m_session->frame()->isFinal();
        paintEmptyText(painter, rect(),
                       isOver     ? tr("The episode is over: nothing is decided any more.")
                       : isPooled ? tr("This agent's network does not attend: it has no layers, or "
                                       "they take means.")
                       : hasAgent ? tr("Asking the agent...")
                                  : tr("Choose an agent: a run that learned in this environment."));
        return;
    }
    paintInto(painter, QRectF(rect()), tokens);
    if (!m_hover) return;
    const Grid grid = gridIn(QRectF(rect()));
    painter.setPen(QPen(tokens.hover, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(grid.cells.left() + m_hover->x() * grid.cell,
                            grid.cells.top() + m_hover->y() * grid.cell, grid.cell, grid.cell));
}

QString AttentionHeat::tipAt(const QPoint& point) const {
    const auto cell = cellAt(QPointF(point));
    if (!cell) return {};
    return tr("%1 looks at %2: %3 (learned)")
        .arg(nameOf(cell->y()), nameOf(cell->x()))
        .arg(lookOf(cell->y(), cell->x()), 0, 'g', 6);
}

std::vector<NamedSpot> AttentionHeat::namedSpots() const {
    std::vector<NamedSpot> spots;
    if (insight() == nullptr) return spots;
    const Grid grid = gridIn(QRectF(rect()));
    for (std::int64_t i = 0; i < insight()->rows; ++i)
        spots.push_back({tr("row %1").arg(nameOf(i)),
                         QRectF(grid.cells.left() - grid.names,
                                grid.cells.top() + static_cast<double>(i) * grid.cell,
                                grid.names + grid.cells.width(), grid.cell)
                             .toAlignedRect(),
                         {{QStringLiteral("picked"),
                           m_session->pickedThing() == static_cast<std::size_t>(i)}}});
    return spots;
}

void AttentionHeat::mousePressEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    if (!cell || event->button() != Qt::LeftButton) return;
    if (cell->y() < std::ssize(m_session->frame()->things))
        m_session->pickThing(static_cast<std::size_t>(cell->y()));
}

void AttentionHeat::mouseMoveEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    if (cell == m_hover) return;
    m_hover = cell;
    showTipAt(event->position());
    update();
}

void AttentionHeat::leaveEvent(QEvent* event) {
    PaintedWidget::leaveEvent(event);
    m_hover.reset();
    update();
}

AttentionView::AttentionView(EntitySession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_layer(new QComboBox(this)),
      m_head(new QComboBox(this)),
      m_lines(new QCheckBox(tr("Lines in the picture"), this)),
      m_remark(makeRemark(tr("learned; rows look, columns are seen"), "hint", this)),
      m_heat(new AttentionHeat(session, this)) {
    setObjectName(QStringLiteral("entityAttention"));
    m_layer->setObjectName(QStringLiteral("attentionLayer"));
    m_layer->setAccessibleName(tr("Layer"));
    m_layer->setToolTip(tr("Layer of the agent's network"));
    m_head->setObjectName(QStringLiteral("attentionHead"));
    m_head->setAccessibleName(tr("Head"));
    m_head->setToolTip(tr("Head of the layer"));
    m_lines->setObjectName(QStringLiteral("attentionLines"));
    m_lines->setToolTip(tr("Draws what the picked thing looks at as lines over the picture"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 6, 12, 0);
    row->setSpacing(8);
    row->addWidget(m_layer);
    row->addWidget(m_head);
    row->addWidget(m_lines);
    row->addWidget(m_remark, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(row);
    column->addWidget(m_heat, 1);
    connect(m_layer, &QComboBox::activated, this, &AttentionView::choose);
    connect(m_head, &QComboBox::activated, this, &AttentionView::choose);
    connect(m_lines, &QCheckBox::toggled, this, &AttentionView::choose);
    for (const auto signal :
         {&EntitySession::changed, &EntitySession::advised, &EntitySession::attentionChanged})
        connect(m_session, signal, this, &AttentionView::refresh);
    connect(&m_session->selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Entity) m_heat->update();
    });
    refresh();
}

void AttentionView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_session->setInsideWanted(this, true);
}

void AttentionView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_session->setInsideWanted(this, false);
}

void AttentionView::choose() {
    m_session->setAttention({.layer = std::max(0, m_layer->currentIndex()),
                             .head = std::max(0, m_head->currentIndex()),
                             .hasLines = m_lines->isChecked()});
}

void AttentionView::refresh() {
    const FrameInsight* inside = m_heat->insight();
    const auto fill = [](QComboBox* box, std::int64_t count, const QString& text, int current) {
        const QSignalBlocker quiet(box);
        if (box->count() != count) {
            box->clear();
            for (std::int64_t i = 1; i <= count; ++i) box->addItem(text.arg(i));
        }
        box->setCurrentIndex(std::min(current, box->count() - 1));
        box->setVisible(count > 0);
    };
    const auto& choice = m_session->attention();
    fill(m_layer, inside != nullptr ? std::ssize(inside->attention) : 0, tr("Layer %1"),
         choice.layer);
    fill(m_head, inside != nullptr ? inside->heads : 0, tr("Head %1"), choice.head);
    {
        const QSignalBlocker quiet(m_lines);
        m_lines->setChecked(choice.hasLines);
    }
    if (m_table != nullptr) {
        QStringList headers{tr("Looks")};
        std::vector<CellModel::Row> rows;
        for (std::int64_t i = 0; inside != nullptr && i < inside->rows; ++i) {
            headers << m_heat->nameOf(i);
            CellModel::Row row;
            row.cells.push_back(CellModel::word(m_heat->nameOf(i)));
            for (std::int64_t j = 0; j < inside->rows; ++j)
                row.cells.push_back(CellModel::value(m_heat->lookOf(i, j)));
            rows.push_back(std::move(row));
        }
        m_table->setTable(headers, std::move(rows));
    }
    m_heat->update();
}

QAbstractItemModel* AttentionView::tableModel() {
    if (m_table == nullptr) {
        m_table = new CellModel(this);
        refresh();
    }
    return m_table;
}

bool AttentionView::hasFigure() const {
    return m_heat->insight() != nullptr;
}

QString AttentionView::figureTitle() const {
    return hasFigure() ? tr("Attention, layer %1, head %2, step %3")
                             .arg(m_session->attention().layer + 1)
                             .arg(m_session->attention().head + 1)
                             .arg(m_session->step())
                       : QString();
}

QSizeF AttentionView::figureSize() const {
    return {420, 320};
}

void AttentionView::paintFigure(QPainter& painter, const FigurePage& page) {
    painter.setRenderHint(QPainter::Antialiasing);
    m_heat->paintInto(painter, QRectF(QPointF(), page.size), *page.tokens);
}

QJsonObject AttentionView::saveState() const {
    const auto& choice = m_session->attention();
    return {{QStringLiteral("layer"), choice.layer},
            {QStringLiteral("head"), choice.head},
            {QStringLiteral("lines"), choice.hasLines}};
}

void AttentionView::restoreState(const QJsonObject& state) {
    m_session->setAttention({.layer = std::max(0, state.value(u"layer").toInt()),
                             .head = std::max(0, state.value(u"head").toInt()),
                             .hasLines = state.value(u"lines").toBool(true)});
}

}  // namespace orrery
