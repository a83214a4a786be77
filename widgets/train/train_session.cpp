#include "widgets/train/train_session.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/run_event.h"
#include "core/world/world.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_title.h"
#include "widgets/train/stored_training.h"
#include "widgets/train/view_clock.h"

namespace orrery {

namespace {

constexpr std::size_t kMostMoments = 100'000;
constexpr int kTellMs = 100;

}  // namespace

TrainSession::TrainSession(RunBridge* bridge, QUndoStack* undoStack, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_undoStack(undoStack), m_clock(new ViewClock(this)) {
    m_spec.job = trainingKinds().front()->fresh();
    m_live = m_spec;
    m_telling.setSingleShot(true);
    connect(&m_telling, &QTimer::timeout, this, [this] {
        if (m_isUntold) tell();
    });
    connect(m_clock, &ViewClock::rateChanged, this, &TrainSession::changed);
    connect(bridge, &RunBridge::started, this, &TrainSession::noteStarted);
    connect(bridge, &RunBridge::eventHappened, this, &TrainSession::takeEvent);
    connect(bridge, &RunBridge::snapshotChanged, this, &TrainSession::takeSnapshot);
    connect(bridge, &RunBridge::ended, this, [this] {
        if (!m_isOurs) return;
        m_pending.clear();
        Q_EMIT steeringChanged();
        tell();
        Q_EMIT ended();
    });
}

void TrainSession::begin(const RunSpec& spec) {
    m_isExpected = true;
    m_spec = spec;
    m_earlier.reset();
}

void TrainSession::resume(ArchivedTraining earlier) {
    begin(earlier.spec);
    m_earlier = std::make_shared<ArchivedTraining>(std::move(earlier));
}

void TrainSession::abandon() {
    m_isExpected = false;
    m_earlier.reset();
}

void TrainSession::leaveStore() {
    if (m_runId.isEmpty()) return;
    m_runId.clear();
    Q_EMIT changed();
}

void TrainSession::noteStarted() {
    m_isOurs = std::exchange(m_isExpected, false);
    m_bridge->setViewPause(m_viewPause = m_isOurs ? m_clock->pauseMs() : 0);
    if (!m_isOurs) return;
    forget();
    if (m_earlier) takeEarlier(std::move(*std::exchange(m_earlier, nullptr)));
    Q_EMIT begun();
    m_clock->drawNow();
}

void TrainSession::show(ArchivedTraining stored) {
    if (isLive()) return;
    m_isOurs = false;
    m_spec = std::move(stored.spec);
    forget();
    m_runId = QString::fromStdString(stored.snapshot->id);
    m_curves = std::move(stored.curves);
    m_history = std::move(stored.history);
    m_snapshot = std::move(stored.snapshot);
    m_marks.insert(m_marks.end(), stored.marks.begin(), stored.marks.end());
    noteMoment();
    const TrainSnapshot& all = *training();
    takeChanges(all);
    takeMarks(all);
    Q_EMIT begun();
    Q_EMIT marksChanged();
    tell();
    m_clock->drawNow();
    Q_EMIT ended();
}

/// What a resumed run told up to the checkpoint that it goes on from.
void TrainSession::takeEarlier(ArchivedTraining&& earlier) {
    const auto& all = std::get<TrainSnapshot>(earlier.snapshot->job);
    m_runId = QString::fromStdString(earlier.snapshot->id);
    const double last =
        all.checkpoints.empty() ? -1 : static_cast<double>(all.checkpoints.back().step);
    for (auto& [key, curve] : earlier.curves) {
        cutAfter(curve, last);
        if (!curve.step.empty()) m_curves.emplace(key, std::move(curve));
    }
    m_history = std::move(earlier.history);
    std::erase_if(earlier.marks, [&](const ChartEvent& mark) { return mark.x > last; });
    m_marks.insert(m_marks.end(), earlier.marks.begin(), earlier.marks.end());
    for (const AppliedChange& change : all.changes)
        if (!change.problem.empty()) noteChange(change);
    const Progress& progress = earlier.snapshot->progress;
    if (last <= 0 || progress.done <= 0) return;
    m_knownSteps.push_back(last);
    m_knownSeconds.push_back(progress.seconds * last / static_cast<double>(progress.done));
}

void TrainSession::setHistory(std::map<QString, TrainCurve> history) {
    m_history = std::move(history);
    Q_EMIT historyChanged();
}

/// What belongs to the former run.
void TrainSession::forget() {
    ++m_serial;
    m_live = m_spec;
    m_runId.clear();
    m_snapshot.reset();
    m_curves.clear();
    m_history.clear();
    m_marks.clear();
    m_knownSteps = {0};
    m_knownSeconds = {0};
    m_numChanges = 0;
    m_areOpeningsMarked = false;
    m_markedStage.clear();
    m_pending.clear();
    m_refusals.clear();
    m_actors.clear();
    m_changes.clear();
    m_summary.clear();
    m_toldTrouble.reset();
    if (const TrainSettings& settings = *trainSettings(m_spec.job); !settings.fromRun.empty())
        addMark(static_cast<double>(settings.fromStep), ChartEventKind::Fork,
                tr("forked from %1").arg(QString::fromStdString(settings.fromRun)));
}

QString TrainSession::title() const {
    return hasRun() ? runTitle(QString::fromStdString(m_spec.name), m_runId) : QString();
}

QString TrainSession::shortTitle() const {
    return hasRun() ? shortRunTitle(QString::fromStdString(m_spec.name), m_runId) : QString();
}

QString TrainSession::worldTitle() const {
    const TrainSnapshot* all = training();
    if (all == nullptr || all->worlds.empty()) return {};
    return all->worlds.size() == 1 ? QString::fromStdString(all->worlds.front()->name())
                                   : tr("%1 worlds").arg(all->worlds.size());
}

bool TrainSession::isLive() const {
    return m_isOurs && m_bridge->isLive();
}

bool TrainSession::isResumable() const {
    if (!hasRun() || isLive() || !m_snapshot || m_runId.isEmpty()) return false;
    constexpr std::array kEarly{RunState::Interrupted, RunState::Stopped, RunState::Failed,
                                RunState::Diverged};
    return std::ranges::find(kEarly, m_snapshot->state) != kEarly.end();
}

bool TrainSession::isPaused() const {
    return isLive() && m_snapshot && m_snapshot->state == RunState::Paused;
}

const TrainSnapshot* TrainSession::training() const {
    return m_snapshot ? std::get_if<TrainSnapshot>(&m_snapshot->job) : nullptr;
}

const TrainingSnapshot* TrainSession::numbers() const {
    const TrainSnapshot* all = training();
    return all != nullptr ? all->training.get() : nullptr;
}

TrainingFlow TrainSession::flow() const {
    return numbers() != nullptr && display().flow ? display().flow(job(), *numbers())
                                                  : TrainingFlow();
}

std::optional<TrainTrouble> TrainSession::trouble() const {
    const TrainSnapshot* all = training();
    const bool isAsking = isPaused() && all != nullptr && all->trouble && all->trouble->asks &&
                          all->trouble->toldAt == m_snapshot->progress.done;
    return isAsking ? all->trouble : std::nullopt;
}

std::int64_t TrainSession::step() const {
    if (m_snapshot && m_snapshot->progress.phase == "train") return m_snapshot->progress.done;
    return numbers() != nullptr ? numbers()->step : 0;
}

void TrainSession::takeEvent(const RunEvent& event) {
    if (!m_isOurs) return;
    if (const auto* metric = std::get_if<RunEvent::Metric>(&event.body)) {
        TrainCurve& curve = m_curves[QString::fromStdString(metric->key)];
        const auto step = static_cast<double>(metric->step);
        if (!curve.step.empty() && step < curve.step.back()) return;
        curve.step.push_back(step);
        curve.value.push_back(metric->value);
    } else if (const auto* message = std::get_if<RunEvent::Message>(&event.body)) {
        const std::int64_t at = message->step.value_or(step());
        if (message->code == "nan") {
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

void TrainSession::takeSnapshot() {
    if (!m_isOurs) return;
    const auto former = std::exchange(m_snapshot, m_bridge->snapshot());
    const TrainSnapshot* all = training();
    if (all == nullptr) return;
    if (!m_snapshot->id.empty()) m_runId = QString::fromStdString(m_snapshot->id);
    noteMoment();
    takeChanges(*all);
    takeMarks(*all);
    m_clock->request();
    // Another state, or a step of a paused run, is told at once.
    const bool isTurn = !former || former->state != m_snapshot->state || isPaused();
    if (isTurn || !m_telling.isActive())
        tell();
    else
        m_isUntold = true;
    if (const int pause = m_clock->pauseMs(); pause != m_viewPause)
        m_bridge->setViewPause(m_viewPause = pause);
    if (const auto now = trouble(); std::exchange(m_toldTrouble, now) != now && now)
        Q_EMIT halted();
}

void TrainSession::tell() {
    m_isUntold = false;
    m_telling.start(kTellMs);
    Q_EMIT changed();
}

/// Which step was reached when, for the axis of time.
void TrainSession::noteMoment() {
    if (numbers() == nullptr) return;
    const Progress& progress = m_snapshot->progress;
    const auto now = static_cast<double>(step());
    if (now > m_knownSteps.back() && progress.seconds >= m_knownSeconds.back() &&
        m_knownSteps.size() < kMostMoments) {
        m_knownSteps.push_back(now);
        m_knownSeconds.push_back(progress.seconds);
    }
}

void TrainSession::takeMarks(const TrainSnapshot& training) {
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

void TrainSession::addMark(double step, ChartEventKind kind, const QString& text) {
    m_marks.push_back({.x = step, .kind = kind, .text = text});
}

/// @return null: there is none
ChartEvent* TrainSession::checkpointMarkAt(double step) {
    const auto mark = std::ranges::find_if(m_marks, [step](const ChartEvent& each) {
        return each.kind == ChartEventKind::Checkpoint && each.x == step;
    });
    return mark == m_marks.end() ? nullptr : &*mark;
}

std::vector<TrainingStage> TrainSession::plannedStages() const {
    return numbers() != nullptr && display().stages ? display().stages(job())
                                                    : std::vector<TrainingStage>();
}

std::optional<TrainingStage> TrainSession::stage() const {
    for (const TrainingStage& stage : plannedStages())
        if (step() < stage.end) return stage;
    return std::nullopt;
}

std::vector<ChartStage> TrainSession::stages() const {
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

double TrainSession::secondsAt(double step) const {
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

QString wordsHtml(const QString& text) {
    QStringList words = text.split(u' ');
    for (QString& word : words)
        word = word.contains(u'_') ? symbolHtml(word) : word.toHtmlEscaped();
    return words.join(u' ');
}

}  // namespace orrery
