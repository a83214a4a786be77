// Compares what the kernels compute with plain code on the CPU.
//
//     gpu_check            all checks, and how long the kernels take
//
// Ends with "N passed, N failed"; without a GPU with one line and exit status 6.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/cuda/cuda_library.h"
#include "core/encode/compact_state.h"
#include "tests/support/cuda_checks.h"

namespace {

/// Numbers on the GPU.
template <typename T>
class DeviceArray {
public:
    DeviceArray(const orrery::CudaLibrary& cuda, std::span<const T> numbers)
        : DeviceArray(cuda, numbers.size()) {
        if (!numbers.empty()) cuda.copyIn(m_memory, numbers.data(), numbers.size_bytes());
    }
    DeviceArray(const orrery::CudaLibrary& cuda, std::size_t size) : m_cuda(cuda), m_size(size) {
        if (size > 0) m_memory = cuda.allocate(size * sizeof(T));
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray() {
        try {
            if (m_memory != nullptr) m_cuda.free(m_memory);
        } catch (const orrery::Error& e) {
            std::fprintf(stderr, "%s\n", e.what());
        }
    }

    T* data() const { return static_cast<T*>(m_memory); }
    std::vector<T> numbers() const {
        std::vector<T> all(m_size);
        if (m_size > 0) m_cuda.copyOut(all.data(), m_memory, m_size * sizeof(T));
        return all;
    }

private:
    const orrery::CudaLibrary& m_cuda;
    std::size_t m_size;
    void* m_memory = nullptr;
};

CudaBackend backendOf(const orrery::CudaLibrary& cuda) {
    CudaBackend backend;
    backend.decompress = [&cuda](std::span<const std::int32_t> cells, std::int64_t cellsPerState,
                                 orrery::PlaneLayout layout) {
        const DeviceArray<std::int32_t> in(cuda, cells);
        const std::vector<float> before(
            cells.size() * static_cast<std::size_t>(orrery::numPlanes(layout)),
            std::numeric_limits<float>::quiet_NaN());
        const DeviceArray<float> out(cuda, std::span<const float>(before));
        const auto numStates = static_cast<std::int64_t>(cells.size()) / cellsPerState;
        cuda.decompress(in.data(), numStates, cellsPerState, static_cast<int>(layout), out.data(),
                        nullptr);
        cuda.wait();
        return out.numbers();
    };
    backend.segmentSums = [&cuda](const SegmentProblem& problem) {
        const DeviceArray<float> weight(cuda, std::span<const float>(problem.weight));
        const DeviceArray<float> value(cuda, std::span<const float>(problem.value));
        const DeviceArray<std::int64_t> index(cuda,
                                              std::span<const std::int64_t>(problem.valueIndex));
        const DeviceArray<std::int64_t> begin(cuda, std::span<const std::int64_t>(problem.begin));
        const std::size_t segments = problem.begin.size() - 1;
        const std::vector<float> before(segments, std::numeric_limits<float>::quiet_NaN());
        const DeviceArray<float> out(cuda, std::span<const float>(before));
        cuda.segmentSums(weight.data(), value.data(), index.data(), begin.data(),
                         static_cast<std::int64_t>(segments), out.data(), nullptr);
        cuda.wait();
        return out.numbers();
    };
    return backend;
}

/// Microseconds of one call, the least of some, work already on the GPU.
template <typename Work>
double microseconds(const orrery::CudaLibrary& cuda, const Work& work) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 50; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        cuda.wait();
        const std::chrono::duration<double, std::micro> taken =
            std::chrono::steady_clock::now() - begin;
        least = std::min(least, taken.count());
    }
    return least;
}

void printTimes(const orrery::CudaLibrary& cuda) {
    constexpr std::int64_t kStates = 1024, kCells = 49;
    const std::vector<std::int32_t> cells(kStates * kCells, orrery::CellBits{}.packed());
    const DeviceArray<std::int32_t> in(cuda, std::span<const std::int32_t>(cells));
    const DeviceArray<float> out(cuda, cells.size() * orrery::kNumPlanes);
    const double us = microseconds(
        cuda, [&] { cuda.decompress(in.data(), kStates, kCells, 0, out.data(), nullptr); });
    std::printf("decompress 1024 states of 7 x 7: %.1f us, call and wait included\n", us);
}

int check() {
    const orrery::CudaLibrary& cuda = orrery::CudaLibrary::get();
    int passed = 0, failed = 0;
    for (const CudaCheck& done : runCudaChecks(backendOf(cuda))) {
        ++(done.mismatches.empty() ? passed : failed);
        std::printf("%s %s\n", done.mismatches.empty() ? "ok    " : "FAILED", done.name.c_str());
        for (const std::string& mismatch : done.mismatches)
            std::printf("       %s\n", mismatch.c_str());
    }
    printTimes(cuda);
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}

}  // namespace

int main() {
    try {
        return check();
    } catch (const orrery::Error& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return e.exitStatus();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "gpu_check failed: %s. Close other programs and run it again.\n",
                     e.what());
        return 1;
    }
}
