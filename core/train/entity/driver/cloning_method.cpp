#include "core/train/entity/driver/cloning_method.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/entity/feature_map.h"
#include "core/train/entity/driver/cloning_loss.h"
#include "core/train/entity/driver/shard_gradients.h"
#include "core/train/entity/learned_spaces.h"
#include "core/train/live_change.h"

namespace orrery {

namespace {

constexpr std::uint64_t kOrderStream = (std::uint64_t{1} << 40),  // and on: one an epoch
    kCloneDropStream = (std::uint64_t{1} << 49);                  // and on: one a shard
constexpr std::chrono::milliseconds kReadingAtOnce{40};
constexpr std::int64_t kRuinedAtMost = 3;  // minibatches in a row

const CloningSpec& cloningOf(const EntitySpec& spec) {
    return *spec.cloning;
}

}  // namespace

CloningMethod::CloningMethod(const EntityRequest& request)
    : m_request(request),
      m_spec(request.spec),
      m_team(m_spec.rollout.threads),
      m_data(cloningOf(m_spec).file, cloningOf(m_spec).testShare),
      m_batch(std::min(cloningOf(m_spec).bs, m_data.split().trainFrames)),
      m_place(entityLayoutOf(request.environment()->spaces())),
      m_nets(m_spec, m_place, m_team),
      m_adam(m_nets.parameters(),
             {.weightDecay = cloningOf(m_spec).weightDecay, .isDecoupled = true}) {
    try {
        m_nets.setObsFilter(m_data.layout());
    } catch (const Error& error) {
        throw badInput("The samples of '" + escaped(cloningOf(m_spec).file, 160) +
                       "' do not fit the environment " + m_spec.env.id + ": " + error.what());
    }
    if (m_spec.eval && !m_spec.eval->runsOnFirstStep) m_nextEvaluation = m_spec.eval->interval;
}

std::int64_t CloningMethod::totalSteps() const {
    return cloningOf(m_spec).epochs * epochFrames();
}

double CloningMethod::rate() const {
    const CloningSpec& spec = cloningOf(m_spec);
    if (!spec.annealLr) return spec.lr;
    return spec.lr * (1 - static_cast<double>(m_stepsDone) / static_cast<double>(totalSteps()));
}

void CloningMethod::begin(TrainHost& host, const Checkpoint* checkpoint,
                          const TensorMap* /*progress*/) {
    m_host = &host;
    if (checkpoint != nullptr) load(*checkpoint);
    m_spans.beginAt(m_stepsDone / m_batch + 1);
}

bool CloningMethod::collect() {
    const auto begin = Clock::now();
    if (!m_isRead) {
        work(EntityWork::Gather);
        m_isRead = m_data.read(kReadingAtOnce);
        if (m_isRead && m_data.isCut())
            m_host->say({.level = MessageLevel::Warning,
                         .code = "samples.cut",
                         .text = "the end of the file of samples is cut off and left out"});
        m_host->wasNoTraining(begin);
        return false;
    }
    if (!isWithinStep() && (measure() || evaluate())) {
        m_host->wasNoTraining(begin);
        return false;
    }
    bool isReady = false;
    if (!m_minibatch) {
        work(EntityWork::Gather);
        isReady = prepare();
    } else {
        work(EntityWork::Learn);
        learn(*m_minibatch, m_data.train(), false);
        isReady = m_minibatch->next == m_minibatch->shards.size();
    }
    m_spans.enter(SpanKind::Idle);
    m_workSeconds += std::chrono::duration<double>(Clock::now() - begin).count();
    return isReady;
}

std::unique_ptr<CloningMethod::Pass> CloningMethod::passOf(
    const CloneSet& set, std::span<const std::int64_t> frames) const {
    auto pass = std::make_unique<Pass>();
    pass->shards = m_nets.shardsOf(set.frames, frames);
    pass->rows = numDecided(set.chosen, frames);
    return pass;
}

/// The minibatch of this step. @return whether it has nothing to be learned from
bool CloningMethod::prepare() {
    if (m_planned != epoch()) {
        m_plan.emplace(m_data.split().trainFrames, m_batch);
        Rng order(m_spec.seed, kOrderStream + static_cast<std::uint64_t>(epoch()));
        m_plan->shuffle(order);
        m_planned = epoch();
    }
    const std::int64_t index = m_stepsDone % epochFrames() / m_batch;
    m_minibatch = passOf(m_data.train(), m_plan->minibatch(index));
    m_minibatch->gradients.resize(m_nets.parameters().size());
    if (!std::exchange(m_hasTakenIn, true)) m_nets.takeIn(m_minibatch->shards);
    return m_minibatch->shards.empty();
}

/// Some of its shards, as many as there are threads; sums do not depend on how many that are.
void CloningMethod::learn(Pass& pass, const CloneSet& set, bool isTest) {
    struct Result {
        double loss = 0, entropy = 0;
        std::vector<at::Tensor> gradients = {};
    };
    const std::size_t count =
        std::min(pass.shards.size() - pass.next, static_cast<std::size_t>(m_team.size()));
    std::vector<Result> results(count);
    const auto learnShard = [&](std::size_t i) {
        const std::size_t number = pass.next + i;
        const FrameShard& shard = pass.shards[number];
        const auto place = static_cast<std::uint64_t>(m_stepsDone / m_batch) << 16;
        Rng dropped(m_spec.seed, kCloneDropStream + place + number);
        const at::AutoGradMode mode(!isTest);
        const CloningLoss sums = cloningLoss(m_nets.forward(shard, isTest ? nullptr : &dropped),
                                             shard, set, pass.rows, cloningOf(m_spec).loss);
        results[i].loss = sums.loss.item<double>();
        results[i].entropy = sums.entropy.item<double>();
        if (!isTest && sums.loss.requires_grad())
            results[i].gradients = gradientsOf(sums.loss, m_nets.parameters());
    };
    m_team.forChunks(0, static_cast<std::int64_t>(count), 1, {},
                     [&](std::int64_t begin, std::int64_t end, int) {
                         for (std::int64_t i = begin; i < end; ++i)
                             learnShard(static_cast<std::size_t>(i));
                     });
    const at::NoGradGuard off;
    for (Result& result : results) {
        pass.loss += result.loss;
        pass.entropy += result.entropy;
        addGradients(std::move(result.gradients), pass.gradients);
    }
    pass.next += count;
}

MethodStep CloningMethod::step(bool /*wantsNumbers*/) {
    work(EntityWork::Optimise);
    m_usedRate = rate();
    putGradients(m_minibatch->gradients, m_nets.parameters());
    const double norm = m_adam.clipGradients(cloningOf(m_spec).maxGradNorm).item<double>();
    const bool isSkipped = !std::isfinite(norm);
    if (!isSkipped) {
        m_adam.step(m_usedRate);
        m_loss = m_minibatch->loss;
        m_entropy = m_minibatch->entropy;
        m_gradientNorm = norm;
    }
    m_adam.zeroGradients();
    m_minibatch.reset();
    m_hasTakenIn = false;
    m_stepsDone += m_batch;
    m_workFrames += m_batch;
    m_spans.endStep(m_stepsDone / m_batch + 1);
    m_skippedInARow = isSkipped ? m_skippedInARow + 1 : 0;
    return {.hasTrained = !isSkipped,
            .wasSkipped = isSkipped,
            .hasDiverged = m_skippedInARow >= kRuinedAtMost,
            .trouble = isSkipped ? "the gradient of the policy is not finite" : "",
            .rateField = isSkipped ? "cloning.lr" : "",
            .troubleStep = isSkipped ? m_stepsDone : 0};
}

/// By the tests, before each epoch and at the end. @return whether something was measured
bool CloningMethod::measure() {
    const bool isDue = m_stepsDone % epochFrames() == 0 && m_tested != m_stepsDone;
    if (!isDue || m_data.test().size() == 0) return false;
    work(EntityWork::Evaluate);
    if (!m_test) {
        std::vector<std::int64_t> all(static_cast<std::size_t>(m_data.test().size()));
        std::iota(all.begin(), all.end(), std::int64_t{0});
        m_test = passOf(m_data.test(), all);
    }
    learn(*m_test, m_data.test(), true);
    if (m_test->next == m_test->shards.size()) {
        m_testLoss = m_test->loss;
        m_host->metric("cloning/test_loss", m_testLoss);
        m_tested = m_stepsDone;
        m_test.reset();
    }
    m_spans.enter(SpanKind::Idle);
    return true;
}

void CloningMethod::beginEvaluation() {
    m_evaluation.emplace(m_nets, m_request.evalEnvironment, evaluationWish(m_spec), m_team);
}

bool CloningMethod::evaluate() {
    if (!m_spec.eval || (!m_evaluation && m_stepsDone < m_nextEvaluation)) return false;
    work(EntityWork::Evaluate);
    if (!m_evaluation) beginEvaluation();
    if (m_evaluation->advance()) {
        tellEvaluation(m_evaluation->result(), *m_host);
        m_evaluation.reset();
        m_nextEvaluation = m_stepsDone + m_spec.eval->interval;
    }
    m_spans.enter(SpanKind::Idle);
    return true;
}

void CloningMethod::finish() {
    const auto begin = Clock::now();
    m_tested = -1;
    while (!m_host->stop().stop_requested() && measure()) continue;
    if (m_spec.eval) {
        beginEvaluation();
        bool isDone = false;
        while (!isDone && !m_host->stop().stop_requested()) isDone = m_evaluation->advance();
        if (isDone) tellEvaluation(m_evaluation->result(), *m_host);
        m_evaluation.reset();
    }
    m_spans.enter(SpanKind::Idle);
    m_host->wasNoTraining(begin);
}

std::vector<MetricValue> CloningMethod::numbers(const TrainingSnapshot& /*common*/) {
    std::vector<MetricValue> all{{"cloning/train_loss", m_loss},
                                 {"losses/entropy", m_entropy},
                                 {"losses/gradnorm", m_gradientNorm},
                                 {"charts/learning_rate", m_usedRate}};
    if (m_workSeconds > 0) {
        m_throughput = static_cast<double>(m_workFrames) / m_workSeconds;
        all.push_back({"throughput", m_throughput});
    }
    m_workSeconds = 0;
    m_workFrames = 0;
    return all;
}

std::string CloningMethod::summary() const {
    return "; loss " + shortNumber(m_loss, 4) +
           (m_data.test().size() > 0 ? ", of the tests " + shortNumber(m_testLoss, 4) : "");
}

std::shared_ptr<const TrainingSnapshot> CloningMethod::snapshot(const TrainingSnapshot& common) {
    auto snapshot = std::make_shared<EntitySnapshot>();
    static_cast<TrainingSnapshot&>(*snapshot) = common;
    snapshot->updates = totalSteps() / m_batch;
    snapshot->update = std::min(m_stepsDone / m_batch + 1, snapshot->updates);
    snapshot->rates.lr = rate();
    snapshot->recentReward = std::nan("");
    snapshot->parameters = m_nets.numbers();
    snapshot->throughput = m_throughput;
    snapshot->memory = {{"samples", m_data.bytes()},
                        {"parameters", bytesOf(m_nets.parameters())},
                        {"optimisers", bytesOf(m_adam.state())},
                        {"recording", static_cast<std::int64_t>(SpanRecorder::mostBytes())},
                        {"process", static_cast<std::int64_t>(residentBytes())}};
    if (auto lane = m_spans.lane())
        snapshot->timeline = std::make_shared<const SpanTimeline>(
            SpanTimeline{.words = entitySpans(), .lanes = {std::move(lane)}});
    return snapshot;
}

AppliedChange CloningMethod::change(const TrainChange& change) {
    const SpecRow<EntitySpec>* field = entityFields().find(change.key);
    const bool hasEffect = field == nullptr || !field->isLive ||
                           field->name.starts_with("cloning.") || field->name == "eval.interval";
    if (!hasEffect)
        return {.change = change,
                .problem = field->name + " has no effect while samples are learned from"};
    AppliedChange applied = applyLiveChange(change, entityFields(), entityProblems, m_spec);
    if (applied.problem.empty() && field->name == "eval.interval")
        m_nextEvaluation = std::min(m_nextEvaluation, m_stepsDone + m_spec.eval->interval);
    return applied;
}

Method::MemoryUse CloningMethod::memoryUse() const {
    return {.bytes = m_data.bytes() + 4 * bytesOf(m_nets.parameters()),
            .held = "the samples hold " + mebibytes(m_data.bytes()),
            .advice = "Take a smaller file of samples."};
}

void CloningMethod::enter(TrainPhase phase) {
    if (phase == TrainPhase::Answers) m_spans.enter(SpanKind::Answers);
    if (phase == TrainPhase::Checkpoint) m_spans.enter(SpanKind::Checkpoint);
}

}  // namespace orrery
