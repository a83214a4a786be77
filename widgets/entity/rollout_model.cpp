#include "widgets/entity/rollout_model.h"

#include <cmath>

#include "widgets/common/number_text.h"

namespace orrery {

RolloutModel::RolloutModel(QObject* parent) : TableModel(parent) {
    std::vector<TableColumn> columns;
    columns.reserve(static_cast<std::size_t>(kNumRolloutColumns));
    for (int i = 0; i < kNumRolloutColumns; ++i)
        columns.push_back({rolloutHeading(static_cast<RolloutColumn>(i)), CellFace::Digits, {}});
    columns[static_cast<std::size_t>(RolloutColumn::Ratio)].tip =
        tr("Probability of what was done by the policy now, against when it was done; mean over "
           "what is decided in the frame");
    columns[static_cast<std::size_t>(RolloutColumn::Entropy)].tip = tr("Nats a choice");
    setColumns(std::move(columns));
}

void RolloutModel::setContent(std::shared_ptr<const RolloutCopy> rollout,
                              std::vector<std::uint32_t> rows) {
    beginResetModel();
    m_rollout = std::move(rollout);
    m_rows = std::move(rows);
    endResetModel();
}

void RolloutModel::sort(int column, Qt::SortOrder order) {
    if (column >= 0) Q_EMIT orderWanted(column, order);
}

QString RolloutModel::text(int row, int column) const {
    const auto which = static_cast<RolloutColumn>(column);
    const double number = rolloutNumber(*m_rollout, rowAt(row), which);
    switch (which) {
        case RolloutColumn::Row:
        case RolloutColumn::Env:
        case RolloutColumn::Step:
            return QString::number(static_cast<std::int64_t>(number));
        case RolloutColumn::Done:
        case RolloutColumn::Truncated:
            return number != 0 ? tr("yes") : QString();
        default:
            return std::isnan(number) ? QString() : significantText(number);
    }
}

}  // namespace orrery
