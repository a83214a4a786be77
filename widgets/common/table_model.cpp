#include "widgets/common/table_model.h"

#include <utility>

#include "widgets/common/style.h"

namespace orrery {

namespace {

constexpr int kDigitsSize = 12;

QVariant alignmentOf(CellFace face) {
    return QVariant((face == CellFace::Text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

}  // namespace

TableModel::TableModel(std::vector<TableColumn> columns, QObject* parent)
    : QAbstractTableModel(parent), m_columns(std::move(columns)) {}

int TableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : numRows();
}

int TableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= numRows()) return {};
    if (role == Qt::DisplayRole) return text(index.row(), index.column());
    if (QVariant own = extra(index.row(), index.column(), role); own.isValid()) return own;
    const CellFace face = m_columns[static_cast<std::size_t>(index.column())].face;
    if (role == Qt::TextAlignmentRole) return alignmentOf(face);
    if (role == Qt::FontRole && face == CellFace::Digits) return numberFont(kDigitsSize);
    return {};
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= std::ssize(m_columns)) return {};
    const TableColumn& column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return column.heading;
    if (role == Qt::ToolTipRole && !column.tip.isEmpty()) return column.tip;
    if (role == Qt::TextAlignmentRole) return alignmentOf(column.face);
    return {};
}

void TableModel::setColumns(std::vector<TableColumn> columns) {
    const bool isAsMany = columns.size() == m_columns.size();
    m_columns = std::move(columns);
    if (isAsMany && !m_columns.empty())
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void TableModel::tellCells() {
    if (numRows() > 0 && !m_columns.empty())
        Q_EMIT dataChanged(index(0, 0), index(numRows() - 1, columnCount() - 1));
}

void ReadyTable::setContent(std::vector<TableColumn> columns, std::vector<QStringList> rows) {
    if (columns == this->columns()) return setRows(std::move(rows));
    beginResetModel();
    setColumns(std::move(columns));
    m_rows = std::move(rows);
    endResetModel();
}

void ReadyTable::setContent(const QStringList& headings, std::vector<QStringList> rows,
                            int firstDigits) {
    std::vector<TableColumn> columns;
    for (const QString& heading : headings)
        columns.push_back(
            {heading, std::ssize(columns) < firstDigits ? CellFace::Text : CellFace::Digits});
    setContent(std::move(columns), std::move(rows));
}

void ReadyTable::setRows(std::vector<QStringList> rows) {
    const bool isAsMany = rows.size() == m_rows.size();
    if (!isAsMany) beginResetModel();
    m_rows = std::move(rows);
    isAsMany ? tellCells() : endResetModel();
}

}  // namespace orrery
