#include "widgets/train/train_facts.h"

#include <cmath>

#include "core/train/checkpoint_clock.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_mark.h"
#include "widgets/train/train_session.h"
#include "widgets/train/view_clock.h"

namespace orrery {

namespace {

QString shownValue(const TrainingFact::Value& value) {
    if (const auto* count = std::get_if<std::int64_t>(&value)) return countText(*count);
    if (const auto* text = std::get_if<std::string>(&value)) return QString::fromStdString(*text);
    const double number = std::get<double>(value);
    return std::isfinite(number) ? QString::number(number, 'g', 4) : QStringLiteral("-");
}

}  // namespace

QString stepRateText(double rate) {
    return rate < 10 ? QString::number(rate, 'f', 1)
                     : countText(static_cast<std::int64_t>(std::lround(rate)));
}

TrainFacts::TrainFacts(TrainSession* session, QObject* parent)
    : ReadyTable({{tr("Part")}, {tr("What")}, {tr("Value"), CellFace::Number}}, parent),
      m_session(session) {
    connect(session, &TrainSession::changed, this, &TrainFacts::refresh);
    connect(session, &TrainSession::begun, this, &TrainFacts::refresh);
    refresh();
}

std::vector<QStringList> TrainFacts::read() const {
    std::vector<QStringList> rows;
    const TrainingSnapshot* now = m_session->record().numbers();
    if (now == nullptr) return rows;
    const TrainingFlow flow = m_session->record().flow();
    const auto add = [&](const QString& part, const QString& what, const QString& value) {
        rows.push_back({part, what, value});
    };
    const QString run = tr("run"), buffer = tr("buffer");
    add(run, tr("state"), trainStateText(*m_session));
    add(run, tr("step"), countText(m_session->record().step()));
    add(run, tr("of"), countText(m_session->record().totalSteps()));
    const auto rateNow = [&](double rate) {
        return m_session->record().isPaused() ? tr("paused")
               : m_session->record().isLive() ? stepRateText(rate)
                                              : tr("ended");
    };
    add(run, tr("%1/s").arg(QString::fromStdString(m_session->record().display().unitName)),
        rateNow(now->stepsPerSecond));
    if (m_session->record().display().flow)
        add(run, tr("env steps/s"), rateNow(flow.environmentStepsPerSecond));
    if (!flow.device.empty()) add(run, tr("device"), QString::fromStdString(flow.device));
    add(run, tr("checkpoints"),
        QString::fromStdString(checkpointIntervalText(
            now->checkpointSeconds, m_session->record().settings().cadence.checkpointSteps)));
    add(run, tr("views"), viewRateText(m_session->clock()));
    addStages(rows);
    if (const auto& facts = m_session->record().display().facts)
        for (const TrainingFact& fact : facts(m_session->record().job(), *now))
            add(QString::fromStdString(fact.part), QString::fromStdString(fact.what),
                shownValue(fact.value));
    if (!m_session->record().display().flow) return rows;
    add(buffer, tr("transitions"), countText(flow.replay.size));
    add(buffer, tr("of"), countText(flow.replay.capacity));
    add(buffer, tr("memory"), bytesText(flow.replay.bytes));
    return rows;
}

/// A row for each stage that the training comes to: its steps, and whether it is the present one.
void TrainFacts::addStages(std::vector<QStringList>& rows) const {
    const auto present = m_session->record().stage();
    for (const ChartStage& stage : m_session->record().stages()) {
        const QString steps = tr("%1 to %2")
                                  .arg(countText(static_cast<std::int64_t>(stage.from)),
                                       countText(static_cast<std::int64_t>(stage.to)));
        const bool isPresent = present && stage.from == static_cast<double>(present->begin);
        rows.push_back(
            {tr("stage"), stage.name, isPresent ? tr("%1, the present one").arg(steps) : steps});
    }
}

void TrainFacts::refresh() {
    setRows(read());
}

QString viewRateText(const ViewClock& clock) {
    if (clock.isFrozen()) return QObject::tr("frozen");
    if (!clock.isWatched()) return QObject::tr("not drawn");
    return QObject::tr("%1 Hz").arg(std::lround(clock.drawnRate()));
}

QString trainStatusText(const TrainSession& session) {
    const TrainingSnapshot* now = session.record().numbers();
    if (now == nullptr) return {};
    const TrainingFlow flow = session.record().flow();
    QStringList parts{
        QObject::tr("step %1 of %2")
            .arg(countText(session.record().step()), countText(session.record().totalSteps()))};
    const bool isMoving = session.record().isLive() && !session.record().isPaused();
    if (isMoving) parts << QObject::tr("%1 steps/s").arg(stepRateText(now->stepsPerSecond));
    if (isMoving && session.record().display().flow)
        parts << QObject::tr("%1 env steps/s").arg(stepRateText(flow.environmentStepsPerSecond));
    if (flow.replay.capacity > 0)
        parts << QObject::tr("buffer %1")
                     .arg(percentText(static_cast<double>(flow.replay.size) /
                                      static_cast<double>(flow.replay.capacity)));
    if (session.record().isLive())
        parts << QObject::tr("views %1").arg(viewRateText(session.clock()));
    const double left = session.record().snapshot()->progress.secondsLeft;
    if (isMoving && left >= 0) parts << QObject::tr("%1 left").arg(durationText(left));
    return parts.join(QStringLiteral(" · "));
}

QString trainStateText(const TrainSession& session) {
    const auto& snapshot = session.record().snapshot();
    if (!snapshot)
        return session.record().hasRun() ? QObject::tr("Starts") : QObject::tr("No training");
    if (!session.record().isLive()) {
        QString text = runStateText(snapshot->state);
        return text.replace(0, 1, text.left(1).toUpper());
    }
    if (snapshot->state == RunState::Paused) return QObject::tr("Paused");
    if (snapshot->state == RunState::Blocked) return QObject::tr("Waits for disk space");
    if (session.record().numbers() == nullptr)
        return QString::fromStdString(session.record().display().beginning);
    const auto stage = session.record().stage();
    return stage ? QObject::tr("Running · %1").arg(QString::fromStdString(stage->title))
                 : QObject::tr("Running");
}

}  // namespace orrery
