#pragma once

#include <QStringList>
#include <memory>
#include <vector>

#include "core/run/run_queue.h"
#include "core/run/sweep.h"
#include "widgets/common/table_model.h"
#include "widgets/explore/outcome_chart.h"

namespace orrery {

/// The runs of a sweep with their parameters, states and results. GUI thread only.
class SweepModel : public TableModel {
    Q_OBJECT

public:
    explicit SweepModel(QObject* parent = nullptr) : TableModel(parent) { setSweep({}, {}); }

    /// The runs that sweepRuns makes of the axes.
    void setSweep(const std::vector<SweepAxis>& axes, const std::vector<RunSpec>& specs);
    void setSnapshot(const QueueSnapshot& snapshot);

    bool isLive(int row) const;
    QStringList runIds() const;  ///< stored ones
    OutcomeTable outcome() const;

protected:
    int numRows() const override { return static_cast<int>(m_members.size()); }
    QString text(int row, int column) const override;
    QVariant extra(int row, int column, int role) const override;

private:
    QStringList m_axes;
    std::vector<QStringList> m_texts;      ///< [run][axis]
    std::vector<QList<double>> m_numbers;  ///< [run][axis]
    std::vector<QueueMember> m_members;    ///< [run]
    QStringList m_humans;                  ///< names
};

}  // namespace orrery
