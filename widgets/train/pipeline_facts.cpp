#include "widgets/train/pipeline_facts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/common/number_text.h"
#include "widgets/train/train_session.h"
#include "widgets/train/view_clock.h"

namespace orrery {

namespace {

constexpr std::size_t kHistory = 60;
constexpr double kFlowRateSeconds = 0.4;  ///< over which rates are taken
constexpr double kFillSeconds = 0.1;
constexpr int kPauseMs = 100;  ///< between two refreshes
constexpr double kNearlyFull = 0.9;

void keep(std::vector<double>& history, double value) {
    history.push_back(value);
    if (history.size() > kHistory) history.erase(history.begin());
}

QString flowText(double rate) {
    return QObject::tr("%1/s").arg(countText(static_cast<std::int64_t>(std::lround(rate))));
}

}  // namespace

QString actorStateText(ActorState state) {
    switch (state) {
        case ActorState::Running:
            return QObject::tr("running");
        case ActorState::Paused:
            return QObject::tr("paused");
        case ActorState::Throttled:
            return QObject::tr("throttled");
        case ActorState::Waiting:
            return QObject::tr("waiting");
        case ActorState::Dead:
            break;
    }
    return QObject::tr("dead");
}

QString PipelineFacts::stateText(const Actor& actor) const {
    return hasEnded ? QObject::tr("ended") : actorStateText(actor.state);
}

bool PipelineFacts::isQueueFull() const {
    return replay.queueCapacity > 0 && static_cast<double>(replay.queueSize) >
                                           kNearlyFull * static_cast<double>(replay.queueCapacity);
}

QString PipelineFacts::verdict() const {
    if (hasEnded) return QObject::tr("the training has ended; these were its last rates");
    const auto is = [](ActorState state) {
        return [state](const Actor& actor) { return actor.state == state; };
    };
    const auto count = [&](ActorState state) {
        return static_cast<int>(std::ranges::count_if(actors, is(state)));
    };
    if (takesTurns) return QObject::tr("acting and learning take turns; nothing is throttled");
    if (const int dead = count(ActorState::Dead); dead > 0)
        return QObject::tr("%1 of %2 actors are dead").arg(dead).arg(actors.size());
    if (isQueueFull()) return QObject::tr("the learner does not keep up: the queue is full");
    if (const int held = count(ActorState::Throttled); held > 0)
        return QObject::tr("the learner waits for nothing; %1 of %2 actors are throttled")
            .arg(held)
            .arg(actors.size());
    return QObject::tr("nobody waits");
}

PipelineModel::PipelineModel(TrainSession* session, QObject* parent)
    : ReadyTable({{tr("Part")}, {tr("What")}, {tr("Value"), CellFace::Number}}, parent),
      m_session(session) {
    connect(session, &TrainSession::begun, this, &PipelineModel::startAnew);
    connect(session, &TrainSession::ended, this, &PipelineModel::refresh);
    connect(&session->clock(), &ViewClock::due, this, &PipelineModel::refreshSoon);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, [this] {
        if (std::exchange(m_isDue, false)) refreshSoon();
    });
    refresh();
}

void PipelineModel::startAnew() {
    m_facts = {};
    m_seconds = m_fillSeconds = 0;
    m_produced = m_consumed = m_steps = 0;
    m_acted.clear();
    m_pause.stop();
    setRows(read());
    Q_EMIT changed();
}

void PipelineModel::refreshSoon() {
    m_isDue = m_pause.isActive();
    if (m_isDue) return;
    refresh();
    m_pause.start();
}

