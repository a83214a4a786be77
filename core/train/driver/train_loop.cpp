#include "core/train/driver/train_loop.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/train/driver/live_changes.h"

namespace orrery {

namespace {

constexpr std::chrono::milliseconds kBoundaryPause{30};
constexpr std::chrono::milliseconds kSnapshotPause{100};
constexpr std::int64_t kErrorPoints = 100;  ///< of the curves of errors
constexpr std::int64_t kPlasticityPoints = 50, kPlasticitySteps = 1000;  ///< at most, at least
constexpr std::int64_t kManyStates = 20'000;                             ///< then a tenth of them
constexpr std::chrono::seconds kMemoryPause{1};
constexpr std::uint64_t kLeastFree = std::uint64_t{256} << 20;  ///< bytes
constexpr std::chrono::milliseconds kSlowStep{10};              ///< worth a boundary of its own
/// Curiosity follows the newest states, so collectors get it sooner. Source: spec empo 6.4.
constexpr std::int64_t kNoveltySyncSteps = 10;

}  // namespace

TrainLoop::TrainLoop(const TrainRequest& request, const TrainHooks& hooks, std::stop_token stop)
    : m_request(request),
      m_hooks(hooks),
      m_stop(std::move(stop)),
      m_training(request.spec, trainWorldsOf(request.worlds, request.exact)),
      m_checkpointClock(request.spec.checkpointSeconds),
      m_stopConditions(request.stop) {
    compareWith(m_training.worlds.exact);
    for (const auto& comparison : m_comparisons)
        if (comparison) m_exactStates += comparison->numStates();
}

TrainOutcome TrainLoop::run() {
    begin();
    while (!isDone()) {
        boundary();
        if (isDone()) break;
        profile().enter(ProfileStage::Actor);
        if (m_collecting->collect(m_training)) trainStep();
        profile().enter(ProfileStage::Idle);
        for (const std::string& line : m_collecting->takeMessages())
            say(MessageLevel::Warning, "actor", line);
    }
    const bool isStopped = m_stop.stop_requested();
    if (m_hasDiverged || (m_isAsking && isStopped && !keepsSkipped()))
        return outcome(RunState::Diverged, troubleText(m_trouble));
    if (!isStopped) measureErrors();
    checkpoint();
    m_desk.showLast(m_training);
    profile().spans().flush();
    tellSnapshot();
    return outcome(isStopped ? RunState::Stopped : RunState::Finished, m_stopReason);
}

void TrainLoop::begin() {
    std::vector<std::vector<std::byte>> collectors;
    if (!m_request.folder.empty()) sweepUnfinishedCheckpoints(m_request.folder);
    if (!m_request.resumeFrom.empty()) {
        loadTraining(m_request.resumeFrom, m_training, collectors);
        if (m_request.resumeFrom.parent_path() == m_request.folder) m_checkpointStep = step();
    }
    m_collecting = makeCollecting(collectors);
    applyKnownChanges();
    m_seconds = m_training.seconds;
    m_beginStep = step();
    profile().spans().beginAt(step() + 1);
    m_beginEnvironmentSteps = m_training.environmentSteps;
    m_resumed = m_lastSnapshot = Clock::now();
    m_lastBoundary = {};  // what was asked for so far comes before the first step
    m_checkpointClock.begin(m_resumed, m_checkpointStep >= 0);
    publish();
    tellSnapshot();
    if (const std::string note = m_training.learner.deviceNote(); !note.empty())
        say(MessageLevel::Warning, "device", note);
    m_lastLook = Clock::now();
}

std::unique_ptr<Collecting> TrainLoop::makeCollecting(
    std::span<const std::vector<std::byte>> saved) {
    const EmpoSpec& spec = m_training.spec;
    if (!spec.isAsync) return makeTurnCollecting(spec, m_training.worlds, saved);
    return makeThreadCollecting(spec, m_training.worlds, saved, m_training.environmentSteps,
                                profile().spans().origin());
}

/// The collectors go on where they are, by the policies that are learned now.
void TrainLoop::takeHumans() {
    const std::vector<std::vector<std::byte>> saved = m_collecting->save(m_training);
    std::vector<int> paused;
    for (int i = 0; i < m_training.spec.numCollectors; ++i)
        if (m_collecting->isPaused(i)) paused.push_back(i);
    m_collecting = nullptr;
    m_training.takeHumans();
    m_collecting = makeCollecting(saved);
    for (const int i : paused) m_collecting->setPaused(i, true);
    say(MessageLevel::Info, "train.humans",
        "The humans' policies are learned; they stand still from step " + std::to_string(step()) +
            " on.");
}

bool TrainLoop::isDone() const {
    return m_stop.stop_requested() || m_hasDiverged || !m_stopReason.empty() ||
           step() >= m_training.spec.trainingSteps;
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
    profile().enter(ProfileStage::Idle, SpanKind::Answers);
    const bool hasAnswered = m_desk.answer(m_training);
    if (hasAnswered || tellsSnapshot || Clock::now() - m_lastSnapshot >= snapshotPause())
        tellSnapshot();
    profile().enter(ProfileStage::Idle);
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
        publish();
    }
}

