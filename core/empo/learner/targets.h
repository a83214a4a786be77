#pragma once

#include <ATen/core/Tensor.h>

#include "core/empo/batch_profile.h"
#include "core/empo/flat_batch.h"
#include "core/empo/learner/quantity_values.h"

namespace orrery {

/// What a batch's predictions are drawn to; undefined where it was not wanted.
struct Targets {
    at::Tensor v_h_e;  ///< [B, H]
    at::Tensor x_h;    ///< [Bx, H]
    at::Tensor u_rY;   ///< [B]
    at::Tensor q_r;    ///< [B, A]; with n-step targets only the taken action's number counts
    at::Tensor v_r;    ///< [B]
    at::Tensor pi_r;   ///< [B, A] of the target values, at beta_eff
};

/// Which targets, and with what.
struct TargetRequest {
    unsigned active = 0;  ///< bit i: kQuantities[i]
    double beta_eff = 0;
    bool isActive(Quantity quantity) const {
        return (active >> static_cast<unsigned>(quantity) & 1U) != 0;
    }
    /// V_r of successors by its network or table: only once that is trained.
    bool readsV_r() const { return isActive(Quantity::V_r); }
    bool needsQ_r() const {
        return beta_eff != 0 || isActive(Quantity::Q_r) || isActive(Quantity::V_r);
    }
    bool wantsRobot() const {
        return isActive(Quantity::U_r) || isActive(Quantity::Q_r) || isActive(Quantity::V_r);
    }
};

/// What flatten() has to collect for a request.
FlatNeeds needsOf(const TargetRequest& request, const EmpoSpec& spec);

/// All targets of a batch: each of `target`'s networks is evaluated once over the unique states.
/// Records no gradients.
/// @param states  the batch's unique states
/// Source: seed 000, stages 3 to 5; spec empo 6.1.
Targets computeTargets(const FlatBatch& batch, const StateBatch& states,
                       const QuantityValues& target, const TargetRequest& request,
                       StageClock& profile);

}  // namespace orrery