void PipelineModel::refresh() {
    const TrainingSnapshot* now = m_session->record().numbers();
    if (now == nullptr) return;
    TrainingFlow flow = m_session->record().flow();
    refreshRates(flow, now->seconds);
    m_facts.takesTurns = flow.takesTurns;
    m_facts.run = m_session->record().title();
    m_facts.batch = flow.batch;
    m_facts.step = m_session->record().step();
    m_facts.replay = flow.replay;
    m_facts.actors.resize(flow.actors.size());
    m_facts.hasEnded = !isLive(m_session->record().snapshot()->state);
    for (std::size_t i = 0; i < flow.actors.size(); ++i) {
        const TrainingFlow::Actor& own = flow.actors[i];
        PipelineFacts::Actor& actor = m_facts.actors[i];
        actor.state = own.state;
        actor.dropped = own.dropped;
        actor.restarts = own.restarts;
    }
    m_facts.parts = std::move(flow.parts);
    if (now->seconds - m_fillSeconds >= kFillSeconds || m_facts.bufferHistory.empty()) {
        m_fillSeconds = now->seconds;
        const auto keepFill = [](std::vector<double>& history, std::int64_t size,
                                 std::int64_t capacity) {
            if (capacity > 0)
                keep(history, static_cast<double>(size) / static_cast<double>(capacity));
        };
        keepFill(m_facts.queueHistory, flow.replay.queueSize, flow.replay.queueCapacity);
        keepFill(m_facts.bufferHistory, flow.replay.size, flow.replay.capacity);
    }
    setRows(read());
    Q_EMIT changed();
}

void PipelineModel::refreshRates(const TrainingFlow& flow, double seconds) {
    const double passed = seconds - m_seconds;
    if (passed < kFlowRateSeconds && m_seconds > 0) return;
    const auto rate = [passed](std::int64_t count, std::int64_t before) {
        return passed > 0 ? static_cast<double>(count - before) / passed : 0;
    };
    m_facts.produced = rate(flow.replay.produced, m_produced);
    m_facts.taken = rate(flow.replay.consumed, m_consumed);
    m_facts.trainingRate = rate(m_session->record().step(), m_steps);
    m_facts.sampled = m_facts.trainingRate * flow.batch;
    m_facts.actors.resize(flow.actors.size());
    m_acted.resize(flow.actors.size());
    for (std::size_t i = 0; i < m_acted.size(); ++i) {
        m_facts.actors[i].rate = rate(flow.actors[i].environmentSteps, m_acted[i]);
        m_acted[i] = flow.actors[i].environmentSteps;
        keep(m_facts.actors[i].history, m_facts.actors[i].rate);
    }
    m_seconds = seconds;
    m_produced = flow.replay.produced;
    m_consumed = flow.replay.consumed;
    m_steps = m_session->record().step();
}

std::vector<QStringList> PipelineModel::read() const {
    std::vector<QStringList> lines;
    if (m_facts.isEmpty()) return lines;
    const auto add = [&](const QString& part, const QString& what, const QString& value) {
        lines.push_back({part, what, value});
    };
    for (std::size_t i = 0; i < m_facts.actors.size(); ++i) {
        const PipelineFacts::Actor& actor = m_facts.actors[i];
        const QString name = tr("actor %1").arg(i);
        add(name, tr("state"), m_facts.stateText(actor));
        add(name, tr("env steps"), flowText(actor.rate));
        add(name, tr("dropped"), countText(actor.dropped));
        add(name, tr("restarts"), countText(actor.restarts));
    }
    add(tr("actors to queue"), tr("transitions"), flowText(m_facts.produced));
    add(tr("queue"), tr("waiting"),
        tr("%1 of %2")
            .arg(countText(m_facts.replay.queueSize), countText(m_facts.replay.queueCapacity)));
    add(tr("queue"), tr("dropped"), countText(m_facts.replay.dropped));
    add(tr("queue to buffer"), tr("transitions"), flowText(m_facts.taken));
    add(tr("buffer"), tr("transitions"),
        tr("%1 of %2").arg(countText(m_facts.replay.size), countText(m_facts.replay.capacity)));
    add(tr("buffer"), tr("states stored once"), countText(m_facts.replay.uniqueStates));
    add(tr("buffer"), tr("memory"), bytesText(m_facts.replay.bytes));
    add(tr("buffer"), tr("oldest, from step"), countText(m_facts.replay.oldestStep));
    add(tr("buffer to learner"), tr("transitions"), flowText(m_facts.sampled));
    add(tr("learner"), tr("training steps"), flowText(m_facts.trainingRate));
    for (const TrainingFlow::Part& part : m_facts.parts)
        add(tr("learner"), QString::fromStdString(part.name),
            tr("%1 ms").arg(part.milliseconds, 0, 'f', 3));
    add(tr("pipeline"), tr("who waits"), m_facts.verdict());
    return lines;
}

}  // namespace orrery
