#include "core/train/entity/driver/actor_critic.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/entity/feature_map.h"

namespace orrery {

namespace {

/// Numbers of the things of a shard in one layer: enough to keep products busy, few enough that a
/// stop is not kept waiting.
constexpr std::int64_t kShardNumbers = 1 << 18;
constexpr std::uint64_t kPolicyStream = (std::uint64_t{1} << 32) + 1,
                        kValueStream = (std::uint64_t{1} << 32) + 2;

std::uint64_t seedOf(std::uint64_t seed, std::uint64_t stream) {
    return Rng(seed, stream).next();
}

}  // namespace

ActorCritic::ActorCritic(const EntitySpec& spec, const EntityLayout& layout, ThreadTeam& team)
    : m_team(team),
      m_shardRows(std::max<std::int64_t>(1, kShardNumbers / spec.net.dModel)),
      m_seed(spec.seed),
      m_net(spec.net),
      m_valueNet(spec.vfNet) {
    // Threads are the team's; within one of them tensors are computed one after the other.
    m_team.run([](int) { at::set_num_threads(1); });
    make(layout);
}

void ActorCritic::make(const EntityLayout& learned) {
    m_policy = std::make_unique<RogueNet>(m_net, learned, seedOf(m_seed, kPolicyStream));
    m_parameters = m_policy->parameters();
    if (!m_valueNet) return;
    m_values = std::make_unique<RogueNet>(*m_valueNet, learned, seedOf(m_seed, kValueStream));
    for (const NetParameter& parameter : m_values->parameters())
        m_parameters.push_back({"value/" + parameter.name, parameter.tensor});
}

void ActorCritic::learnFrom(const EntityLayout& learned) {
    const EntityLayout shown = this->shown();
    featureMapOf(learned, shown);
    make(learned);
    setObsFilter(shown);
}

void ActorCritic::setObsFilter(const EntityLayout& offered) {
    m_policy->setObsFilter(offered);
    if (m_values) m_values->setObsFilter(offered);
}

FrameShard ActorCritic::shardOf(const VecObs& all, std::vector<std::int64_t> frames) const {
    const bool isWhole = std::ssize(frames) == all.frames() && std::ranges::is_sorted(frames);
    FrameShard shard{.frames = std::move(frames), .policy = {}, .values = {}};
    const auto read = [&](const VecObs& part) {
        shard.policy = netFramesOf(m_policy->inputs(), part);
        if (m_values) shard.values = netFramesOf(m_values->inputs(), part);
    };
    if (isWhole) {
        read(all);
    } else {
        VecObs part(m_policy->inputs().layout);
        all.gatherInto(shard.frames, part);
        read(part);
    }
    return shard;
}

std::vector<FrameShard> ActorCritic::shardsOf(const VecObs& all,
                                              std::span<const std::int64_t> frames,
                                              std::int64_t most) const {
    std::vector<std::vector<std::int64_t>> parts(1);
    std::int64_t rows = 0;
    for (const std::int64_t frame : frames) {
        const std::int64_t things = all.numThings(frame), taken = std::ssize(parts.back());
        const bool isFull = rows + things > m_shardRows || (most > 0 && taken >= most);
        if (taken > 0 && isFull) {
            parts.emplace_back();
            rows = 0;
        }
        parts.back().push_back(frame);
        rows += things;
    }
    std::vector<FrameShard> shards(parts.size());
    m_team.forChunks(0, std::ssize(parts), 1, {}, [&](std::int64_t begin, std::int64_t end, int) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
            shards[i] = shardOf(all, std::move(parts[i]));
    });
    return shards;
}

std::vector<FrameShard> ActorCritic::shardsOf(const VecObs& all) const {
    std::vector<std::int64_t> frames(static_cast<std::size_t>(all.frames()));
    std::iota(frames.begin(), frames.end(), std::int64_t{0});
    return shardsOf(all, frames);
}

void ActorCritic::takeIn(std::span<const FrameShard> shards) {
    for (const FrameShard& shard : shards) {
        m_policy->takeIn(shard.policy);
        if (m_values) m_values->takeIn(*shard.values);
    }
}

ActorCritic::Output ActorCritic::forward(const FrameShard& shard, Rng* training,
                                         const NetProbe* probe) const {
    NetOutput policy = m_policy->forward(
        shard.policy,
        {.actions = true, .value = m_values == nullptr, .training = training, .probe = probe});
    if (!m_values) return {.actions = std::move(policy.actions), .value = std::move(policy.value)};
    NetOutput values =
        m_values->forward(*shard.values, {.actions = false, .value = true, .training = training});
    return {.actions = std::move(policy.actions), .value = std::move(values.value)};
}

namespace {

constexpr float kNoCandidate = -1e9F;  // as the original writes it

/// Of all shards, one below the other. Selections are as wide as the most candidates of a frame.
RaggedBuffer<float> logitsOf(const VecObs::Offer& offer, std::size_t action,
                             std::span<const ActorCritic::Output> outputs) {
    std::int64_t width = 0;
    for (const ActorCritic::Output& output : outputs)
        width = std::max(width, output.actions[action].logProbabilities.size(1));
    auto all = RaggedBuffer<float>::ofShape(width, offer.actors.rowBegin());
    std::ranges::fill(all.flat(), kNoCandidate);
    auto* to = all.flat().data();
    for (const ActorCritic::Output& output : outputs) {
        const at::Tensor from = output.actions[action].logProbabilities.contiguous();
        const auto* numbers = from.const_data_ptr<float>();
        for (std::int64_t row = 0; row < from.size(0); ++row, to += width)
            std::copy_n(numbers + row * from.size(1), from.size(1), to);
    }
    if (offer.isSelection)
        for (float& number : all.flat()) number = std::max(number, kNoCandidate);
    return all;
}

}  // namespace

