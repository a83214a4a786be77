#include "core/empo/nets/gpu_kernels.h"

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cassert>

#include "core/base/error.h"

namespace orrery {

namespace {

struct Found {
    const CudaLibrary* kernels = nullptr;
    std::string whyNot;
};

const Found& found() {
    static const Found kOnce = [] {
        Found result;
        try {
            result.kernels = &CudaLibrary::get();
        } catch (const Error& e) {
            result.whyNot = e.what();
        }
        return result;
    }();
    return kOnce;
}

/// The stream on which LibTorch works now; null, the default one, off a GPU.
void* currentStream(const at::Tensor& tensor) {
    if (!tensor.is_cuda()) return nullptr;
    return c10::impl::VirtualGuardImpl(at::kCUDA).getStream(tensor.device()).native_handle();
}

}  // namespace

const CudaLibrary* gpuKernels() {
    return found().kernels;
}

const std::string& whyNoGpuKernels() {
    return found().whyNot;
}

at::Tensor decompressByKernel(const CudaLibrary& kernels, const at::Tensor& cells,
                              PlaneLayout layout) {
    const at::OptionalDeviceGuard guard(cells.device());
    const at::Tensor packed = cells.contiguous();
    const std::int64_t height = packed.size(1), width = packed.size(2);
    at::Tensor planes = at::empty({packed.size(0), numPlanes(layout), height, width},
                                  at::dtype(at::kFloat).device(cells.device()));
    if (planes.numel() == 0) return planes;
    kernels.decompress(packed.const_data_ptr<std::int32_t>(), packed.size(0), height * width,
                       static_cast<int>(layout), planes.mutable_data_ptr<float>(),
                       currentStream(cells));
    return planes;
}

at::Tensor segmentSumsByKernel(const CudaLibrary& kernels, const at::Tensor& values,
                               const at::Tensor& index, const at::Tensor& weight,
                               const at::Tensor& begin) {
    assert(weight.is_contiguous() && begin.is_contiguous());
    assert(!index.defined() || (index.is_contiguous() && index.numel() == weight.numel()));
    const at::OptionalDeviceGuard guard(values.device());
    const at::Tensor dense = values.contiguous();
    at::Tensor sums = at::empty({begin.numel() - 1}, values.options());
    if (sums.numel() == 0) return sums;
    kernels.segmentSums(weight.const_data_ptr<float>(), dense.const_data_ptr<float>(),
                        index.defined() ? index.const_data_ptr<std::int64_t>() : nullptr,
                        begin.const_data_ptr<std::int64_t>(), sums.numel(),
                        sums.mutable_data_ptr<float>(), currentStream(values));
    return sums;
}

}  // namespace orrery
