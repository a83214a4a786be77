#include "core/cuda/torch_cuda.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/cuda/driver.h"

namespace orrery {

namespace {

[[noreturn]] void noTorchCuda(const std::string& why) {
    throw Error("LibTorch cannot use the GPU: " + why +
                    ". Run packaging/run.sh --cuda, or use --device cpu.",
                Error::Kind::Resource);
}

std::filesystem::path folderOfTorchCuda() {
    // Read once, before any thread of ours could change the environment.
    if (const char* const named =
            std::getenv("ORRERY_TORCH_CUDA"))  // NOLINT(concurrency-mt-unsafe)
        return named;
    return ORRERY_TORCH_CUDA_FOLDER;
}

/// Stays loaded as long as the process.
bool loadOnce() {
    const std::filesystem::path folder = folderOfTorchCuda() / "torch" / "lib";
    // The second holds linear algebra; LibTorch would look for it beside its CPU part.
    for (const char* const name : {"libtorch_cuda.so", "libtorch_cuda_linalg.so"}) {
        const std::filesystem::path file = folder / name;
        std::error_code error;
        if (!std::filesystem::exists(file, error))
            noTorchCuda("'" + escaped(file.native()) + "' is missing");
        if (::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
            const char* const why = ::dlerror();  // NOLINT(concurrency-mt-unsafe): one per thread
            noTorchCuda("'" + escaped(file.native()) + "' cannot be loaded (" +
                        escaped(why != nullptr ? why : "no reason given", 200) + ")");
        }
    }
    return true;
}

}  // namespace

void loadTorchCuda() {
    requireGpu();
    static const bool isLoaded = loadOnce();
    static_cast<void>(isLoaded);
}

}  // namespace orrery
