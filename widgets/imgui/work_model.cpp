#include "widgets/imgui/work_model.h"

#include "widgets/common/number_text.h"

namespace orrery {

namespace {

QString milliseconds(std::int64_t ns) {
    return QString::number(static_cast<double>(ns) * 1e-6, 'f', 3);
}

QString cellTextOf(const WorkInterval& i, int column) {
    const bool isSolve = i.kind == WorkKind::Solve;
    switch (column) {
        case WorkModel::kThread:
            return QString::number(i.thread);
        case WorkModel::kKind:
            return QString::fromLatin1(nameOf(i.kind));
        case WorkModel::kLevel:
            if (i.level < 0) return {};
            return i.level == i.lastLevel ? QString::number(i.level)
                                          : QStringLiteral("%1–%2").arg(i.level).arg(i.lastLevel);
        case WorkModel::kBegin:
            return milliseconds(i.beginNs);
        case WorkModel::kDuration:
            return milliseconds(i.endNs - i.beginNs);
        case WorkModel::kBusy:
            return milliseconds(i.busyNs);
        case WorkModel::kPhase1:
            return isSolve ? milliseconds(i.phase1Ns) : QString();
        case WorkModel::kPhase2:
            return isSolve ? milliseconds(i.busyNs - i.phase1Ns) : QString();
        case WorkModel::kStates:
            return countText(i.states);
        case WorkModel::kEntries:
            return countText(i.entries);
        case WorkModel::kRate:
            return i.busyNs > 0
                       ? countText(static_cast<std::int64_t>(static_cast<double>(i.entries) * 1e9 /
                                                             static_cast<double>(i.busyNs)))
                       : QString();
        default:
            return {};
    }
}

}  // namespace

QString levelText(const WorkInterval& interval) {
    if (interval.level < 0) return {};
    if (interval.level == interval.lastLevel) return QStringLiteral("level %1").arg(interval.level);
    return QStringLiteral("levels %1–%2").arg(interval.level).arg(interval.lastLevel);
}

void WorkModel::setTimeline(std::shared_ptr<const WorkTimeline> timeline) {
    beginResetModel();
    m_timeline = std::move(timeline);
    endResetModel();
}

int WorkModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_timeline ? 0 : static_cast<int>(m_timeline->intervals.size());
}

int WorkModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kNumColumns;
}

QVariant WorkModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(
            Qt::AlignVCenter | (index.column() == kKind ? Qt::AlignLeft : Qt::AlignRight)));
    if (role != Qt::DisplayRole) return {};
    return cellTextOf(m_timeline->intervals[static_cast<std::size_t>(index.row())], index.column());
}

QVariant WorkModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    const QString names[kNumColumns] = {tr("Thread"),      tr("Work"),         tr("Level"),
                                        tr("Begin, ms"),   tr("Duration, ms"), tr("Busy, ms"),
                                        tr("Phase 1, ms"), tr("Phase 2, ms"),  tr("States"),
                                        tr("Entries"),     tr("Entries/s")};
    return section >= 0 && section < kNumColumns ? names[section] : QVariant();
}

}  // namespace orrery
