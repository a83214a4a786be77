#pragma once

#include <memory>

#include "widgets/common/table_model.h"
#include "widgets/learned/shown_errors.h"

namespace orrery {

/// States with their exact and learned numbers, the largest error first. Of a state with several
/// numbers the pair that differs most is shown. A default of a table is not shown as a number.
class ErrorTable : public TableModel {
    Q_OBJECT

public:
    enum Column { kStep, kState, kExact, kLearned, kWhat, kError, kVisits, kNumColumns };

    /// @param most  states; the others are left out
    explicit ErrorTable(std::size_t most, QObject* parent = nullptr);

    /// Null: no rows.
    void show(std::shared_ptr<const ShownErrors> shown);
    /// Leaves out pairs that hold a default, and states that have no other.
    void setSeenOnly(bool isSeenOnly);
    bool isSeenOnly() const { return m_isSeenOnly; }
    /// The index in ExactError::byState of a row.
    std::int64_t stateAt(int row) const { return states()[static_cast<std::size_t>(row)]; }
    /// The row of such a state; -1 if it is not among them.
    int rowOf(std::int64_t state) const;

protected:
    int numRows() const override;
    QString text(int row, int column) const override;
    QVariant extra(int row, int column, int role) const override;

private:
    const std::vector<std::int64_t>& states() const {
        return m_isSeenOnly ? m_shown->worstSeen : m_shown->worst;
    }
    std::size_t m_most;
    bool m_isSeenOnly = false;
    std::shared_ptr<const ShownErrors> m_shown;
};

}  // namespace orrery
