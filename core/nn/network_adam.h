#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/nn/quantity_nets.h"

namespace orrery {

/// Adam for one list of parameters, all in one call; weight decay is added to the gradient, as in
/// the original. Nothing is read back from the device.
class NetworkAdam {
public:
    /// @param parameters   live tensors; their memory must stay theirs
    /// @param weightDecay  >= 0
    NetworkAdam(std::vector<QuantityNets::Parameter> parameters, double weightDecay);

    /// Forgets all gradients (they become undefined).
    void zeroGradients();
    /// Scales the gradients so that their common 2-norm is at most maxNorm.
    /// @return the norm before, 0-dimensional, on the device
    at::Tensor clipGradients(double maxNorm);
    /// Parameters without a gradient stay as they are.
    /// @param rate       > 0
    /// @param notFinite  float [1] on the device: where it holds 1 nothing is changed; undefined: 0
    void step(double rate, const at::Tensor& notFinite = {});

    /// What a checkpoint must hold beside the parameters: "<parameter>.exp_avg", ".exp_avg_sq" and
    /// ".step" (float, 0-dimensional). The tensors are the live ones: copy into them to restore.
    std::vector<QuantityNets::Parameter> state() const;

private:
    std::vector<QuantityNets::Parameter> m_parameters;
    std::vector<at::Tensor> m_average, m_squareAverage, m_steps;
    double m_weightDecay;
};

}  // namespace orrery
