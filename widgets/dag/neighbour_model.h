#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <optional>
#include <vector>

#include "widgets/dag/canvas_graph.h"

namespace orrery {

/// The edges of a StateCanvas as a table: from, to, level, probability, value, what changes.
class NeighbourModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { From, To, Level, Probability, Value, Change, NumColumns };

    using QAbstractTableModel::QAbstractTableModel;

    struct Texts {
        std::function<std::optional<double>(State)> value;
        std::function<QString(State from, State to)> change;
    };
    /// `graph` must live until the next call.
    void show(const CanvasGraph* graph, Texts texts);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    struct Line {
        State from, to;
        double probability = 0;
    };
    std::vector<Line> m_lines;
    Texts m_texts;
};

}  // namespace orrery
