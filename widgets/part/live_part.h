#pragma once

#include <QHash>
#include <QJsonArray>
#include <QTimer>

#include "core/base/run_state.h"
#include "widgets/frame/job_list.h"
#include "widgets/part/window_part.h"

namespace orrery {

class LiveRun;
class LiveStrip;
struct RunOptions;
struct RunSnapshot;

/// What every run that this window started has in it, whatever its kind: its entry in the list of
/// jobs, its chip at the foot of the window, its place among those that wait, a word when the disk
/// is full, the question before the window closes. Parts that know a kind tell what came of it.
class LivePart : public WindowPart {
    Q_OBJECT

public:
    explicit LivePart(Workbench& bench);

    void addViews() override;
    void bindCommands() override;
    void applyPreference(const QString& key) override;
    void saveSession(QJsonObject& session) const override;
    void restoreSession(const QJsonObject& session, bool hasOtherWorld) override;
    bool isSettled() const override;
    std::optional<RunKeys> runKeys() override;
    std::optional<CloseQuestion> closeQuestion() const override;

    /// Of a run that begins now: stored where that can be done, and asking where it is in trouble.
    RunOptions newOptions() const;
    /// What F6 and Shift+F5 do with one run.
    RunKeys keysOf(LiveRun& run) const;
    /// Which run the window is about; 0: none. Alone it needs no chip.
    void setShown(int number);
    /// The run has ended: in the list of jobs.
    void end(const LiveRun& run, JobList::State outcome, const QString& text);
    /// Says that so many runs have to wait for their turn.
    void tellWaiting(int number) const;

private:
    /// How far the window has followed one run.
    struct Followed {
        int job = 0;  ///< in the list of jobs; 0: not yet there
        RunState state = RunState::Queued;
    };
    void begin(LiveRun* run);
    void take(LiveRun* run);
    void show();
    void restoreWaiting();
    void restore(const QJsonObject& waiting);

    LiveStrip* m_strip = nullptr;
    QHash<int, Followed> m_followed;  ///< by the run's number
    QTimer m_showing;                 ///< until how far they are is shown again
    QJsonArray m_kept;                ///< of the last session, until their workspace is open
    int m_numRestored = 0;            ///< of them, until all are back
};

/// Of a run at work: that it is paused or waits for space, else what it does.
StatusText liveStatus(const RunSnapshot& now, const QString& doing, const QString& numbers);
/// "Train Two rooms", "Solve Maze".
QString liveTitle(const LiveRun& run);
/// "12 %", "waits, 2nd", "paused": where it is, in few letters.
QString liveStateText(const LiveRun& run);

}  // namespace orrery
