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

QString actorStateText(CollectorNumbers::State state) {
    switch (state) {
        case CollectorNumbers::State::Running:
            return QObject::tr("running");
        case CollectorNumbers::State::Paused:
            return QObject::tr("paused");
        case CollectorNumbers::State::Throttled:
            return QObject::tr("throttled");
        case CollectorNumbers::State::Waiting:
            return QObject::tr("waiting");
        case CollectorNumbers::State::Dead:
            break;
    }
    return QObject::tr("dead");
}

QString profileStageText(ProfileStage stage) {
    switch (stage) {
        case ProfileStage::Collect:
            return QObject::tr("collect");
        case ProfileStage::Encode:
            return QObject::tr("encode");
        case ProfileStage::Forward:
            return QObject::tr("forward");
        case ProfileStage::Scatter:
            return QObject::tr("scatter");
        case ProfileStage::V_h_e:
            return QStringLiteral("V_h^e");
        case ProfileStage::Conversion:
            return QObject::tr("tensors");
        case ProfileStage::Backward:
            return QObject::tr("backward");
        case ProfileStage::Optimiser:
            return QObject::tr("optimiser");
        case ProfileStage::Actor:
            return QObject::tr("acting");
        case ProfileStage::Idle:
            break;
    }
    return QObject::tr("idle");
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
    const auto is = [](CollectorNumbers::State state) {
        return [state](const Actor& actor) { return actor.state == state; };
    };
    const auto count = [&](CollectorNumbers::State state) {
        return static_cast<int>(std::ranges::count_if(actors, is(state)));
    };
    if (!isAsync) return QObject::tr("acting and learning take turns; nothing is throttled");
    if (const int dead = count(CollectorNumbers::State::Dead); dead > 0)
        return QObject::tr("%1 of %2 actors are dead").arg(dead).arg(actors.size());
    if (isQueueFull()) return QObject::tr("the learner does not keep up: the queue is full");
    if (const int held = count(CollectorNumbers::State::Throttled); held > 0)
        return QObject::tr("the learner waits for nothing; %1 of %2 actors are throttled")
            .arg(held)
            .arg(actors.size());
    return QObject::tr("nobody waits");
}

PipelineModel::PipelineModel(TrainSession* session, QObject* parent)
    : QAbstractTableModel(parent), m_session(session) {
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
    showLines();
    Q_EMIT changed();
}

void PipelineModel::refreshSoon() {
    m_isDue = m_pause.isActive();
    if (m_isDue) return;
    refresh();
    m_pause.start();
}

void PipelineModel::refresh() {
    const EmpoSnapshot* now = m_session->empo();
    if (now == nullptr) return;
    refreshRates(*now);
    m_facts.isAsync = m_session->job().empo.isAsync;
    m_facts.run = m_session->title();
    m_facts.batch = m_session->job().empo.batchSize;
    m_facts.step = m_session->step();
    m_facts.replay = now->replay;
    for (int i = 0; i < kNumProfileStages; ++i)
        m_facts.milliseconds[static_cast<std::size_t>(i)] =
            now->profile.milliseconds(static_cast<ProfileStage>(i));
    m_facts.actors.resize(now->collectors.size());
    m_facts.hasEnded = !isLive(m_session->snapshot()->state);
    for (std::size_t i = 0; i < now->collectors.size(); ++i) {
        const CollectorNumbers& own = now->collectors[i];
        PipelineFacts::Actor& actor = m_facts.actors[i];
        actor.state = own.state;
        actor.dropped = own.dropped;
        actor.restarts = own.restarts;
    }
    if (now->seconds - m_fillSeconds >= kFillSeconds || m_facts.bufferHistory.empty()) {
        m_fillSeconds = now->seconds;
        const auto keepFill = [](std::vector<double>& history, std::int64_t size,
                                 std::int64_t capacity) {
            if (capacity > 0)
                keep(history, static_cast<double>(size) / static_cast<double>(capacity));
        };
        keepFill(m_facts.queueHistory, now->replay.queueSize, now->replay.queueCapacity);
        keepFill(m_facts.bufferHistory, now->replay.size, now->replay.capacity);
    }
    showLines();
    Q_EMIT changed();
}

void PipelineModel::refreshRates(const EmpoSnapshot& now) {
    const double passed = now.seconds - m_seconds;
    if (passed < kFlowRateSeconds && m_seconds > 0) return;
    const auto rate = [passed](std::int64_t count, std::int64_t before) {
        return passed > 0 ? static_cast<double>(count - before) / passed : 0;
    };
    m_facts.produced = rate(now.replay.produced, m_produced);
    m_facts.taken = rate(now.replay.consumed, m_consumed);
    m_facts.trainingRate = rate(m_session->step(), m_steps);
    m_facts.sampled = m_facts.trainingRate * m_session->job().empo.batchSize;
    m_facts.actors.resize(now.collectors.size());
    m_acted.resize(now.collectors.size());
    for (std::size_t i = 0; i < m_acted.size(); ++i) {
        m_facts.actors[i].rate = rate(now.collectors[i].environmentSteps, m_acted[i]);
        m_acted[i] = now.collectors[i].environmentSteps;
        keep(m_facts.actors[i].history, m_facts.actors[i].rate);
    }
    m_seconds = now.seconds;
    m_produced = now.replay.produced;
    m_consumed = now.replay.consumed;
    m_steps = m_session->step();
}

std::vector<PipelineModel::Line> PipelineModel::read() const {
    std::vector<Line> lines;
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
    for (int i = 0; i < kNumProfileStages; ++i)
        add(tr("learner"), profileStageText(static_cast<ProfileStage>(i)),
            tr("%1 ms").arg(m_facts.milliseconds[static_cast<std::size_t>(i)], 0, 'f', 3));
    add(tr("pipeline"), tr("who waits"), m_facts.verdict());
    return lines;
}

void PipelineModel::showLines() {
    std::vector<Line> lines = read();
    if (lines.size() != m_lines.size()) {
        beginResetModel();
        m_lines = std::move(lines);
        endResetModel();
        return;
    }
    m_lines = std::move(lines);
    if (!m_lines.empty())
        Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(m_lines.size()) - 1, 2));
}

int PipelineModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int PipelineModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 3;
}

QVariant PipelineModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::TextAlignmentRole && index.column() == 2)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const Line& line = m_lines[static_cast<std::size_t>(index.row())];
    return index.column() == 0 ? line.part : index.column() == 1 ? line.what : line.value;
}

QVariant PipelineModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
    return section == 0 ? tr("Part") : section == 1 ? tr("What") : tr("Value");
}

}  // namespace orrery
