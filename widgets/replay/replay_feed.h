#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/empo/learner_desk.h"
#include "core/run/archive/stored_replay.h"
#include "widgets/replay/replay_source.h"

namespace orrery {

class BackgroundWorker;
class Workspace;

/// A training that can be asked for its buffer.
struct LiveTraining {
    QString run;  ///< name or id, for people
    EmpoSpec spec;
    std::vector<std::shared_ptr<const World>> worlds;
    std::vector<std::shared_ptr<const Solution>> exact = {};  ///< see ReplaySource
    std::shared_ptr<LearnerDesk> desk;
    bool isLive = false;
    /// Where it is stored, if that is still open: who held it could not open it again.
    std::weak_ptr<Workspace> workspace = {};
    std::string runId = {};  ///< there; empty: it is not stored
};

/// Where the replay views have a buffer and learned values from: the live training of the window,
/// or the newest checkpoint of a stored one. GUI thread only; the work is done elsewhere.
class ReplayFeed : public QObject {
    Q_OBJECT

public:
    explicit ReplayFeed(QObject* parent = nullptr);
    ~ReplayFeed() override;

    /// Call it whenever the training has news. The first buffer is fetched by refresh().
    void setLive(const LiveTraining& training);
    /// Reads the buffer of a stored training.
    void openStored(std::shared_ptr<Workspace> workspace, const QString& runId);

    bool isLive() const { return m_isLive; }
    /// Whether there is a training to ask, or a stored one.
    bool hasRun() const { return m_isLive ? m_live.desk != nullptr : m_stored != nullptr; }
    const QString& runName() const { return m_name; }
    /// Id of the run that is live here, or stored and open or being read; empty: none.
    QString runId() const { return m_isLive ? QString::fromStdString(m_live.runId) : m_openedRun; }
    /// Fetches the buffer as it is now.
    void refresh();
    bool isWorking() const { return m_isWorking; }
    /// What hinders now, for people; empty: nothing.
    QString obstacle() const;
    const std::shared_ptr<const ReplaySource>& source() const { return m_source; }

    /// Asks for learned values of states of the source; answered() follows.
    /// @return the question's number
    std::int64_t ask(int layout, std::vector<std::byte> states);
    /// Asks for the inside of a network (see ValueQuestion::activations); insideAnswered() follows.
    std::int64_t askInside(int layout, std::vector<std::byte> states, const ActivationWish& wish);

    /// What the training learns on and how; empty and null without a training.
    const std::vector<std::shared_ptr<const World>>& worlds() const;
    const EmpoSpec* spec() const;

Q_SIGNALS:
    void sourceChanged();
    void stateChanged();  ///< working, obstacle, live or not
    void answered(std::shared_ptr<const orrery::ValueAnswer> answer);
    void insideAnswered(std::shared_ptr<const orrery::ValueAnswer> answer);
    void failed(const QString& text);

private:
    using Source = std::shared_ptr<const ReplaySource>;
    void takeBuffer(const std::shared_ptr<const ShownBuffer>& shown);
    void fail(const QString& text);
    void send(ValueQuestion question);

    /// A question never stops a buffer, nor one of the other kind.
    BackgroundWorker *m_worker, *m_valueWorker, *m_insideWorker;
    LiveTraining m_live;
    bool m_isLive = false, m_isWorking = false, m_isAwaitingBuffer = false;
    std::shared_ptr<const StoredReplay> m_stored;
    QString m_name, m_openedRun, m_problem;
    Source m_source;
    std::shared_ptr<const ShownBuffer> m_lastBuffer;
    std::shared_ptr<const ValueAnswer> m_lastAnswer, m_lastInside;
    std::int64_t m_numQuestions = 0;
};

}  // namespace orrery
