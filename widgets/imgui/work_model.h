#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "core/base/work_trace.h"

namespace orrery {

/// A timeline as a table, one row an interval, by thread and time. GUI thread only.
class WorkModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        kThread,
        kKind,
        kLevel,
        kBegin,
        kDuration,
        kBusy,
        kPhase1,
        kPhase2,
        kStates,
        kEntries,
        kRate,
        kNumColumns
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setTimeline(std::shared_ptr<const WorkTimeline> timeline);
    const std::shared_ptr<const WorkTimeline>& timeline() const { return m_timeline; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    std::shared_ptr<const WorkTimeline> m_timeline;
};

/// "level 5", or "levels 5-9" where several were merged; empty without a level.
QString levelText(const WorkInterval& interval);

}  // namespace orrery
