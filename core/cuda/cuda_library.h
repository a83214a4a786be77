#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "core/cuda/cuda_entries.h"

namespace orrery {

/// liborrery_cuda.so, loaded on first use. Where no GPU is used, nothing of CUDA is loaded.
class CudaLibrary {
public:
    /// Loads it once a process: the file that the environment variable ORRERY_CUDA_LIBRARY names,
    /// else liborrery_cuda.so beside the program, in ../lib beside it, or where the loader finds
    /// it.
    /// @throws Error (Resource), one line, if it is not there, of another version, or if there is
    ///         no GPU
    static const CudaLibrary& get();

    /// The same for one file, without looking for a GPU.
    static std::unique_ptr<CudaLibrary> load(const std::filesystem::path& file);

    CudaLibrary(const CudaLibrary&) = delete;
    CudaLibrary& operator=(const CudaLibrary&) = delete;
    ~CudaLibrary();

    /// The entries; see cuda_entries.h. Here trouble is an Error (Resource) with CUDA's words.
    int devices() const { return m_devices(); }
    void decompress(const std::int32_t* cells, std::int64_t numStates, std::int64_t cellsPerState,
                    int layout, float* out, void* stream) const {
        check(m_decompress(cells, numStates, cellsPerState, layout, out, stream), "decompress");
    }
    void segmentSums(const float* weight, const float* value, const std::int64_t* valueIndex,
                     const std::int64_t* segmentBegin, std::int64_t numSegments, float* out,
                     void* stream) const {
        check(m_segmentSums(weight, value, valueIndex, segmentBegin, numSegments, out, stream),
              "sum segments");
    }
    void* allocate(std::uint64_t bytes) const;
    void free(void* memory) const { check(m_free(memory), "free memory"); }
    void copyIn(void* device, const void* host, std::uint64_t bytes) const {
        check(m_copyIn(device, host, bytes), "copy to the GPU");
    }
    void copyOut(void* host, const void* device, std::uint64_t bytes) const {
        check(m_copyOut(host, device, bytes), "copy from the GPU");
    }
    void wait() const { check(m_wait(), "finish"); }

private:
    CudaLibrary() = default;
    void check(int error, const char* work) const;

    void* m_handle = nullptr;
    decltype(&orreryCudaDevices) m_devices = nullptr;
    decltype(&orreryCudaText) m_text = nullptr;
    decltype(&orreryCudaDecompress) m_decompress = nullptr;
    decltype(&orreryCudaSegmentSums) m_segmentSums = nullptr;
    decltype(&orreryCudaAllocate) m_allocate = nullptr;
    decltype(&orreryCudaFree) m_free = nullptr;
    decltype(&orreryCudaCopyIn) m_copyIn = nullptr;
    decltype(&orreryCudaCopyOut) m_copyOut = nullptr;
    decltype(&orreryCudaWait) m_wait = nullptr;
};

}  // namespace orrery
