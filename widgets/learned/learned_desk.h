#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/latest.h"
#include "core/base/progress.h"
#include "core/trace/span_stats.h"
#include "widgets/learned/learned_errors.h"

namespace orrery {

class Archive;
class BackgroundWorker;
struct RunRecord;
struct TrainSnapshot;

/// The points of one stored curve.
struct ComparedCurve {
    std::vector<double> step, value;
};

/// What a stored training is about, for who picks one.
struct ComparedTraining {
    QString id = {}, name = {};
    QStringList worlds = {};                       ///< titles
    std::vector<std::int64_t> checkpoints = {};    ///< steps, newest first
    std::int64_t best = -1;                        ///< step of the one marked as best; -1: none
    std::map<QString, ComparedCurve> errors = {};  ///< by metric: "Exact/v_h_e"
};

/// Where the time and memory of a training go: of the live one, or as it was kept with its last
/// checkpoint.
struct StageProfile {
    QString id = {}, name = {};
    std::vector<SpanWords> words = {};                  ///< of all that its threads may do
    std::shared_ptr<const SpanTimeline> timeline = {};  ///< null: not recorded
    std::map<std::string, std::int64_t> memory = {};    ///< bytes, by its method's names
    /// Of the learner's thread, within a range of the timeline. Of runs that kept none the means
    /// alone, in which what comes between steps is idle.
    SpanStats stats = {};

    /// A kind of spans by its name in `words`; zeros of what its method does not do.
    SpanKindStats of(const std::string& kind) const;
};

/// The training of the window.
struct FollowedRun {
    QString id = {}, title = {};
    bool isLive = false;  ///< false: it has ended
    bool plans = false;   ///< by learned planning
};

/// Compares checkpoints of stored trainings with exact solutions, on a thread of its own: builds
/// the worlds, solves them unless a live training or a stored run has them solved, loads the
/// learners' library and evaluates. The newest request counts; it can be cancelled. GUI thread
/// only.
class LearnedDesk : public QObject {
    Q_OBJECT

public:
    explicit LearnedDesk(Archive* archive, QObject* parent = nullptr);
    ~LearnedDesk() override;

    /// Trainings of the workspace, newest first: id and title. A live one is among them before the
    /// workspace lists it.
    std::vector<std::pair<QString, QString>> trainings() const;
    /// Those by learned planning.
    std::vector<std::pair<QString, QString>> compared() const;
    /// A live training with the exact solutions that it has; they are not solved again.
    void takeLive(const FollowedRun& run, const TrainSnapshot& training);
    /// Whether a run still trains, as far as takeLive() told.
    bool isLive(const QString& runId) const { return m_live.isLive && m_live.id == runId; }

    /// Reads a training's checkpoints and curves; trainingRead() follows, of a live training once
    /// the workspace lists it.
    void read(const QString& runId);
    const std::optional<ComparedTraining>& training() const { return m_training; }

    /// Evaluates a checkpoint; evaluated() or refused() follows, unless it is cancelled.
    /// @param mostStates  solves a world of at most so many; -1: as the run did
    void evaluate(const QString& runId, std::int64_t step, int world, std::int64_t mostStates = -1);
    void cancel();
    bool isWorking() const { return m_isWorking; }
    std::shared_ptr<const LearnedErrors> errors() const { return m_errors; }

    /// Reads the profiles of two runs; profilesRead() follows. Empty ids: none.
    void readProfiles(const QString& first, const QString& second);
    bool isReadingProfiles() const { return m_numProfileReads > 0; }
    const std::vector<StageProfile>& profiles() const { return m_profiles; }

Q_SIGNALS:
    void trainingsChanged();
    void trainingRead();
    void workingChanged();
    void progressed(const QString& phase, double share);  ///< share < 0: not known
    void evaluated();
    /// @param canSolve  it may be solved, if more states are allowed
    void refused(const QString& why, bool canSolve);
    void profilesRead();
    void failed(const QString& text);

private:
    struct Request;
    struct Outcome;
    static Outcome work(const Request& request, const std::stop_token& stop);
    void finish(const Outcome& outcome);
    void setWorking(bool isWorking);
    std::vector<std::pair<QString, QString>> listed(bool (*isOffered)(const RunRecord&),
                                                    bool isLiveOffered) const;
    bool isListed(const QString& runId) const;
    void tellProgress();

    Archive* m_archive;
    std::unique_ptr<BackgroundWorker> m_reader, m_worker;
    std::optional<ComparedTraining> m_training;
    std::shared_ptr<const LearnedErrors> m_errors;
    std::vector<StageProfile> m_profiles;
    int m_numProfileReads = 0;  ///< under way
    /// Of runs, [worlds]; null where there is none.
    std::map<QString, std::vector<std::shared_ptr<const Solution>>> m_exact;
    FollowedRun m_live;
    std::shared_ptr<Latest<Progress>> m_progress;
    QTimer m_poll;
    bool m_isWorking = false;
    int m_reading = 0;  ///< counts read()
};

}  // namespace orrery
