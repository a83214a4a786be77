#pragma once

#include <cstdint>
#include <vector>

namespace orrery {

/// Learned values of N states of one world. Arrays are row-major.
struct LearnedValues {
    int numStates = 0, numRobotActions = 0;
    std::vector<float> q_r, pi_r;           ///< [N, A_r]; pi_r at beta_eff
    std::vector<std::vector<float>> v_h_e;  ///< [H] of [N, G]
    std::vector<std::vector<std::uint8_t>>
        isVisited_v_h_e;                  ///< [H] of [N, G]; 0: a table's default
    std::vector<float> x_h;               ///< [N, H]
    std::vector<float> u_r, v_r;          ///< [N]
    std::vector<std::uint8_t> isVisited;  ///< [N]; 0: Q_r and V_h^e are tables' defaults
};

/// Which copy of the learned values is meant.
enum class ValueCopy : std::uint8_t {
    Live,    ///< the ones that training changes: predictions
    Target,  ///< the copies that targets are computed from
};

}  // namespace orrery
