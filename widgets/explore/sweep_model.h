#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <memory>
#include <vector>

#include "core/run/run_queue.h"
#include "core/run/sweep.h"
#include "widgets/explore/outcome_chart.h"

namespace orrery {

/// The runs of a sweep with their parameters, states and results. GUI thread only.
class SweepModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// The runs that sweepRuns makes of the axes.
    void setSweep(const std::vector<SweepAxis>& axes, const std::vector<RunSpec>& specs);
    void setSnapshot(const QueueSnapshot& snapshot);

    bool isLive(int row) const;
    QStringList runIds() const;  ///< stored ones
    OutcomeTable outcome() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QStringList m_axes;
    std::vector<QStringList> m_texts;      ///< [run][axis]
    std::vector<QList<double>> m_numbers;  ///< [run][axis]
    std::vector<QueueMember> m_members;    ///< [run]
    QStringList m_humans;                  ///< names
};

}  // namespace orrery
