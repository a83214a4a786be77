#pragma once

namespace orrery {

/// How many GPUs the NVIDIA driver knows; 0 also where there is no driver. It is asked by itself,
/// so nothing of CUDA need be installed. Never an error.
int gpuCount();

/// Tells in one line that there is no GPU.
/// @throws Error (Resource)
[[noreturn]] void throwNoGpu();

/// @throws Error as throwNoGpu, if there is none
void requireGpu();

}  // namespace orrery
