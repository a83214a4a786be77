#pragma once

#include <QColor>
#include <QString>
#include <QTableView>
#include <vector>

#include "widgets/common/table_model.h"

namespace orrery {

/// A small table whose rows are made anew with every change: the readout and the statistics.
class CellModel : public TableModel {
    Q_OBJECT

public:
    struct Cell {
        QString text;       ///< as shown
        double number = 0;  ///< by which the column is sorted, if isNumber
        bool isNumber = false;
    };
    struct Row {
        int color = -1;  ///< palette index of the line sample in the first column; -1: none
        std::vector<Cell> cells;
        QString tip = {};
    };

    using TableModel::TableModel;

    static Cell word(const QString& text) { return {text, 0, false}; }
    /// A value in the number face, empty if NaN.
    static Cell value(double value);
    static Cell count(double count);

    /// Rows in their own order, or in that of the column sorted by last.
    void setTable(const QStringList& headers, std::vector<Row> rows);
    const std::vector<Row>& rows() const { return m_rows; }

    /// Header and rows, columns parted by tabs; numbers with all their digits.
    QString tsv() const;

    void sort(int column, Qt::SortOrder order) override;

protected:
    int numRows() const override { return static_cast<int>(m_rows.size()); }
    QString text(int row, int column) const override { return cellAt(row, column).text; }
    QVariant extra(int row, int column, int role) const override;

private:
    const Cell& cellAt(int row, int column) const {
        return m_rows[static_cast<std::size_t>(row)].cells[static_cast<std::size_t>(column)];
    }
    void sortRows();

    std::vector<Row> m_rows;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

/// The table's view: no grid, as large as its cells, Ctrl+C copies all of it as TSV. A click on a
/// header sorts.
class CellTable : public QTableView {
    Q_OBJECT

public:
    explicit CellTable(const QString& name, QWidget* parent);

    CellModel* cellModel() { return &m_model; }
    const CellModel* cellModel() const { return &m_model; }
    void setTable(const QStringList& headers, std::vector<CellModel::Row> rows);
    /// Narrows the first column, whose names are elided then, until the table is no wider.
    void elideNames(int mostWidth);
    void copy() const;
    void setHeaderShown(bool isShown);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return QSize(80, 24); }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    CellModel m_model;
};

}  // namespace orrery
