#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <vector>

namespace orrery {

/// A small table of ready texts. Columns from `firstNumber` on are set in the number face at the
/// right. GUI thread only.
class PartTable : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Keeps a view's position if the number of rows and the headings stay.
    void setContent(const QStringList& headings, std::vector<QStringList> rows,
                    int firstNumber = 1);
    const std::vector<QStringList>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    QStringList m_headings;
    std::vector<QStringList> m_rows;
    int m_firstNumber = 1;
};

}  // namespace orrery
