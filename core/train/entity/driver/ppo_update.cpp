#include "core/train/entity/driver/ppo_update.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/train/entity/driver/shard_gradients.h"

namespace orrery {

namespace {

constexpr std::uint64_t kDropStream = std::uint64_t{1} << 48;  // and on: one a shard

AdamSettings settingsOf(const OptimSpec& optim) {
    return {.epsilon = optim.epsilon, .weightDecay = optim.weightDecay, .isDecoupled = true};
}

/// Those of the policy, or those behind them.
std::vector<NetParameter> partOf(const ActorCritic& nets, bool ofPolicy) {
    const std::vector<NetParameter>& all = nets.parameters();
    const auto border = all.begin() + static_cast<std::ptrdiff_t>(nets.numPolicyParameters());
    return ofPolicy ? std::vector<NetParameter>(all.begin(), border)
                    : std::vector<NetParameter>(border, all.end());
}

at::Tensor gathered(const std::vector<float>& all, std::span<const std::int64_t> frames) {
    at::Tensor out = at::empty({std::ssize(frames)}, at::kFloat);
    auto* const numbers = out.mutable_data_ptr<float>();
    for (std::size_t i = 0; i < frames.size(); ++i)
        numbers[i] = all[static_cast<std::size_t>(frames[i])];
    return out;
}

template <class T>
at::Tensor tensorOf(const std::vector<T>& numbers, at::ScalarType type) {
    return at::tensor(at::ArrayRef<T>(numbers), type);
}

/// Of each frame the means over what is decided in it; NaN where nothing is.
PpoUpdate::Record recordOf(const PpoFrames& frames) {
    const at::NoGradGuard off;
    const std::int64_t count = frames.value.size(0);
    at::Tensor ratio = at::zeros({count}, at::kFloat), entropy = at::zeros({count}, at::kFloat),
               rows = at::zeros({count}, at::kFloat);
    for (const PpoRows& action : frames.actions) {
        const at::Tensor now = action.logProbability.detach();
        ratio.index_add_(0, action.frame, (now - action.oldLogProbability).exp());
        entropy.index_add_(0, action.frame, action.entropy.detach());
        rows.index_add_(0, action.frame, at::ones_like(now));
    }
    const auto meansOf = [&](const at::Tensor& sum) {
        const at::Tensor means = (sum / rows).contiguous();
        const auto* const numbers = means.const_data_ptr<float>();
        return std::vector<float>(numbers, numbers + count);
    };
    return {.ratio = meansOf(ratio), .entropy = meansOf(entropy)};
}

void add(PpoNumbers& sum, const PpoNumbers& more) {
    sum.policyLoss += more.policyLoss;
    sum.valueLoss += more.valueLoss;
    sum.entropy += more.entropy;
    sum.approxKl += more.approxKl;
    sum.clipped += more.clipped;
}

}  // namespace

PpoUpdate::PpoUpdate(ActorCritic& nets, const EntitySpec& spec, ThreadTeam& team)
    : m_nets(nets), m_team(team), m_policyAdam(partOf(nets, true), settingsOf(spec.optim)) {
    if (nets.hasValueNet()) m_valueAdam.emplace(partOf(nets, false), settingsOf(spec.optim));
}

void PpoUpdate::renew(const EntitySpec& spec) {
    m_policyAdam = Adam(partOf(m_nets, true), settingsOf(spec.optim));
    if (m_nets.hasValueNet()) m_valueAdam.emplace(partOf(m_nets, false), settingsOf(spec.optim));
}

void PpoUpdate::take(const EntitySpec& spec, const PpoRates& rates, std::int64_t number) {
    m_seed = spec.seed;
    m_optim = spec.optim;
    m_ppo = spec.ppo;
    m_rates = rates;
    m_number = number;
    m_epochs = spec.optim.updateEpochs;
}

void PpoUpdate::begin(const Rollout& rollout, Rng& rng) {
    assert(rollout.isWhole() && !m_isUnderWay);
    m_isUnderWay = true;
    m_epoch = m_index = 0;
    m_clippedSum = 0;
    m_clippedCount = 0;
    m_hasTakenIn = false;
    m_minibatch.reset();
    m_trouble.clear();
    m_record = {};
    m_numbers = {.explainedVariance =
                     explainedVariance(tensorOf(rollout.values, at::kFloat),
                                       tensorOf(rollout.learned.returns, at::kFloat))};
    m_plan.emplace(rollout.size(), std::min(m_optim.bs, rollout.size()));
    m_plan->shuffle(rng);
}

void PpoUpdate::abandon() {
    m_isUnderWay = false;
    m_minibatch.reset();
}

bool PpoUpdate::advance(const Rollout& rollout, Rng& rng,
                        const std::function<void(EntityWork)>& tell) {
    assert(m_isUnderWay);
    if (!m_minibatch) {
        tell(EntityWork::Gather);
        prepare(rollout);
        return false;
    }
    Minibatch& minibatch = *m_minibatch;
    const std::size_t left = minibatch.shards.size() - minibatch.nextShard;
    if (left > 0) {
        tell(EntityWork::Learn);
        const std::size_t count = std::min(left, static_cast<std::size_t>(m_team.size()));
        std::vector<ShardResult> results(count);
        m_team.forChunks(0, static_cast<std::int64_t>(count), 1, {},
                         [&](std::int64_t begin, std::int64_t end, int) {
                             for (auto i = static_cast<std::size_t>(begin);
                                  i < static_cast<std::size_t>(end); ++i)
                                 results[i] = learn(rollout, minibatch, minibatch.nextShard + i);
                         });
        const at::NoGradGuard off;
        for (std::size_t k = 0; k < results.size(); ++k)
            note(results[k].record, minibatch.shards[minibatch.nextShard + k].frames,
                 rollout.size());
        for (ShardResult& result : results) {
            add(minibatch.numbers, result.numbers);
            addGradients(std::move(result.gradients), minibatch.gradients);
        }
        minibatch.nextShard += count;
        return false;
    }
    tell(EntityWork::Optimise);
    optimise();
    m_minibatch.reset();
    m_hasTakenIn = false;
    if (!m_trouble.empty())
        abandon();
    else
        next(rng);
    return !m_isUnderWay;
}

/// Keeps what a shard found out about its frames.
void PpoUpdate::note(const Record& record, std::span<const std::int64_t> frames, std::int64_t all) {
    if (record.ratio.empty()) return;
    constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
    m_record.ratio.resize(static_cast<std::size_t>(all), kUnknown);
    m_record.entropy.resize(static_cast<std::size_t>(all), kUnknown);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        m_record.ratio[static_cast<std::size_t>(frames[i])] = record.ratio[i];
        m_record.entropy[static_cast<std::size_t>(frames[i])] = record.entropy[i];
    }
}

