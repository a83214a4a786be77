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

int ErrorTable::rowCount(const QModelIndex& parent) const {
    if (parent.isValid() || !m_shown) return 0;
    return static_cast<int>(std::min(m_most, states().size()));
}

int ErrorTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kNumColumns;
}

QString ErrorTable::text(std::size_t state, int column) const {
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

QVariant ErrorTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_shown) return {};
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
