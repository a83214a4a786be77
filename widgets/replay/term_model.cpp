#include "widgets/replay/term_model.h"

#include <algorithm>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/trust_mark.h"

namespace orrery {

TermModel::TermModel(QObject* parent)
    : TableModel(
          {{tr("action"), CellFace::Text, tr("Joint action of the robots")},
           {QStringLiteral("π"), CellFace::Digits,
            tr("Probability with which the robots choose it")},
           {tr("successor"), CellFace::Text, tr("What may follow; choose a line to see it")},
           {QStringLiteral("P"), CellFace::Digits,
            tr("Its probability, human actions summed by their prior")},
           {tr("γ V′ or 1"), CellFace::Digits,
            tr("The discounted value of the target copy, 1 where the goal is attained")},
           {tr("term"), CellFace::Digits, tr("The product; all terms add up to the target")}},
          parent) {}

void TermModel::setTerms(std::shared_ptr<const ReplaySource> source, std::size_t place,
                         const TargetSum& sum) {
    beginResetModel();
    m_source = std::move(source);
    m_place = place;
    m_sum = sum;
    m_hasValues = true;
    m_largest = 0;
    for (const TargetTerm& term : m_sum.terms) m_largest = std::max(m_largest, std::abs(term.term));
    endResetModel();
}

void TermModel::setShares(std::shared_ptr<const ReplaySource> source, std::size_t place,
                          const std::vector<SuccessorShare>& shares) {
    beginResetModel();
    m_source = std::move(source);
    m_place = place;
    m_sum = {};
    m_hasValues = false;
    for (const SuccessorShare& share : shares)
        m_sum.terms.push_back({.robotAction = share.robotAction,
                               .successor = share.successor,
                               .probability = share.probability});
    endResetModel();
}

void TermModel::clear() {
    beginResetModel();
    m_source = nullptr;
    m_sum = {};
    m_hasValues = false;
    endResetModel();
}

int TermModel::numRows() const {
    return m_source ? static_cast<int>(m_sum.terms.size()) : 0;
}

QString TermModel::text(int row, int column) const {
    const TargetTerm& term = m_sum.terms[static_cast<std::size_t>(row)];
    const bool isFirst =
        row == 0 || m_sum.terms[static_cast<std::size_t>(row - 1)].robotAction != term.robotAction;
    switch (column) {
        case Action:
            return isFirst ? robotActionText(m_source->worldOf(m_place), m_source->factsOf(m_place),
                                             term.robotAction)
                           : QString();
        case Policy:
            return isFirst && m_hasValues ? valueText(term.policy) : QString();
        case Successor:
            return tr("state %1")
                .arg(m_source->replay->modelOf(m_place).successors()[term.successor]);
        case Probability:
            return valueText(term.probability);
        case Value:
            if (!m_hasValues) return {};
            if (term.isAttained) return tr("attained 1");
            if (term.isTerminal) return tr("end %1").arg(valueText(term.value));
            return valueText(term.decay * term.value);
        case Term:
            return m_hasValues ? valueText(term.term) : QString();
        default:
            return {};
    }
}

QVariant TermModel::extra(int row, int column, int role) const {
    const TargetTerm& term = m_sum.terms[static_cast<std::size_t>(row)];
    if (role == Qt::ToolTipRole && column == Value && m_hasValues && !term.isAttained)
        return tr("%1 × %2: the discount times the value of the target copy%3")
            .arg(valueText(term.decay), valueText(term.value),
                 term.isSeen ? QString() : tr("; never visited, the default"));
    if (role == Qt::ToolTipRole) return text(row, column);
    if (role == Qt::FontRole && column == Successor) return numberFont(12);
    if (role == ShareRole && column == Term)
        return m_hasValues && m_largest > 0 ? std::abs(term.term) / m_largest : 0.0;
    if (role == TrustRole && column == Value && m_hasValues && !term.isAttained && !term.isTerminal)
        return static_cast<int>(term.isSeen ? TrustKind::Target : TrustKind::Unseen);
    if (role == TakenRole)
        return term.robotAction == m_source->at(m_place).robotAction &&
               term.successor == m_source->at(m_place).reached;
    return {};
}

}  // namespace orrery
