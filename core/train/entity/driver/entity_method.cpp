#include "core/train/entity/driver/entity_method.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/train/entity/driver/cloning_method.h"
#include "core/train/entity/driver/rollout_copy.h"
#include "core/train/live_change.h"

namespace orrery {

namespace {

constexpr std::uint64_t kChoiceStream = (std::uint64_t{1} << 32) + 5,
                        kShuffleStream = (std::uint64_t{1} << 32) + 6;
constexpr std::size_t kRecent = 100;        // episodes whose mean says which checkpoint is the best
constexpr std::int64_t kShownPlaces = 12;   // environments whose pictures are shown
constexpr std::int64_t kSkippedAtMost = 3;  // updates in a row
constexpr std::int64_t kCopies = 4;         // of parameters: two averages and gradients beside them

std::vector<std::vector<std::int64_t>> noChoices(const EntityLayout& layout) {
    std::vector<std::vector<std::int64_t>> counts;
    for (const ActionSpace& action : layout.actions) counts.emplace_back(action.choices.size());
    return counts;
}

}  // namespace

EntityMethod::EntityMethod(const EntityRequest& request)
    : m_request(request),
      m_spec(request.spec),
      m_team(m_spec.rollout.threads),
      m_env(m_request.environment,
            {.count = m_spec.rollout.numEnvs,
             .seed = m_spec.seed,
             .maxEpisodeSteps = m_spec.env.maxEpisodeSteps,
             .validates = m_spec.env.validates},
            m_team),
      m_nets(m_spec, m_env.layout(), m_team),
      m_rollout(m_env.layout(), m_spec.rollout.steps, m_spec.rollout.numEnvs),
      m_update(m_nets, m_spec, m_team),
      m_metrics(m_env),
      m_choosing(m_spec.seed, kChoiceStream),
      m_shuffling(m_spec.seed, kShuffleStream),
      m_done(static_cast<std::size_t>(m_env.count())),
      m_values(m_done.size()),
      m_chosen(noChoices(m_env.layout())) {
    if (m_spec.eval && !m_spec.eval->runsOnFirstStep) m_nextEvaluation = m_spec.eval->interval;
}

bool EntityMethod::isWithinStep() const {
    return m_rollout.stepsDone() > 0 || m_update.isUnderWay();
}

void EntityMethod::begin(TrainHost& host, const Checkpoint* checkpoint,
                         const TensorMap* /*progress*/) {
    m_host = &host;
    bool isReset = true;
    if (checkpoint != nullptr) isReset = !load(*checkpoint);
    if (isReset) {
        m_env.reset();
        std::ranges::fill(m_done, 1);
        m_metrics.add(m_env, true);
        beginSamples(nullptr);
    }
    m_spans.beginAt(m_stepsDone / stepSize() + 1);
}

void EntityMethod::beginUpdate() {
    m_hasBegun = true;
    m_update.take(m_spec, ratesOf(m_spec.optim, m_spec.ppo, progressOf(m_spec, m_stepsDone)),
                  m_stepsDone / stepSize() + 1);
    m_rollout.clear();
}

bool EntityMethod::collect() {
    const auto begin = Clock::now();
    if (!m_hasBegun && evaluate()) {
        m_host->wasNoTraining(begin);
        return false;
    }
    bool isDone = false;
    if (!m_hasBegun) beginUpdate();
    if (m_update.isUnderWay()) {
        isDone = m_update.advance(m_rollout, m_shuffling, [this](EntityWork w) { work(w); });
    } else {
        isDone = !act();
        if (m_rollout.isWhole()) estimate();
    }
    m_spans.enter(SpanKind::Idle);
    m_workSeconds += std::chrono::duration<double>(Clock::now() - begin).count();
    return isDone;
}

/// A step of all environments. @return false if the networks are ruined, and none was made
bool EntityMethod::act() {
    work(EntityWork::Choose);
    const VecObs& seen = m_env.frames();
    const std::vector<FrameShard> shards = m_nets.shardsOf(seen);
    m_nets.takeIn(shards);
    const Choices choices =
        m_nets.choose(seen, shards, m_choosing, false, m_samples && m_samples->withLogits());
    m_isRuined = !choices.isFinite;
    if (m_isRuined) return false;
    if (m_samples) m_samples->record(seen, choices);
    m_rollout.act(seen, m_done, choices);
    m_values = choices.values;
    countChoices(choices.chosen);
    work(EntityWork::Act);
    const VecObs& after = m_env.act(choices.chosen);
    m_done = after.done;
    if (m_samples) m_samples->outcome(after);
    m_metrics.add(m_env, false);
    noteEpisodes();
    std::vector<float> rewards = after.reward;
    if (faultNan("reward")) rewards.front() = std::numeric_limits<float>::quiet_NaN();
    m_rollout.outcome(rewards, cutValues());
    m_workFrames += m_env.count();
    return true;
}

/// [environments] what the last frame of an episode that was cut off just now is worth, else 0.
std::vector<float> EntityMethod::cutValues() const {
    std::vector<float> values(m_done.size());
    std::vector<Observation> last;
    std::vector<std::size_t> places;
    for (std::int64_t i = 0; i < m_env.count(); ++i)
        if (const Observation* seen = m_env.lastOf(i)) {
            last.push_back(*seen);
            places.push_back(static_cast<std::size_t>(i));
        }
    if (last.empty()) return values;
    VecObs frames(m_env.layout());
    frames.take(m_env.layout(), last);
    const std::vector<float> worth = m_nets.valuesOf(frames);
    for (std::size_t i = 0; i < places.size(); ++i) values[places[i]] = worth[i];
    return values;
}

void EntityMethod::estimate() {
    work(EntityWork::Estimate);
    m_rollout.estimate(m_nets.valuesOf(m_env.frames()), m_done, m_spec.ppo);
    m_update.begin(m_rollout, m_shuffling);
}

void EntityMethod::countChoices(const VecActions& chosen) {
    for (std::size_t i = 0; i < chosen.size(); ++i)
        if (!m_chosen[i].empty())
            for (const std::int64_t choice : chosen[i].flat())
                if (choice >= 0) ++m_chosen[i][static_cast<std::size_t>(choice)];
}

void EntityMethod::noteEpisodes() {
    for (const double reward : m_metrics.ended()) {
        ++m_episodes;
        m_recent.push_back(reward);
        if (m_recent.size() > kRecent) m_recent.pop_front();
    }
}

double EntityMethod::recentReward() const {
    if (m_recent.empty()) return std::numeric_limits<double>::quiet_NaN();
    return std::accumulate(m_recent.begin(), m_recent.end(), 0.0) /
           static_cast<double>(m_recent.size());
}

std::shared_ptr<const RolloutCopy> EntityMethod::rolloutNow(bool isLearned) const {
    return copyOf(m_rollout, m_env.layout(), m_env.environment(0).spaces(), m_update.record(),
                  {.done = m_done, .truncated = m_env.frames().truncated, .isLearned = isLearned},
                  m_stepsDone);
}

/// As it is; once the update has passed over all of it, whole.
bool EntityMethod::answer() {
    m_desk->takeIsAsked();  // before it is read: what is asked from now on counts anew
    const auto wish = m_desk->wish();
    if (wish == m_wish) return false;
    m_wish = wish;
    m_isWished = true;
    m_update.setRecords(true);
    if (m_rollout.stepsDone() > 0) m_desk->show(rolloutNow(false));
    return true;
}

MethodStep EntityMethod::step(bool /*wantsNumbers*/) {
    if (std::exchange(m_isWished, false)) {
        if (!m_isRuined) m_desk->show(rolloutNow(true));
        m_update.setRecords(false);
    }
    m_hasBegun = false;
    m_rollout.clear();
    m_stepsDone += stepSize();
    m_spans.endStep(m_stepsDone / stepSize() + 1);
    const std::string trouble =
        m_isRuined ? "what the policy says is not finite" : m_update.trouble();
    const bool isSkipped = !trouble.empty();
    m_skippedInARow = isSkipped ? m_skippedInARow + 1 : 0;
    return {.hasTrained = !isSkipped,
            .wasSkipped = isSkipped,
            .hasDiverged = m_isRuined || m_skippedInARow >= kSkippedAtMost,
            .trouble = trouble,
            .rateField = isSkipped ? "optim.lr" : "",
            .troubleStep = isSkipped ? m_stepsDone : 0};
}

/// Of the policy as it stands.
void EntityMethod::beginEvaluation() {
    if (m_evalSamples) m_evalSamples->hold();
    m_evaluation.emplace(m_nets, m_request.evalEnvironment, evaluationWish(m_spec), m_team,
                         m_evalSamples ? &*m_evalSamples : nullptr);
}

void EntityMethod::endEvaluation() {
    m_evaluation.reset();
    if (m_evalSamples) m_evalSamples->release();
}

/// Between two updates. @return whether something was evaluated
bool EntityMethod::evaluate() {
    if (!m_spec.eval || (!m_evaluation && m_stepsDone < m_nextEvaluation)) return false;
    work(EntityWork::Evaluate);
    if (!m_evaluation) beginEvaluation();
    if (m_evaluation->advance()) {
        tellEvaluation(m_evaluation->result(), *m_host);
        endEvaluation();
        m_nextEvaluation = m_stepsDone + m_spec.eval->interval;
    }
    m_spans.enter(SpanKind::Idle);
    return true;
}

void EntityMethod::finish() {
    if (!m_spec.eval) return;
    const auto begin = Clock::now();
    work(EntityWork::Evaluate);
    beginEvaluation();
    bool isDone = false;
    while (!isDone && !m_host->stop().stop_requested()) isDone = m_evaluation->advance();
    if (isDone) tellEvaluation(m_evaluation->result(), *m_host);
    endEvaluation();
    m_spans.enter(SpanKind::Idle);
    m_host->wasNoTraining(begin);
}

std::vector<MetricValue> EntityMethod::numbers(const TrainingSnapshot& /*common*/) {
    const PpoNumbers& now = m_update.numbers();
    std::vector<MetricValue> all{{"losses/policy_loss", now.policyLoss},
                                 {"losses/value_loss", now.valueLoss},
                                 {"losses/entropy", now.entropy},
                                 {"losses/approx_kl", now.approxKl},
                                 {"losses/clipfrac", now.clipped},
                                 {"losses/gradnorm", now.gradientNorm},
                                 {"charts/learning_rate", m_update.rates().lr},
                                 {"charts/entropy_coef", m_update.rates().entCoef}};
    if (std::isfinite(now.explainedVariance))  // rewards are not all the same
        all.push_back({"losses/explained_variance", now.explainedVariance});
    if (m_nets.hasValueNet()) all.push_back({"losses/vf_gradnorm", now.valueGradientNorm});
    if (m_workSeconds > 0) {
        m_throughput = static_cast<double>(m_workFrames) / m_workSeconds;
        all.push_back({"throughput", m_throughput});
    }
    for (const auto& [name, sum] : m_metrics.sums()) {
        all.push_back({name + ".count", static_cast<double>(sum.count)});
        if (sum.count == 0) continue;
        all.push_back({name + ".mean", sum.mean()});
        all.push_back({name + ".min", sum.min});
        all.push_back({name + ".max", sum.max});
    }
    if (!m_recent.empty()) all.push_back({"episodic_reward.mean_100", recentReward()});
    const std::vector<ActionSpace>& actions = m_env.layout().actions;
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const auto sum = std::accumulate(m_chosen[i].begin(), m_chosen[i].end(), std::int64_t{0});
        for (std::size_t k = 0; sum > 0 && k < m_chosen[i].size(); ++k)
            all.push_back({"actions/" + actions[i].name + '/' + actions[i].choices[k],
                           static_cast<double>(m_chosen[i][k]) / static_cast<double>(sum)});
    }
    m_metrics.clear();
    m_chosen = noChoices(m_env.layout());
    m_workSeconds = 0;
    m_workFrames = 0;
    return all;
}

