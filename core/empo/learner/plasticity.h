#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "core/empo/nets/quantity_nets.h"

namespace orrery {

/// Signs of a network that can still learn. Ranks are means over its layers, between 0 and 1: of
/// the rank that a layer's weights could have.
struct PlasticityNumbers {
    double effectiveRank = 0;  ///< exp(entropy of the singular values) of weights
    double stableRank = 0;     ///< |W|_F^2 / |W|_2^2 of weights
    double featureRank = 0;    ///< effective rank of what the last hidden layer of its head gives
    double weightNorm = 0;     ///< root of the sum of squares of all weights and biases
    double dormantUnits = 0;   ///< share of hidden units below 0.025 of their layer's mean
    double deadUnits = 0;      ///< share that is never active
};

/// exp(entropy) of singular values in [1, their number]; 0 where all are 0.
double effectiveRankOf(const at::Tensor& singularValues);

/// Hears what the layers of all networks give and keeps what plasticity is told by.
class PlasticityListener : public LayerSink {
public:
    void take(const std::string& name, const at::Tensor& output) override;

    /// Of the network whose layers' names begin with `prefix`: "q_r.".
    /// @param parameters  of the network, its encoders included
    PlasticityNumbers numbersOf(const std::string& prefix,
                                const std::vector<NetParameter>& parameters) const;

private:
    struct Layer {
        double units = 0, dormant = 0, dead = 0;
    };
    std::map<std::string, Layer> m_layers;        ///< rectified ones
    std::map<std::string, double> m_featureRank;  ///< by prefix
};

}  // namespace orrery
