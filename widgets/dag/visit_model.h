#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/dag/state_graph.h"
#include "widgets/common/table_model.h"

namespace orrery {

class Solution;

/// How often sampled paths visited a state.
struct StateVisits {
    State state;
    std::int64_t visits = 0;
};

/// The outcome of sampling paths.
struct PathSample {
    std::shared_ptr<const Solution> solution;
    int numPaths = 0;
    std::vector<StateVisits> states;  ///< by visits, the most first; then by step and configuration
};

/// The visited states as a table: step, state, visits, share of the paths, V_r. GUI thread only.
class VisitModel : public TableModel {
    Q_OBJECT

public:
    enum Column { Step, StateNumber, Visits, Share, Value, NumColumns };

    explicit VisitModel(QObject* parent = nullptr);

    void setSample(std::shared_ptr<const PathSample> sample);
    const PathSample* sample() const { return m_sample.get(); }

protected:
    int numRows() const override;
    QString text(int row, int column) const override;

private:
    std::shared_ptr<const PathSample> m_sample;
};

}  // namespace orrery
