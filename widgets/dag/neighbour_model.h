#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "widgets/common/table_model.h"
#include "widgets/dag/canvas_graph.h"

namespace orrery {

/// The edges of a StateCanvas as a table: from, to, level, probability, value, what changes.
class NeighbourModel : public TableModel {
    Q_OBJECT

public:
    enum Column { From, To, Level, Probability, Value, Change, NumColumns };

    explicit NeighbourModel(QObject* parent = nullptr);

    struct Texts {
        std::function<std::optional<double>(State)> value;
        std::function<QString(State from, State to)> change;
    };
    /// `graph` must live until the next call.
    void show(const CanvasGraph* graph, Texts texts);

protected:
    int numRows() const override;
    QString text(int row, int column) const override;

private:
    struct Line {
        State from, to;
        double probability = 0;
    };
    std::vector<Line> m_lines;
    Texts m_texts;
};

}  // namespace orrery
