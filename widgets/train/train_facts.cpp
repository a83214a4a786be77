#include "widgets/train/train_facts.h"

#include <cmath>

#include "core/train/checkpoint_clock.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_mark.h"
#include "widgets/train/train_session.h"
#include "widgets/train/view_clock.h"

namespace orrery {

namespace {

QString numberText(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', 4) : QStringLiteral("-");
}

}  // namespace

QString stepRateText(double rate) {
    return rate < 10 ? QString::number(rate, 'f', 1)
                     : countText(static_cast<std::int64_t>(std::lround(rate)));
}

TrainFacts::TrainFacts(TrainSession* session, QObject* parent)
    : QAbstractTableModel(parent), m_session(session) {
    connect(session, &TrainSession::changed, this, &TrainFacts::refresh);
    connect(session, &TrainSession::begun, this, &TrainFacts::refresh);
    refresh();
}

std::vector<TrainFacts::Fact> TrainFacts::read() const {
    std::vector<Fact> rows;
    const EmpoSnapshot* now = m_session->empo();
    if (now == nullptr) return rows;
    const auto add = [&](const QString& part, const QString& what, const QString& value) {
        rows.push_back({part, what, value});
    };
    const QString run = tr("run"), buffer = tr("buffer"), learner = tr("learner");
    add(run, tr("state"), trainStateText(*m_session));
    add(run, tr("step"), countText(m_session->step()));
    add(run, tr("of"), countText(m_session->totalSteps()));
    const auto rateNow = [&](double rate) {
        return m_session->isPaused() ? tr("paused")
               : m_session->isLive() ? stepRateText(rate)
                                     : tr("ended");
    };
    add(run, tr("training steps/s"), rateNow(now->stepsPerSecond));
    add(run, tr("env steps/s"), rateNow(now->environmentStepsPerSecond));
    add(run, tr("device"), QString::fromStdString(now->device));
    add(run, tr("checkpoints"),
        QString::fromStdString(checkpointIntervalText(now->checkpointSeconds,
                                                      m_session->job().cadence.checkpointSteps)));
    add(run, tr("views"), viewRateText(m_session->clock()));
    addStages(rows, *now);
    add(learner, tr("effective beta_r"), numberText(now->learner.beta_eff));
    add(learner, tr("epsilon_r"), numberText(now->learner.epsilon_r));
    if (now->learner.gamma_h < m_session->job().empo.gamma_h)
        add(learner, tr("gamma_h so far"), numberText(now->learner.gamma_h));
    if (now->learner.gamma_r < m_session->job().empo.gamma_r)
        add(learner, tr("gamma_r so far"), numberText(now->learner.gamma_r));
    add(learner, tr("skipped steps"), countText(now->learner.skippedSteps));
    const auto addQuantity = [&](const QString& name, const QuantityNumbers& own) {
        if (own.updates == 0) return;
        add(name, tr("loss"), numberText(own.loss));
        add(name, tr("prediction"), numberText(own.mean));
        add(name, tr("target"), numberText(own.targetMean));
        add(name, tr("learning rate"), numberText(own.learningRate));
    };
    addQuantity(QStringLiteral("Q_h"), now->learner.q_h);
    for (int i = 0; i < kNumQuantities; ++i)
        addQuantity(quantitySymbol(kQuantities[static_cast<std::size_t>(i)]),
                    now->learner.quantities[static_cast<std::size_t>(i)]);
    for (const auto& error : now->errors) {
        if (!error) continue;
        add(tr("error to exact"), QStringLiteral("V_h^e"), numberText(error->v_h_e));
        add(tr("error to exact"), QStringLiteral("pi_r"), numberText(error->pi_r));
        if (error->pi_h)
            add(tr("error to exact"), QStringLiteral("pi_h"), numberText(*error->pi_h));
        add(tr("error to exact"), tr("unvisited states"), countText(error->unvisited));
    }
    add(buffer, tr("transitions"), countText(now->replay.size));
    add(buffer, tr("of"), countText(now->replay.capacity));
    add(buffer, tr("memory"), bytesText(now->replay.bytes));
    return rows;
}

/// A row for each stage that the training comes to: its steps, and whether it is the present one.
void TrainFacts::addStages(std::vector<Fact>& rows, const EmpoSnapshot& now) const {
    for (const ChartStage& stage : m_session->stages()) {
        const QString steps = tr("%1 to %2")
                                  .arg(countText(static_cast<std::int64_t>(stage.from)),
                                       countText(static_cast<std::int64_t>(stage.to)));
        const bool isPresent = stage.color == now.learner.stage;
        rows.push_back(
            {tr("stage"), stage.name, isPresent ? tr("%1, the present one").arg(steps) : steps});
    }
}

void TrainFacts::refresh() {
    std::vector<Fact> rows = read();
    if (rows.size() != m_rows.size()) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    m_rows = std::move(rows);
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(m_rows.size()) - 1, 2));
}

int TrainFacts::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TrainFacts::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 3;
}

QVariant TrainFacts::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::TextAlignmentRole && index.column() == 2)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const Fact& fact = m_rows[static_cast<std::size_t>(index.row())];
    return index.column() == 0 ? fact.part : index.column() == 1 ? fact.what : fact.value;
}

QVariant TrainFacts::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
    return section == 0 ? tr("Part") : section == 1 ? tr("What") : tr("Value");
}

QString viewRateText(const ViewClock& clock) {
    if (clock.isFrozen()) return QObject::tr("frozen");
    if (!clock.isWatched()) return QObject::tr("not drawn");
    return QObject::tr("%1 Hz").arg(std::lround(clock.drawnRate()));
}

QString trainStatusText(const TrainSession& session) {
    const EmpoSnapshot* now = session.empo();
    if (now == nullptr) return {};
    QStringList parts{QObject::tr("step %1 of %2")
                          .arg(countText(session.step()), countText(session.totalSteps()))};
    if (session.isLive() && !session.isPaused())
        parts << QObject::tr("%1 steps/s").arg(stepRateText(now->stepsPerSecond))
              << QObject::tr("%1 env steps/s").arg(stepRateText(now->environmentStepsPerSecond));
    if (now->replay.capacity > 0)
        parts << QObject::tr("buffer %1")
                     .arg(percentText(static_cast<double>(now->replay.size) /
                                      static_cast<double>(now->replay.capacity)));
    if (session.isLive()) parts << QObject::tr("views %1").arg(viewRateText(session.clock()));
    const double left = session.snapshot()->progress.secondsLeft;
    if (session.isLive() && !session.isPaused() && left >= 0)
        parts << QObject::tr("%1 left").arg(durationText(left));
    return parts.join(QStringLiteral(" · "));
}

QString trainStateText(const TrainSession& session) {
    const auto& snapshot = session.snapshot();
    if (!snapshot) return session.hasRun() ? QObject::tr("Starts") : QObject::tr("No training");
    if (!session.isLive()) {
        QString text = runStateText(snapshot->state);
        return text.replace(0, 1, text.left(1).toUpper());
    }
    if (snapshot->state == RunState::Paused) return QObject::tr("Paused");
    if (snapshot->state == RunState::Blocked) return QObject::tr("Waits for disk space");
    const EmpoSnapshot* now = session.empo();
    if (now == nullptr) return QObject::tr("Solves exactly first");
    const auto stage = static_cast<std::size_t>(now->learner.stage);
    if (stage >= now->stages.size()) return QObject::tr("Running");
    return QObject::tr("Running · %1").arg(stageTitle(now->stages[stage]));
}

}  // namespace orrery