std::string EntityMethod::summary() const {
    if (m_recent.empty()) return "; no episode ended";
    return "; reward " + formatDouble(std::round(recentReward() * 1e4) / 1e4) + " in the last " +
           std::to_string(m_recent.size()) + " episodes";
}

std::shared_ptr<const TrainingSnapshot> EntityMethod::snapshot(const TrainingSnapshot& common) {
    auto snapshot = std::make_shared<EntitySnapshot>();
    static_cast<TrainingSnapshot&>(*snapshot) = common;
    snapshot->desk = m_desk;
    const PpoProgress progress = progressOf(m_spec, m_stepsDone);
    snapshot->update = std::min(progress.update, progress.updates);
    snapshot->updates = progress.updates;
    snapshot->rolloutStep = m_rollout.stepsDone();
    snapshot->minibatch = m_update.isUnderWay() ? m_update.minibatch() : 0;
    snapshot->minibatches = m_update.minibatches();
    snapshot->rates = m_hasBegun ? m_update.rates() : ratesOf(m_spec.optim, m_spec.ppo, progress);
    snapshot->episodes = m_episodes;
    snapshot->recentReward = recentReward();
    snapshot->recentEpisodes = std::ssize(m_recent);
    snapshot->parameters = m_nets.numbers();
    snapshot->throughput = m_throughput;
    snapshot->memory = {{"rollout", m_rollout.bytes()},
                        {"parameters", bytesOf(m_nets.parameters())},
                        {"optimisers", m_update.optimiserBytes()},
                        {"recording", static_cast<std::int64_t>(SpanRecorder::mostBytes())},
                        {"process", static_cast<std::int64_t>(residentBytes())}};
    snapshot->numEnvironments = m_env.count();
    for (std::int64_t i = 0; i < std::min(kShownPlaces, m_env.count()); ++i) {
        const auto at = static_cast<std::size_t>(i);
        snapshot->places.push_back({.picture = m_env.environment(i).picture({}),
                                    .step = m_done[at] != 0 ? 0 : m_env.episodeSteps(i),
                                    .reward = m_metrics.open()[at],
                                    .value = m_values[at]});
    }
    if (auto lane = m_spans.lane())
        snapshot->timeline = std::make_shared<const SpanTimeline>(
            SpanTimeline{.words = entitySpans(), .lanes = {std::move(lane)}});
    return snapshot;
}

