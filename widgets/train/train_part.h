#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/run/run_spec.h"
#include "widgets/part/window_part.h"

namespace orrery {

class LivePart;
class LiveRun;
class TrainRecord;
class TrainSession;
class WorldPart;
struct ArchivedTraining;
struct RunOptions;
struct RunSnapshot;

/// The training that the window shows: how it is started, watched, steered, ended, resumed and
/// brought back, and what is said of it.
class TrainPart : public WindowPart {
    Q_OBJECT

public:
    TrainPart(Workbench& bench, WorldPart* world, LivePart* live);

    void addViews() override;
    std::vector<PerspectiveSpec> perspectives() override;
    void bindCommands() override;
    void refreshCommands() override;
    void applyPreference(const QString& key) override;
    void saveSession(QJsonObject& session) const override;
    void restoreSession(const QJsonObject& session, bool hasOtherWorld) override;
    bool isRestored() const override { return m_kept.isEmpty(); }
    std::optional<StatusText> status() const override;
    QString windowTitle() const override;
    QStringList crumbs() const override;
    std::optional<StepKeys> stepKeys() override;
    std::optional<RunKeys> runKeys() override;
    bool opensRun(const RunRecord& run) override;
    bool continuesRun(const RunRecord& run) override;
    std::optional<CloseQuestion> closeQuestion() const override;
    void prepareToClose() override;

    TrainSession& training() const { return *m_training; }
    /// The training that is shown.
    TrainRecord& record() const;
    /// The stored run that Train shows; empty: none is stored.
    QString shownId() const;

    /// Starts trainings as there is room, and shows the first; says why it cannot.
    /// @param parentRun  id of the run that they are forked from, or empty
    void start(const std::vector<RunSpec>& specs, const QString& parentRun);
    /// Resumes a stored training that was stopped or interrupted.
    void resume(const QString& runId);
    /// Ends the training that is shown, then does something else in place of saying what
    /// came of it.
    void end(std::function<void()> then);
    /// Learns a small example, and opens its world.
    void startExample();

Q_SIGNALS:
    /// A person wants to fork the training that is shown, with the form at a field.
    void forkRequested(const QString& field);
    /// It waits for somebody to say what to do.
    void halted();

private:
    QWidget* makeCharts(QWidget* parent);
    const RunRecord* newestStored() const;
    QWidget* makeSteering(QWidget* parent);
    /// A training that is at work, with what the window knows of it.
    struct Followed {
        LiveRun* run;
        std::shared_ptr<TrainRecord> record;
    };
    void begin(LiveRun* run);
    void showLive(int number);
    const Followed* shown() const;
    bool startOne(const RunSpec& spec, RunOptions options);
    bool isShown() const;
    void readHistory(const std::shared_ptr<TrainRecord>& record);
    void follow();
    void noteStart(const RunSpec& spec, bool isFork);
    // train_part_ends.cpp
    void showStored(const QString& runId, const std::function<void()>& then,
                    const std::function<void(const QString&)>& failed);
    void reopenKept();
    void goOn(ArchivedTraining earlier, const QString& runId);
    void tellHalted(const std::shared_ptr<TrainRecord>& record);
    void tellDiverged();
    void tellInterrupted();
    void finish(const LiveRun* run);
    void tellEnd(const TrainRecord& record, const RunSnapshot& snapshot, const QString& text);

    WorldPart* m_world;
    LivePart* m_live;
    TrainSession* m_training;
    std::vector<Followed> m_followed;
    std::shared_ptr<ArchivedTraining> m_earlier;  ///< of the run that begins, if it goes on
    bool m_showsNext = false;                     ///< a person wants to see the one that begins
    std::function<void()> m_afterEnd;  ///< in place of telling how the one that is shown ended
    QString m_kept, m_keptWorkspace;   ///< run of the last session, until the runs are listed
};

/// The world of Home's card that trains.
inline constexpr char kTrainExampleWorld[] = "builtin:first_steps";

}  // namespace orrery