Choices ActorCritic::choose(const VecObs& frames, std::span<const FrameShard> shards, Rng& rng,
                            bool isGreedy, bool wantsLogits) const {
    std::vector<Output> outputs(shards.size());
    m_team.forChunks(0, std::ssize(shards), 1, {}, [&](std::int64_t begin, std::int64_t end, int) {
        const at::NoGradGuard off;
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
            outputs[i] = forward(shards[i]);
    });
    const at::NoGradGuard off;
    Choices choices;
    for (const VecObs::Offer& offer : frames.offers) {
        choices.chosen.push_back(RaggedBuffer<std::int64_t>::ofShape(1, offer.actors.rowBegin()));
        choices.logProbabilities.push_back(
            RaggedBuffer<float>::ofShape(1, offer.actors.rowBegin()));
    }
    for (std::size_t i = 0; wantsLogits && i < frames.offers.size(); ++i)
        choices.logits.push_back(logitsOf(frames.offers[i], i, outputs));
    const auto note = [&](const float* numbers, std::int64_t count) {
        choices.isFinite = choices.isFinite && std::all_of(numbers, numbers + count, [](float x) {
                               return std::isfinite(x);
                           });
    };
    std::vector<std::int64_t> filled(frames.offers.size());  // deciders of earlier shards
    for (const Output& output : outputs) {
        for (std::size_t i = 0; i < output.actions.size(); ++i) {
            const ActionLogits& logits = output.actions[i];
            const at::Tensor chosen = isGreedy ? greedyChoices(logits) : sampleChoices(logits, rng);
            const at::Tensor log = logits.logProbabilityOf(chosen).contiguous();
            const std::int64_t count = chosen.numel();
            std::copy_n(chosen.const_data_ptr<std::int64_t>(), count,
                        choices.chosen[i].flat().begin() + filled[i]);
            std::copy_n(log.const_data_ptr<float>(), count,
                        choices.logProbabilities[i].flat().begin() + filled[i]);
            note(log.const_data_ptr<float>(), count);
            filled[i] += count;
        }
        const at::Tensor value = output.value.contiguous();
        note(value.const_data_ptr<float>(), value.numel());
        choices.values.insert(choices.values.end(), value.const_data_ptr<float>(),
                              value.const_data_ptr<float>() + value.numel());
    }
    return choices;
}

std::vector<float> ActorCritic::valuesOf(const VecObs& frames) const {
    const std::vector<FrameShard> shards = shardsOf(frames);
    std::vector<at::Tensor> values(shards.size());
    m_team.forChunks(0, std::ssize(shards), 1, {}, [&](std::int64_t begin, std::int64_t end, int) {
        const at::NoGradGuard off;
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
            const RogueNet& net = m_values ? *m_values : *m_policy;
            const NetFrames& read = m_values ? *shards[i].values : shards[i].policy;
            values[i] = net.forward(read, {.actions = false}).value.contiguous();
        }
    });
    std::vector<float> all;
    for (const at::Tensor& value : values)
        all.insert(all.end(), value.const_data_ptr<float>(),
                   value.const_data_ptr<float>() + value.numel());
    return all;
}

std::int64_t ActorCritic::numbers() const {
    std::int64_t numbers = 0;
    for (const NetParameter& parameter : m_parameters) numbers += parameter.tensor.numel();
    return numbers;
}

/// With the statistics of features.
std::vector<NetParameter> ActorCritic::all() const {
    std::vector<NetParameter> all = m_parameters;
    for (NetParameter& buffer : m_policy->buffers()) all.push_back(std::move(buffer));
    if (m_values)
        for (const NetParameter& buffer : m_values->buffers())
            all.push_back({"value/" + buffer.name, buffer.tensor});
    return all;
}

void ActorCritic::save(TensorMap& out) const {
    putTensors(all(), out);
}

void ActorCritic::load(const TensorMap& from) {
    takeTensors(from, all());
}

void putTensors(const std::vector<NetParameter>& tensors, TensorMap& out) {
    const at::NoGradGuard off;
    for (const NetParameter& each : tensors) {
        const at::Tensor tensor = each.tensor.contiguous();
        out.copyNumbers<float>(
            each.name, {tensor.const_data_ptr<float>(), static_cast<std::size_t>(tensor.numel())},
            tensor.sizes().vec());
    }
}

void takeTensors(const TensorMap& from, const std::vector<NetParameter>& tensors) {
    const at::NoGradGuard off;
    for (const NetParameter& each : tensors) {
        const std::span<const float> numbers = from.numbers<float>(each.name, each.tensor.sizes());
        each.tensor.copy_(at::from_blob(const_cast<float*>(numbers.data()), each.tensor.sizes()));
    }
}

}  // namespace orrery
