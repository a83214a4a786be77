#include "core/ppo/spec.h"

#include <algorithm>

#include "core/spec/field_parts.h"

namespace orrery {

using enum NumberLimit;

const SpecTable<OptimSpec>& optimFields() {
    static const SpecTable<OptimSpec> kTable = [] {
        SpecTable<OptimSpec> table;
        table.add(live(scheduleField("lr", "Learning rate", AboveZero, "Step size of AdamW."),
                       "rate", {.low = 1e-6, .high = 0.1, .isLog = true}),
                  &OptimSpec::lr);
        table.add(countField("lr_warmup_steps", "Warm-up", "frames", 0, kMostSteps,
                             "Frames over which the learning rate rises from 0."),
                  &OptimSpec::lrWarmupSteps);
        table.add(needs({fieldIsNot("lr_warmup_steps", {"0"})}, "there is no warm-up",
                        flagField("original_warmup", "The original's warm-up", true,
                                  "The first update of a warm-up has a learning rate of 0.")),
                  &OptimSpec::originalWarmup);
        table.add(plain(countField("bs", "Minibatch", "frames", 1, kMostSteps,
                                   "Frames that a step of the optimiser is made of.")),
                  &OptimSpec::bs);
        table.add(quiet(countField("micro_bs", "Micro batch", "frames", 1, kMostSteps,
                                   "Frames whose gradients are computed at once; fewer need less "
                                   "memory.")),
                  &OptimSpec::microBs);
        table.add(
            needs({fieldIsNot("micro_bs", {"none"})}, "there are no micro batches",
                  flagField("original_micro_batches", "The original's micro batches", true,
                            "Advantages are normalised within each micro batch, and means are "
                            "taken there.")),
            &OptimSpec::originalMicroBatches);
        table.add(expert(numberField("weight_decay", "Weight decay", ZeroOrMore,
                                     "By how much of the learning rate weights shrink in a step.")),
                  &OptimSpec::weightDecay);
        table.add(flagField("anneal_lr", "Learning rate falls", true,
                            "The learning rate falls to 0 towards the end."),
                  &OptimSpec::annealLr);
        table.add(live(countField("update_epochs", "Epochs", "epochs", 1, 1000,
                                  "How often each frame of a rollout is learned from."),
                       "epochs", {.low = 1, .high = 20}),
                  &OptimSpec::updateEpochs);
        table.add(live(expert(scheduleField("max_grad_norm", "Largest gradient", AboveZero,
                                            "Longer gradients are scaled down to this norm.")),
                       "largest gradient", {.low = 0.01, .high = 100, .isLog = true}),
                  &OptimSpec::maxGradNorm);
        table.add(expert(numberField("adam_eps", "Epsilon of Adam", AboveZero,
                                     "Added to the root of the squared gradients' mean.")),
                  &OptimSpec::epsilon);
        return table;
    }();
    return kTable;
}

const SpecTable<PpoSpec>& ppoFields() {
    static const SpecTable<PpoSpec> kTable = [] {
        SpecTable<PpoSpec> table;
        table.add(flagField("gae", "Generalised advantages", true,
                            "Advantages are estimated by gae_lambda; else they are discounted "
                            "returns less the values."),
                  &PpoSpec::gae);
        table.add(
            symbol(numberField("gamma", "Discount", Unit, "What a reward is worth a step later.")),
            &PpoSpec::gamma);
        table.add(needs({fieldIs("gae", {"true"})}, "gae is off",
                        expert(numberField("gae_lambda", "Lambda", Unit,
                                           "How far advantages trust rewards more than values."))),
                  &PpoSpec::gaeLambda);
        table.add(flagField("norm_adv", "Advantages normalised", true,
                            "Advantages of a minibatch get mean 0 and deviation 1."),
                  &PpoSpec::normAdv);
        table.add(live(scheduleField("clip_coef", "Clip", AboveZero,
                                     "How far the ratio of a choice's probabilities may leave 1."),
                       "clip", {.low = 0.01, .high = 1, .isLog = true}),
                  &PpoSpec::clipCoef);
        table.add(flagField("clip_vloss", "Values clipped", true,
                            "Values are not pulled further from the old ones than clip_coef."),
                  &PpoSpec::clipVloss);
        table.add(live(scheduleField("ent_coef", "Weight of the entropy", ZeroOrMore,
                                     "How much undecided policies are worth."),
                       "entropy", {.low = 1e-5, .high = 1, .isLog = true}),
                  &PpoSpec::entCoef);
        table.add(flagField("anneal_entropy", "Entropy's weight falls", true,
                            "ent_coef falls to 0 towards the end."),
                  &PpoSpec::annealEntropy);
        table.add(live(scheduleField("vf_coef", "Weight of the values", ZeroOrMore,
                                     "How much errors of the values weigh in the loss."),
                       "values", {.low = 0.01, .high = 10, .isLog = true}),
                  &PpoSpec::vfCoef);
        table.add(
            live(expert(numberField("target_kl", "Largest divergence", AboveZero,
                                    "An update ends after the epoch whose last minibatch lies "
                                    "further from the old policy; none: it does all epochs.")),
                 "divergence", {.low = 1e-4, .high = 1, .isLog = true}),
            &PpoSpec::targetKl);
        table.add(
            flagField("bootstrap_truncated", "Cut episodes have a value", true,
                      "An episode that was cut off counts what its last frame is worth; false: "
                      "as the original, nothing."),
            &PpoSpec::bootstrapTruncated);
        return table;
    }();
    return kTable;
}

const SpecTable<RolloutSpec>& rolloutFields() {
    static const SpecTable<RolloutSpec> kTable = [] {
        SpecTable<RolloutSpec> table;
        table.add(plain(countField("steps", "Steps of a rollout", "steps", 1, kMostSteps,
                                   "Steps of each environment before each update.")),
                  &RolloutSpec::steps);
        table.add(plain(countField("num_envs", "Environments", "environments", 1, 1'000'000,
                                   "How many are acted in at once.")),
                  &RolloutSpec::numEnvs);
        table.add(quiet(alsoNamed({"processes"},
                                  countField("threads", "Threads", "threads", 1, 1024,
                                             "Threads that share environments and minibatches; the "
                                             "numbers are the same for any."))),
                  &RolloutSpec::threads);
        return table;
    }();
    return kTable;
}

std::vector<SpecProblem> ppoProblems(const OptimSpec& optim, const PpoSpec& /*ppo*/,
                                     const RolloutSpec& rollout) {
    std::vector<SpecProblem> problems;
    if (optim.bs > rollout.frames())
        problems.push_back({"optim.bs", "must be at most the " + std::to_string(rollout.frames()) +
                                            " frames of a rollout (rollout.steps times "
                                            "rollout.num_envs)"});
    if (optim.microBs && *optim.microBs > optim.bs)
        problems.push_back({"optim.micro_bs", "must be at most optim.bs"});
    return problems;
}

double shareLeft(const PpoProgress& progress) {
    const double byUpdates =
        1 - static_cast<double>(progress.update - 1) / static_cast<double>(progress.updates);
    return std::min(byUpdates, progress.timeLeft.value_or(1));
}

PpoRates ratesOf(const OptimSpec& optim, const PpoSpec& ppo, const PpoProgress& progress) {
    const auto frames = static_cast<double>(progress.framesOfUpdate),
               before = static_cast<double>(progress.update - 1) * frames,
               total = static_cast<double>(progress.updates) * frames,
               warmup = static_cast<double>(optim.lrWarmupSteps);
    double rate = optim.lr.at(before, total);
    if (before < warmup) {
        rate *= optim.originalWarmup ? before / warmup : std::min(1.0, (before + frames) / warmup);
    } else if (optim.annealLr) {
        const double byFrames = total > warmup ? 1 - (before - warmup) / (total - warmup) : 0;
        rate *=
            warmup > 0 ? std::min(byFrames, progress.timeLeft.value_or(1)) : shareLeft(progress);
    }
    double entropy = ppo.entCoef.at(before, total);
    if (ppo.annealEntropy) entropy *= shareLeft(progress);
    return {.lr = rate,
            .maxGradNorm = optim.maxGradNorm.at(before, total),
            .clipCoef = ppo.clipCoef.at(before, total),
            .entCoef = entropy,
            .vfCoef = ppo.vfCoef.at(before, total)};
}

}  // namespace orrery
