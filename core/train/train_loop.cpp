#include "core/train/train_loop.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_folder.h"

namespace orrery {

namespace {

constexpr std::chrono::milliseconds kBoundaryPause{30};
constexpr std::chrono::milliseconds kSnapshotPause{100};
constexpr std::chrono::seconds kMemoryPause{1};
constexpr std::uint64_t kLeastFree = std::uint64_t{256} << 20;  ///< bytes
constexpr std::chrono::milliseconds kSlowStep{10};              ///< worth a boundary of its own
}  // namespace

TrainLoop::TrainLoop(Method& method, const TrainRequest& request, const TrainHooks& hooks,
                     std::stop_token stop)
    : m_method(method),
      m_request(request),
      m_hooks(hooks),
      m_stop(std::move(stop)),
      m_checkpointClock(request.cadence.checkpointSeconds),
      m_newest(request.newest),
      m_stopConditions(request.stop) {}

TrainOutcome TrainLoop::run() {
    begin();
    while (!isDone()) {
        boundary();
        if (isDone()) break;
        m_method.enter(TrainPhase::Collect);
        if (m_method.collect()) trainStep();
        m_method.enter(TrainPhase::None);
    }
    const bool isStopped = m_stop.stop_requested();
    if (m_hasDiverged || (m_isAsking && isStopped && !keepsSkipped()))
        return outcome(RunState::Diverged, troubleText(m_trouble));
    if (!isStopped) {
        m_method.finish();
        watchMetric();
    }
    checkpoint();
    m_method.showLast();
    tellSnapshot();
    return outcome(isStopped ? RunState::Stopped : RunState::Finished, m_stopReason);
}

void TrainLoop::begin() {
    if (!m_request.folder.empty()) sweepUnfinishedCheckpoints(m_request.folder);
    if (m_request.resumeFrom.empty()) {
        m_method.begin(*this, nullptr, nullptr);
    } else {
        const Checkpoint checkpoint = openCheckpoint(m_request.resumeFrom);
        const TensorMap progress = progressIn(checkpoint);
        m_method.begin(*this, &checkpoint, &progress);
        m_extreme = extremeValueIn(progress);
        m_secondsBefore = secondsIn(checkpoint);
        if (m_request.resumeFrom.parent_path() == m_request.folder) m_checkpointStep = step();
    }
    applyKnownChanges();
    m_seconds = m_secondsBefore;
    m_beginStep = step();
    m_resumed = m_lastSnapshot = Clock::now();
    m_lastBoundary = {};  // what was asked for so far comes before the first step
    m_checkpointClock.begin(m_resumed, m_checkpointStep >= 0);
    m_method.goOn();
    tellSnapshot();
    m_lastLook = Clock::now();
}

bool TrainLoop::isDone() const {
    return m_stop.stop_requested() || m_hasDiverged || !m_stopReason.empty() ||
           step() >= m_method.totalSteps();
}

double TrainLoop::trainedSeconds() const {
    return m_seconds + std::chrono::duration<double>(Clock::now() - m_resumed).count();
}

void TrainLoop::boundary() {
    applyKnownChanges();
    if (isBoundaryDue()) {
        m_stepsSince = 0;
        obey(m_stepsAllowed > 0);
        while (m_stepsAllowed == kCallAgain) obey(true);
        m_lastBoundary = m_lastLook = Clock::now();
    }
    watchStep();
}

/// After the steps that were allowed; else at every step where they are slow, and some 30 times a
/// second where they are fast or where none can be done.
bool TrainLoop::isBoundaryDue() {
    if (m_isAsking) return true;
    if (m_stepsAllowed > 0) return m_stepsSince >= m_stepsAllowed;
    const auto now = Clock::now();
    const bool isSlow = now - std::exchange(m_lastLook, now) >= kSlowStep;
    return isSlow || now - m_lastBoundary >= std::min(kBoundaryPause, snapshotPause());
}

/// Does what was asked for, tells how far the run is, and waits while it is paused.
void TrainLoop::obey(bool tellsSnapshot) {
    for (const TrainChange& change : askedChanges()) apply(change);
    m_method.enter(TrainPhase::Answers);
    const bool hasAnswered = m_method.answer();
    if (hasAnswered || tellsSnapshot || Clock::now() - m_lastSnapshot >= snapshotPause())
        tellSnapshot();
    m_method.enter(TrainPhase::None);
    watchMemory();
    checkpointIfDue();
    const std::optional<double>& most = m_stopConditions.seconds;
    if (most && trainedSeconds() >= *most)
        m_stopReason = "it trained for " + formatDouble(*most) + " s";
    if (m_hooks.boundary) {
        m_seconds = trainedSeconds();
        m_stepsAllowed = m_hooks.boundary(progress());
        m_resumed = Clock::now();  // pauses do not count
        if (m_stepsAllowed != kCallAgain && !m_stop.stop_requested()) m_isAsking = false;
        m_method.goOn();
    }
}

/// With the step, in an order in which they can be applied.
std::vector<TrainChange> TrainLoop::askedChanges() const {
    if (!m_hooks.takeChanges) return {};
    std::vector<TrainChange> changes = m_hooks.takeChanges();
    const std::int64_t next = step() + (m_method.isWithinStep() ? m_method.stepSize() : 0);
    for (TrainChange& change : changes)
        change.step = isStopKey(change.key) || actorOf(change.key) >= 0 ? step() : next;
    std::ranges::stable_sort(changes, {}, [](const TrainChange& change) {
        return orderOfChange(change.key, change.value);
    });
    return changes;
}

std::chrono::milliseconds TrainLoop::snapshotPause() const {
    const auto wanted =
        m_hooks.snapshotPause ? m_hooks.snapshotPause() : std::chrono::milliseconds{};
    return wanted.count() > 0 ? wanted : kSnapshotPause;
}

void TrainLoop::applyKnownChanges() {
    for (; m_nextKnown < m_request.changes.size() && m_request.changes[m_nextKnown].step <= step();
         ++m_nextKnown)
        apply(m_request.changes[m_nextKnown]);
}

void TrainLoop::apply(const TrainChange& change) {
    AppliedChange applied{.change = change};
    if (actorOf(change.key) >= 0) {
        applied.problem = setActor(change, applied.oldValue);
    } else if (isStopKey(change.key)) {
        applied = applyChange(change, m_stopConditions);
    } else {
        applied = m_method.change(change);
    }
    if (m_hooks.changed) m_hooks.changed(applied);
}

std::string TrainLoop::setActor(const TrainChange& change, std::string& oldValue) {
    if (change.value != "paused" && change.value != "running")
        return change.key + " must be paused or running, got '" + change.value + "'";
    const int actor = actorOf(change.key);
    if (actor >= m_method.numActors())
        return "there are " + std::to_string(m_method.numActors()) + " actors, counted from 0";
    oldValue = m_method.isActorPaused(actor) ? "paused" : "running";
    m_method.setActorPaused(actor, change.value == "paused");
    return {};
}

void TrainLoop::trainStep() {
    faultPoint("train.step");
    const int stage = m_method.stage();
    const TrainCadence& cadence = m_request.cadence;
    const std::int64_t before = step();
    const bool wantsNumbers =
        (before + m_method.stepSize()) / cadence.metricInterval > before / cadence.metricInterval;
    const MethodStep done = m_method.step(wantsNumbers);
    ++m_stepsSince;
    if (done.wasSkipped) noteSkipped(done);
    if (done.hasTrained) m_skippedInARow = 0;
    if (m_hasDiverged) return;
    m_method.settle();
    if (wantsNumbers) tellMetrics();
    watchMetric();
    const bool isDueByStep = cadence.checkpointSteps > 0 &&
                             step() / cadence.checkpointSteps > before / cadence.checkpointSteps;
    // Where checkpoints are made by steps alone the end of a stage does not count.
    const bool endsStage = cadence.checkpointSeconds > 0 && m_method.stage() != stage;
    if (isDueByStep || endsStage) checkpoint();
}

void TrainLoop::tellMetrics() {
    for (const MetricValue& value : m_method.numbers(common())) metric(value.name, value.value);
}

void TrainLoop::metric(const std::string& name, double value) {
    m_newest[name] = value;
    m_hasNewPoints = true;
    if (m_hooks.metric) m_hooks.metric(step(), name, value);
}

void TrainLoop::forgetMetrics(std::string_view prefix) {
    std::erase_if(m_newest, [&](const auto& metric) { return metric.first.starts_with(prefix); });
}

void TrainLoop::wasNoTraining(Clock::time_point since) {
    m_resumed += Clock::now() - since;
}

void TrainLoop::watchStep() {
    const std::optional<std::int64_t>& last = m_stopConditions.step;
    if (last && step() >= *last) m_stopReason = "step " + std::to_string(*last) + " is reached";
}

/// Ends the run while the process still can: the system would end it all at once.
/// @throws Error (Resource)
void TrainLoop::watchMemory() {
    const auto now = Clock::now();
    if (now - m_lastMemory < kMemoryPause) return;
    m_lastMemory = now;
    const Method::MemoryUse use = m_method.memoryUse();
    if (m_request.memoryBudget > 0 && use.bytes > m_request.memoryBudget)
        throw Error("Memory is used up at step " + std::to_string(step()) +
                        ": the training holds " + mebibytes(use.bytes) + " of " +
                        mebibytes(m_request.memoryBudget) + " that it may take; " + use.held +
                        ". " + use.advice,
                    Error::Kind::Resource);
    const std::uint64_t free = availableMemory();
    if (free == 0 || free >= kLeastFree) return;
    throw Error("Memory is running out at step " + std::to_string(step()) + ": " +
                    mebibytes(static_cast<std::int64_t>(free)) + " are free, and " + use.held +
                    ". " + use.advice,
                Error::Kind::Resource);
}

/// Stop conditions on a metric, when there may be a new point of it.
void TrainLoop::watchMetric() {
    const StopConditions& conditions = m_stopConditions;
    if (!std::exchange(m_hasNewPoints, false)) return;
    if (!conditions.metric || !m_stopReason.empty()) return;
    const auto at = m_newest.find(*conditions.metric);
    if (at == m_newest.end() || !std::isfinite(at->second)) return;
    const double value = at->second;
    const std::string is = *conditions.metric + " is " + formatDouble(value);
    if (conditions.atMost && value <= *conditions.atMost) m_stopReason = is;
    if (conditions.atLeast && value >= *conditions.atLeast) m_stopReason = is;
    const bool isMost = m_request.goal == MetricGoal::Most;
    const bool isNew = m_extreme.metric != *conditions.metric;
    if (isNew || (isMost ? value > m_extreme.value : value < m_extreme.value))
        m_extreme = {.metric = *conditions.metric, .value = value, .step = step()};
    if (conditions.plateauSteps && step() - m_extreme.step >= *conditions.plateauSteps)
        m_stopReason = *conditions.metric +
                       (isMost ? " has not risen for " : " has not fallen for ") +
                       std::to_string(step() - m_extreme.step) + " steps";
}

TrainingSnapshot TrainLoop::common() const {
    TrainingSnapshot common;
    common.step = step();
    common.totalSteps = m_method.totalSteps();
    common.seconds = trainedSeconds();
    common.secondsHere = std::max(1e-9, common.seconds - m_secondsBefore);
    common.stepsPerSecond = static_cast<double>(step() - m_beginStep) / common.secondsHere;
    common.metricInterval = m_request.cadence.metricInterval;
    common.checkpointSeconds = m_checkpointClock.interval();
    return common;
}

void TrainLoop::tellSnapshot() {
    m_lastSnapshot = Clock::now();
    if (m_hooks.snapshot) m_hooks.snapshot(m_method.snapshot(common()));
}

Progress TrainLoop::progress() const {
    Progress progress{.phase = "train",
                      .done = step(),
                      .total = m_method.totalSteps(),
                      .unit = m_method.stepUnit(),
                      .seconds = m_seconds};
    const double seconds = std::max(1e-9, m_seconds - m_secondsBefore);
    progress.ratePerSecond = static_cast<double>(step() - m_beginStep) / seconds;
    if (progress.ratePerSecond > 0)
        progress.secondsLeft =
            static_cast<double>(progress.total - progress.done) / progress.ratePerSecond;
    return progress;
}

void TrainLoop::say(const event::Message& message) {
    if (m_hooks.message) m_hooks.message(message);
}

TrainOutcome TrainLoop::outcome(RunState state, const std::string& why) const {
    TrainOutcome outcome{.state = state, .summary = {}, .steps = step(), .newest = m_newest};
    outcome.summary = std::to_string(step()) + ' ' + m_method.stepUnit();
    if (state == RunState::Diverged)
        outcome.summary += ", then diverged";
    else if (state == RunState::Stopped)
        outcome.summary += ", then stopped";
    if (!why.empty()) outcome.summary += ": " + why;
    outcome.summary += m_method.summary();
    return outcome;
}

TrainOutcome train(Method& method, const TrainRequest& request, const TrainHooks& hooks,
                   std::stop_token stop) {
    return TrainLoop(method, request, hooks, std::move(stop)).run();
}

}  // namespace orrery
