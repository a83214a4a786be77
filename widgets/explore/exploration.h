#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <atomic>
#include <memory>

#include "core/base/latest.h"
#include "core/base/progress.h"
#include "core/solve/spec.h"

namespace orrery {

class BackgroundWorker;
class PlanSession;
class Resolver;
class Solution;

/// Solves the session's graph again with other parameters than its run has, and shows the values in
/// the session in place of the run's. Nothing is stored. The newest wish wins: a solve at work is
/// cancelled for it, unless that would leave the views without a new picture while a slider moves.
/// Lives in the GUI thread, which waits only in the destructor, for a cancelled solve.
class Exploration : public QObject {
    Q_OBJECT

public:
    explicit Exploration(PlanSession* session, QObject* parent = nullptr);
    ~Exploration() override;

    /// True if there is a solution to begin with.
    bool canExplore() const;
    /// Parameters of the run, of what is wished for, and of what the session shows. Without a
    /// solution all are the defaults.
    const SolveSpec& runSpec() const { return m_run; }
    const SolveSpec& wanted() const { return m_wanted; }
    /// True from the first wish that differs from the run until the way back.
    bool isExploring() const { return m_wanted != m_run; }

    /// Shows these parameters as soon as they are solved; those of the run at once.
    void setWanted(const SolveSpec& spec);
    void backToRun();
    /// Solves phase 1 of the run ahead, if it is not kept and the world is small; shows nothing.
    void warmUp();
    /// Ends the solve at work; the wish becomes what the session shows.
    void cancel();

    bool isWorking() const { return m_isBusy; }
    /// Seconds from the last wish to its values in the session, views included; 0 before the first.
    double lastSeconds() const { return m_lastSeconds; }
    /// True if the last solve did phase 2 alone.
    bool lastWasPhase2() const { return m_lastWasPhase2; }

Q_SIGNALS:
    void wantedChanged();  ///< or the run
    /// After it: not by setWanted, but because of another run, or on the way back to what is shown.
    void wantedReplaced();
    void workingChanged();
    void shown();  ///< the values of the newest wish are in the session
    void progressed(const orrery::Progress& progress);
    void failed(const QString& text);

private:
    struct Result {
        std::shared_ptr<const Solution> solution;
        double seconds = 0;
        bool wasPhase2 = false;
    };

    void followSession();
    void start();
    bool letsFinish() const;
    void take(const Result& result);
    void setBusy(bool isBusy);
    void noteProgress(const Progress& progress);

    PlanSession* m_session;
    BackgroundWorker* m_worker;
    std::shared_ptr<Resolver> m_resolver;  ///< used by the worker only
    SolveSpec m_run, m_wanted, m_begun;    ///< m_begun: of the solve at work
    QElapsedTimer m_sinceWish, m_sincePicture;
    double m_lastSeconds = 0, m_solveSeconds = 0;
    bool m_lastWasPhase2 = false;
    bool m_isBusy = false, m_isWarming = false;
    bool m_isShowing = false;  ///< the session changes because of this object
    Latest<Progress> m_progress;
    std::atomic<bool> m_isProgressQueued{false};
};

}  // namespace orrery
