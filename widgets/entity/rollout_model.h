#pragma once

#include <memory>
#include <vector>

#include "widgets/common/table_model.h"
#include "widgets/entity/rollout_rows.h"

namespace orrery {

/// The rows of a rollout that a filter leaves, in an order. GUI thread only.
class RolloutModel : public TableModel {
    Q_OBJECT

public:
    explicit RolloutModel(QObject* parent = nullptr);

    void setContent(std::shared_ptr<const RolloutCopy> rollout, std::vector<std::uint32_t> rows);
    const std::shared_ptr<const RolloutCopy>& rollout() const { return m_rollout; }
    std::uint32_t rowAt(int place) const { return m_rows[static_cast<std::size_t>(place)]; }

    void sort(int column, Qt::SortOrder order) override;

Q_SIGNALS:
    void orderWanted(int column, Qt::SortOrder order);

protected:
    int numRows() const override { return static_cast<int>(m_rows.size()); }
    QString text(int row, int column) const override;

private:
    std::shared_ptr<const RolloutCopy> m_rollout;
    std::vector<std::uint32_t> m_rows;
};

}  // namespace orrery
