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
    : TableModel({{tr("step"), CellFace::Digits},
                  {tr("state"), CellFace::Digits},
                  {tr("exact"), CellFace::Digits},
                  {tr("learned"), CellFace::Digits},
                  {tr("of what")},
                  {tr("error"), CellFace::Digits},
                  {tr("visits"), CellFace::Digits}},
                 parent),
      m_most(most) {}

void ErrorTable::show(std::shared_ptr<const ShownErrors> shown) {
    beginResetModel();
    m_shown = std::move(shown);
    endResetModel();
}

void ErrorTable::setSeenOnly(bool isSeenOnly) {
    if (isSeenOnly == m_isSeenOnly) return;
    beginResetModel();
    m_isSeenOnly = isSeenOnly;
    endResetModel();
}

int ErrorTable::rowOf(std::int64_t state) const {
    for (int row = 0; row < rowCount(); ++row)
        if (stateAt(row) == state) return row;
    return -1;
}

int ErrorTable::numRows() const {
    return m_shown ? static_cast<int>(std::min(m_most, states().size())) : 0;
}

QString ErrorTable::text(int row, int column) const {
    const auto state = static_cast<std::size_t>(stateAt(row));
    const ExactError::StateError& at = m_shown->errors->error.byState[state];
    const LearnedPairs& pairs = *m_shown->pairs;
    const std::size_t worst = m_isSeenOnly ? pairs.worstSeenOf(state) : pairs.worstOf(state);
    switch (column) {
        case kStep:
            return QString::number(at.state.step);
        case kState:
            return QStringLiteral("s ") + countText(at.state.config);
        case kExact:
            return valueText(pairs.exact[worst], 4);
        case kLearned:
            return pairs.isSeen[worst] != 0 ? valueText(pairs.learned[worst], 4)
                                            : trustText(TrustKind::Unseen);
        case kWhat:
            return pairs.names[worst - state * pairs.each];
        case kError:
            return valueText((m_isSeenOnly ? pairs.seenError : pairs.error)[state], 4);
        default:
            return countText(at.visits);
    }
}

QVariant ErrorTable::extra(int row, int column, int role) const {
    const bool isUnseen = column == kLearned && text(row, kLearned) == trustText(TrustKind::Unseen);
    if (role == Qt::ToolTipRole)
        return isUnseen
                   ? tr("No update reached this entry of the table: it holds its default")
                   : tr("Click: shows the state in the world, the state graph and the inspector");
    return role == Qt::ForegroundRole && isUnseen ? QVariant(currentTokens().text3) : QVariant();
}

}  // namespace orrery
