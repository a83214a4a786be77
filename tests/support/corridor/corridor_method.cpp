#include "tests/support/corridor/corridor_method.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/base/text.h"
#include "core/train/live_change.h"

namespace orrery::test {

namespace {

constexpr SpanKind kWalk = ownSpan(0);

}  // namespace

const std::vector<SpanWords>& corridorSpans() {
    static const std::vector<SpanWords> kSpans = withCommonSpans({{kWalk, "walk", "walk", 2}});
    return kSpans;
}

CorridorMethod::CorridorMethod(const CorridorSpec& spec)
    : m_spec(spec),
      m_rng(spec.seed),
      m_environment({.length = spec.length, .starts = spec.starts}),
      m_taken(1, {.indices = {0}, .numbers = {}}),
      m_q(static_cast<std::size_t>(2 * spec.length)) {
    m_environment.reset(0, m_observation);
}

void CorridorMethod::begin(TrainHost&, const Checkpoint* checkpoint, const TensorMap*) {
    if (checkpoint != nullptr) load(*checkpoint);
    m_spans.beginAt(m_step + 1);
}

void CorridorMethod::load(const Checkpoint& checkpoint) {
    const TensorMap model = checkpoint.tensors("model.safetensors");
    const std::span<const double> values = model.numbers<double>("q");
    m_q.assign(values.begin(), values.end());
    const TensorMap state = checkpoint.tensors("state.safetensors");
    m_step = checkpoint.manifest().step;
    m_episodes = state.number<std::int64_t>("episodes");
    m_environment.setState(checkpoint.text("environment.json"), m_observation);
    m_stepsOfEpisode = static_cast<int>(state.number<std::int64_t>("steps_of_episode"));
    m_lastSteps = state.number<double>("last_steps");
    std::array<std::uint64_t, 4> words{};
    std::ranges::copy(state.numbers<std::uint64_t>("rng"), words.begin());
    m_rng.setWords(words);
}

double CorridorMethod::best(int cell) const {
    const auto at = static_cast<std::size_t>(2 * cell);
    return std::max(m_q[at], m_q[at + 1]);
}

void CorridorMethod::enter(TrainPhase phase) {
    m_spans.enter(phase == TrainPhase::Answers      ? SpanKind::Answers
                  : phase == TrainPhase::Checkpoint ? SpanKind::Checkpoint
                                                    : SpanKind::Idle);
}

MethodStep CorridorMethod::step(bool) {
    m_spans.enter(kWalk);
    const double epsilon =
        m_spec.epsilon.at(static_cast<double>(m_step), static_cast<double>(m_spec.trainingSteps));
    const bool explores = m_rng.uniform() < epsilon;
    const int cell = m_environment.cell();
    const bool isTie = q(cell, 0) == q(cell, 1);
    const int direction = explores || isTie ? static_cast<int>(m_rng.below(2))
                                            : static_cast<int>(q(cell, 1) > q(cell, 0));
    m_taken[0].indices[0] = direction;
    m_environment.step(m_taken, m_result, m_observation);
    const bool isThere = m_result.end == EpisodeEnd::Success;
    double target = m_result.rewards[0];
    if (!isThere) target += m_spec.gamma * best(m_environment.cell());
    if (m_spec.noise) target += m_spec.noise->size * (2 * m_rng.uniform() - 1);
    double& value = q(cell, direction);
    m_loss = std::abs(target - value);
    value += m_spec.learningRate * (target - value);
    ++m_step;
    ++m_stepsOfEpisode;
    if (m_result.end != EpisodeEnd::None) {
        ++m_episodes;
        m_environment.reset(static_cast<std::uint64_t>(m_episodes), m_observation);
        m_lastSteps = std::exchange(m_stepsOfEpisode, 0);
    }
    m_spans.endStep(m_step + 1);
    m_spans.enter(SpanKind::Idle);
    return {.hasTrained = true};
}

double CorridorMethod::error() const {
    double worst = 0;
    for (int cell = 0; cell < m_spec.length - 1; ++cell)
        worst = std::max(worst,
                         std::abs(best(cell) - std::pow(m_spec.gamma, m_spec.length - 2 - cell)));
    return worst;
}

std::vector<MetricValue> CorridorMethod::numbers(const TrainingSnapshot&) {
    return {{"Loss/q", m_loss},
            {"Error/q", error()},
            {"Episodes/count", static_cast<double>(m_episodes)},
            {"Episodes/steps", m_lastSteps}};
}

std::string CorridorMethod::summary() const {
    return "; error of Q " + formatDouble(error());
}

std::shared_ptr<const TrainingSnapshot> CorridorMethod::snapshot(const TrainingSnapshot& common) {
    auto snapshot = std::make_shared<CorridorSnapshot>();
    static_cast<TrainingSnapshot&>(*snapshot) = common;
    snapshot->cell = m_environment.cell();
    snapshot->stepOfEpisode = m_stepsOfEpisode;
    for (int cell = 0; cell < m_spec.length; ++cell) snapshot->values.push_back(best(cell));
    if (auto lane = m_spans.lane())
        snapshot->timeline = std::make_shared<const SpanTimeline>(
            SpanTimeline{.words = corridorSpans(), .lanes = {std::move(lane)}});
    return snapshot;
}

AppliedChange CorridorMethod::change(const TrainChange& change) {
    return applyLiveChange(change, corridorFields(), corridorProblems, m_spec);
}

void CorridorMethod::save(CheckpointWriter& writer, TensorMap&) {
    TensorMap model;
    model.copyNumbers<double>("q", std::span<const double>(m_q), {m_spec.length, 2});
    writer.tensors("model.safetensors", model);
    TensorMap state;
    state.copyNumber<std::int64_t>("episodes", m_episodes);
    state.copyNumber<std::int64_t>("steps_of_episode", m_stepsOfEpisode);
    state.copyNumber<double>("last_steps", m_lastSteps);
    const std::array<std::uint64_t, 4> words = m_rng.words();
    state.copyNumbers<std::uint64_t>("rng", std::span<const std::uint64_t>(words));
    writer.tensors("state.safetensors", state);
    writer.text("environment.json", m_environment.state());
}

Method::MemoryUse CorridorMethod::memoryUse() const {
    return {.bytes = static_cast<std::int64_t>(m_q.size() * sizeof(double)),
            .held = "the table holds " + std::to_string(m_q.size()) + " numbers",
            .advice = "Set a smaller length."};
}

}  // namespace orrery::test
