#include "tests/support/watched_device.h"

#include <ATen/ATen.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/detail/HPUHooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <sys/mman.h>
#include <torch/library.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace orrery::test {

namespace {

constexpr std::size_t kArenaBytes = std::size_t{1} << 32U;  // of addresses
const c10::Device kDevice(c10::DeviceType::HPU, 0);

std::byte* reserved(int protection) {
    void* const memory = ::mmap(nullptr, kArenaBytes, protection,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    TORCH_CHECK(memory != MAP_FAILED, "no addresses for the watched device");
    return static_cast<std::byte*>(memory);
}

/// The device's memory. Tensors on the device hold addresses that nobody may touch; operators know
/// where the numbers are.
class Arena {
public:
    static Arena& get() {
        static Arena* const arena = new Arena;  // tensors may outlive everything else
        return *arena;
    }

    /// @return an address of the device
    void* take(std::size_t bytes) {
        const std::size_t size = rounded(bytes);
        std::vector<void*>& free = m_free[size];
        if (!free.empty()) {
            void* const memory = free.back();
            free.pop_back();
            return memory;
        }
        TORCH_CHECK(m_used + size <= kArenaBytes, "the watched device has no memory left");
        void* const memory = m_device + m_used;
        m_used += size;
        return memory;
    }
    void give(void* memory, std::size_t bytes) { m_free[rounded(bytes)].push_back(memory); }

    /// True for an address of the numbers.
    bool holds(const void* memory) const {
        const auto* const at = static_cast<const std::byte*>(memory);
        return at >= m_numbers && at < m_numbers + kArenaBytes;
    }
    void* numbersOf(void* device) const {
        return device == nullptr ? nullptr
                                 : m_numbers + (static_cast<std::byte*>(device) - m_device);
    }
    void* deviceOf(void* numbers) const {
        return numbers == nullptr ? nullptr
                                  : m_device + (static_cast<std::byte*>(numbers) - m_numbers);
    }

    std::recursive_mutex mutex;  ///< held by whoever uses anything of this
    DeviceTraffic traffic;

private:
    Arena() = default;
    static std::size_t rounded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

    std::byte* const m_device = reserved(PROT_NONE);
    std::byte* const m_numbers = reserved(PROT_READ | PROT_WRITE);
    std::size_t m_used = 0;
    std::map<std::size_t, std::vector<void*>> m_free;  ///< by size
};

/// The arena is this thread's alone while one exists.
class HeldArena {
public:
    HeldArena() : m_lock(Arena::get().mutex) {}
    Arena* operator->() const { return &Arena::get(); }

private:
    std::lock_guard<std::recursive_mutex> m_lock;
};

struct Block {
    void* memory;
    std::size_t bytes;
};
void freeBlock(void* context) {
    auto* const block = static_cast<Block*>(context);
    const std::lock_guard lock(Arena::get().mutex);
    Arena::get().give(block->memory, block->bytes);
    delete block;
}
void freeStorage(void* context) {
    delete static_cast<c10::Storage*>(context);
}

at::Tensor tensorOf(c10::DataPtr memory, std::size_t bytes, c10::DispatchKey key,
                    const at::Tensor& like) {
    c10::Storage storage(c10::Storage::use_byte_size_t(), bytes, std::move(memory),
                         c10::GetAllocator(at::kCPU), /*resizable=*/true);
    at::Tensor tensor = at::detail::make_tensor<c10::TensorImpl>(
        std::move(storage), c10::DispatchKeySet(key), like.dtype());
    tensor.unsafeGetTensorImpl()->set_sizes_and_strides(like.sizes(), like.strides(),
                                                        like.storage_offset());
    return tensor;
}

/// The same numbers under another device's name.
at::Tensor renamed(const at::Tensor& tensor, void* memory, c10::Device device,
                   c10::DispatchKey key) {
    const c10::Storage& storage = tensor.storage();
    return tensorOf({memory, new c10::Storage(storage), freeStorage, device}, storage.nbytes(), key,
                    tensor);
}

at::Tensor onCpu(const at::Tensor& tensor) {
    if (!tensor.defined() || tensor.device().type() != kDevice.type()) return tensor;
    return renamed(tensor, Arena::get().numbersOf(tensor.storage().mutable_data()), at::kCPU,
                   c10::DispatchKey::CPU);
}

at::Tensor onDevice(const at::Tensor& tensor) {
    if (!tensor.defined()) return tensor;
    const c10::Storage& storage = tensor.storage();
    const std::size_t bytes = storage.nbytes();
    if (bytes == 0) return renamed(tensor, nullptr, kDevice, c10::DispatchKey::HPU);
    Arena& arena = Arena::get();
    if (arena.holds(storage.data()))
        return renamed(tensor, arena.deviceOf(storage.mutable_data()), kDevice,
                       c10::DispatchKey::HPU);
    void* const memory = arena.take(bytes);
    std::memcpy(arena.numbersOf(memory), storage.data(), bytes);
    return tensorOf({memory, new Block{memory, bytes}, freeBlock, kDevice}, bytes,
                    c10::DispatchKey::HPU, tensor);
}

/// The arguments of one call under the CPU's name.
class RenamedArguments {
public:
    RenamedArguments(const c10::FunctionSchema& schema, torch::jit::Stack& stack) {
        const std::size_t first = stack.size() - schema.arguments().size();
        for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
            c10::IValue& argument = stack[first + i];
            const auto* const alias = schema.arguments()[i].alias_info();
            m_isWritten = alias != nullptr && alias->isWrite();
            rename(argument);
        }
    }

    /// A result: an argument that was written to, or new.
    at::Tensor result(const at::Tensor& tensor) const {
        for (const Renamed& one : m_all)
            if (tensor.defined() && one.cpu.is_same(tensor)) return one.original;
        return m_wantsCpu ? tensor : onDevice(tensor);
    }
    /// Arguments that were given another size got other memory.
    void takeOverSizes() const {
        for (const Renamed& one : m_all) {
            const bool isSame = one.cpu.sizes() == one.original.sizes() &&
                                one.cpu.storage().data() ==
                                    Arena::get().numbersOf(one.original.storage().mutable_data());
            if (!one.isWritten || isSame) continue;
            const at::Tensor now = onDevice(one.cpu);
            c10::TensorImpl* const impl = one.original.unsafeGetTensorImpl();
            impl->set_storage_keep_dtype(now.storage());
            impl->set_sizes_and_strides(now.sizes(), now.strides(), now.storage_offset());
        }
    }

private:
    struct Renamed {
        at::Tensor original, cpu;
        bool isWritten;
    };
    at::Tensor renamedTensor(const at::Tensor& tensor) {
        const at::Tensor cpu = onCpu(tensor);
        if (!cpu.is_same(tensor)) m_all.push_back({tensor, cpu, m_isWritten});
        return cpu;
    }
    void rename(c10::IValue& argument) {
        if (argument.isTensor()) {
            argument = renamedTensor(argument.toTensor());
        } else if (argument.isTensorList()) {
            c10::List<at::Tensor> list;
            for (const at::Tensor& tensor : argument.toTensorVector())
                list.push_back(renamedTensor(tensor));
            argument = list;
        } else if (argument.isOptionalTensorList()) {
            c10::List<std::optional<at::Tensor>> list;
            for (const std::optional<at::Tensor>& tensor : argument.toOptionalTensorVector())
                list.push_back(tensor ? std::optional(renamedTensor(*tensor)) : std::nullopt);
            argument = list;
        } else if (argument.isDevice()) {
            m_wantsCpu = argument.toDevice().is_cpu();
            argument = c10::Device(at::kCPU);
        }
    }

    std::vector<Renamed> m_all;
    bool m_isWritten = false;
    bool m_wantsCpu = false;
};

void count(DeviceTraffic& traffic, std::string_view name) {
    constexpr std::array<std::string_view, 5> kWaiting{"aten::nonzero", "aten::masked_select",
                                                       "aten::equal", "aten::_unique2",
                                                       "aten::repeat_interleave.Tensor"};
    ++traffic.operators;
    if (name == "aten::_local_scalar_dense") ++traffic.scalars;
    if (std::ranges::find(kWaiting, name) != kWaiting.end()) ++traffic.waits;
}

/// Any operator: the CPU's, on the same memory.
void runOnCpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
    const HeldArena arena;
    count(arena->traffic, op.schema().name());
    const RenamedArguments arguments(op.schema(), *stack);
    op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), stack);
    arguments.takeOverSizes();
    const std::size_t first = stack->size() - op.schema().returns().size();
    for (std::size_t i = first; i < stack->size(); ++i) {
        c10::IValue& result = (*stack)[i];
        if (result.isTensor()) {
            result = arguments.result(result.toTensor());
        } else if (result.isTensorList()) {
            c10::List<at::Tensor> list;
            for (const at::Tensor& tensor : result.toTensorVector())
                list.push_back(arguments.result(tensor));
            result = list;
        }
    }
}