/// A rate that falls by itself is what was asked for when the change begins to hold.
AppliedChange EntityMethod::change(const TrainChange& change) {
    TrainChange taken = change;
    const SpecRow<EntitySpec>* field = entityFields().find(change.key);
    if (field != nullptr && field->isLive && !change.isReplay && !change.isUndo)
        if (const auto value = parseFieldText(*field, change.value))
            if (const auto start = rateAtStart(m_spec, field->name, *value, change.step))
                taken.value = fieldText(*start);
    AppliedChange applied = applyLiveChange(taken, entityFields(), entityProblems, m_spec);
    if (!applied.problem.empty())
        applied.change = change;
    else if (taken.value != change.value)
        applied.now = change.value;
    if (applied.problem.empty() && field->name == "eval.interval")
        m_nextEvaluation = std::min(m_nextEvaluation, m_stepsDone + m_spec.eval->interval);
    return applied;
}

Method::MemoryUse EntityMethod::memoryUse() const {
    const std::int64_t rollout = m_rollout.bytes(), nets = bytesOf(m_nets.parameters());
    return {.bytes = rollout + kCopies * nets,
            .held = "the rollout holds " + mebibytes(rollout),
            .advice = "Set a smaller rollout.num_envs, rollout.steps or optim.micro_bs."};
}

void EntityMethod::enter(TrainPhase phase) {
    switch (phase) {
        case TrainPhase::None:
        case TrainPhase::Collect:
            return;
        case TrainPhase::Answers:
            m_spans.enter(SpanKind::Answers);
            return;
        case TrainPhase::Checkpoint:
            m_spans.enter(SpanKind::Checkpoint);
            return;
    }
}

std::unique_ptr<Method> makeEntity(const EntityRequest& request) {
    std::string text;
    for (const SpecProblem& problem : entityProblems(request.spec))
        text += (text.empty() ? "" : "; ") + problem.field + " " + problem.text;
    if (!text.empty()) throw Error("Cannot train: " + text + ".", Error::Kind::BadInput);
    if (request.spec.cloning) return std::make_unique<CloningMethod>(request);
    return std::make_unique<EntityMethod>(request);
}

}  // namespace orrery
