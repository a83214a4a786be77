#include "widgets/learned/error_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/common/trust_mark.h"

namespace orrery {

ErrorTable::ErrorTable(std::size_t most, QObject* parent)
    : QAbstractTableModel(parent), m_most(most) {}

void ErrorTable::show(std::shared_ptr<const LearnedErrors> errors,
                      std::shared_ptr<const LearnedPairs> pairs) {
    beginResetModel();
    m_errors = std::move(errors);
    m_pairs = std::move(pairs);
    m_states = m_pairs ? worstStates(*m_pairs, m_most) : std::vector<std::int64_t>();
    endResetModel();
}

int ErrorTable::rowOf(std::int64_t state) const {
    const auto at = std::ranges::find(m_states, state);
    return at == m_states.end() ? -1 : static_cast<int>(at - m_states.begin());
}

int ErrorTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_states.size());
}

int ErrorTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kNumColumns;
}

QString ErrorTable::text(std::size_t state, int column) const {
    const ExactError::StateError& at = m_errors->error.byState[state];
    const std::size_t worst = m_pairs->worstOf(state);
    switch (column) {
        case kStep:
            return QString::number(at.state.step);
        case kState:
            return QStringLiteral("s ") + countText(at.state.config);
        case kExact:
            return valueText(m_pairs->exact[worst], 4);
        case kLearned:
            return m_pairs->isSeen[worst] != 0 ? valueText(m_pairs->learned[worst], 4)
                                               : trustText(TrustKind::Unseen);
        case kWhat:
            return m_pairs->names[worst - state * m_pairs->each];
        case kError:
            return valueText(m_pairs->error[state], 4);
        default:
            return countText(at.visits);
    }
}

QVariant ErrorTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_pairs) return {};
    const auto state = static_cast<std::size_t>(stateAt(index.row()));
    switch (role) {
        case Qt::DisplayRole:
            return text(state, index.column());
        case Qt::ToolTipRole:
            if (index.column() == kLearned && text(state, kLearned) == trustText(TrustKind::Unseen))
                return tr("No update reached this entry of the table: it holds its default");
            return tr("Click: shows the state in the world, the state graph and the inspector");
        case Qt::TextAlignmentRole:
            return static_cast<int>((index.column() == kWhat ? Qt::AlignLeft : Qt::AlignRight) |
                                    Qt::AlignVCenter);
        case Qt::FontRole:
            return index.column() == kWhat ? QVariant() : QVariant(numberFont(12));
        case Qt::ForegroundRole:
            if (index.column() == kLearned && text(state, kLearned) == trustText(TrustKind::Unseen))
                return currentTokens().text3;
            return {};
        default:
            return {};
    }
}

QVariant ErrorTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    static const std::array<const char*, kNumColumns> kNames{
        QT_TR_NOOP("step"),    QT_TR_NOOP("state"), QT_TR_NOOP("exact"), QT_TR_NOOP("learned"),
        QT_TR_NOOP("of what"), QT_TR_NOOP("error"), QT_TR_NOOP("visits")};
    if (role == Qt::DisplayRole) return tr(kNames[static_cast<std::size_t>(section)]);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == kWhat ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    return {};
}

}  // namespace orrery
