#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "core/cuda/cuda_library.h"
#include "core/encode/planes.h"

namespace orrery {

/// The kernels of liborrery_cuda.so on tensors. They only put work on the current stream of the
/// tensors' GPU.

/// The library, looked for once a process; null where it or a GPU is missing. Any thread.
const CudaLibrary* gpuKernels();
/// Why gpuKernels() is null, one line; empty if it is not.
const std::string& whyNoGpuKernels();

/// See decompressCells().
/// @param cells  int32 [N, H, W] on a GPU that the library works on
at::Tensor decompressByKernel(const CudaLibrary& kernels, const at::Tensor& cells,
                              PlaneLayout layout);

/// Sums over segments: out[s] = sum of weight[e] * values[index[e]] for e from begin[s] up to
/// begin[s + 1]. Summed in double, in a fixed order.
/// @param values  float [V]
/// @param index   int64 [E] in [0, V); undefined: values[e]
/// @param weight  float [E]
/// @param begin   int64 [S + 1] ascending
/// @return [S]
at::Tensor segmentSumsByKernel(const CudaLibrary& kernels, const at::Tensor& values,
                               const at::Tensor& index, const at::Tensor& weight,
                               const at::Tensor& begin);

}  // namespace orrery
