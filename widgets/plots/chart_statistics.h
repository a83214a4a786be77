#pragma once

#include <QFrame>
#include <QPointer>
#include <QStringList>
#include <vector>

#include "widgets/plots/cell_table.h"

class QLabel;

namespace orrery {

class Chart;
struct ChartContent;
struct ChartView;

/// What lies between the cursors of a view, a row for each line that is shown.
struct StatisticsRows {
    QStringList headers;
    std::vector<CellModel::Row> rows;  ///< none without a cursor
};
StatisticsRows statisticsRows(ChartContent& content, const ChartView& view);

/// What lies between a chart's cursors, as a table: values at A and B, their difference and slope,
/// mean, sd and ends of the range. It stands beside the chart, whose plot keeps its size; hidden
/// while the chart has no cursor. GUI thread only.
class ChartStatistics : public QFrame {
    Q_OBJECT

public:
    explicit ChartStatistics(QWidget* parent);

    /// Follows this chart from now on; null: none.
    void setChart(Chart* chart);
    Chart* chart() const { return m_chart; }
    CellTable* table() { return m_table; }
    QSize sizeHint() const override;

Q_SIGNALS:
    void shownChanged();  ///< shown, hidden, or of another height

private:
    void refresh();

    QPointer<Chart> m_chart;
    QLabel* m_title;
    CellTable* m_table;
    int m_numRows = -1;  ///< -1: hidden
};

}  // namespace orrery
