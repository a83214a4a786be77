#pragma once

#include <optional>
#include <vector>

#include "core/solve/explain.h"
#include "widgets/common/value_bars.h"

namespace orrery {

class InspectorState;

/// Numbers of the inspected state in rows. While a state A is pinned each quantity takes three
/// columns: A, B and B - A. A click on a number asks for its sum.
class ValueTable : public ValueBars {
    Q_OBJECT

public:
    /// What stands in one place: a quantity, or, for rows that stand for many, plain numbers.
    struct Cell {
        std::optional<ValueOf> quantity = {};
        std::optional<double> b = {}, a = {};
    };

    ValueTable(InspectorState* state, const QString& name, QWidget* parent);

    /// Other rows, still without numbers; then one call of addQuantity for each quantity, and
    /// showTable.
    void startTable(std::vector<ValueBar> rows);
    void addQuantity(const QString& symbol, const std::vector<Cell>& cells,
                     bool marksNumbers = false);
    void showTable();

private:
    void markQuestion();

    InspectorState* m_state;
    std::vector<ValueBar> m_rows;
    std::vector<BarColumn> m_heads;
    /// [column][row]; nothing where no question can be asked
    std::vector<std::vector<std::optional<ValueOf>>> m_asked;
};

}  // namespace orrery
