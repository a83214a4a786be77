#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "widgets/learned/shown_errors.h"

namespace orrery {

/// States with their exact and learned numbers, the largest error first. Of a state with several
/// numbers the pair that differs most is shown. A default of a table is not shown as a number.
class ErrorTable : public QAbstractTableModel {
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

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const std::vector<std::int64_t>& states() const {
        return m_isSeenOnly ? m_shown->worstSeen : m_shown->worst;
    }
    QString text(std::size_t state, int column) const;

    std::size_t m_most;
    bool m_isSeenOnly = false;
    std::shared_ptr<const ShownErrors> m_shown;
};

}  // namespace orrery
