#pragma once

#include <QString>
#include <QTimer>
#include <cstdint>
#include <vector>

#include "core/train/training_flow.h"
#include "widgets/common/table_model.h"

namespace orrery {

class TrainSession;

/// "running", "paused", "throttled", "waiting", "dead".
QString actorStateText(ActorState state);

/// What flows through a training at one moment, as the pipeline shows it.
struct PipelineFacts {
    struct Actor {
        ActorState state = ActorState::Running;
        double rate = 0;  ///< environment steps/s
        std::int64_t dropped = 0;
        int restarts = 0;
        std::vector<double> history = {};  ///< lately, oldest first
    };
    QString run = {};  ///< see TrainSession::title
    std::vector<Actor> actors;
    bool takesTurns = true;
    bool hasEnded = false;           ///< the rates are its last
    double produced = 0, taken = 0;  ///< transitions/s into the queue and out of it
    double sampled = 0;              ///< transitions/s out of the buffer
    double trainingRate = 0;         ///< steps/s
    int batch = 0;
    ReplayNumbers replay = {};
    std::vector<double> queueHistory = {};       ///< fill in [0, 1]
    std::vector<double> bufferHistory = {};      ///< the same
    std::vector<TrainingFlow::Part> parts = {};  ///< of a step
    std::int64_t step = 0;

    /// One sentence: who waits for whom.
    QString verdict() const;
    /// "running", "waiting", ..., "ended".
    QString stateText(const Actor& actor) const;
    /// Nearly: the learner does not keep up.
    bool isQueueFull() const;
    bool isEmpty() const { return actors.empty(); }
};

/// Follows a training and keeps the facts of its last moments; the same as a table.
class PipelineModel : public ReadyTable {
    Q_OBJECT

public:
    explicit PipelineModel(TrainSession* session, QObject* parent = nullptr);

    const PipelineFacts& facts() const { return m_facts; }

Q_SIGNALS:
    void changed();

private:
    void startAnew();
    void refresh();
    void refreshSoon();
    void refreshRates(const TrainingFlow& flow, double seconds);
    std::vector<QStringList> read() const;

    TrainSession* m_session;
    PipelineFacts m_facts;
    QTimer m_pause;  ///< runs after a refresh: numbers that change faster cannot be read
    bool m_isDue = false;
    double m_seconds = 0;      ///< of the moment that rates were taken at last
    double m_fillSeconds = 0;  ///< the same of the fills
    std::int64_t m_produced = 0, m_consumed = 0, m_steps = 0;
    std::vector<std::int64_t> m_acted;  ///< environment steps of each actor then
};

}  // namespace orrery
