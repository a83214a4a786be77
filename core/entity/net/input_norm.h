#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/nn/parameters.h"

namespace orrery {

/// Numbers by their mean and deviation over all that was taken in, cut off at some deviations.
/// Source: spec entity, section 5 (Chan et al. 1979 for merging).
class InputNorm {
public:
    InputNorm() = default;
    /// @param name  of the buffers: "embedding.embeddings.Mine.0"
    /// @param most  deviations at which numbers are cut off
    InputNorm(std::string name, std::int64_t features, double most = 5);

    /// Merges a batch into count, mean and sum of squares. Nothing happens for an empty one.
    /// @param x  [rows, features]
    void takeIn(const at::Tensor& x);
    /// @return [rows, features]; without statistics of two rows the numbers themselves, cut off
    at::Tensor operator()(const at::Tensor& x) const;

    /// "count" (0-dimensional), "mean", "squares_sum", with the name in front. Live tensors.
    std::vector<NetParameter> buffers() const;

private:
    std::string m_name;
    double m_most = 5;
    at::Tensor m_count, m_mean, m_squares;  // [], [features], [features]
};

}  // namespace orrery
