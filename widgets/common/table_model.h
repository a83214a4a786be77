#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <vector>

namespace orrery {

enum class CellFace : std::uint8_t {
    Text,
    Number,  ///< at the right
    Digits,  ///< at the right, in the face of numbers
};

struct TableColumn {
    QString heading;
    CellFace face = CellFace::Text;
    QString tip = {};  ///< of the heading

    bool operator==(const TableColumn&) const = default;
};

/// The base of tables that show texts: a table says how many rows it has and what stands in a cell.
/// GUI thread only.
class TableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit TableModel(std::vector<TableColumn> columns, QObject* parent = nullptr);
    explicit TableModel(QObject* parent = nullptr) : TableModel({}, parent) {}

    int rowCount(const QModelIndex& parent = {}) const final;
    int columnCount(const QModelIndex& parent = {}) const final;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

protected:
    const std::vector<TableColumn>& columns() const { return m_columns; }
    /// Between beginResetModel and endResetModel where their number changes.
    void setColumns(std::vector<TableColumn> columns);
    /// The cells of all rows are other ones, as many as before.
    void tellCells();

    virtual int numRows() const = 0;
    virtual QString text(int row, int column) const = 0;
    /// What a cell has besides its text, before what its column says; invalid: nothing.
    virtual QVariant extra(int row, int column, int role) const {
        Q_UNUSED(row)
        Q_UNUSED(column)
        Q_UNUSED(role)
        return {};
    }

private:
    std::vector<TableColumn> m_columns;
};

/// A table whose rows are ready.
class ReadyTable : public TableModel {
    Q_OBJECT

public:
    using TableModel::TableModel;

    /// Keeps a view's position if the number of rows and the columns stay.
    void setContent(std::vector<TableColumn> columns, std::vector<QStringList> rows);
    /// Columns from `firstDigits` on are numbers.
    void setContent(const QStringList& headings, std::vector<QStringList> rows, int firstDigits);
    /// The same columns as before.
    void setRows(std::vector<QStringList> rows);
    const std::vector<QStringList>& rows() const { return m_rows; }

protected:
    int numRows() const override { return static_cast<int>(m_rows.size()); }
    QString text(int row, int column) const override {
        return m_rows[static_cast<std::size_t>(row)].value(column);
    }
    /// The whole text of a cell that has too little room.
    QVariant extra(int row, int column, int role) const override {
        return role == Qt::ToolTipRole ? QVariant(text(row, column)) : QVariant();
    }

private:
    std::vector<QStringList> m_rows;
};

}  // namespace orrery
