#include "core/train/entity/driver/rollout.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <string>

#include "core/base/error.h"

namespace orrery {

Rollout::Rollout(const EntityLayout& layout, std::int64_t theSteps, std::int64_t theEnvironments)
    : steps(theSteps),
      environments(theEnvironments),
      frames(layout),
      chosen(layout.actions.size(), RaggedBuffer<std::int64_t>(1)),
      logProbabilities(layout.actions.size(), RaggedBuffer<float>(1)) {}

void Rollout::clear() {
    frames.clear();
    for (auto& action : chosen) action.clear();
    for (auto& action : logProbabilities) action.clear();
    values.clear();
    dones.clear();
    rewards.clear();
    cutValues.clear();
    learned = {};
}

void Rollout::act(const VecObs& seen, const std::vector<std::uint8_t>& done,
                  const Choices& choices) {
    assert(!isWhole() && seen.frames() == environments);
    frames.extend(seen);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        chosen[i].extend(choices.chosen[i]);
        logProbabilities[i].extend(choices.logProbabilities[i]);
    }
    values.insert(values.end(), choices.values.begin(), choices.values.end());
    dones.insert(dones.end(), done.begin(), done.end());
}

void Rollout::outcome(const std::vector<float>& reward, const std::vector<float>& cut) {
    assert(std::ssize(reward) == environments && std::ssize(cut) == environments);
    rewards.insert(rewards.end(), reward.begin(), reward.end());
    cutValues.insert(cutValues.end(), cut.begin(), cut.end());
}

void Rollout::estimate(const std::vector<float>& nextValue,
                       const std::vector<std::uint8_t>& nextDone, const PpoSpec& ppo) {
    assert(isWhole());
    const RolloutRewards rewarded{
        .steps = steps,
        .environments = environments,
        .rewards = rewards,
        .values = values,
        .dones = dones,
        .nextValue = nextValue,
        .nextDone = nextDone,
        .cutValues = ppo.bootstrapTruncated ? std::span(cutValues) : std::span<const float>()};
    learned = ppo.gae ? generalisedAdvantages(rewarded, ppo.gamma, ppo.gaeLambda)
                      : discountedAdvantages(rewarded, ppo.gamma);
}

namespace {

template <class T>
std::int64_t bytesOf(const RaggedBuffer<T>& buffer) {
    return static_cast<std::int64_t>(buffer.flat().size_bytes() + buffer.rowBegin().size_bytes());
}

/// Calls with each buffer and what it is called.
template <class Self, class Visit>
void visitBuffers(Self& rollout, Visit visit) {
    const auto each = [&](const char* name, auto& buffers) {
        for (std::size_t i = 0; i < buffers.size(); ++i)
            visit(name + std::to_string(i), buffers[i]);
    };
    each("things.", rollout.frames.things);
    each("visible.", rollout.frames.visible);
    for (std::size_t i = 0; i < rollout.frames.offers.size(); ++i) {
        auto& offer = rollout.frames.offers[i];
        visit("actors." + std::to_string(i), offer.actors);
        visit("candidates." + std::to_string(i), offer.candidates);
        visit("allowed." + std::to_string(i), offer.allowed);
    }
    each("chosen.", rollout.chosen);
    each("log_probabilities.", rollout.logProbabilities);
}

/// The same with each plain array.
template <class Self, class Visit>
void visitArrays(Self& rollout, Visit visit) {
    visit("reward", rollout.frames.reward);
    visit("done", rollout.frames.done);
    visit("truncated", rollout.frames.truncated);
    visit("values", rollout.values);
    visit("dones", rollout.dones);
    visit("rewards", rollout.rewards);
    visit("cut_values", rollout.cutValues);
    visit("advantages", rollout.learned.advantages);
    visit("returns", rollout.learned.returns);
}

[[noreturn]] void refuse(const std::string& name) {
    throw Error("The rollout in the checkpoint does not fit: '" + name + "'.",
                Error::Kind::Damaged);
}

template <class T>
void loadBuffer(const TensorMap& from, const std::string& name, RaggedBuffer<T>& buffer) {
    using Cell = RaggedCell<T>;
    const std::span<const std::int64_t> begin =
        from.numbers<std::int64_t>("rollout/" + name + ".begin");
    const std::span<const Cell> cells = from.numbers<Cell>("rollout/" + name);
    const bool isAscending = !begin.empty() && begin.front() == 0 && std::ranges::is_sorted(begin);
    if (!isAscending || std::ssize(cells) != begin.back() * buffer.size2()) refuse(name);
    buffer.reshape(begin);
    std::ranges::copy(cells, buffer.flat().begin());
}

}  // namespace

std::int64_t Rollout::bytes() const {
    std::int64_t bytes = 0;
    visitBuffers(*this, [&](const std::string&, const auto& buffer) { bytes += bytesOf(buffer); });
    visitArrays(*this, [&](const char*, const auto& array) {
        bytes += static_cast<std::int64_t>(std::span(array).size_bytes());
    });
    return bytes;
}

void Rollout::save(TensorMap& out) const {
    visitBuffers(*this, [&]<class T>(const std::string& name, const RaggedBuffer<T>& buffer) {
        out.copyNumbers<std::int64_t>("rollout/" + name + ".begin", buffer.rowBegin());
        out.copyNumbers<RaggedCell<T>>("rollout/" + name, buffer.flat());
    });
    visitArrays(*this, [&]<class T>(const char* name, const std::vector<T>& array) {
        out.copyNumbers<T>(std::string("rollout/") + name, std::span<const T>(array));
    });
}

void Rollout::load(const TensorMap& from) {
    visitBuffers(*this,
                 [&](const std::string& name, auto& buffer) { loadBuffer(from, name, buffer); });
    visitArrays(*this, [&]<class T>(const char* name, std::vector<T>& array) {
        const std::span<const T> numbers = from.numbers<T>(std::string("rollout/") + name);
        array.assign(numbers.begin(), numbers.end());
    });
    if (std::ssize(values) != frames.frames() || values.size() != dones.size() ||
        frames.frames() > size() || std::ssize(rewards) % environments != 0 ||
        rewards.size() != cutValues.size() || rewards.size() != values.size())
        refuse("frames");
    for (const auto& type : frames.things)
        if (type.size0() != frames.frames()) refuse("things");
    for (const auto& action : chosen)
        if (action.size0() != frames.frames()) refuse("chosen");
    if (!learned.returns.empty() && (std::ssize(learned.returns) != size() || !isWhole()))
        refuse("returns");
}

}  // namespace orrery
