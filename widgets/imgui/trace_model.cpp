#include "widgets/imgui/trace_model.h"

#include <utility>

namespace orrery {

namespace {

std::vector<TableColumn> tableColumns(std::span<const TraceColumn> columns, CellFace number) {
    std::vector<TableColumn> table;
    for (const TraceColumn& column : columns)
        table.push_back({TraceModel::tr(column.title), column.isText ? CellFace::Text : number});
    return table;
}

}  // namespace

TraceModel::TraceModel(std::span<const TraceColumn> columns, bool hasDigits)
    : TableModel(tableColumns(columns, hasDigits ? CellFace::Digits : CellFace::Number)),
      m_columns(columns) {}

void TraceModel::setTimeline(std::shared_ptr<const SpanTimeline> timeline,
                             const std::optional<SpanRange>& range) {
    beginResetModel();
    m_timeline = std::move(timeline);
    m_rows = m_timeline ? m_timeline->places(range) : std::vector<SpanPlace>();
    endResetModel();
}

QString TraceModel::text(int row, int column) const {
    return m_columns[static_cast<std::size_t>(column)].text(*m_timeline,
                                                            m_rows[static_cast<std::size_t>(row)]);
}

}  // namespace orrery
