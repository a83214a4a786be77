#pragma once

#include <QColor>
#include <QStringList>
#include <vector>

#include "widgets/common/table_model.h"
#include "widgets/explore/outcome_chart.h"

namespace orrery {

/// What came out of runs that differ in two parameters: a row for each value of the first, a
/// column for each of the second. GUI thread only.
class OutcomeHeatModel : public TableModel {
    Q_OBJECT

public:
    enum Role {
        FillRole = Qt::UserRole + 1,  ///< QColor of the value; invalid without one
        CountRole,                    ///< "n 5", "2 of 5": runs behind the value where not one
        RunRole,                      ///< id of the first run; empty where there is none
    };

    /// The runs of one pair of values.
    struct Cell {
        QStringList runIds;
        int numRuns = 0, numKnown = 0;  ///< all, and those with a finite result
        double value = 0;               ///< mean of the known ones
        QString missing;                ///< why there is no value: "failed", "queued", "no run"
    };

    using TableModel::TableModel;

    /// Empty unless the table has two axes and the result is one of its own.
    /// @param isTurned  rows are the values of the second parameter
    void setContent(const OutcomeTable& table, const QString& resultKey, bool isTurned);

    const Cell& cell(int row, int column) const { return m_cells[place(row, column)]; }
    const QString& rowAxis() const { return m_axes[0]; }
    const QString& columnAxis() const { return m_axes[1]; }
    const QString& resultTitle() const { return m_result; }
    QString rowValue(int row) const { return m_values[0][row]; }
    QString columnValue(int column) const { return m_values[1][column]; }
    /// Ends of the colours: the least and the largest value. Equal if there is only one.
    double low() const { return m_low; }
    double high() const { return m_high; }
    int numKnown() const { return m_numKnown; }      ///< cells with a value
    int numMissing() const { return m_numMissing; }  ///< cells without
    QColor colorOf(double value) const;
    /// Where a run stands; invalid if it is in no cell.
    QModelIndex indexOf(const QString& runId) const;
    /// Header and rows with all digits, parted by tabs; cells without a value are empty.
    QString tsv() const;

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    int numRows() const override { return static_cast<int>(m_values[0].size()); }
    QString text(int row, int column) const override { return m_texts[place(row, column)]; }
    QVariant extra(int row, int column, int role) const override;

private:
    void fill(const OutcomeTable& table, const QString& resultKey, bool isTurned);
    QString describe(int row, int column) const;
    std::size_t place(int row, int column) const {
        return static_cast<std::size_t>(row * columnCount() + column);
    }

    QStringList m_axes{QString(), QString()};  ///< rows, columns
    QStringList m_values[2];                   ///< of the rows, of the columns
    std::vector<Cell> m_cells;                 ///< [row * columns + column]
    std::vector<QString> m_texts;              ///< as shown, parallel to m_cells
    QString m_result;
    double m_low = 0, m_high = 0;
    int m_numKnown = 0, m_numMissing = 0;
};

}  // namespace orrery
