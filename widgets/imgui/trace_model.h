#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/trace/stage_spans.h"
#include "widgets/common/table_model.h"

namespace orrery {

/// A column of a table of spans.
struct TraceColumn {
    const char* title;
    bool isText;  ///< else a number, at the right
    QString (*text)(const SpanTimeline& timeline, const SpanPlace& place);
};

/// Spans as a table, one row each, by thread and time: all, or those of a range. GUI thread only.
class TraceModel : public TableModel {
    Q_OBJECT

public:
    /// @param columns    live as long as the program
    /// @param hasDigits  numbers are set in the font of numbers
    TraceModel(std::span<const TraceColumn> columns, bool hasDigits);

    void setTimeline(std::shared_ptr<const SpanTimeline> timeline,
                     const std::optional<SpanRange>& range = {});
    const std::vector<SpanPlace>& rows() const { return m_rows; }

protected:
    int numRows() const override { return static_cast<int>(m_rows.size()); }
    QString text(int row, int column) const override;

private:
    std::span<const TraceColumn> m_columns;
    std::shared_ptr<const SpanTimeline> m_timeline;
    std::vector<SpanPlace> m_rows;
};

}  // namespace orrery
