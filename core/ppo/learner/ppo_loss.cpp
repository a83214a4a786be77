#include "core/ppo/learner/ppo_loss.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"

namespace orrery {

PpoTotals totalsOf(const PpoFrames& frames) {
    PpoTotals totals{.frames = frames.returns.size(0), .rows = {}};
    for (const PpoRows& action : frames.actions)
        totals.rows.push_back(action.oldLogProbability.size(0));
    return totals;
}

namespace {

at::Tensor zero() {
    return at::zeros({}, at::kFloat);
}

/// Half the mean of squared errors; clipped, of the greater one with a value that stays near the
/// old.
at::Tensor valueLoss(const PpoFrames& frames, const PpoTotals& totals, bool isClipped,
                     double clip) {
    at::Tensor errors = (frames.value - frames.returns).square();
    if (isClipped) {
        const at::Tensor near =
            frames.oldValue + (frames.value - frames.oldValue).clamp(-clip, clip);
        errors = at::max(errors, (near - frames.returns).square());
    }
    return 0.5 * errors.sum() / static_cast<double>(totals.frames);
}

}  // namespace

PpoLoss ppoLoss(const PpoFrames& frames, const PpoTotals& totals, const PpoSpec& spec,
                const PpoRates& rates) {
    std::int64_t allRows = 0, numActions = 0;
    for (const std::int64_t rows : totals.rows) {
        allRows += rows;
        numActions += rows > 0 ? 1 : 0;
    }
    PpoLoss loss{.policy = zero(),
                 .value = {},
                 .entropy = zero(),
                 .total = {},
                 .approxKl = zero(),
                 .clipped = zero()};
    for (std::size_t i = 0; i < frames.actions.size(); ++i) {
        const PpoRows& rows = frames.actions[i];
        if (rows.oldLogProbability.size(0) == 0) continue;
        const at::Tensor logRatio = rows.logProbability - rows.oldLogProbability,
                         ratio = logRatio.exp(),
                         advantage = frames.advantages.index_select(0, rows.frame);
        loss.policy =
            loss.policy + at::max(-advantage * ratio,
                                  -advantage * ratio.clamp(1 - rates.clipCoef, 1 + rates.clipCoef))
                                  .sum() /
                              static_cast<double>(allRows);
        loss.entropy = loss.entropy + rows.entropy.sum() / static_cast<double>(allRows);
        const at::NoGradGuard off;
        const double share = 1.0 / static_cast<double>(totals.rows[i] * numActions);
        loss.approxKl += (ratio - 1 - logRatio).sum() * share;
        loss.clipped += ((ratio - 1).abs() > rates.clipCoef).sum().to(at::kFloat) * share;
    }
    loss.value = valueLoss(frames, totals, spec.clipVloss, rates.clipCoef);
    loss.total = loss.policy - rates.entCoef * loss.entropy + rates.vfCoef * loss.value;
    return loss;
}

at::Tensor normalised(const at::Tensor& advantages) {
    if (advantages.numel() < 2)
        throw badInput(
            "norm_adv needs minibatches of at least 2 frames: one alone has no deviation. Set "
            "another bs, or norm_adv: false.");
    return (advantages - advantages.mean()) / (advantages.std() + 1e-8);
}

double explainedVariance(const at::Tensor& values, const at::Tensor& returns) {
    const double all = returns.var(false).item<double>();
    if (all == 0) return std::numeric_limits<double>::quiet_NaN();
    return 1 - (returns - values).var(false).item<double>() / all;
}

}  // namespace orrery
