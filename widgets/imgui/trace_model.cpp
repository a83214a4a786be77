#include "widgets/imgui/trace_model.h"

#include <utility>

#include "widgets/common/style.h"

namespace orrery {

void TraceModel::setTimeline(std::shared_ptr<const SpanTimeline> timeline,
                             const std::optional<SpanRange>& range) {
    beginResetModel();
    m_timeline = std::move(timeline);
    m_rows = m_timeline ? m_timeline->places(range) : std::vector<SpanPlace>();
    endResetModel();
}

int TraceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TraceModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant TraceModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const TraceColumn& column = m_columns[static_cast<std::size_t>(index.column())];
    if (role == Qt::TextAlignmentRole)
        return QVariant((column.isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::FontRole && m_hasDigits && !column.isText) return numberFont(12);
    if (role != Qt::DisplayRole) return {};
    return column.text(*m_timeline, m_rows[static_cast<std::size_t>(index.row())]);
}

QVariant TraceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 ||
        section >= std::ssize(m_columns))
        return {};
    return tr(m_columns[static_cast<std::size_t>(section)].title);
}

}  // namespace orrery
