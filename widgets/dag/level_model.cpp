#include "widgets/dag/level_model.h"

#include <algorithm>

#include "widgets/common/number_text.h"

namespace orrery {

void LevelModel::setDensity(std::shared_ptr<const LevelDensity> density, const QString& symbol) {
    const int before = rowCount();
    const int after = density ? density->numLevels() : 0;
    const bool isReset = before != after;
    if (isReset) beginResetModel();
    m_density = std::move(density);
    m_symbol = symbol;
    m_most = 1;
    if (m_density)
        for (const std::int64_t states : m_density->states) m_most = std::max(m_most, states);
    if (isReset)
        endResetModel();
    else if (after > 0)
        Q_EMIT dataChanged(index(0, 0), index(after - 1, NumColumns - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, NumColumns - 1);
}

void LevelModel::setMarks(std::shared_ptr<const StateMarks> marks) {
    if (marks == m_marks) return;
    m_marks = std::move(marks);
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, InSet), index(rowCount() - 1, InSet));
}

int LevelModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_density ? 0 : m_density->numLevels();
}

int LevelModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : NumColumns;
}

QVariant LevelModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_density) return {};
    const int step = stepOf(index.row());
    const std::int64_t states = m_density->states[static_cast<std::size_t>(step)];
    switch (role) {
        case Qt::DisplayRole:
            return text(step, index.column());
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
        case Qt::AccessibleTextRole:
            return tr("Level %1: %2 states").arg(step).arg(states);
        case kShareRole:
            return static_cast<double>(states) / static_cast<double>(m_most);
        case kCountRole:
            return QVariant::fromValue<qlonglong>(states);
        default:
            return {};
    }
}

QVariant LevelModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case Level:
            return tr("level");
        case States:
            return tr("states");
        case InSet:
            return tr("in set");
        case Low:
            return tr("lowest %1").arg(m_symbol);
        case Mean:
            return tr("mean %1").arg(m_symbol);
        case High:
            return tr("highest %1").arg(m_symbol);
        default:
            return {};
    }
}

QString LevelModel::text(int step, int column) const {
    const LevelDensity::Level& level = m_density->levels[static_cast<std::size_t>(step)];
    switch (column) {
        case Level:
            return QString::number(step);
        case States:
            return countText(m_density->states[static_cast<std::size_t>(step)]);
        case InSet:
            return m_marks && step < m_marks->numLevels() ? countText(m_marks->count(step))
                                                          : QString();
        case Low:
            return level.numValues > 0 ? valueText(level.min) : QString();
        case Mean:
            return level.numValues > 0 ? valueText(level.mean) : QString();
        case High:
            return level.numValues > 0 ? valueText(level.max) : QString();
        default:
            return {};
    }
}

}  // namespace orrery
