#pragma once

namespace orrery {

/// Loads the CUDA part of LibTorch into this process, once: from then on at::hasCUDA() is true. The
/// folder is the one that packaging/run.sh --cuda fills, or the one that the environment variable
/// ORRERY_TORCH_CUDA names. LibTorch's CPU part must be loaded already.
/// @throws Error (Resource), one line, if there is no GPU, or if the part is missing
/// liborrery_cuda.so need not be there.
void loadTorchCuda();

}  // namespace orrery