at::Tensor copyFrom(const at::Tensor& from, const at::Tensor& to, bool) {
    const HeldArena arena;
    const bool isFromDevice = from.device().type() == kDevice.type();
    const bool isToDevice = to.device().type() == kDevice.type();
    ++arena->traffic.operators;
    if (isFromDevice && !isToDevice) ++arena->traffic.readBacks;
    if (!isFromDevice) {
        ++arena->traffic.uploads;
        arena->traffic.uploadedBytes += static_cast<std::int64_t>(from.nbytes());
    }
    const at::AutoDispatchBelowADInplaceOrView below;
    onCpu(to).copy_(onCpu(from));
    return to;
}

at::Tensor convolve(const at::Tensor& input, const at::Tensor& weight,
                    const std::optional<at::Tensor>& bias, at::IntArrayRef stride,
                    at::IntArrayRef padding, at::IntArrayRef dilation, bool transposed,
                    at::IntArrayRef outputPadding, std::int64_t groups) {
    const HeldArena arena;
    const at::AutoDispatchBelowADInplaceOrView below;
    return onDevice(at::convolution(onCpu(input), onCpu(weight),
                                    bias ? std::optional(onCpu(*bias)) : std::nullopt, stride,
                                    padding, dilation, transposed, outputPadding, groups));
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> convolveBackward(
    const at::Tensor& gradient, const at::Tensor& input, const at::Tensor& weight,
    at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation, bool transposed,
    at::IntArrayRef outputPadding, std::int64_t groups, std::array<bool, 3> wanted) {
    const HeldArena arena;
    const at::AutoDispatchBelowADInplaceOrView below;
    const auto [ofInput, ofWeight, ofBias] = at::convolution_backward(
        onCpu(gradient), onCpu(input), onCpu(weight), weight.size(0), stride, padding, dilation,
        transposed, outputPadding, groups, wanted);
    return {onDevice(ofInput), onDevice(ofWeight), onDevice(ofBias)};
}

}  // namespace

