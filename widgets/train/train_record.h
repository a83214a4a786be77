#pragma once

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/run/archive/stored_training.h"
#include "core/run/run_kind.h"
#include "core/run/run_spec.h"
#include "core/run/snapshot.h"
#include "core/train/train_trouble.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/plots/chart_content.h"

namespace orrery {

struct ArchivedTraining;
struct RunEvent;

/// The points of one metric, in the order in which they came; steps never decrease.
using TrainCurve = StoredCurve;

/// One training as a window follows it, from its start or as it was stored: its curves and marks,
/// what was changed while it ran, how it ended. Sends what a person asks of it. GUI thread only.
///
/// A change is pending from the moment it is sent until the run says that it applied or refused it.
class TrainRecord : public QObject {
    Q_OBJECT

public:
    /// Of nothing yet.
    TrainRecord();
    /// Of a run that begins.
    TrainRecord(RunSpec spec, RunBridge* bridge);
    /// Of one that goes on: once it says from where, what was recorded behind that is dropped.
    TrainRecord(ArchivedTraining earlier, RunBridge* bridge);
    /// Of the history.
    explicit TrainRecord(ArchivedTraining stored);

    bool hasRun() const { return m_hasRun; }
    bool isLive() const { return m_bridge && m_bridge->isLive(); }
    bool isPaused() const;
    /// A stored run that ended early and can go on.
    bool isResumable() const;
    const RunSpec& spec() const { return m_spec; }  ///< as started
    /// Of the stored run; empty while it is not stored yet, or never.
    const QString& runId() const { return m_runId; }
    /// Another workspace was opened: it is stored under no id there.
    void leaveStore();
    /// The run as people read it (see runTitle), with or without all of its name; empty of nothing.
    QString title() const;
    QString shortTitle() const;
    /// The world that it trains in, "3 worlds", or empty while they are not read.
    QString worldTitle() const;
    /// With the changes that were applied.
    const Job& job() const { return m_live.job; }
    const TrainSettings& settings() const { return *trainSettings(m_live.job); }
    const RunKind& kind() const { return m_live.job.kind(); }
    const TrainingDisplay& display() const { return kind().display; }
    const std::shared_ptr<const RunSnapshot>& snapshot() const { return m_snapshot; }
    const TrainSnapshot* training() const;    ///< null before the first snapshot
    const TrainingSnapshot* numbers() const;  ///< null until the learner has begun
    /// What goes through it now; empty until the learner has begun.
    TrainingFlow flow() const;
    std::int64_t step() const;
    std::int64_t totalSteps() const { return kind().totalSteps(job()); }
    /// A step was skipped because a number was not finite, and the run halted to ask what to do.
    std::optional<TrainTrouble> trouble() const;
    /// How the run that was live ended, in one line: its steps, and what ended it; empty before.
    const QString& summary() const { return m_summary; }

    const std::map<QString, TrainCurve>& curves() const { return m_curves; }
    /// The parent's curves up to where this run was forked from it; none of a run that is no fork.
    const std::map<QString, TrainCurve>& history() const { return m_history; }
    /// Read later than the fork begins.
    void setHistory(std::map<QString, TrainCurve> history);
    /// Steering, checkpoints, clearings of the buffer, skipped steps, where it was forked; x is the
    /// training step.
    const std::vector<ChartEvent>& marks() const { return m_marks; }
    /// The changes of this run, refused ones too, ascending by step.
    const std::vector<AppliedChange>& changes() const { return m_changes; }
    /// Stretches of training, those behind its last step too; none until the learner has begun.
    std::vector<TrainingStage> plannedStages() const;
    /// The same, the last one ended at the last step; x is the training step.
    std::vector<ChartStage> stages() const;
    /// The stage that the next step belongs to; nothing where there is none.
    std::optional<TrainingStage> stage() const;
    /// Seconds of training at a step, between the moments that are known.
    double secondsAt(double step) const;

    /// Asks for a new value of a live field or an actor ("actor.0" is "paused" or "running").
    void send(const QString& key, const QString& value, bool isUndo);
    /// The value that was asked for last and is not applied yet.
    std::optional<QString> pending(const QString& key) const;
    /// Why the last change of a key was refused; empty if it was not.
    QString refusal(const QString& key) const { return m_refusals.value(key); }
    /// The value in force, as the field writes it; "running" or "paused" of an actor.
    QString value(const QString& key) const;
    void pauseOrResume();
    /// Of a paused run, or of a live one that is paused first.
    void doSteps(int count);
    static constexpr int kManySteps = 100;  ///< of the command that does many
    void stop();
    void checkpoint();
    /// The least time in ms between two snapshots.
    void setViewPause(int milliseconds);

Q_SIGNALS:
    /// A snapshot was taken, or the run is another one in the store.
    /// @param isTurn  another state, or a step of a paused run
    void advanced(bool isTurn);
    void marksChanged();     ///< events or stages
    void historyChanged();   ///< the parent's curves, or those so far: the run goes on from earlier
    void halted();           ///< there is a trouble() from now on
    void steeringChanged();  ///< pending, applied or refused changes
    void ended();

private:
    void follow(RunBridge* bridge);
    void noteFork();
    void cutBehind(double step);
    void takeEvent(const RunEvent& event);
    void takeSnapshot();
    void takeChanges(const TrainSnapshot& training);
    void noteMoment();
    void takeMarks(const TrainSnapshot& training);
    void addMark(double step, ChartEventKind kind, const QString& text);
    ChartEvent* checkpointMarkAt(double step);
    void noteChange(AppliedChange change);

    QPointer<RunBridge> m_bridge;
    bool m_hasRun = false;
    RunSpec m_spec;
    QString m_runId;
    RunSpec m_live;  ///< with the changes that were applied
    std::shared_ptr<const RunSnapshot> m_snapshot;
    std::map<QString, TrainCurve> m_curves, m_history;
    std::vector<ChartEvent> m_marks;
    std::vector<double> m_knownSteps{0}, m_knownSeconds{0};
    std::size_t m_numChanges = 0;
    bool m_areOpeningsMarked = false;
    std::string m_markedStage;              ///< that was current when the marks were told last
    QHash<QString, QStringList> m_pending;  ///< values in the order in which they were asked for
    QHash<QString, QString> m_refusals;
    QHash<QString, QString> m_actors;  ///< by key
    std::vector<AppliedChange> m_changes;
    QString m_summary;
    std::optional<TrainTrouble> m_toldTrouble;
    int m_viewPause = 0;
};

}  // namespace orrery
