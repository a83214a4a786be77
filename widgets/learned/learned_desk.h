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
#include "core/empo/batch_profile.h"
#include "core/empo/snapshot.h"
#include "core/trace/span_stats.h"
#include "widgets/learned/learned_errors.h"

namespace orrery {

class Archive;
class BackgroundWorker;
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

/// What a learner's thread does: the stages of its steps, then what comes between steps.
inline constexpr std::array kLearnerKinds = {
    ProfileStage::kCollect,  ProfileStage::kEncode,    ProfileStage::kForward,
    ProfileStage::kScatter,  ProfileStage::kVhE,       ProfileStage::kConversion,
    ProfileStage::kBackward, ProfileStage::kOptimiser, ProfileStage::kActor,
    ProfileStage::kIdle,     SpanKind::Checkpoint,     kErrorsSpan,
    SpanKind::Answers};
inline constexpr int kNumLearnerKinds = static_cast<int>(kLearnerKinds.size());

/// Of one of these, by its place.
inline const SpanWords& learnerWords(int place) {
    return wordsOf(empoSpans(), kLearnerKinds[static_cast<std::size_t>(place)]);
}

/// Where the time and memory of a training go: of the live one, or as it was kept with its last
/// checkpoint.
struct StageProfile {
    QString id = {}, name = {};
    std::int64_t calls = 0;  ///< training steps of which the milliseconds are means
    bool isOfAll = true;     ///< all of its steps; false: those that were recorded whole
    /// Of a training step, by place in kLearnerKinds; what comes between steps counts as idle where
    /// nothing was recorded.
    std::array<double, kNumLearnerKinds> milliseconds = {};
    std::shared_ptr<const SpanTimeline> timeline = {};  ///< null: not recorded
    MemoryNumbers memory = {};
    std::optional<SpanStats> stats = {};  ///< of a range of the timeline
};

/// The training of the window.
struct FollowedRun {
    QString id = {}, title = {};
    bool isLive = false;  ///< false: it has ended
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

    /// Trainings of the workspace by learned planning, newest first: id and title. A live one is
    /// among them before the workspace lists it.
    std::vector<std::pair<QString, QString>> trainings() const;
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
    bool isListed(const QString& runId) const;
    void tellProgress();

    Archive* m_archive;
    std::unique_ptr<BackgroundWorker> m_reader, m_worker;
    std::optional<ComparedTraining> m_training;
    std::shared_ptr<const LearnedErrors> m_errors;
    std::vector<StageProfile> m_profiles;
    /// Of runs, [worlds]; null where there is none.
    std::map<QString, std::vector<std::shared_ptr<const Solution>>> m_exact;
    FollowedRun m_live;
    std::shared_ptr<Latest<Progress>> m_progress;
    QTimer m_poll;
    bool m_isWorking = false;
    int m_reading = 0;  ///< counts read()
};

}  // namespace orrery