DeviceTraffic takeDeviceTraffic() {
    const std::lock_guard lock(Arena::get().mutex);
    return std::exchange(Arena::get().traffic, {});
}

}  // namespace orrery::test

namespace {

/// There is one such device, with one stream.
struct WatchedGuard final : c10::impl::NoOpDeviceGuardImpl<c10::DeviceType::HPU> {
    c10::Device getDevice() const override { return orrery::test::kDevice; }
    c10::Device exchangeDevice(c10::Device) const override { return orrery::test::kDevice; }
    c10::Stream getStream(c10::Device) const noexcept override {
        return c10::Stream(c10::Stream::DEFAULT, orrery::test::kDevice);
    }
    c10::Stream exchangeStream(c10::Stream) const noexcept override {
        return c10::Stream(c10::Stream::DEFAULT, orrery::test::kDevice);
    }
};
C10_REGISTER_GUARD_IMPL(HPU, WatchedGuard)

struct WatchedHooks final : at::HPUHooksInterface {
    explicit WatchedHooks(at::HPUHooksArgs) {}
    bool hasHPU() const override { return true; }
    bool isBuilt() const override { return true; }
    bool isAvailable() const override { return true; }
    bool hasPrimaryContext(at::DeviceIndex) const override { return true; }
    at::DeviceIndex deviceCount() const override { return 1; }
    at::DeviceIndex getCurrentDevice() const override { return 0; }
};
using at::HPUHooksRegistry;
using at::RegistererHPUHooksRegistry;
C10_REGISTER_TYPED_CLASS(HPUHooksRegistry, "HPUHooks", WatchedHooks)

TORCH_LIBRARY_IMPL(_, HPU, library) {
    library.fallback(torch::CppFunction::makeFromBoxedFunction<&orrery::test::runOnCpu>());
}

TORCH_LIBRARY_IMPL(aten, HPU, library) {
    library.impl("_copy_from", orrery::test::copyFrom);
    library.impl("convolution_overrideable", orrery::test::convolve);
    library.impl("convolution_backward_overrideable", orrery::test::convolveBackward);
}

}  // namespace
