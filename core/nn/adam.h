#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/nn/parameters.h"

namespace orrery {

struct AdamSettings {
    double beta1 = 0.9, beta2 = 0.999;  ///< [0, 1)
    double epsilon = 1e-8;              ///< > 0
    double weightDecay = 0;             ///< >= 0
    /// AdamW: the decay shrinks the parameters beside the step, by rate * weightDecay. Else it is
    /// added to the gradient.
    bool isDecoupled = false;
};

/// Adam for one list of parameters, all in one call. Nothing is read back from the device.
class Adam {
public:
    /// @param parameters  live tensors; their memory must stay theirs
    Adam(std::vector<NetParameter> parameters, const AdamSettings& settings);

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
    std::vector<NetParameter> state() const;

private:
    std::vector<NetParameter> m_parameters;
    std::vector<at::Tensor> m_average, m_squareAverage, m_steps;
    AdamSettings m_settings;
};

}  // namespace orrery
