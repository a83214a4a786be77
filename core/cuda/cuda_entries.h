#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define ORRERY_CUDA_ENTRY __attribute__((visibility("default")))
#else
#define ORRERY_CUDA_ENTRY
#endif

/// The entries of the shared library liborrery_cuda.so. Plain C, so that it can be loaded at run
/// time; nothing else links CUDA.
///
/// All pointers to numbers are device pointers; `stream` is a cudaStream_t, null for the default
/// one. Calls only put work on the stream, except those that say that they wait. What they return
/// is 0 or a cudaError_t; orreryCudaText says it in words. Any thread.
extern "C" {

/// Of these entries; a library of another version is not used.
ORRERY_CUDA_ENTRY int orreryCudaVersion();

/// How many GPUs there are; 0 also if there is no driver. Never an error.
ORRERY_CUDA_ENTRY int orreryCudaDevices();

/// A text that stays.
ORRERY_CUDA_ENTRY const char* orreryCudaText(int error);

/// Writes the planes of compact cells.
/// @param cells  [numStates x cellsPerState], see CellBits
/// @param layout  0: 40 planes, 1: the seed's 39
/// @param out  [numStates x planes x cellsPerState], every number is written
ORRERY_CUDA_ENTRY int orreryCudaDecompress(const std::int32_t* cells, std::int64_t numStates,
                                           std::int64_t cellsPerState, int layout, float* out,
                                           void* stream);

/// out[s] = sum of weight[e] * value[valueIndex[e]] over the entries e of segment s, that is from
/// segmentBegin[s] up to segmentBegin[s + 1]. The same input gives the same bits.
/// @param weight  [E]; null: 1 everywhere
/// @param value  [E], or [V] with valueIndex
/// @param valueIndex  [E] in [0, V); null: value[e]
/// @param segmentBegin  [numSegments + 1] ascending
/// @param out  [numSegments]
ORRERY_CUDA_ENTRY int orreryCudaSegmentSums(const float* weight, const float* value,
                                            const std::int64_t* valueIndex,
                                            const std::int64_t* segmentBegin,
                                            std::int64_t numSegments, float* out, void* stream);

/// Memory on the current GPU, for programs without a CUDA runtime of their own. Both copies and
/// orreryCudaWait wait for the work that was put on the default stream before.
ORRERY_CUDA_ENTRY int orreryCudaAllocate(std::uint64_t bytes, void** memory);
ORRERY_CUDA_ENTRY int orreryCudaFree(void* memory);
ORRERY_CUDA_ENTRY int orreryCudaCopyIn(void* device, const void* host, std::uint64_t bytes);
ORRERY_CUDA_ENTRY int orreryCudaCopyOut(void* host, const void* device, std::uint64_t bytes);
ORRERY_CUDA_ENTRY int orreryCudaWait();
}