/// Goes to the next minibatch, or ends the update.
void PpoUpdate::next(Rng& rng) {
    if (++m_index < perEpoch()) return;
    m_index = 0;
    const bool isTooFar = m_ppo.targetKl && m_numbers.approxKl > *m_ppo.targetKl;
    if (++m_epoch == m_epochs || isTooFar)
        m_isUnderWay = false;
    else
        m_plan->shuffle(rng);
}

void PpoUpdate::prepare(const Rollout& rollout) {
    m_minibatch = std::make_unique<Minibatch>();
    m_minibatch->gradients.resize(m_nets.parameters().size());
    const std::span<const std::int64_t> frames = m_plan->minibatch(m_index);
    const std::int64_t all = std::ssize(frames);
    if (m_optim.microBs && m_optim.originalMicroBatches) {
        for (std::int64_t begin = 0; begin < all; begin += *m_optim.microBs) {
            const std::int64_t count = std::min(*m_optim.microBs, all - begin);
            addPart(rollout, frames.subspan(begin, count),
                    static_cast<double>(count) / static_cast<double>(all));
        }
    } else {
        addPart(rollout, frames, 1);
    }
    if (!std::exchange(m_hasTakenIn, true)) m_nets.takeIn(m_minibatch->shards);
}

void PpoUpdate::addPart(const Rollout& rollout, std::span<const std::int64_t> frames,
                        double weight) {
    Minibatch& minibatch = *m_minibatch;
    Part part{.totals = {.frames = std::ssize(frames), .rows = numDecided(rollout.chosen, frames)},
              .weight = weight};
    at::Tensor advantages = gathered(rollout.learned.advantages, frames);
    if (m_ppo.normAdv) advantages = normalised(advantages);
    const float* numbers = advantages.const_data_ptr<float>();
    for (FrameShard& shard : m_nets.shardsOf(rollout.frames, frames, m_optim.microBs.value_or(0))) {
        const std::size_t count = shard.frames.size();
        minibatch.advantages.emplace_back(numbers, numbers + count);
        numbers += count;
        minibatch.shards.push_back(std::move(shard));
        minibatch.partOf.push_back(minibatch.parts.size());
    }
    minibatch.parts.push_back(std::move(part));
}

