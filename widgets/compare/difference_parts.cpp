#include <QPainter>

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/difference_view.h"
#include "widgets/compare/run_table_model.h"

// The table's model and the picture of a DifferenceView.

namespace orrery {

namespace {

constexpr int kWidthForCoordinates = 240;

}  // namespace

void DifferenceModel::setRows(std::vector<StateDifference> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int DifferenceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DifferenceModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kNumColumns;
}

QVariant DifferenceModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const StateDifference& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            switch (index.column()) {
                case Level:
                    return QString::number(row.state.step);
                case ValueA:
                    return valueText(row.a);
                case ValueB:
                    return valueText(row.b);
                default:
                    return valueText(row.difference());
            }
        case Qt::FontRole:
            return numberFont(12);
        case Qt::TextAlignmentRole:
            return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
        case Qt::ToolTipRole:
            return tr("step %1, state %2: %3 in A, %4 in B")
                .arg(row.state.step)
                .arg(row.state.config)
                .arg(valueText(row.a, 6), valueText(row.b, 6));
        default:
            return {};
    }
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == RunTableModel::NumberRole) return true;
    if (role != Qt::DisplayRole) return {};
    const QString texts[] = {tr("Step"), tr("A − B"), tr("A"), tr("B")};
    return section >= 0 && section < kNumColumns ? texts[section] : QString();
}

DifferenceCanvas::DifferenceCanvas(QWidget* parent) : PaintedWidget(parent) {
    setObjectName(QStringLiteral("differenceCanvas"));
    setAccessibleName(tr("World with the differences of its values"));
}

void DifferenceCanvas::setScene(std::optional<WorldScene> scene) {
    m_scene = std::move(scene);
    if (m_scene) m_scene->showCoordinates = width() >= kWidthForCoordinates;
    update();
}

void DifferenceCanvas::resizeEvent(QResizeEvent*) {
    if (m_scene) m_scene->showCoordinates = width() >= kWidthForCoordinates;
}

WorldLayout DifferenceCanvas::layoutNow() const {
    return m_scene ? layoutWorld(QRectF(rect()), *m_scene) : WorldLayout();
}

void DifferenceCanvas::paintEvent(QPaintEvent*) {
    if (!m_scene) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintWorld(painter, *m_scene, layoutNow(), currentTokens());
}

QString DifferenceCanvas::tipAt(const QPoint& point) const {
    const auto at = m_scene && m_scene->heat ? layoutNow().cellAt(point) : std::nullopt;
    if (!at) return {};
    const HeatCell& cell = m_scene->heat->at(at->x(), at->y());
    return cell.count == 0
               ? tr("cell %1,%2: no such state").arg(at->x()).arg(at->y())
               : tr("cell %1,%2: %3").arg(at->x()).arg(at->y()).arg(valueText(cell.value, 4));
}

}  // namespace orrery
