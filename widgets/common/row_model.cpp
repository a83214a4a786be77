#include "widgets/common/row_model.h"

namespace orrery {

void RowModel::setRows(std::vector<Row> rows) {
    if (rows.size() == m_rows.size()) {
        m_rows = std::move(rows);
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0), index(static_cast<int>(m_rows.size()) - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int RowModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant RowModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !checkIndex(index)) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return row.title;
        case Qt::ToolTipRole:
            return row.tip.isEmpty() ? QVariant() : QVariant(row.tip);
        case Qt::AccessibleTextRole:
            return QStringList{row.shareText, row.title, row.subtitle, row.value}
                .join(QStringLiteral(" "))
                .simplified();
        default:
            return {};
    }
}

}  // namespace orrery
