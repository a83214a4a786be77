#include "core/train/empo/driver/empo_method.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/empo/spec_fields.h"
#include "core/train/empo/driver/kept_batch.h"
#include "core/train/live_change.h"

namespace orrery {

namespace {

constexpr std::int64_t kPlasticityPoints = 50, kPlasticitySteps = 1000;  ///< at most, at least
/// Curiosity follows the newest states, so collectors get it sooner. Source: spec empo 6.4.
constexpr std::int64_t kNoveltySyncSteps = 10;

/// "the gradient of v_h_e is not finite" -> "lr_v_h_e"; empty if no quantity is named.
std::string rateFieldOf(const std::string& trouble) {
    const std::string text = " of ";
    const std::size_t at = trouble.find(text);
    if (at == std::string::npos) return {};
    const std::string rest = trouble.substr(at + text.size());
    const std::string name = rest.substr(0, rest.find(' '));
    if (name == "q_h") return "lr_q_h";
    for (const Quantity quantity : kQuantities)
        if (name == nameOf(quantity)) return "lr_" + name;
    return {};
}

}  // namespace

EmpoMethod::EmpoMethod(EmpoRequest request)
    : m_request(std::move(request)),
      m_training(m_request.spec,
                 trainWorldsOf(m_request.worlds, m_request.exact, m_request.spec.encodingRules())),
      m_errors(m_request, m_training) {}

void EmpoMethod::begin(TrainHost& host, const Checkpoint* checkpoint, const TensorMap* progress) {
    m_host = &host;
    std::vector<std::vector<std::byte>> collectors;
    if (checkpoint != nullptr) loadTraining(*checkpoint, *progress, m_training, collectors);
    m_collecting = makeCollecting(collectors);
    profile().spans().beginAt(stepsDone() + 1);
    m_beginEnvironmentSteps = m_training.environmentSteps;
    if (const std::string note = m_training.learner.deviceNote(); !note.empty())
        host.say({.level = MessageLevel::Warning, .code = "device", .text = note});
}

std::unique_ptr<Collecting> EmpoMethod::makeCollecting(
    std::span<const std::vector<std::byte>> saved) {
    const EmpoSpec& spec = m_training.spec;
    if (!spec.isAsync) return makeTurnCollecting(spec, m_training.worlds, saved);
    return makeThreadCollecting(spec, m_training.worlds, saved, m_training.environmentSteps,
                                profile().spans().origin());
}

bool EmpoMethod::collect() {
    const bool mayTrain = m_collecting->collect(m_training);
    for (const std::string& line : m_collecting->takeMessages())
        m_host->say({.level = MessageLevel::Warning, .code = "actor", .text = line});
    return mayTrain;
}

MethodStep EmpoMethod::step(bool wantsNumbers) {
    const StepReport report = m_training.learner.step(m_training.buffer, wantsNumbers);
    m_hasHumans = report.hasHumans;
    return {.hasTrained = report.hasTrained,
            .wasSkipped = report.wasSkipped,
            .hasDiverged = report.hasDiverged,
            .trouble = report.trouble,
            .rateField = rateFieldOf(report.trouble),
            .troubleStep = report.troubleStep};
}

void EmpoMethod::settle() {
    if (m_hasHumans) takeHumans();
    publish();
    if (m_hasHumans || m_errors.isDue(stepsDone())) measureErrors();
    const EmpoSpec& spec = m_training.spec;
    if (!spec.profilesBatching || stepsDone() % spec.profileInterval != 0) return;
    const StageSums& sums = profile().sums();
    m_host->say({.code = "profile", .text = batchingTable(sums) + tableBeside(sums)});
}

/// The collectors go on where they are, by the policies that are learned now.
void EmpoMethod::takeHumans() {
    const std::vector<std::vector<std::byte>> saved = m_collecting->save(m_training);
    std::vector<int> paused;
    for (int i = 0; i < numActors(); ++i)
        if (isActorPaused(i)) paused.push_back(i);
    m_collecting = nullptr;
    m_training.takeHumans();
    m_collecting = makeCollecting(saved);
    for (const int i : paused) m_collecting->setPaused(i, true);
    m_host->say({.code = "train.humans",
                 .text = "The humans' policies are learned; they stand still from step " +
                         std::to_string(stepsDone()) + " on."});
}

void EmpoMethod::publish() {
    const Learner& learner = m_training.learner;
    const EmpoSpec& spec = m_training.spec;
    auto state = std::make_shared<ActingState>();
    state->rates = {.epsilon_r = learner.schedule().epsilon_r(stepsDone()),
                    .epsilon_h = learner.schedule().epsilon_h(stepsDone()),
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
    state->trainingSteps = stepsDone();
    state->mostPerTrainingStep = spec.maxEnvironmentStepsPerTrainingStep;
    m_collecting->publish(std::move(state));
}

void EmpoMethod::measureErrors() {
    profile().enter(ProfileStage::kIdle, kErrorsSpan);
    m_errors.measure(*m_host);
    profile().enter(ProfileStage::kIdle);
}

AppliedChange EmpoMethod::change(const TrainChange& change) {
    AppliedChange applied = applyLiveChange(change, empoFields(), validate, m_training.spec);
    if (applied.problem.empty()) m_training.learner.setLive(m_training.spec);
    if (m_published) publish();
    return applied;
}

void EmpoMethod::setActorPaused(int actor, bool isPaused) {
    m_collecting->setPaused(actor, isPaused);
    if (m_published) publish();
}

int EmpoMethod::stage() const {
    return m_training.learner.schedule().stageIndex(stepsDone());
}

void EmpoMethod::save(CheckpointWriter& writer, TensorMap& progress) {
    saveTraining(m_training, m_collectors, writer, progress);
}

/// The profile so far as points of curves, so that stored runs can be compared.
void EmpoMethod::saved(double seconds) {
    const StageSums& sums = profile().sums();
    if (sums.calls == 0) return;
    m_host->metric("Profile/calls", static_cast<double>(sums.calls));
    m_host->metric("Profile/checkpoints_seconds", seconds);
    for (const SpanKind stage : kProfileStages)
        m_host->metric("Profile/" + profileName(stage), sums.milliseconds(stage));
}

/// Of the last step. A GPU tells too late to know which it was.
std::string EmpoMethod::keepBatch(const std::filesystem::path& folder) {
    if (m_training.learner.deviceName() != "cpu") return {};
    return orrery::keepBatch(folder, stepsDone(), m_training.buffer, m_training.learner.lastBatch(),
                             m_training.learner.facts());
}

Method::MemoryUse EmpoMethod::memoryUse() const {
    const std::int64_t buffer = m_training.buffer.statistics().bytes();
    MemoryNumbers memory;
    m_training.learner.addBytes(memory);
    return {.bytes = buffer + memory.tables + memory.parameters + memory.optimisers,
            .held = "the replay buffer holds " + mebibytes(buffer),
            .advice =
                "Set a smaller buffer_size, or human_model to sampled if the world has many "
                "humans."};
}

void EmpoMethod::enter(TrainPhase phase) {
    switch (phase) {
        case TrainPhase::None:
            return profile().enter(ProfileStage::kIdle);
        case TrainPhase::Collect:
            return profile().enter(ProfileStage::kActor);
        case TrainPhase::Answers:
            return profile().enter(ProfileStage::kIdle, SpanKind::Answers);
        case TrainPhase::Checkpoint:
            return profile().enter(ProfileStage::kIdle, SpanKind::Checkpoint);
    }
}

std::vector<MetricValue> EmpoMethod::numbers(const TrainingSnapshot& common) {
    EmpoSnapshot now = snapshotNow(common);
    const bool isPlastic = isPlasticityStep(common.metricInterval);
    if (isPlastic) now.visits = visitNumbersOf(m_training.visits.counts());
    std::vector<MetricValue> metrics = metricsOf(m_training.spec, now);
    if (isPlastic)
        std::ranges::move(m_training.learner.plasticity(m_training.buffer),
                          std::back_inserter(metrics));
    return metrics;
}

/// The first point of other curves after each of so many equal parts of the training.
bool EmpoMethod::isPlasticityStep(std::int64_t metricInterval) const {
    const EmpoSpec& spec = m_training.spec;
    const std::int64_t interval =
        std::max(kPlasticitySteps, spec.trainingSteps / kPlasticityPoints);
    return stepsDone() / interval > (stepsDone() - metricInterval) / interval;
}

std::shared_ptr<const TrainingSnapshot> EmpoMethod::snapshot(const TrainingSnapshot& common) {
    return std::make_shared<const EmpoSnapshot>(snapshotNow(common));
}

EmpoSnapshot EmpoMethod::snapshotNow(const TrainingSnapshot& common) {
    EmpoSnapshot snapshot;
    static_cast<TrainingSnapshot&>(snapshot) = common;
    snapshot.environmentSteps = m_training.environmentSteps;
    snapshot.visitedStates = static_cast<std::int64_t>(m_training.visits.numStates());
    snapshot.environmentStepsPerSecond =
        static_cast<double>(m_training.environmentSteps - m_beginEnvironmentSteps) /
        common.secondsHere;
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
    snapshot.profile = learner.profile().sums();
    snapshot.timeline = timeline();
    snapshot.memory = {.buffer = replay.bytes(),
                       .recording = static_cast<std::int64_t>(SpanRecorder::mostBytes() +
                                                              m_collecting->recordingBytes()),
                       .process = static_cast<std::int64_t>(residentBytes())};
    learner.addBytes(snapshot.memory);
    snapshot.errors = m_errors.numbers();
    snapshot.published = m_numPublished;
    snapshot.device = learner.deviceName();
    snapshot.desk = m_desk.desk();
    return snapshot;
}

/// What all threads did when; null before the first.
std::shared_ptr<const SpanTimeline> EmpoMethod::timeline() {
    auto lane = profile().spans().lane();
    if (!lane) return nullptr;
    auto timeline = std::make_shared<SpanTimeline>();
    timeline->words = empoSpans();
    timeline->lanes = m_collecting->lanes();
    timeline->lanes.insert(timeline->lanes.begin(), std::move(lane));
    return timeline;
}

void EmpoMethod::showLast() {
    m_desk.showLast(m_training);
    profile().spans().flush();
}

std::unique_ptr<Method> makeEmpo(const EmpoRequest& request) {
    std::string text;
    for (const SpecProblem& problem : validate(request.spec))
        text += (text.empty() ? "" : "; ") + problem.field + " " + problem.text;
    if (!text.empty()) throw Error("Cannot train: " + text + ".", Error::Kind::BadInput);
    return std::make_unique<EmpoMethod>(request);
}

}  // namespace orrery
