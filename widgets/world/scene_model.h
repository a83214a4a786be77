#pragma once

#include <QAbstractTableModel>

#include "widgets/world/world_painter.h"

namespace orrery {

/// The picture of a world as a table: one row a cell that holds more than floor, or a value, a goal
/// or a count; row by row from the top left. Live: it follows setScene. GUI thread only.
class SceneModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { X, Y, Things, Agents, Goals, Value, States, Visits, NumColumns };

    using QAbstractTableModel::QAbstractTableModel;

    /// Resets the rows. `valueName` heads the column of the heat's values; empty: none is shown.
    void setScene(const WorldScene& scene, const QString& valueName);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    struct CellRow {
        QString text[NumColumns];
    };
    std::vector<CellRow> m_rows;
    QString m_valueName;
};

}  // namespace orrery
