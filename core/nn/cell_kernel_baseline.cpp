#include <cstddef>

#include "core/nn/cell_kernel.h"

namespace orrery {

namespace {

#include "core/nn/cell_kernel.inl"

}  // namespace

CellKernel cellKernelBaseline() {
    return {forward, backward};
}

}  // namespace orrery
