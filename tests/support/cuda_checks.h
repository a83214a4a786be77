#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/encode/planes.h"

/// Checks of the CUDA entries against plain code on the CPU. Needs no Qt and no GPU: whoever calls
/// says how the work is done.

struct SegmentProblem {
    std::vector<float> weight;             ///< [E]; empty: 1 everywhere
    std::vector<float> value;              ///< [E] or [V]
    std::vector<std::int64_t> valueIndex;  ///< [E]; empty: value[e]
    std::vector<std::int64_t> begin;       ///< [S+1]
};

struct CudaBackend {
    /// cells [N x cellsPerState] to planes [N x planes x cellsPerState]. Numbers that it does not
    /// write come back as NaN.
    std::function<std::vector<float>(std::span<const std::int32_t> cells,
                                     std::int64_t cellsPerState, orrery::PlaneLayout layout)>
        decompress;
    std::function<std::vector<float>(const SegmentProblem&)> segmentSums;
};

struct CudaCheck {
    std::string name;
    std::vector<std::string> mismatches;  ///< the first few; empty: passed
};

std::vector<CudaCheck> runCudaChecks(const CudaBackend& backend);
