#include "widgets/train/train_record.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/run_event.h"
#include "core/world/world.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_title.h"
#include "widgets/train/stored_training.h"

namespace orrery {

namespace {

constexpr std::size_t kMostMoments = 100'000;

}  // namespace

TrainRecord::TrainRecord() {
    m_spec.job = trainingKinds().front()->fresh();
    m_live = m_spec;
}

TrainRecord::TrainRecord(RunSpec spec, RunBridge* bridge)
    : m_hasRun(true), m_spec(std::move(spec)), m_live(m_spec) {
    noteFork();
    follow(bridge);
}

TrainRecord::TrainRecord(ArchivedTraining stored)
    : m_hasRun(true),
      m_spec(std::move(stored.spec)),
      m_runId(QString::fromStdString(stored.snapshot->id)),
      m_live(m_spec),
      m_snapshot(std::move(stored.snapshot)),
      m_curves(std::move(stored.curves)),
      m_history(std::move(stored.history)) {
    noteFork();
    m_marks.insert(m_marks.end(), stored.marks.begin(), stored.marks.end());
    noteMoment();
    takeChanges(*training());
    takeMarks(*training());
}

TrainRecord::TrainRecord(ArchivedTraining earlier, RunBridge* bridge)
    : TrainRecord(earlier.spec, bridge) {
    const auto& all = std::get<TrainSnapshot>(earlier.snapshot->job);
    m_runId = QString::fromStdString(earlier.snapshot->id);
    m_curves = std::move(earlier.curves);
    m_history = std::move(earlier.history);
    m_marks.insert(m_marks.end(), earlier.marks.begin(), earlier.marks.end());
    for (const AppliedChange& change : all.changes)
        if (!change.problem.empty()) noteChange(change);
    const Progress& progress = earlier.snapshot->progress;
    if (progress.done <= 0) return;
    m_knownSteps.push_back(static_cast<double>(progress.done));
    m_knownSeconds.push_back(progress.seconds);
}

/// The run goes on from a step: what came behind it is void, and comes again.
void TrainRecord::cutBehind(double step) {
    for (auto& [key, curve] : m_curves) cutAfter(curve, step);
    std::erase_if(m_curves, [](const auto& entry) { return entry.second.step.empty(); });
    std::erase_if(m_marks, [&](const ChartEvent& mark) {
        return mark.x > step && mark.kind != ChartEventKind::Fork;
    });
    const double seconds = secondsAt(step);
    while (m_knownSteps.size() > 1 && m_knownSteps.back() >= step) {
        m_knownSteps.pop_back();
        m_knownSeconds.pop_back();
    }
    if (step > m_knownSteps.back()) {
        m_knownSteps.push_back(step);
        m_knownSeconds.push_back(seconds);
    }
    Q_EMIT historyChanged();
    Q_EMIT marksChanged();
}

/// Bridges outlive their runs by a moment only; what they told stays here.
void TrainRecord::follow(RunBridge* bridge) {
    m_bridge = bridge;
    connect(bridge, &RunBridge::eventHappened, this, &TrainRecord::takeEvent);
    connect(bridge, &RunBridge::snapshotChanged, this, &TrainRecord::takeSnapshot);
    connect(bridge, &RunBridge::ended, this, [this] {
        m_pending.clear();
        Q_EMIT steeringChanged();
        Q_EMIT ended();
    });
}

void TrainRecord::noteFork() {
    const TrainSettings& settings = *trainSettings(m_spec.job);
    if (settings.fromRun.empty()) return;
    addMark(static_cast<double>(settings.fromStep), ChartEventKind::Fork,
            tr("forked from %1").arg(QString::fromStdString(settings.fromRun)));
}

void TrainRecord::leaveStore() {
    if (m_runId.isEmpty()) return;
    m_runId.clear();
    Q_EMIT advanced(true);
}

void TrainRecord::setHistory(std::map<QString, TrainCurve> history) {
    m_history = std::move(history);
    Q_EMIT historyChanged();
}

QString TrainRecord::title() const {
    return hasRun() ? runTitle(QString::fromStdString(m_spec.name), m_runId) : QString();
}

QString TrainRecord::shortTitle() const {
    return hasRun() ? shortRunTitle(QString::fromStdString(m_spec.name), m_runId) : QString();
}

QString TrainRecord::worldTitle() const {
    const TrainSnapshot* all = training();
    if (all == nullptr || all->worlds.empty()) return {};
    return all->worlds.size() == 1 ? QString::fromStdString(all->worlds.front()->name())
                                   : tr("%1 worlds").arg(all->worlds.size());
}

bool TrainRecord::isResumable() const {
    if (!hasRun() || isLive() || !m_snapshot || m_runId.isEmpty()) return false;
    constexpr std::array kEarly{RunState::Interrupted, RunState::Stopped, RunState::Failed,
                                RunState::Diverged};
    return std::ranges::find(kEarly, m_snapshot->state) != kEarly.end();
}

bool TrainRecord::isPaused() const {
    return isLive() && m_snapshot && m_snapshot->state == RunState::Paused;
}

const TrainSnapshot* TrainRecord::training() const {
    return m_snapshot ? std::get_if<TrainSnapshot>(&m_snapshot->job) : nullptr;
}

const TrainingSnapshot* TrainRecord::numbers() const {
    const TrainSnapshot* all = training();
    return all != nullptr ? all->training.get() : nullptr;
}

TrainingFlow TrainRecord::flow() const {
    return numbers() != nullptr && display().flow ? display().flow(job(), *numbers())
                                                  : TrainingFlow();
}

std::optional<TrainTrouble> TrainRecord::trouble() const {
    const TrainSnapshot* all = training();
    const bool isAsking = isPaused() && all != nullptr && all->trouble && all->trouble->asks &&
                          all->trouble->toldAt == m_snapshot->progress.done;
    return isAsking ? all->trouble : std::nullopt;
}

std::int64_t TrainRecord::step() const {
    if (m_snapshot && m_snapshot->progress.phase == "train") return m_snapshot->progress.done;
    return numbers() != nullptr ? numbers()->step : 0;
}

void TrainRecord::takeEvent(const RunEvent& event) {
    if (const auto* metric = std::get_if<RunEvent::Metric>(&event.body)) {
        TrainCurve& curve = m_curves[QString::fromStdString(metric->key)];
        const auto step = static_cast<double>(metric->step);
        if (!curve.step.empty() && step < curve.step.back()) return;
        curve.step.push_back(step);
        curve.value.push_back(metric->value);
    } else if (const auto* message = std::get_if<RunEvent::Message>(&event.body)) {
        const std::int64_t at = message->step.value_or(step());
        if (message->code == "train.resumed") {
            cutBehind(static_cast<double>(at));
        } else if (message->code == "nan") {
            m_marks.push_back(skippedMark(at, QString::fromStdString(message->text)));
            Q_EMIT marksChanged();
        } else if (message->code == "train.saved") {
            // The snapshots may miss one that is soon removed.
            const ChartEvent mark = savedMark(at);
            if (checkpointMarkAt(mark.x) == nullptr) {
                m_marks.push_back(mark);
                Q_EMIT marksChanged();
            }
        }
    } else if (const auto* end = std::get_if<RunEvent::Finished>(&event.body)) {
        m_summary = QString::fromStdString(end->summary);
    }
}

void TrainRecord::takeSnapshot() {
    const auto former = std::exchange(m_snapshot, m_bridge->snapshot());
    const TrainSnapshot* all = training();
    if (all == nullptr) return;
    if (!m_snapshot->id.empty()) m_runId = QString::fromStdString(m_snapshot->id);
    noteMoment();
    takeChanges(*all);
    takeMarks(*all);
    Q_EMIT advanced(!former || former->state != m_snapshot->state || isPaused());
    if (const auto now = trouble(); std::exchange(m_toldTrouble, now) != now && now)
        Q_EMIT halted();
}

/// Which step was reached when, for the axis of time.
void TrainRecord::noteMoment() {
    if (numbers() == nullptr) return;
    const Progress& progress = m_snapshot->progress;
    const auto now = static_cast<double>(step());
    if (now > m_knownSteps.back() && progress.seconds >= m_knownSeconds.back() &&
        m_knownSteps.size() < kMostMoments) {
        m_knownSteps.push_back(now);
        m_knownSeconds.push_back(progress.seconds);
    }
}

void TrainRecord::takeMarks(const TrainSnapshot& training) {
    bool isNew = false;
    for (const KeptCheckpoint& kept : training.checkpoints) {
        const auto step = static_cast<double>(kept.step);
        const QString text =
            tr("checkpoint, %1").arg(bytesText(static_cast<std::int64_t>(kept.bytes)));
        ChartEvent* const mark = checkpointMarkAt(step);
        if (mark == nullptr)
            addMark(step, ChartEventKind::Checkpoint, text);
        else if (std::exchange(mark->text, text) == text)
            continue;
        isNew = true;
    }
    if (numbers() != nullptr && !std::exchange(m_areOpeningsMarked, true))
        for (const TrainingStage& stage : plannedStages())
            if (!stage.opening.empty())
                addMark(static_cast<double>(stage.begin), ChartEventKind::BufferClear,
                        QString::fromStdString(stage.opening));
    // The stages stay the same while the training goes on from one to the next.
    const auto present = stage();
    const std::string name = present ? present->name : std::string();
    if (std::exchange(m_markedStage, name) != name) isNew = true;
    if (isNew) Q_EMIT marksChanged();
}

void TrainRecord::addMark(double step, ChartEventKind kind, const QString& text) {
    m_marks.push_back({.x = step, .kind = kind, .text = text});
}

/// @return null: there is none
ChartEvent* TrainRecord::checkpointMarkAt(double step) {
    const auto mark = std::ranges::find_if(m_marks, [step](const ChartEvent& each) {
        return each.kind == ChartEventKind::Checkpoint && each.x == step;
    });
    return mark == m_marks.end() ? nullptr : &*mark;
}

std::vector<TrainingStage> TrainRecord::plannedStages() const {
    return numbers() != nullptr && display().stages ? display().stages(job())
                                                    : std::vector<TrainingStage>();
}

std::optional<TrainingStage> TrainRecord::stage() const {
    for (const TrainingStage& stage : plannedStages())
        if (step() < stage.end) return stage;
    return std::nullopt;
}

std::vector<ChartStage> TrainRecord::stages() const {
    std::vector<ChartStage> stages;
    const auto last = static_cast<double>(totalSteps());
    const auto present = stage();
    int color = 0;
    for (const TrainingStage& stage : plannedStages()) {
        const auto from = static_cast<double>(stage.begin);
        if (from >= last) break;
        stages.push_back({.from = from,
                          .to = std::min(last, static_cast<double>(stage.end)),
                          .name = QString::fromStdString(stage.title),
                          .color = color,
                          .isCurrent = present && stage.name == present->name && isLive()});
        ++color;
    }
    return stages;
}

double TrainRecord::secondsAt(double step) const {
    const auto after = std::ranges::lower_bound(m_knownSteps, step);
    if (after == m_knownSteps.begin()) return m_knownSeconds.front();
    if (after == m_knownSteps.end()) {
        if (m_knownSteps.back() <= 0) return 0;
        return m_knownSeconds.back() * step / m_knownSteps.back();
    }
    const auto i = static_cast<std::size_t>(after - m_knownSteps.begin());
    const double share = (step - m_knownSteps[i - 1]) / (m_knownSteps[i] - m_knownSteps[i - 1]);
    return std::lerp(m_knownSeconds[i - 1], m_knownSeconds[i], share);
}

}  // namespace orrery
