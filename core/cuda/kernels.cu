#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "core/cuda/cuda_entries.h"
#include "core/cuda/kernel_bodies.h"

namespace {

constexpr int kThreads = 256;
constexpr int kLanes = 32;  // of a warp
constexpr int kMostBlocks = 1 << 20;

/// Enough blocks for `count` threads; each thread goes on by the grid's width.
unsigned blocksFor(std::int64_t count) {
    const std::int64_t blocks = (count + kThreads - 1) / kThreads;
    return static_cast<unsigned>(std::min<std::int64_t>(blocks, kMostBlocks));
}

__device__ std::int64_t firstIndex() {
    return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::int64_t gridWidth() {
    return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

__global__ void decompressKernel(const std::int32_t* cells, std::int64_t numCells,
                                 std::int64_t cellsPerState, bool isSeedLayout, float* out) {
    for (std::int64_t i = firstIndex(); i < numCells; i += gridWidth())
        orrery::decompressCell(cells, cellsPerState, isSeedLayout, i, out);
}

/// One warp a segment. Lanes add in a fixed order, so the sum does not depend on the schedule.
__global__ void segmentSumKernel(orrery::SegmentInput in, std::int64_t numSegments, float* out) {
    const int lane = static_cast<int>(threadIdx.x % kLanes);
    for (std::int64_t s = firstIndex() / kLanes; s < numSegments; s += gridWidth() / kLanes) {
        double sum = orrery::laneSum(in, s, lane, kLanes);
        for (int distance = kLanes / 2; distance > 0; distance /= 2)
            sum += __shfl_down_sync(0xffffffffU, sum, distance);
        if (lane == 0) out[s] = static_cast<float>(sum);
    }
}

int lastError() {
    return static_cast<int>(cudaGetLastError());
}

}  // namespace

int orreryCudaVersion() {
    return 1;
}

int orreryCudaDevices() {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError();  // having none is no error of the calls to come
        return 0;
    }
    return count;
}

const char* orreryCudaText(int error) {
    return cudaGetErrorString(static_cast<cudaError_t>(error));
}

int orreryCudaDecompress(const std::int32_t* cells, std::int64_t numStates,
                         std::int64_t cellsPerState, int layout, float* out, void* stream) {
    const std::int64_t numCells = numStates * cellsPerState;
    if (numCells <= 0) return 0;
    decompressKernel<<<blocksFor(numCells), kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
        cells, numCells, cellsPerState, layout != 0, out);
    return lastError();
}

int orreryCudaSegmentSums(const float* weight, const float* value, const std::int64_t* valueIndex,
                          const std::int64_t* segmentBegin, std::int64_t numSegments, float* out,
                          void* stream) {
    if (numSegments <= 0) return 0;
    segmentSumKernel<<<blocksFor(numSegments * kLanes), kThreads, 0,
                       static_cast<cudaStream_t>(stream)>>>(
        {weight, value, valueIndex, segmentBegin}, numSegments, out);
    return lastError();
}

int orreryCudaAllocate(std::uint64_t bytes, void** memory) {
    return static_cast<int>(cudaMalloc(memory, bytes));
}

int orreryCudaFree(void* memory) {
    return static_cast<int>(cudaFree(memory));
}

int orreryCudaCopyIn(void* device, const void* host, std::uint64_t bytes) {
    return static_cast<int>(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
}

int orreryCudaCopyOut(void* host, const void* device, std::uint64_t bytes) {
    return static_cast<int>(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
}

int orreryCudaWait() {
    return static_cast<int>(cudaDeviceSynchronize());
}
