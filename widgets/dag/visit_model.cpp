#include "widgets/dag/visit_model.h"

#include <QFont>

#include "core/solve/solution.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"

namespace orrery {

VisitModel::VisitModel(QObject* parent)
    : TableModel({{tr("Step"), CellFace::Digits},
                  {tr("State"), CellFace::Digits},
                  {tr("Visits"), CellFace::Digits},
                  {tr("Of the paths"), CellFace::Digits},
                  {QStringLiteral("Vᵣ"), CellFace::Digits}},
                 parent) {}

void VisitModel::setSample(std::shared_ptr<const PathSample> sample) {
    beginResetModel();
    m_sample = std::move(sample);
    endResetModel();
}

int VisitModel::numRows() const {
    return m_sample ? static_cast<int>(m_sample->states.size()) : 0;
}

QString VisitModel::text(int row, int column) const {
    const StateVisits& visits = m_sample->states[static_cast<std::size_t>(row)];
    switch (column) {
        case Step:
            return QString::number(visits.state.step);
        case StateNumber:
            return countText(visits.state.config);
        case Visits:
            return countText(visits.visits);
        case Share:
            return percentText(static_cast<double>(visits.visits) / m_sample->numPaths);
        default:
            return m_sample->solution->spec().phase1Only
                       ? QString()
                       : valueText(m_sample->solution->v_r(visits.state));
    }
}

}  // namespace orrery