/// With the step, in an order in which they can be applied.
std::vector<TrainChange> TrainLoop::askedChanges() const {
    if (!m_hooks.takeChanges) return {};
    std::vector<TrainChange> changes = m_hooks.takeChanges();
    for (TrainChange& change : changes) change.step = step();
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
        applied = applyChange(change, m_training.spec);
        if (applied.problem.empty()) m_training.learner.setLive(m_training.spec);
    }
    if (m_published) publish();
    if (m_hooks.changed) m_hooks.changed(applied);
}

std::string TrainLoop::setActor(const TrainChange& change, std::string& oldValue) {
    if (change.value != "paused" && change.value != "running")
        return change.key + " must be paused or running, got '" + change.value + "'";
    const int actor = actorOf(change.key);
    if (actor >= m_training.spec.numCollectors)
        return "there are " + std::to_string(m_training.spec.numCollectors) +
               " actors, counted from 0";
    oldValue = m_collecting->isPaused(actor) ? "paused" : "running";
    m_collecting->setPaused(actor, change.value == "paused");
    return {};
}

void TrainLoop::publish() {
    const Learner& learner = m_training.learner;
    const EmpoSpec& spec = m_training.spec;
    auto state = std::make_shared<ActingState>();
    state->rates = {.epsilon_r = learner.schedule().epsilon_r(step()),
                    .epsilon_h = learner.schedule().epsilon_h(step()),
                    .beta_r = learner.beta_eff(),
                    .curiosity = spec.curiosityCoefficient};
    const auto newest = learner.actingWeights();
    const std::int64_t syncSteps = spec.hasRnd()
                                       ? std::min(spec.collectorSyncSteps, kNoveltySyncSteps)
                                       : spec.collectorSyncSteps;
    const bool isDue =
        !spec.isAsync || !m_published || newest->step - m_published->step >= syncSteps;
    if (newest != m_published && isDue) {
        m_published = newest;
        ++m_numPublished;
    }
    state->weights = m_published;
    state->trainingSteps = step();
    state->mostPerTrainingStep = spec.maxEnvironmentStepsPerTrainingStep;
    m_collecting->publish(std::move(state));
}

void TrainLoop::trainStep() {
    faultPoint("train.step");
    const bool wantsNumbers = (step() + 1) % m_training.spec.metricInterval == 0;
    const StepReport report = m_training.learner.step(m_training.buffer, wantsNumbers);
    ++m_stepsSince;
    if (report.wasSkipped) noteSkipped(report);
    if (report.hasTrained) m_skippedInARow = 0;
    if (m_hasDiverged) return;
    if (report.hasHumans) takeHumans();
    publish();
    if (report.hasHumans || isErrorStep(step())) measureErrors();
    if (wantsNumbers) tellMetrics();
    const EmpoSpec& spec = m_training.spec;
    if (spec.profilesBatching && step() % spec.profileInterval == 0) tellProfile();
    const bool isDueByStep = spec.checkpointSteps > 0 && step() % spec.checkpointSteps == 0;
    if (isDueByStep || endsStage()) checkpoint();
}

