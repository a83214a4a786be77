#pragma once

#include <cstdint>

#include "core/base/cpu.h"

namespace orrery {

/// Vectors of one side, keys or values, that depend on where two things of a frame are to each
/// other. Gradients are added to, and null where nobody wants them.
struct RelativeVectors {
    const float* table = nullptr;         ///< [rows x headSize]
    const std::int32_t* shift = nullptr;  ///< [items] added to a pair's rows by its key; null: 0
    const float* weight = nullptr;  ///< [kinds x headSize x 3] of a pair's features; null: none
    const float* bias = nullptr;    ///< [kinds x headSize]
    const std::int32_t* kind = nullptr;  ///< [items] which of them, by the key; null: the first
    float* tableGradient = nullptr;
    float* weightGradient = nullptr;
    float* biasGradient = nullptr;
};

/// How the things of one frame are to each other. A pair (i, j) of query and key is entry
/// i * items + j.
struct RelativeFrame {
    int rowsEach = 0;                   ///< of a table for each pair: 1, 2 or 4; 0: there is none
    const std::int32_t* row = nullptr;  ///< [pairs x rowsEach]
    const float* share = nullptr;       ///< [pairs x rowsEach] weights of the rows; null: 1
    const float* features = nullptr;    ///< [pairs x 3]
    RelativeVectors keys, values;
    const float* gate = nullptr;    ///< [items x headSize] what a key lets through; null: all
    float* gateGradient = nullptr;  ///< likewise
};

/// One frame of one layer. Plain pointers only: the kernels are compiled once for each instruction
/// set and share no inline function of the library.
struct AttentionFrame {
    int items = 0, heads = 1, headSize = 0;  ///< rows have heads * headSize numbers
    float scale = 1;                         ///< of the scores
    const float* q = nullptr;                ///< [items x width]
    const float* k = nullptr;
    const float* v = nullptr;
    const std::uint8_t* visible =
        nullptr;                   ///< [items] what is not is seen by such alone; null: all
    const float* keep = nullptr;   ///< [heads x pairs] what dropping leaves of a share; null: all
    float* probability = nullptr;  ///< [heads x pairs] written forwards, read backwards
    float* y = nullptr;            ///< [items x width] written forwards
    const float* dy = nullptr;     ///< [items x width] read backwards, where the rest is added to
    float* dq = nullptr;
    float* dk = nullptr;
    float* dv = nullptr;
    RelativeFrame relative = {};
};

/// Numbers that a frame needs as scratch memory.
inline std::int64_t attentionScratch(std::int64_t items, std::int64_t headSize) {
    const std::int64_t padded = (items + 15) / 16 * 16;
    return 2 * headSize * padded + 3 * padded + 2 * headSize;
}

struct AttentionKernel {
    void (*forward)(const AttentionFrame& frame, float* scratch);
    void (*backward)(const AttentionFrame& frame, float* scratch);
};

AttentionKernel attentionBaseline();
AttentionKernel attentionAvx2();
AttentionKernel attentionAvx512();

}  // namespace orrery
