#pragma once

#include <memory>

#include "core/dag/state_marks.h"
#include "widgets/common/table_model.h"
#include "widgets/dag/level_density.h"

namespace orrery {

/// The levels as a table, the first step first: how many states, how many of them in the set, and
/// how the chosen quantity spreads. A row costs no memory. GUI thread only.
class LevelModel : public TableModel {
    Q_OBJECT

public:
    enum Column { Level, States, InSet, Low, Mean, High, NumColumns };
    /// The share of the largest level, in [0, 1], for the bar in the column States.
    static constexpr int kShareRole = Qt::UserRole + 1;
    /// The count as a number.
    static constexpr int kCountRole = Qt::UserRole + 2;

    explicit LevelModel(QObject* parent = nullptr);

    /// `density` may be null: no rows. `symbol` heads the columns of the quantity.
    void setDensity(std::shared_ptr<const LevelDensity> density, const QString& symbol);
    void setMarks(std::shared_ptr<const StateMarks> marks);

    static int stepOf(int row) { return row; }
    static int rowOf(int step) { return step; }

protected:
    int numRows() const override;
    QString text(int row, int column) const override;
    QVariant extra(int row, int column, int role) const override;

private:
    std::shared_ptr<const LevelDensity> m_density;
    std::shared_ptr<const StateMarks> m_marks;
    std::int64_t m_most = 1;  ///< states of the largest level
};

}  // namespace orrery
