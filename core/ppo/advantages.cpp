#include "core/ppo/advantages.h"

#include <cassert>

namespace orrery {

namespace {

/// Goes backwards through a rollout. @param at  of a step of an environment, with its reward, the
/// value behind it, and 0 where an episode ends there, else 1
template <class At>
void backwards(const RolloutRewards& rollout, double gamma, At&& at) {
    const auto environments = static_cast<std::size_t>(rollout.environments),
               steps = static_cast<std::size_t>(rollout.steps);
    assert(rollout.rewards.size() == steps * environments &&
           rollout.values.size() == rollout.rewards.size() &&
           rollout.dones.size() == rollout.rewards.size() &&
           rollout.nextValue.size() == environments && rollout.nextDone.size() == environments);
    for (std::size_t step = steps; step-- > 0;)
        for (std::size_t i = 0; i < environments; ++i) {
            const std::size_t here = step * environments + i, next = here + environments;
            const bool isLast = step + 1 == steps;
            const float going =
                (isLast ? rollout.nextDone[i] : rollout.dones[next]) != 0 ? 0.F : 1.F;
            const float nextValue = isLast ? rollout.nextValue[i] : rollout.values[next];
            float reward = rollout.rewards[here];
            if (!rollout.cutValues.empty())
                reward += static_cast<float>(gamma) * rollout.cutValues[here];
            at(here, isLast, reward, nextValue, going);
        }
}

Advantages empty(const RolloutRewards& rollout) {
    const std::size_t size = rollout.rewards.size();
    return {std::vector<float>(size), std::vector<float>(size)};
}

}  // namespace

Advantages generalisedAdvantages(const RolloutRewards& rollout, double gamma, double lambda) {
    Advantages out = empty(rollout);
    const auto discount = static_cast<float>(gamma), decay = static_cast<float>(gamma * lambda);
    const auto environments = static_cast<std::size_t>(rollout.environments);
    backwards(rollout, gamma,
              [&](std::size_t here, bool isLast, float reward, float nextValue, float going) {
                  const float delta = reward + discount * nextValue * going - rollout.values[here];
                  const float after = isLast ? 0.F : out.advantages[here + environments];
                  out.advantages[here] = delta + decay * going * after;
                  out.returns[here] = out.advantages[here] + rollout.values[here];
              });
    return out;
}

Advantages discountedAdvantages(const RolloutRewards& rollout, double gamma) {
    Advantages out = empty(rollout);
    const auto discount = static_cast<float>(gamma);
    const auto environments = static_cast<std::size_t>(rollout.environments);
    backwards(rollout, gamma,
              [&](std::size_t here, bool isLast, float reward, float nextValue, float going) {
                  const float after = isLast ? nextValue : out.returns[here + environments];
                  out.returns[here] = reward + discount * going * after;
                  out.advantages[here] = out.returns[here] - rollout.values[here];
              });
    return out;
}

}  // namespace orrery
