#pragma once

#include <ATen/core/Tensor.h>

namespace orrery::test {

/// The greatest difference, against the size of the numbers.
inline double difference(const at::Tensor& a, const at::Tensor& b) {
    return ((a - b).abs().max() / b.abs().max().clamp_min(1e-3)).item<double>();
}

}  // namespace orrery::test
