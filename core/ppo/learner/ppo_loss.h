#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/ppo/spec.h"

namespace orrery {

/// What a policy says now of the choices of one action, a row a decider.
struct PpoRows {
    at::Tensor logProbability;     ///< [rows] of what was chosen, with gradients
    at::Tensor entropy;            ///< [rows] with gradients
    at::Tensor oldLogProbability;  ///< [rows] when it was chosen
    at::Tensor frame;              ///< int64 [rows] of the frames below
};

/// Frames that are learned from at once.
struct PpoFrames {
    std::vector<PpoRows> actions;
    at::Tensor value;       ///< [frames] with gradients
    at::Tensor oldValue;    ///< [frames] when it was acted
    at::Tensor returns;     ///< [frames]
    at::Tensor advantages;  ///< [frames] as they enter the loss: normalised where that is asked for
};

/// Over what means are taken: a minibatch, of which the frames may be a part.
struct PpoTotals {
    std::int64_t frames = 0;
    std::vector<std::int64_t> rows;  ///< [actions]
};
PpoTotals totalsOf(const PpoFrames& frames);

/// 0-dimensional. Of a part of a minibatch they are its share, so that parts add up.
struct PpoLoss {
    at::Tensor policy;    ///< mean over all rows of max(-A r, -A clamp(r, 1 - c, 1 + c))
    at::Tensor value;     ///< half the mean of the greater of both squared errors
    at::Tensor entropy;   ///< mean over all rows
    at::Tensor total;     ///< policy - entCoef entropy + vfCoef value, with gradients
    at::Tensor approxKl;  ///< mean over actions of the mean of r - 1 - log r; no gradients
    at::Tensor clipped;   ///< mean over actions of the share of rows with |r - 1| > c; no gradients
};

/// The clipped surrogate: r = p / p_old of what was chosen, the advantage of a frame counting for
/// all its deciders in all actions. An action without rows is left out; without any row policy and
/// entropy are 0.
/// Source: Schulman et al. 2017, equation 7; spec entity, section 6.
PpoLoss ppoLoss(const PpoFrames& frames, const PpoTotals& totals, const PpoSpec& spec,
                const PpoRates& rates);

/// Less their mean, by their unbiased deviation + 1e-8.
/// @throws Error (BadInput) for a single number, which has none
at::Tensor normalised(const at::Tensor& advantages);

/// 1 - var(returns - values) / var(returns); NaN where that is 0.
double explainedVariance(const at::Tensor& values, const at::Tensor& returns);

}  // namespace orrery
