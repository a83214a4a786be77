#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "core/train/entity/driver/entity_method.h"
#include "core/train/entity/learned_spaces.h"
#include "core/train/train_checkpoint.h"

// What a training among things keeps in checkpoints.

namespace orrery {

namespace {

constexpr const char *kState = "state.safetensors", *kSamples = "samples",
                     *kEvalSamples = "eval_samples";

void putRng(TensorMap& map, const std::string& name, const Rng& rng) {
    const std::array<std::uint64_t, 4> words = rng.words();
    map.copyNumbers<std::uint64_t>(name, std::span<const std::uint64_t>(words));
}

void takeRng(const TensorMap& map, const std::string& name, Rng& rng) {
    const std::array<std::int64_t, 1> shape{4};
    std::array<std::uint64_t, 4> words{};
    std::ranges::copy(map.numbers<std::uint64_t>(name, shape), words.begin());
    rng.setWords(words);
}

}  // namespace

void EntityMethod::save(CheckpointWriter& writer, TensorMap& /*progress*/) {
    TensorMap model, optimiser, state = stateNow();
    m_nets.save(model);
    m_update.save(optimiser, state);
    requireFinite(model, m_stepsDone);
    requireFinite(optimiser, m_stepsDone);
    if (isWithinStep()) m_rollout.save(state);
    writer.tensors("model.safetensors", model);
    writer.tensors("optim.safetensors", optimiser);
    writer.tensors(kState, state);
    std::string states;
    for (const std::string& line : m_env.states()) states += line + '\n';
    writer.text("environments.jsonl", states);
    saveSpaces(writer, m_nets.learned(), m_env.layout());
}

/// Files of samples, which go on where the state says they were.
void EntityMethod::beginSamples(const TensorMap* state) {
    const auto begin = [&](const CaptureSpec& capture, const EntityLayout& layout, const char* name,
                           std::optional<SampleRecorder>& recorder) {
        if (!capture.file || m_request.folder.empty()) return;
        recorder.emplace(layout,
                         SampleWish{.file = m_request.folder / kSampleFolder / *capture.file,
                                    .withLogits = capture.logits,
                                    .subsample = capture.subsample,
                                    .seed = m_spec.seed},
                         state, name);
    };
    begin(m_spec.capture, m_env.layout(), kSamples, m_samples);
    if (m_samples && (state == nullptr || !m_samples->hasBegun())) m_samples->begin(m_env.count());
    if (!m_spec.eval || !m_spec.eval->capture.file) return;
    m_evalLayout = entityLayoutOf(m_request.evalEnvironment()->spaces());
    begin(m_spec.eval->capture, m_evalLayout, kEvalSamples, m_evalSamples);
}

TensorMap EntityMethod::stateNow() {
    TensorMap state;
    state.setText("place", placeText());
    state.setText("update", updateText());
    putRng(state, "choosing", m_choosing);
    putRng(state, "shuffling", m_shuffling);
    const std::vector<std::int64_t> counts{m_stepsDone, m_episodes, m_nextEvaluation,
                                           m_skippedInARow, m_hasBegun ? 1 : 0};
    state.copyNumbers<std::int64_t>("counts", std::span(counts));
    state.copyNumbers<std::uint8_t>("done", std::span(m_done));
    state.copyNumbers<float>("values", std::span(m_values));
    const std::vector<double> recent(m_recent.begin(), m_recent.end());
    state.copyNumbers<double>("recent", std::span(recent));
    state.copyNumbers<double>("open", std::span(m_metrics.open()));
    std::vector<double> sums;
    for (const auto& [name, sum] : m_metrics.sums()) {
        // Those of nothing have infinite ends, which no file of tensors holds.
        const bool isEmpty = sum.count == 0;
        for (const double number : {static_cast<double>(sum.count), sum.sum, isEmpty ? 0 : sum.min,
                                    isEmpty ? 0 : sum.max})
            sums.push_back(number);
    }
    state.copyNumbers<double>("sums", std::span(sums));
    for (std::size_t i = 0; i < m_chosen.size(); ++i)
        state.copyNumbers<std::int64_t>("chosen." + std::to_string(i), std::span(m_chosen[i]));
    if (m_samples) m_samples->save(state, kSamples);
    if (m_evalSamples) m_evalSamples->save(state, kEvalSamples);
    return state;
}

/// @return whether its environments go on, too
bool EntityMethod::load(const Checkpoint& checkpoint) {
    const EntityLayout learned = learnedSpaces(checkpoint, m_env.layout());
    if (!showSame(learned, m_nets.learned())) {
        m_nets.learnFrom(learned);
        m_update.renew(m_spec);
    }
    m_nets.load(checkpoint.tensors("model.safetensors"));
    if (!checkpoint.has(kState)) {  // what was imported, or learned by samples, has networks alone
        m_stepsDone = checkpoint.manifest().step / stepSize() * stepSize();
        if (m_spec.eval) m_nextEvaluation = m_stepsDone;
        return false;
    }
    m_update.loadOptimiser(checkpoint.tensors("optim.safetensors"));
    const TensorMap state = checkpoint.tensors(kState);
    const std::array<std::int64_t, 1> shape{5};
    const auto counts = state.numbers<std::int64_t>("counts", shape);
    m_stepsDone = counts[0];
    m_episodes = counts[1];
    m_nextEvaluation = counts[2];
    m_skippedInARow = counts[3];
    takeRng(state, "choosing", m_choosing);
    takeRng(state, "shuffling", m_shuffling);
    if (state.text("place") != placeText() || !wereShown(checkpoint, m_env.layout())) return false;
    const bool isOfThisRun = checkpoint.folder().parent_path() == m_request.folder;
    beginSamples(isOfThisRun ? &state : nullptr);
    loadPlace(checkpoint, state);
    return true;
}

/// In what it acts; a fork may act elsewhere than what it goes on from.
std::string EntityMethod::placeText() const {
    return m_spec.env.id + ' ' + m_spec.env.optionsJson() + ' ' + std::to_string(m_env.count());
}

/// How an update is made; likewise.
std::string EntityMethod::updateText() const {
    return std::to_string(m_spec.rollout.steps) + ' ' + std::to_string(m_spec.optim.bs);
}

void EntityMethod::loadPlace(const Checkpoint& checkpoint, const TensorMap& state) {
    std::vector<std::string> states;
    const std::string text = checkpoint.text("environments.jsonl");
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        states.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    m_env.setStates(states);
    const std::array<std::int64_t, 1> perPlace{m_env.count()};
    const auto done = state.numbers<std::uint8_t>("done", perPlace);
    m_done.assign(done.begin(), done.end());
    const auto values = state.numbers<float>("values", perPlace);
    m_values.assign(values.begin(), values.end());
    const auto open = state.numbers<double>("open", perPlace);
    m_metrics.setOpen({open.begin(), open.end()});
    const auto recent = state.numbers<double>("recent");
    m_recent.assign(recent.begin(), recent.end());
    const auto sums = state.numbers<double>("sums");
    std::vector<MetricSum> all;
    for (std::size_t i = 0; i + 3 < sums.size(); i += 4)
        all.push_back(sums[i] == 0 ? MetricSum()
                                   : MetricSum{static_cast<std::int64_t>(sums[i]), sums[i + 1],
                                               sums[i + 2], sums[i + 3]});
    m_metrics.setSums(all);
    for (std::size_t i = 0; i < m_chosen.size(); ++i) {
        const std::array<std::int64_t, 1> choices{std::ssize(m_chosen[i])};
        const auto counts = state.numbers<std::int64_t>("chosen." + std::to_string(i), choices);
        m_chosen[i].assign(counts.begin(), counts.end());
    }
    m_hasBegun = state.numbers<std::int64_t>("counts")[4] != 0;
    m_hasBegun = m_hasBegun && state.text("update") == updateText();
    if (m_hasBegun) {
        if (state.has("rollout/values")) m_rollout.load(state);
        m_update.load(state, m_spec, m_rollout);
    }
    cutLostEpisodes();
}

/// Episodes of environments that could not continue end as if they had been cut off: what
/// would have followed is worth what the frame before was.
void EntityMethod::cutLostEpisodes() {
    std::vector<double> open = m_metrics.open();
    for (std::int64_t i = 0; i < m_env.count(); ++i) {
        if (!m_env.hasBegunAnew(i)) continue;
        const auto at = static_cast<std::size_t>(i);
        if (m_done[at] == 0 && m_rollout.stepsDone() > 0 && !m_rollout.isWhole())
            m_rollout.cutValues[m_rollout.cutValues.size() - m_done.size() + at] = m_values[at];
        m_done[at] = 1;
        open[at] = 0;
    }
    m_metrics.setOpen(std::move(open));
}

}  // namespace orrery
