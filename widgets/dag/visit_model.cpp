#include "widgets/dag/visit_model.h"

#include <QFont>

#include "core/solve/solution.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"

namespace orrery {

void VisitModel::setSample(std::shared_ptr<const PathSample> sample) {
    beginResetModel();
    m_sample = std::move(sample);
    endResetModel();
}

int VisitModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_sample ? 0 : static_cast<int>(m_sample->states.size());
}

int VisitModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : NumColumns;
}

QVariant VisitModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_sample) return {};
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::FontRole) return numberFont(12);
    if (role != Qt::DisplayRole) return {};
    const StateVisits& row = m_sample->states[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
        case Step:
            return row.state.step;
        case StateNumber:
            return countText(row.state.config);
        case Visits:
            return countText(row.visits);
        case Share:
            return percentText(static_cast<double>(row.visits) / m_sample->numPaths);
        default:
            return m_sample->solution->spec().phase1Only
                       ? QString()
                       : valueText(m_sample->solution->v_r(row.state));
    }
}

QVariant VisitModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const QString names[] = {tr("Step"), tr("State"), tr("Visits"), tr("Of the paths"),
                             QStringLiteral("Vᵣ")};
    return section < NumColumns ? names[section] : QString();
}

}  // namespace orrery
