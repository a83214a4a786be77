#pragma once

#include <cstdint>
#include <vector>

#include "widgets/common/table_model.h"
#include "widgets/plots/chart_content.h"
#include "widgets/plots/chart_view.h"

namespace orrery {

/// The points of a chart as a table, one row a point: series, x, value, smoothed value. Series
/// stand one after the other. Reads the content in place and takes no copy; refresh() tells it that
/// the content or the view has changed. At most 2^31 - 1 rows.
class ChartTableModel : public TableModel {
    Q_OBJECT

public:
    /// @param content  outlives the model
    explicit ChartTableModel(ChartContent& content, QObject* parent = nullptr)
        : TableModel(parent), m_content(content) {}

    /// Points of the series shown whose x lies in the range of `view.x`.
    void refresh(const ChartView& view);

protected:
    int numRows() const override { return static_cast<int>(m_rows); }
    QString text(int row, int column) const override;

private:
    struct Part {
        int series;
        std::int64_t begin, end;  ///< points
        std::int64_t row;         ///< of the first
        bool operator==(const Part&) const = default;
    };

    ChartContent& m_content;
    std::vector<Part> m_parts;
    std::int64_t m_rows = 0;
};

}  // namespace orrery
