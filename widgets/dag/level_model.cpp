#include "widgets/dag/level_model.h"

#include <algorithm>

#include "widgets/common/number_text.h"

namespace orrery {

namespace {

std::vector<TableColumn> columnsOf(const QString& symbol) {
    std::vector<TableColumn> columns;
    for (const QString& heading :
         {LevelModel::tr("level"), LevelModel::tr("states"), LevelModel::tr("in set"),
          LevelModel::tr("lowest %1").arg(symbol), LevelModel::tr("mean %1").arg(symbol),
          LevelModel::tr("highest %1").arg(symbol)})
        columns.push_back({heading, CellFace::Number});
    return columns;
}

}  // namespace

LevelModel::LevelModel(QObject* parent) : TableModel(columnsOf({}), parent) {}

void LevelModel::setDensity(std::shared_ptr<const LevelDensity> density, const QString& symbol) {
    const int before = rowCount();
    const int after = density ? density->numLevels() : 0;
    const bool isReset = before != after;
    if (isReset) beginResetModel();
    m_density = std::move(density);
    m_most = 1;
    if (m_density)
        for (const std::int64_t states : m_density->states) m_most = std::max(m_most, states);
    isReset ? endResetModel() : tellCells();
    setColumns(columnsOf(symbol));
}

void LevelModel::setMarks(std::shared_ptr<const StateMarks> marks) {
    if (marks == m_marks) return;
    m_marks = std::move(marks);
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, InSet), index(rowCount() - 1, InSet));
}

int LevelModel::numRows() const {
    return m_density ? m_density->numLevels() : 0;
}

QString LevelModel::text(int row, int column) const {
    const int step = stepOf(row);
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

QVariant LevelModel::extra(int row, int, int role) const {
    const int step = stepOf(row);
    const std::int64_t states = m_density->states[static_cast<std::size_t>(step)];
    switch (role) {
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

}  // namespace orrery
