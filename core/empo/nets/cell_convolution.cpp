#include "core/empo/nets/cell_convolution.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cassert>
#include <limits>
#include <memory>

#include "core/base/error.h"
#include "core/empo/nets/cell_kernel.h"

namespace orrery {

CellKernel cellKernel(CpuLevel level) {
#if defined(__x86_64__)
    if (level == CpuLevel::Avx512) return cellKernelAvx512();
    if (level == CpuLevel::Avx2) return cellKernelAvx2();
#else
    (void)level;
#endif
    return cellKernelBaseline();
}

CodedCells::CodedCells(const at::Tensor& packed, PlaneLayout planes)
    : cells(packed.contiguous()), codes(planes), layout(planes) {
    const auto count = static_cast<std::size_t>(cells.numel());
    const auto* code = cells.const_data_ptr<std::int32_t>();
    index.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        index[i] = static_cast<std::int16_t>(codes.indexOf(code[i]));
    if (codes.size() > std::numeric_limits<std::int16_t>::max())
        throw Error(
            "A batch of states has more than 32,767 different cells. Take smaller batches.");
}

namespace {

constexpr std::int64_t kTaps = 9;
constexpr std::int64_t kLanes = 16;

CellKernelInput inputOf(const CodedCells& cells, std::int64_t paddedChannels) {
    return {.numStates = cells.cells.size(0),
            .height = static_cast<int>(cells.cells.size(1)),
            .width = static_cast<int>(cells.cells.size(2)),
            .channels = static_cast<int>(paddedChannels),
            .codes = cells.index.data()};
}

/// What each code adds by its marks: [codes, 9, padded channels].
at::Tensor columnsOf(const CodedCells& cells, const at::Tensor& weight, std::int64_t padded) {
    const std::int64_t channels = weight.size(0);
    const std::int64_t planes = weight.size(1);
    // [P, 9, c]: the channels of one tap lie together.
    const at::Tensor byPlane =
        weight.detach().reshape({channels, planes, kTaps}).permute({1, 2, 0}).contiguous();
    at::Tensor columns = at::zeros({cells.codes.size(), kTaps, padded}, at::kFloat);
    const auto* from = byPlane.const_data_ptr<float>();
    auto* const to = columns.mutable_data_ptr<float>();
    for (int code = 0; code < cells.codes.size(); ++code)
        for (const CellCodes::Mark mark : cells.codes.marks(code))
            for (std::int64_t tap = 0; tap < kTaps; ++tap) {
                const float* const column = from + (mark.plane * kTaps + tap) * channels;
                float* const sum = to + (code * kTaps + tap) * padded;
                for (std::int64_t c = 0; c < channels; ++c) sum[c] += mark.value * column[c];
            }
    return columns;
}

/// The gradient of the weight from that of the columns.
at::Tensor weightGradient(const CodedCells& cells, const at::Tensor& columns,
                          at::IntArrayRef sizes) {
    const std::int64_t channels = sizes[0];
    const std::int64_t planes = sizes[1];
    const std::int64_t padded = columns.size(2);
    at::Tensor byPlane = at::zeros({planes, kTaps, channels}, at::kFloat);
    const auto* from = columns.const_data_ptr<float>();
    auto* const to = byPlane.mutable_data_ptr<float>();
    for (int code = 0; code < cells.codes.size(); ++code)
        for (const CellCodes::Mark mark : cells.codes.marks(code))
            for (std::int64_t tap = 0; tap < kTaps; ++tap) {
                const float* const column = from + (code * kTaps + tap) * padded;
                float* const sum = to + (mark.plane * kTaps + tap) * channels;
                for (std::int64_t c = 0; c < channels; ++c) sum[c] += mark.value * column[c];
            }
    return byPlane.permute({2, 0, 1}).reshape(sizes);
}

struct Pooled {
    at::Tensor values;  ///< float [N, h, w, padded]
    at::Tensor from;    ///< uint8, as values
};

Pooled pooled(const CodedCells& cells, const at::Tensor& weight, const at::Tensor& bias) {
    const std::int64_t channels = weight.size(0);
    const std::int64_t padded = (channels + kLanes - 1) / kLanes * kLanes;
    const at::Tensor columns = columnsOf(cells, weight, padded);
    const at::Tensor paddedBias = at::zeros({padded}, at::kFloat);
    paddedBias.narrow(0, 0, channels).copy_(bias.detach());
    const CellKernelInput input = inputOf(cells, padded);
    const std::vector<std::int64_t> sizes = {input.numStates, input.height / 2, input.width / 2,
                                             padded};
    Pooled out{at::empty(sizes, at::kFloat), at::empty(sizes, at::kByte)};
    cellKernel(cpuLevel())
        .forward(input, columns.const_data_ptr<float>(), paddedBias.const_data_ptr<float>(),
                 out.values.mutable_data_ptr<float>(), out.from.mutable_data_ptr<std::uint8_t>());
    return out;
}

at::Tensor channelsFirst(const at::Tensor& values, std::int64_t channels) {
    return values.narrow(3, 0, channels).permute({0, 3, 1, 2});
}

struct CellsHolder : torch::CustomClassHolder {
    std::shared_ptr<const CodedCells> cells;
};

class CellFunction : public torch::autograd::Function<CellFunction> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& weight,
                              const at::Tensor& bias, std::shared_ptr<const CodedCells> cells) {
        const at::NoGradGuard off;
        const Pooled out = pooled(*cells, weight, bias);
        context->save_for_backward({out.from});
        auto held = c10::make_intrusive<CellsHolder>();
        held->cells = std::move(cells);
        context->saved_data["cells"] = c10::IValue::make_capsule(std::move(held));
        context->saved_data["sizes"] = weight.sizes();
        return channelsFirst(out.values, weight.size(0));
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const at::NoGradGuard off;
        const auto held = context->saved_data["cells"].toCapsule();
        const CodedCells& cells = *static_cast<const CellsHolder&>(*held).cells;
        const std::vector<std::int64_t> sizes = context->saved_data["sizes"].toIntVector();
        const at::Tensor from = context->get_saved_variables()[0];
        const std::int64_t padded = from.size(3);
        at::Tensor gradient = gradients[0].permute({0, 2, 3, 1});
        if (padded != sizes[0]) gradient = at::constant_pad_nd(gradient, {0, padded - sizes[0]});
        gradient = gradient.contiguous();
        at::Tensor columns = at::zeros({cells.codes.size(), kTaps, padded}, at::kFloat);
        at::Tensor bias = at::zeros({padded}, at::kFloat);
        cellKernel(cpuLevel())
            .backward(inputOf(cells, padded), from.const_data_ptr<std::uint8_t>(),
                      gradient.const_data_ptr<float>(), columns.mutable_data_ptr<float>(),
                      bias.mutable_data_ptr<float>());
        return {weightGradient(cells, columns, sizes), bias.narrow(0, 0, sizes[0]).clone(),
                at::Tensor()};
    }
};

}  // namespace

at::Tensor convolveCells(const std::shared_ptr<const CodedCells>& cells, const at::Tensor& weight,
                         const at::Tensor& bias) {
    assert(weight.device().is_cpu() && weight.size(1) == numPlanes(cells->layout));
    if (at::GradMode::is_enabled() && (weight.requires_grad() || bias.requires_grad()))
        return CellFunction::apply(weight, bias, cells);
    return channelsFirst(pooled(*cells, weight, bias).values, weight.size(0));
}

}  // namespace orrery
