#pragma once

#include <cstdint>

#include "core/base/cpu.h"

namespace orrery {

/// The first convolution over cells (3 x 3, padded by nothing), rectified, and the maximum of each
/// 2 x 2 block, for N states. A cell adds one column of numbers for each of its nine neighbours;
/// columns are made once for each different code. Plain pointers only: compiled once for each
/// instruction set, all give the same bits.
struct CellKernelInput {
    std::int64_t numStates = 0;
    int height = 0, width = 0;  ///< of the cells; blocks at an odd border are left out
    int channels = 0;           ///< a multiple of 16
    const std::int16_t* codes =
        nullptr;  ///< [N, height, width] index of each code; 0: adds nothing
};

struct CellKernel {
    /// @param columns  [codes, 9, channels] tap ty * 3 + tx: of the neighbour at (ty - 1, tx - 1)
    /// @param bias     [channels]
    /// @param out      [N, height / 2, width / 2, channels]
    /// @param from     as out: which of the block's four cells (row by row) gave the maximum; 4 if
    ///                 it was not positive, so that out is 0
    void (*forward)(const CellKernelInput& in, const float* columns, const float* bias, float* out,
                    std::uint8_t* from);
    /// @param gradient  of out
    /// @param columns   [codes, 9, channels], added to
    /// @param bias      [channels], added to
    void (*backward)(const CellKernelInput& in, const std::uint8_t* from, const float* gradient,
                     float* columns, float* bias);
};

CellKernel cellKernelBaseline();
CellKernel cellKernelAvx2();
CellKernel cellKernelAvx512();
/// That of a level; the baseline on other processors.
CellKernel cellKernel(CpuLevel level);

}  // namespace orrery
