#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/empo/nets/cell_codes.h"

namespace orrery {

/// Cells of N states as indices of their codes, made once and read by the first convolution of
/// several encoders.
struct CodedCells {
    at::Tensor cells;                 ///< int32 [N, H, W]
    std::vector<std::int16_t> index;  ///< [N x H x W] into codes
    CellCodes codes;
    PlaneLayout layout;

    /// @param packed  int32 [N, H, W] on the CPU
    CodedCells(const at::Tensor& packed, PlaneLayout planes);
};

/// maxPool2x2(relu(convolution3x3(planes of the cells, weight, bias, padding 1))), with gradients
/// for weight and bias, at a cost that grows with the occupied cells instead of the planes.
/// Deterministic: sums run in a fixed order. Used within one thread.
/// @param weight  float [c, P, 3, 3] on the CPU
/// @param bias    float [c]
/// @return [N, c, H / 2, W / 2], channels last in memory
at::Tensor convolveCells(const std::shared_ptr<const CodedCells>& cells, const at::Tensor& weight,
                         const at::Tensor& bias);

}  // namespace orrery