bool TrainLoop::isErrorStep(std::int64_t step) const {
    if (m_exactStates == 0) return false;
    const std::int64_t points = m_exactStates > kManyStates ? kErrorPoints / 10 : kErrorPoints;
    return step % std::max<std::int64_t>(1, m_training.spec.trainingSteps / points) == 0;
}

/// Prepares comparisons of the worlds that have a solution for the parameters in force.
void TrainLoop::compareWith(const std::vector<std::shared_ptr<const Solution>>& exact) {
    TrainWorlds worlds = m_training.worlds;
    worlds.exact = exact;
    worlds.exact.resize(worlds.worlds.size());
    m_exactBeta_r = m_training.spec.beta_r;
    m_errors.assign(worlds.worlds.size(), std::nullopt);
    m_comparisons.clear();
    for (std::size_t w = 0; w < worlds.worlds.size(); ++w)
        m_comparisons.push_back(worlds.exact[w] ? std::make_unique<ExactComparison>(
                                                      m_training.spec, worlds, static_cast<int>(w))
                                                : nullptr);
}

/// Solutions for another beta_r than the last ones. @return false if there are none
bool TrainLoop::renewSolutions() {
    const double beta_r = m_training.spec.beta_r;
    if (beta_r == m_exactBeta_r) return true;
    m_errors.assign(m_errors.size(), std::nullopt);
    std::erase_if(m_newest, [](const auto& metric) { return metric.first.starts_with("Exact/"); });
    if (beta_r != m_request.spec.beta_r && !m_hooks.solveAgain) {
        if (!std::exchange(m_hasToldUnsolved, true))
            say(MessageLevel::Warning, "exact",
                "The exact solution is the one of beta_r " + formatDouble(m_request.spec.beta_r) +
                    ", so errors are not measured while beta_r is another one.");
        return false;
    }
    const auto begin = Clock::now();
    compareWith(m_hooks.solveAgain ? m_hooks.solveAgain(m_training.spec) : m_training.worlds.exact);
    m_resumed += Clock::now() - begin;  // as the first time, no time of training
    return true;
}

void TrainLoop::measureErrors() {
    profile().enter(ProfileStage::Idle, SpanKind::Errors);
    if (m_exactStates > 0 && renewSolutions())
        for (std::size_t w = 0; w < m_comparisons.size(); ++w)
            if (!measureError(w)) return;
    watchMetric();
    profile().enter(ProfileStage::Idle);
}

/// @return false if stopped
bool TrainLoop::measureError(std::size_t world) {
    std::optional<ErrorNumbers>& numbers = m_errors[world];
    if (!m_comparisons[world] || (numbers && numbers->step == step())) return true;
    const auto error =
        m_comparisons[world]->compare(m_training.learner, m_training.visits, false, m_stop);
    if (!error) return false;
    numbers = ErrorNumbers{.step = step(),
                           .v_h_e = error->v_h_e,
                           .pi_r = error->pi_r,
                           .x_h = error->x_h,
                           .v_r = error->v_r,
                           .worst_v_h_e = error->worst_v_h_e,
                           .worst_pi_r = error->worst_pi_r,
                           .pi_h = error->pi_h,
                           .states = error->states,
                           .unvisited = error->unvisited};
    const std::string suffix = world == 0 ? "" : "_" + std::to_string(world + 1);
    const auto tell = [&](const std::string& name, double value) {
        const std::string key = std::string("Exact/").append(name).append(suffix);
        m_newest[key] = value;
        if (m_hooks.metric) m_hooks.metric(step(), key, value);
    };
    for (const auto& [name, value] :
         {std::pair("v_h_e", error->v_h_e), std::pair("pi_r", error->pi_r),
          std::pair("x_h", error->x_h), std::pair("v_r", error->v_r),
          std::pair("worst_v_h_e", error->worst_v_h_e), std::pair("worst_pi_r", error->worst_pi_r),
          std::pair("unvisited", static_cast<double>(error->unvisited))})
        tell(name, value);
    if (error->pi_h) tell("pi_h", *error->pi_h);
    return true;
}

