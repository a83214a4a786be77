#include <cstddef>

#include "core/solve/kernel.h"
#include "core/solve/simd_math.h"

namespace orrery {

namespace {

constexpr int kLanes = 2;
#include "core/solve/kernel.inl"

}  // namespace

Kernel kernelBaseline() {
    return {phase1, phase2};
}

}  // namespace orrery
