#include <ATen/ATen.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/nn/adam.h"
#include "core/ppo/advantages.h"
#include "core/ppo/learner/ppo_loss.h"
#include "core/train/entity/driver/oracle.h"

namespace orrery {

using nlohmann::json;

namespace {

using Floats = std::vector<float>;

constexpr double kTolerance = 1e-5, kSmall = 1e-6;

/// Of numbers up to 1 the smaller one holds.
void compare(const OracleTeller& teller, const std::string& where, const json& inFile,
             double computed) {
    teller.number(where, inFile, computed, std::abs(numberIn(inFile)) > 1 ? kTolerance : kSmall);
}

void compare(const OracleTeller& teller, const std::string& where, const json& inFile,
             const at::Tensor& computed) {
    teller.tensor(where, inFile, computed, kTolerance);
}

std::vector<std::uint8_t> flagsIn(const json& list) {
    std::vector<std::uint8_t> flags;
    for (const json& value : list) flags.push_back(numberIn(value) != 0 ? 1 : 0);
    return flags;
}

}  // namespace

void compareAdvantages(const json& entry, const std::string& where, const OracleTeller& teller) {
    const auto rewards = entry.at("rewards").at("data").get<Floats>(),
               values = entry.at("values").at("data").get<Floats>(),
               nextValue = entry.at("next_value").get<Floats>();
    const auto dones = flagsIn(entry.at("dones").at("data")),
               nextDone = flagsIn(entry.at("next_done"));
    const RolloutRewards rollout{.steps = entry.at("rewards").at("shape")[0],
                                 .environments = entry.at("rewards").at("shape")[1],
                                 .rewards = rewards,
                                 .values = values,
                                 .dones = dones,
                                 .nextValue = nextValue,
                                 .nextDone = nextDone};
    const double gamma = entry.at("gamma");
    const Advantages ours = entry.at("gae").get<bool>()
                                ? generalisedAdvantages(rollout, gamma, entry.at("gae_lambda"))
                                : discountedAdvantages(rollout, gamma);
    compare(teller, where + ".advantages", entry.at("advantages"), at::tensor(ours.advantages));
    compare(teller, where + ".returns", entry.at("returns"), at::tensor(ours.returns));
}

void compareLosses(const json& entry, const std::string& where, const OracleTeller& teller) {
    PpoFrames frames{.actions = {},
                     .value = tensorIn(entry.at("new_value")).requires_grad_(),
                     .oldValue = tensorIn(entry.at("old_value")),
                     .returns = tensorIn(entry.at("returns")),
                     .advantages = tensorIn(entry.at("advantages"))};
    if (entry.at("norm_adv").get<bool>()) frames.advantages = normalised(frames.advantages);
    std::vector<std::string> names;
    for (const auto& [name, old] : entry.at("old_logprob").items()) {
        std::vector<std::int64_t> frame;
        const auto lengths = old.at("lengths").get<std::vector<std::int64_t>>();
        for (std::size_t i = 0; i < lengths.size(); ++i)
            frame.insert(frame.end(), static_cast<std::size_t>(lengths[i]),
                         static_cast<std::int64_t>(i));
        const at::Tensor now = tensorIn(entry.at("new_logprob").at(name)).requires_grad_();
        frames.actions.push_back({.logProbability = now,
                                  .entropy = at::zeros_like(now),
                                  .oldLogProbability = tensorIn(old.at("data")),
                                  .frame = at::tensor(frame, at::kLong)});
        names.push_back(name);
    }
    const PpoSpec spec{.clipVloss = entry.at("clip_vloss")};
    const PpoLoss loss = ppoLoss(frames, totalsOf(frames), spec,
                                 {.clipCoef = entry.at("clip_coef"), .entCoef = 0, .vfCoef = 1});
    compare(teller, where + ".policy_loss", entry.at("policy_loss"), loss.policy.item<double>());
    compare(teller, where + ".value_loss", entry.at("value_loss"), loss.value.item<double>());
    compare(teller, where + ".clipfrac", entry.at("clipfrac"), loss.clipped.item<double>());
    compare(teller, where + ".approx_kl", entry.at("approx_kl"), loss.approxKl.item<double>());
    loss.total.backward();
    compare(teller, where + ".dvalue", entry.at("dvalue"), frames.value.grad());
    for (std::size_t i = 0; i < names.size(); ++i)
        if (frames.actions[i].logProbability.numel() > 0)
            compare(teller, where + ".dpolicy_dlogprob." + names[i],
                    entry.at("dpolicy_dlogprob").at(names[i]),
                    frames.actions[i].logProbability.grad());
}

void compareAdam(const json& entry, const std::string& where, const OracleTeller& teller) {
    const at::Tensor parameter = tensorIn(entry.at("initial")).requires_grad_();
    Adam adam(
        {{"p", parameter}},
        {.epsilon = entry.at("eps"), .weightDecay = entry.at("weight_decay"), .isDecoupled = true});
    std::size_t i = 0;
    for (const json& step : entry.at("steps")) {
        const std::string at = where + ".steps[" + std::to_string(i++) + ']';
        adam.zeroGradients();
        parameter.mutable_grad() = tensorIn(step.at("grad"));
        compare(teller, at + ".grad_norm", step.at("grad_norm"),
                adam.clipGradients(entry.at("max_grad_norm")).item<double>());
        adam.step(entry.at("lr"));
        compare(teller, at + ".param", step.at("param"), parameter);
    }
}

void compareSchedule(const json& entry, const std::string& where, const OracleTeller& teller) {
    OptimSpec optim{.lr = entry.at("lr").get<double>(), .originalWarmup = true};
    if (!entry.at("lr_warmup_steps").is_null()) optim.lrWarmupSteps = entry.at("lr_warmup_steps");
    const PpoSpec ppo{.entCoef = 1};
    const std::int64_t frames =
        entry.at("num_envs").get<std::int64_t>() * entry.at("steps").get<std::int64_t>();
    const std::int64_t updates = entry.at("total_timesteps").get<std::int64_t>() / frames;
    compare(teller, where + ".num_updates", entry.at("num_updates"), static_cast<double>(updates));
    std::size_t i = 0;
    for (const json& row : entry.at("update_lr_entropyfrac")) {
        const std::string at = where + ".update_lr_entropyfrac[" + std::to_string(i++) + ']';
        const PpoRates rates =
            ratesOf(optim, ppo, {.update = row[0], .updates = updates, .framesOfUpdate = frames});
        compare(teller, at + "[1]", row[1], rates.lr);
        compare(teller, at + "[2]", row[2], rates.entCoef);
    }
}

}  // namespace orrery
