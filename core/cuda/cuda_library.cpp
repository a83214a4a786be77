#include "core/cuda/cuda_library.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <string>
#include <system_error>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/cuda/driver.h"

namespace orrery {

namespace {

constexpr const char* kFileName = "liborrery_cuda.so";
constexpr int kEntriesVersion = 1;

[[noreturn]] void noCuda(const std::string& why) {
    throw Error("No GPU can be used: " + why + ". Use --device cpu.", Error::Kind::Resource);
}

std::filesystem::path libraryFile() {
    // Read once, before any thread of ours could change the environment.
    if (const char* const named =
            std::getenv("ORRERY_CUDA_LIBRARY"))  // NOLINT(concurrency-mt-unsafe)
        return named;
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::filesystem::path folder = program.parent_path();
    for (const char* const place : {"", "../lib", "../lib/orrery"}) {
        const std::filesystem::path file = folder / place / kFileName;
        if (!error && std::filesystem::exists(file, error)) return file;
        error.clear();
    }
    return kFileName;
}

template <typename Entry>
void find(void* handle, const char* name, Entry& entry) {
    entry = reinterpret_cast<Entry>(::dlsym(handle, name));
    if (entry == nullptr)
        noCuda("its library lacks the entry " + std::string(name) + ": install it anew");
}

}  // namespace

std::unique_ptr<CudaLibrary> CudaLibrary::load(const std::filesystem::path& file) {
    std::unique_ptr<CudaLibrary> library(new CudaLibrary);
    library->m_handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library->m_handle == nullptr) {
        const char* const why = ::dlerror();  // NOLINT(concurrency-mt-unsafe): one per thread
        noCuda("'" + escaped(file.native()) + "' cannot be loaded (" +
               escaped(why != nullptr ? why : "no reason given", 200) + ")");
    }
    void* const handle = library->m_handle;
    decltype(&orreryCudaVersion) version = nullptr;
    find(handle, "orreryCudaVersion", version);
    if (version() != kEntriesVersion)
        noCuda("'" + escaped(file.native()) + "' is of another version: install it anew");
    find(handle, "orreryCudaDevices", library->m_devices);
    find(handle, "orreryCudaText", library->m_text);
    find(handle, "orreryCudaDecompress", library->m_decompress);
    find(handle, "orreryCudaSegmentSums", library->m_segmentSums);
    find(handle, "orreryCudaAllocate", library->m_allocate);
    find(handle, "orreryCudaFree", library->m_free);
    find(handle, "orreryCudaCopyIn", library->m_copyIn);
    find(handle, "orreryCudaCopyOut", library->m_copyOut);
    find(handle, "orreryCudaWait", library->m_wait);
    return library;
}

const CudaLibrary& CudaLibrary::get() {
    static const std::unique_ptr<CudaLibrary> library = load(libraryFile());
    if (library->devices() == 0) throwNoGpu();
    return *library;
}

CudaLibrary::~CudaLibrary() {
    if (m_handle != nullptr) ::dlclose(m_handle);
}

void* CudaLibrary::allocate(std::uint64_t bytes) const {
    void* memory = nullptr;
    check(m_allocate(bytes, &memory), "take memory");
    return memory;
}

void CudaLibrary::check(int error, const char* work) const {
    if (error != 0)
        throw Error("The GPU cannot " + std::string(work) + ": " + m_text(error) +
                        ". Close other programs that use it, or use --device cpu.",
                    Error::Kind::Resource);
}

}  // namespace orrery
