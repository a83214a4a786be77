#include "core/cuda/driver.h"

#include <dlfcn.h>

#include "core/base/error.h"

namespace orrery {

int gpuCount() {
    // It stays loaded: the driver does not like to be unloaded.
    void* const driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (driver == nullptr) return 0;
    const auto init = reinterpret_cast<int (*)(unsigned)>(::dlsym(driver, "cuInit"));
    const auto count = reinterpret_cast<int (*)(int*)>(::dlsym(driver, "cuDeviceGetCount"));
    int devices = 0;
    if (init == nullptr || count == nullptr || init(0) != 0 || count(&devices) != 0) return 0;
    return devices;
}

void throwNoGpu() {
    throw Error(
        "No GPU can be used: this machine has none, or no NVIDIA driver that this CUDA can "
        "use. Use --device cpu.",
        Error::Kind::Resource);
}

void requireGpu() {
    if (gpuCount() == 0) throwNoGpu();
}

}  // namespace orrery
