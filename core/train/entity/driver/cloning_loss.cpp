#include "core/train/entity/driver/cloning_loss.h"

#include <ATen/ATen.h>

#include <limits>

namespace orrery {

namespace {

constexpr double kNever = -1e8;       // logarithms below it are of what is not allowed
constexpr double kSurely = 1 - 1e-6;  // a probability whose complement has a logarithm

at::Tensor floatsOf(const RaggedBuffer<float>& buffer) {
    return at::tensor(at::ArrayRef<float>(buffer.flat().data(), buffer.flat().size()), at::kFloat);
}

/// 0 where a logarithm is none: nothing was allowed, or the samples have it so.
at::Tensor withoutNever(const at::Tensor& log) {
    return log.masked_fill(log <= kNever, 0);
}

/// [deciders] of the choice against all others.
at::Tensor divergenceOfChoice(const at::Tensor& target, const at::Tensor& log) {
    const at::Tensor p = target.exp().clamp_max(kSurely), q = log.exp().clamp_max(kSurely);
    return p * (p.log() - log) + (1 - p) * ((-p).log1p() - (-q).log1p());
}

/// [deciders, options] log-probabilities of the samples, laid out as those of the network; -inf
/// where there is none.
at::Tensor targetsOf(const CloneSet& set, std::size_t action, const FrameShard& shard,
                     const at::Tensor& like) {
    const at::Tensor flat = floatsOf(set.logits[action].gather(shard.frames));
    const NetFrames::Offer& offer = shard.policy.offers[action];
    if (!set.frames.offers[action].isSelection) return flat.reshape(like.sizes());
    const at::Tensor wide =
        at::full(like.sizes(), -std::numeric_limits<float>::infinity(), at::kFloat);
    return wide.index_put({offer.pairDecider, offer.pairOption}, flat);
}

/// [deciders] of the network from the samples, over all options.
at::Tensor divergence(const at::Tensor& target, const at::Tensor& log) {
    const at::Tensor isPossible = target > kNever;
    // What is impossible adds nothing; its logarithms are taken out before they meet a 0.
    const at::Tensor p = at::where(isPossible, target.exp(), at::zeros_like(target));
    const at::Tensor gap = at::where(isPossible, target - log, at::zeros_like(target));
    return (p * gap).sum(1);
}

}  // namespace

CloningLoss cloningLoss(const ActorCritic::Output& output, const FrameShard& shard,
                        const CloneSet& set, std::span<const std::int64_t> rows,
                        CloningSpec::Loss kind) {
    CloningLoss sums{at::zeros({}, at::kFloat), at::zeros({}, at::kFloat)};
    for (std::size_t i = 0; i < output.actions.size(); ++i) {
        if (rows[i] == 0) continue;
        const ActionLogits& logits = output.actions[i];
        const auto all = static_cast<double>(rows[i]);
        const RaggedBuffer<std::int64_t> chosen = set.chosen[i].gather(shard.frames);
        const at::Tensor choice = at::tensor(
            at::ArrayRef<std::int64_t>(chosen.flat().data(), chosen.flat().size()), at::kLong);
        const at::Tensor log = withoutNever(logits.logProbabilityOf(choice));
        const at::Tensor target =
            withoutNever(floatsOf(set.logProbabilities[i].gather(shard.frames)));
        at::Tensor each;
        if (kind == CloningSpec::Loss::Mse)
            each = (log - target).square();
        else if (set.hasLogits())
            each = divergence(targetsOf(set, i, shard, logits.logProbabilities),
                              logits.logProbabilities);
        else
            each = divergenceOfChoice(target, log);
        sums.loss = sums.loss + each.sum() / all;
        sums.entropy = sums.entropy + logits.entropy().sum() / all;
    }
    return sums;
}

}  // namespace orrery