PpoFrames PpoUpdate::framesOf(const Rollout& rollout, const Minibatch& minibatch, std::size_t shard,
                              const ActorCritic::Output& output) const {
    const std::vector<std::int64_t>& frames = minibatch.shards[shard].frames;
    PpoFrames learned{.actions = {},
                      .value = output.value,
                      .oldValue = gathered(rollout.values, frames),
                      .returns = gathered(rollout.learned.returns, frames),
                      .advantages = tensorOf(minibatch.advantages[shard], at::kFloat)};
    for (std::size_t i = 0; i < output.actions.size(); ++i) {
        const RaggedBuffer<std::int64_t> chosen = rollout.chosen[i].gather(frames);
        const RaggedBuffer<float> before = rollout.logProbabilities[i].gather(frames);
        const RaggedBuffer<std::int64_t> frameOf = chosen.indices(0);
        const auto whole = [](const RaggedBuffer<std::int64_t>& buffer) {
            return at::tensor(
                at::ArrayRef<std::int64_t>(buffer.flat().data(), buffer.flat().size()), at::kLong);
        };
        const ActionLogits& logits = output.actions[i];
        learned.actions.push_back(
            {.logProbability = logits.logProbabilityOf(whole(chosen)),
             .entropy = logits.entropy(),
             .oldLogProbability = at::tensor(
                 at::ArrayRef<float>(before.flat().data(), before.flat().size()), at::kFloat),
             .frame = whole(frameOf)});
    }
    return learned;
}

/// What a shard adds to losses and gradients. Any thread.
PpoUpdate::ShardResult PpoUpdate::learn(const Rollout& rollout, const Minibatch& minibatch,
                                        std::size_t shard) const {
    const std::int64_t number = ((m_number * m_epochs + m_epoch) * perEpoch() + m_index) << 16;
    Rng dropped(m_seed, kDropStream + static_cast<std::uint64_t>(number) + shard);
    const ActorCritic::Output output = m_nets.forward(minibatch.shards[shard], &dropped);
    const Part& part = minibatch.parts[minibatch.partOf[shard]];
    const PpoFrames frames = framesOf(rollout, minibatch, shard, output);
    PpoLoss loss = ppoLoss(frames, part.totals, m_ppo, m_rates);
    if (faultNan("loss")) loss.total = loss.total * std::numeric_limits<double>::quiet_NaN();
    ShardResult result;
    if (m_records) result.record = recordOf(frames);
    result.gradients =
        gradientsOf(part.weight == 1 ? loss.total : loss.total * part.weight, m_nets.parameters());
    const auto number1 = [&](const at::Tensor& tensor) {
        return tensor.item<double>() * part.weight;
    };
    result.numbers = {.policyLoss = number1(loss.policy),
                      .valueLoss = number1(loss.value),
                      .entropy = number1(loss.entropy),
                      .approxKl = number1(loss.approxKl),
                      .clipped = number1(loss.clipped)};
    return result;
}

void PpoUpdate::optimise() {
    Minibatch& minibatch = *m_minibatch;
    putGradients(minibatch.gradients, m_nets.parameters());
    if (faultNan("gradient"))
        minibatch.gradients.back().fill_(std::numeric_limits<double>::quiet_NaN());
    PpoNumbers& numbers = minibatch.numbers;
    numbers.gradientNorm = m_policyAdam.clipGradients(m_rates.maxGradNorm).item<double>();
    if (m_valueAdam)
        numbers.valueGradientNorm = m_valueAdam->clipGradients(m_rates.maxGradNorm).item<double>();
    numbers.explainedVariance = m_numbers.explainedVariance;
    if (!std::isfinite(numbers.gradientNorm))
        m_trouble = "the gradient of the policy is not finite";
    else if (!std::isfinite(numbers.valueGradientNorm))
        m_trouble = "the gradient of the values is not finite";
    if (m_trouble.empty()) {
        m_policyAdam.step(m_rates.lr);
        if (m_valueAdam) m_valueAdam->step(m_rates.lr);
    }
    m_policyAdam.zeroGradients();
    if (m_valueAdam) m_valueAdam->zeroGradients();
    m_clippedSum += numbers.clipped;
    ++m_clippedCount;
    m_numbers = numbers;
    m_numbers.clipped = m_clippedSum / static_cast<double>(m_clippedCount);
}

