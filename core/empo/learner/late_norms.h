#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/empo/spec.h"

namespace orrery {

/// Norms of gradients that stay on the learner's device: whether a step may change anything is
/// decided there, and the host reads only now and then what became of the last steps. One thread.
class LateNorms {
public:
    /// Steps after which the host has to read.
    static constexpr std::int64_t kMostSteps = 16;

    explicit LateNorms(const at::Device& device);

    /// Notes the norms of one step.
    /// @param norms  0-dimensional, of the quantities in `stepped` (bits) in their order; at least
    /// one
    /// @return float [1] on the device: 1 if one of them is not finite, else 0
    at::Tensor note(std::int64_t step, unsigned stepped, const std::vector<at::Tensor>& norms);
    bool isFull() const { return std::ssize(m_steps) == kMostSteps; }

    /// What became of the steps since the last reading.
    struct Reading {
        std::int64_t skipped = 0;
        std::int64_t mostInARow = 0;  ///< of skipped ones, those before the reading included
        std::string trouble = {};     ///< of the last skipped one: which quantity
        std::int64_t step = 0;        ///< that one
        /// Bits of the quantities of each skipped step.
        std::vector<unsigned> skippedQuantities = {};
    };
    /// Waits for the device, and forgets what it tells.
    Reading read();

private:
    struct NotedStep {
        std::int64_t step;
        unsigned stepped;
    };
    at::Tensor m_norms;  ///< float [kMostSteps, quantities]
    std::vector<NotedStep> m_steps;
    std::int64_t m_inARow = 0;
};

/// What was wrong with a step that is skipped: "the gradient of v_h_e is not finite".
std::string notFiniteText(std::string_view quantity);

}  // namespace orrery
