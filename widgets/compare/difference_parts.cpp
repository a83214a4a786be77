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

DifferenceModel::DifferenceModel(QObject* parent)
    : TableModel({{tr("Step"), CellFace::Digits},
                  {tr("A − B"), CellFace::Digits},
                  {tr("A"), CellFace::Digits},
                  {tr("B"), CellFace::Digits}},
                 parent) {}

void DifferenceModel::setRows(std::vector<StateDifference> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int DifferenceModel::numRows() const {
    return static_cast<int>(m_rows.size());
}

QString DifferenceModel::text(int row, int column) const {
    const StateDifference& at = m_rows[static_cast<std::size_t>(row)];
    switch (column) {
        case Level:
            return QString::number(at.state.step);
        case ValueA:
            return valueText(at.a);
        case ValueB:
            return valueText(at.b);
        default:
            return valueText(at.difference());
    }
}

QVariant DifferenceModel::extra(int row, int, int role) const {
    if (role != Qt::ToolTipRole) return {};
    const StateDifference& at = m_rows[static_cast<std::size_t>(row)];
    return tr("step %1, state %2: %3 in A, %4 in B")
        .arg(at.state.step)
        .arg(at.state.config)
        .arg(valueText(at.a, 6), valueText(at.b, 6));
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == RunTableModel::NumberRole) return orientation == Qt::Horizontal;
    return TableModel::headerData(section, orientation, role);
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