std::int64_t PpoUpdate::optimiserBytes() const {
    std::int64_t bytes = bytesOf(m_policyAdam.state());
    if (m_valueAdam) bytes += bytesOf(m_valueAdam->state());
    return bytes;
}

namespace {

/// What a checkpoint keeps of numbers that were told, in this order, as bits: one may be NaN.
std::vector<std::uint64_t> bitsOf(const PpoNumbers& numbers) {
    std::vector<std::uint64_t> bits;
    for (const double number :
         {numbers.policyLoss, numbers.valueLoss, numbers.entropy, numbers.approxKl, numbers.clipped,
          numbers.gradientNorm, numbers.valueGradientNorm, numbers.explainedVariance})
        bits.push_back(std::bit_cast<std::uint64_t>(number));
    return bits;
}

PpoNumbers numbersOf(std::span<const std::uint64_t> bits) {
    const auto at = [&](std::size_t i) { return std::bit_cast<double>(bits[i]); };
    return {at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)};
}

}  // namespace

void PpoUpdate::save(TensorMap& optimiser, TensorMap& state) const {
    putTensors(m_policyAdam.state(), optimiser);
    if (m_valueAdam) putTensors(m_valueAdam->state(), optimiser);
    const std::vector<std::int64_t> place{
        m_number, m_epochs, m_epoch, m_index, m_hasTakenIn ? 1 : 0, m_clippedCount};
    state.copyNumbers<std::int64_t>("update/place", std::span(place));
    const std::vector<double> rates{
        m_rates.lr,     m_rates.maxGradNorm,        m_rates.clipCoef, m_rates.entCoef,
        m_rates.vfCoef, m_ppo.targetKl.value_or(0), m_clippedSum};
    state.copyNumbers<double>("update/rates", std::span(rates));
    if (!m_isUnderWay) return;
    state.copyNumbers<std::int64_t>("update/order", std::span(m_plan->order()));
    const std::vector<std::uint64_t> numbers = bitsOf(m_numbers);
    state.copyNumbers<std::uint64_t>("update/numbers", std::span(numbers));
}

void PpoUpdate::loadOptimiser(const TensorMap& optimiser) {
    takeTensors(optimiser, m_policyAdam.state());
    if (m_valueAdam) takeTensors(optimiser, m_valueAdam->state());
}

void PpoUpdate::load(const TensorMap& state, const EntitySpec& spec, const Rollout& rollout) {
    const std::array<std::int64_t, 1> sixNumbers{6}, sevenNumbers{7}, eightNumbers{8};
    const auto place = state.numbers<std::int64_t>("update/place", sixNumbers);
    const auto rates = state.numbers<double>("update/rates", sevenNumbers);
    take(spec, {rates[0], rates[1], rates[2], rates[3], rates[4]}, place[0]);
    m_epochs = place[1];
    m_ppo.targetKl = rates[5] > 0 ? std::optional(rates[5]) : std::nullopt;
    if (!state.has("update/order")) return;
    const std::span<const std::int64_t> order = state.numbers<std::int64_t>("update/order");
    std::vector<std::int64_t> sorted(order.begin(), order.end());
    std::ranges::sort(sorted);
    bool isRight = std::ssize(order) == rollout.size() &&
                   std::ssize(rollout.learned.returns) == rollout.size();
    for (std::size_t i = 0; i < sorted.size(); ++i)
        isRight = isRight && sorted[i] == static_cast<std::int64_t>(i);
    if (isRight) {
        m_plan.emplace(rollout.size(), std::min(m_optim.bs, rollout.size()));
        isRight = place[2] >= 0 && place[2] < m_epochs && place[3] >= 0 && place[3] < perEpoch();
    }
    if (!isRight)
        throw Error("The update in the checkpoint does not fit its rollout.", Error::Kind::Damaged);
    m_isUnderWay = true;
    m_plan->setOrder({order.begin(), order.end()});
    m_epoch = place[2];
    m_index = place[3];
    m_hasTakenIn = place[4] != 0;
    m_clippedCount = place[5];
    m_clippedSum = rates[6];
    m_numbers = numbersOf(state.numbers<std::uint64_t>("update/numbers", eightNumbers));
}

}  // namespace orrery
