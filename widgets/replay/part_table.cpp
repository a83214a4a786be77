#include "widgets/replay/part_table.h"

#include "widgets/common/style.h"

namespace orrery {

void PartTable::setContent(const QStringList& headings, std::vector<QStringList> rows,
                           int firstNumber) {
    const bool isAlike = headings == m_headings && rows.size() == m_rows.size();
    if (!isAlike) beginResetModel();
    m_headings = headings;
    m_rows = std::move(rows);
    m_firstNumber = firstNumber;
    if (!isAlike) return endResetModel();
    if (!m_rows.empty() && !m_headings.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int PartTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PartTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_headings.size());
}

QVariant PartTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const QStringList& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool isNumber = index.column() >= m_firstNumber;
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole) return row.value(index.column());
    if (role == Qt::TextAlignmentRole)
        return QVariant((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::FontRole && isNumber) return numberFont(12);
    return {};
}

QVariant PartTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::DisplayRole) return m_headings.value(section);
    if (role == Qt::TextAlignmentRole)
        return QVariant((section >= m_firstNumber ? Qt::AlignRight : Qt::AlignLeft) |
                        Qt::AlignVCenter);
    return {};
}

}  // namespace orrery
