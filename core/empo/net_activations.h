#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/empo/learned_values.h"
#include "core/empo/spec.h"

namespace orrery {

/// What somebody wants to see the inside of.
struct ActivationWish {
    Quantity quantity = Quantity::V_h_e;
    int human = 0;  ///< of V_h^e and X_h: its number in the world
    int goal = 0;   ///< of V_h^e: its number among the human's
    ValueCopy copy = ValueCopy::Live;

    bool operator==(const ActivationWish&) const = default;
};

/// What one layer of a network gives.
struct LayerNumbers {
    std::string name = {};  ///< as its parameters: "v_h_e.state_encoder.conv1", "q_r.head.2"
    std::vector<std::int64_t> shape = {};    ///< [units], or [maps, height, width]
    std::vector<float> values = {};          ///< of the state, row-major
    std::vector<std::uint32_t> active = {};  ///< [values] states in which it is not 0
    bool isRectified = true;                 ///< no number is below 0
};

/// The layers of one quantity's network in the order in which they are computed, the encoders that
/// it reads included; or the entries of its table.
struct NetActivations {
    ActivationWish wish = {};
    Approximator kind = Approximator::Network;
    int states = 0;                         ///< that LayerNumbers::active counts
    std::vector<LayerNumbers> layers = {};  ///< of networks
    std::vector<float> value = {};  ///< what the learner says: [A_r] of Q_r, else one number
    // Of tables.
    std::int64_t row = -1;                    ///< -1: the state was never met
    std::vector<float> entries = {};          ///< of the row: what was learned, or defaults
    std::vector<std::uint32_t> updates = {};  ///< [entries] 0: a default
};

}  // namespace orrery
