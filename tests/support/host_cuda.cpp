// In the place of liborrery_cuda.so: its entries with the bodies of the kernels run on the host, on
// memory of the host, so that whoever calls them is tested without a GPU.
#include <cstdlib>
#include <cstring>

#include "core/cuda/cuda_entries.h"
#include "core/cuda/kernel_bodies.h"

#define ORRERY_HOST_ENTRY extern "C" __attribute__((visibility("default")))

ORRERY_HOST_ENTRY int orreryCudaVersion() {
    return 1;
}
ORRERY_HOST_ENTRY int orreryCudaDevices() {
    return 1;
}
ORRERY_HOST_ENTRY const char* orreryCudaText(int) {
    return "an error of the host's";
}

ORRERY_HOST_ENTRY int orreryCudaDecompress(const std::int32_t* cells, std::int64_t numStates,
                                           std::int64_t cellsPerState, int layout, float* out,
                                           void* stream) {
    if (stream != nullptr) return 1;
    for (std::int64_t i = 0; i < numStates * cellsPerState; ++i)
        orrery::decompressCell(cells, cellsPerState, layout != 0, i, out);
    return 0;
}

ORRERY_HOST_ENTRY int orreryCudaSegmentSums(const float* weight, const float* value,
                                            const std::int64_t* valueIndex,
                                            const std::int64_t* segmentBegin,
                                            std::int64_t numSegments, float* out, void* stream) {
    if (stream != nullptr) return 1;
    const orrery::SegmentInput in{weight, value, valueIndex, segmentBegin};
    for (std::int64_t s = 0; s < numSegments; ++s)
        out[s] = static_cast<float>(orrery::laneSum(in, s, 0, 1));
    return 0;
}

ORRERY_HOST_ENTRY int orreryCudaAllocate(std::uint64_t bytes, void** memory) {
    *memory = std::malloc(bytes);
    return *memory == nullptr ? 2 : 0;
}
ORRERY_HOST_ENTRY int orreryCudaFree(void* memory) {
    std::free(memory);
    return 0;
}
ORRERY_HOST_ENTRY int orreryCudaCopyIn(void* device, const void* host, std::uint64_t bytes) {
    std::memcpy(device, host, bytes);
    return 0;
}
ORRERY_HOST_ENTRY int orreryCudaCopyOut(void* host, const void* device, std::uint64_t bytes) {
    std::memcpy(host, device, bytes);
    return 0;
}
ORRERY_HOST_ENTRY int orreryCudaWait() {
    return 0;
}
