#pragma once

#include <QString>
#include <QTimer>
#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/run/run_spec.h"
#include "core/train/memory_part.h"
#include "widgets/train/train_rate.h"

class QLabel;

namespace orrery {

/// What a training with the settings of a form will be: its stages, how long it takes, what it
/// comes to hold, when its checkpoints are made.
class TrainOutlook : public QWidget {
    Q_OBJECT

public:
    /// @param spec  of the form; its owner, who outlives this, keeps it
    TrainOutlook(const RunSpec& spec, QWidget* parent);

    /// @param numRuns  that the form starts
    /// @param isValid  no field of the spec is wrong
    void refresh(int numRuns, bool isValid);
    /// There may be newer runs and more memory than when it was asked.
    void forgetAnswers();
    /// Why there is not enough memory; empty: there is.
    const QString& tooMuch() const { return m_tooMuch; }

    /// The answer to memoryWanted(); too old ones are left.
    /// @param limit  bytes that they may take; 0: not known
    /// @param numAtOnce  of the runs that the form starts
    void setMemory(const RunSpec& spec, const std::vector<MemoryPart>& parts, std::int64_t limit,
                   int numAtOnce);
    /// The answer to rateWanted(); nothing if there was no such run.
    void setRate(const QString& kind, const std::optional<MeasuredRate>& rate);

Q_SIGNALS:
    /// What would a training with this spec come to hold?
    void memoryWanted(const RunSpec& spec);
    /// How fast was a training of this kind?
    void rateWanted(const QString& kind);

private:
    QLabel* addLine(const char* name);
    QString stagesText() const;
    void refreshTime();
    void askForMemory(int numRuns, bool isValid);

    const RunSpec& m_spec;
    QLabel *m_stages, *m_time, *m_memory, *m_checkpoints;
    QString m_kindOfRate;
    std::optional<MeasuredRate> m_rate;
    QTimer m_memoryPause;  ///< until it is asked for anew
    Job m_memoryOf;        ///< that was asked for last
    int m_memoryRuns = 0;  ///< and for so many runs
    QString m_tooMuch;
};

}  // namespace orrery
