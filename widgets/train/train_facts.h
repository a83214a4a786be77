#pragma once

#include <QString>
#include <vector>

#include "widgets/common/table_model.h"

namespace orrery {

class TrainSession;
class ViewClock;

/// What a training is doing now as a table: its step, stage, speeds, losses, errors, buffer and
/// actors. The twin of what the views of Train draw.
class TrainFacts : public ReadyTable {
    Q_OBJECT

public:
    explicit TrainFacts(TrainSession* session, QObject* parent = nullptr);

private:
    std::vector<QStringList> read() const;
    void addStages(std::vector<QStringList>& rows) const;
    void refresh();

    TrainSession* m_session;
};

/// Steps a second: "3.4", "5 803".
QString stepRateText(double rate);

/// "28 Hz": how often live views are drawn; "frozen"; "not drawn" where nobody can see one.
QString viewRateText(const ViewClock& clock);

/// "step 41 280 of 60 000 · 418 steps/s · 3 960 env steps/s · buffer 82 % · views 28 Hz · 45 s
/// left"; empty before the learner has begun.
QString trainStatusText(const TrainSession& session);

/// "Running · ramp of β_r", "Paused", "Solves exactly first", "Finished".
QString trainStateText(const TrainSession& session);

}  // namespace orrery
