#include <cstddef>

#include "core/empo/nets/cell_kernel.h"

namespace orrery {

namespace {

#include "core/empo/nets/cell_kernel.inl"

}  // namespace

CellKernel cellKernelBaseline() {
    return {forward, backward};
}

}  // namespace orrery