void TrainLoop::tellMetrics() {
    EmpoSnapshot now = snapshot();
    if (isPlasticityStep()) now.visits = visitNumbersOf(m_training.visits.counts());
    std::vector<MetricValue> metrics = metricsOf(m_training.spec, now);
    if (isPlasticityStep())
        std::ranges::move(m_training.learner.plasticity(m_training.buffer),
                          std::back_inserter(metrics));
    for (const MetricValue& metric : metrics) {
        m_newest[metric.name] = metric.value;
        if (m_hooks.metric) m_hooks.metric(step(), metric.name, metric.value);
    }
    watchMetric();
}

/// The first point of other curves after each of so many equal parts of the training.
bool TrainLoop::isPlasticityStep() const {
    const EmpoSpec& spec = m_training.spec;
    const std::int64_t interval =
        std::max(kPlasticitySteps, spec.trainingSteps / kPlasticityPoints);
    return step() / interval > (step() - spec.metricInterval) / interval;
}

void TrainLoop::tellProfile() {
    const BatchProfileStats& stats = profile().stats();
    say(MessageLevel::Info, "profile", stats.table() + stats.tableBeside());
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
    const std::uint64_t free = availableMemory();
    if (free == 0 || free >= kLeastFree) return;
    throw Error("Memory is running out at step " + std::to_string(step()) + ": " +
                    mebibytes(static_cast<std::int64_t>(free)) +
                    " are free, and the replay buffer holds " +
                    mebibytes(m_training.buffer.statistics().bytes()) +
                    ". Set a smaller buffer_size, or human_model to sampled if the world has "
                    "many humans.",
                Error::Kind::Resource);
}

/// Stop conditions on a metric, when there may be a new point of it.
void TrainLoop::watchMetric() {
    const StopConditions& conditions = m_stopConditions;
    if (!conditions.metric || !m_stopReason.empty()) return;
    const auto at = m_newest.find(*conditions.metric);
    if (at == m_newest.end() || !std::isfinite(at->second)) return;
    const double value = at->second;
    const std::string is = *conditions.metric + " is " + formatDouble(value);
    if (conditions.atMost && value <= *conditions.atMost) m_stopReason = is;
    if (conditions.atLeast && value >= *conditions.atLeast) m_stopReason = is;
    LeastValue& least = m_training.least;
    if (least.metric != *conditions.metric || value < least.value)
        least = {.metric = *conditions.metric, .value = value, .step = step()};
    if (conditions.plateauSteps && step() - least.step >= *conditions.plateauSteps)
        m_stopReason = *conditions.metric + " has not fallen for " +
                       std::to_string(step() - least.step) + " steps";
}

EmpoSnapshot TrainLoop::snapshot() {
    EmpoSnapshot snapshot;
    snapshot.totalSteps = m_training.spec.trainingSteps;
    snapshot.environmentSteps = m_training.environmentSteps;
    snapshot.visitedStates = static_cast<std::int64_t>(m_training.visits.numStates());
    snapshot.seconds = trainedSeconds();
    const double seconds = std::max(1e-9, snapshot.seconds - m_training.seconds);
    snapshot.trainingStepsPerSecond = static_cast<double>(step() - m_beginStep) / seconds;
    snapshot.environmentStepsPerSecond =
        static_cast<double>(m_training.environmentSteps - m_beginEnvironmentSteps) / seconds;
    Learner& learner = m_training.learner;
    snapshot.stages = learner.schedule().stages();
    snapshot.learner = learner.numbers();
    snapshot.collectors = m_collecting->numbers();
    const ReplayStatistics replay = m_training.buffer.statistics();
    snapshot.replay = {.size = replay.size,
                       .capacity = replay.capacity,
                       .produced = m_training.environmentSteps,
                       .consumed = m_training.environmentSteps,
                       .uniqueStates = replay.states,
                       .models = replay.models,
                       .bytes = replay.bytes(),
                       .oldestStep = replay.oldestStep};
    m_collecting->addNumbers(snapshot.replay);
    snapshot.profile = learner.profile().stats();
    snapshot.timeline = timeline();
    snapshot.memory = {.buffer = replay.bytes(),
                       .recording = static_cast<std::int64_t>(SpanRecorder::mostBytes() +
                                                              m_collecting->recordingBytes()),
                       .process = static_cast<std::int64_t>(residentBytes())};
    learner.addBytes(snapshot.memory);
    snapshot.errors = m_errors;
    snapshot.published = m_numPublished;
    snapshot.checkpointSeconds = m_checkpointClock.interval();
    snapshot.device = learner.deviceName();
    snapshot.desk = m_desk.desk();
    return snapshot;
}

/// What all threads did when; null before the first.
std::shared_ptr<const SpanTimeline> TrainLoop::timeline() {
    auto lane = profile().spans().lane();
    if (!lane) return nullptr;
    auto timeline = std::make_shared<SpanTimeline>();
    timeline->lanes = m_collecting->lanes();
    timeline->lanes.insert(timeline->lanes.begin(), std::move(lane));
    return timeline;
}

void TrainLoop::tellSnapshot() {
    m_lastSnapshot = Clock::now();
    if (m_hooks.snapshot) m_hooks.snapshot(std::make_shared<const EmpoSnapshot>(snapshot()));
}

Progress TrainLoop::progress() const {
    Progress progress{.phase = "train",
                      .done = step(),
                      .total = m_training.spec.trainingSteps,
                      .unit = "training steps",
                      .seconds = m_seconds};
    const double seconds = std::max(1e-9, m_seconds - m_training.seconds);
    progress.ratePerSecond = static_cast<double>(step() - m_beginStep) / seconds;
    if (progress.ratePerSecond > 0)
        progress.secondsLeft =
            static_cast<double>(progress.total - progress.done) / progress.ratePerSecond;
    return progress;
}

void TrainLoop::say(MessageLevel level, const std::string& code, const std::string& text) const {
    say({.level = level, .code = code, .text = text});
}

void TrainLoop::say(const event::Message& message) const {
    if (m_hooks.message) m_hooks.message(message);
}

TrainOutcome TrainLoop::outcome(RunState state, const std::string& why) const {
    TrainOutcome outcome{.state = state, .summary = {}, .steps = step()};
    outcome.summary = std::to_string(step()) + " training steps";
    if (state == RunState::Diverged)
        outcome.summary += ", then diverged";
    else if (state == RunState::Stopped)
        outcome.summary += ", then stopped";
    if (!why.empty()) outcome.summary += ": " + why;
    for (const auto& error : m_errors)
        if (error)
            outcome.summary += "; error of V_h^e " + formatDouble(error->v_h_e) + ", of pi_r " +
                               formatDouble(error->pi_r);
    return outcome;
}

TrainOutcome trainEmpo(const TrainRequest& request, const TrainHooks& hooks, std::stop_token stop) {
    std::string text;
    for (const SpecProblem& problem : validate(request.spec))
        text += (text.empty() ? "" : "; ") + problem.field + " " + problem.text;
    if (!text.empty()) throw Error("Cannot train: " + text + ".", Error::Kind::BadInput);
    return TrainLoop(request, hooks, std::move(stop)).run();
}

}  // namespace orrery
