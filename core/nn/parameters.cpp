#include "core/nn/parameters.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

#include "core/base/rng.h"

namespace orrery {

namespace {

/// FNV-1a.
std::uint64_t streamOf(std::string_view name) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return hash;
}

std::int64_t inputsOf(at::IntArrayRef sizes) {
    return c10::multiply_integers(sizes.slice(1));
}

/// Makes rows orthogonal to those before and of length 1, twice over: once leaves what was rounded.
/// @param rows  [numRows, length], numRows <= length
void orthonormalise(std::vector<double>& rows, std::int64_t numRows, std::int64_t length) {
    const auto row = [&](std::int64_t r) {
        return std::span(rows).subspan(static_cast<std::size_t>(r * length),
                                       static_cast<std::size_t>(length));
    };
    for (std::int64_t r = 0; r < numRows; ++r) {
        for (int pass = 0; pass < 2; ++pass)
            for (std::int64_t k = 0; k < r; ++k) {
                const double part =
                    std::inner_product(row(r).begin(), row(r).end(), row(k).begin(), 0.0);
                for (std::int64_t i = 0; i < length; ++i) row(r)[i] -= part * row(k)[i];
            }
        const double size =
            std::sqrt(std::inner_product(row(r).begin(), row(r).end(), row(r).begin(), 0.0));
        for (double& value : row(r)) value /= size;
    }
}

at::Tensor startWeight(ParameterMaker& make, const std::string& name, at::IntArrayRef sizes,
                       LayerStart start) {
    switch (start.kind) {
        case LayerStart::Kind::Kaiming:
            return make.kaiming(name, sizes, start.gain);
        case LayerStart::Kind::Orthogonal:
            return make.orthogonal(name, sizes, start.gain);
        case LayerStart::Kind::Normal:
            return make.normal(name, sizes, start.gain);
        case LayerStart::Kind::Uniform:
            break;
    }
    return make.uniform(name, sizes, 1 / std::sqrt(static_cast<double>(inputsOf(sizes))));
}

/// @param inputs  of one output
at::Tensor startBias(ParameterMaker& make, const std::string& name, std::int64_t outputs,
                     std::int64_t inputs, LayerStart start) {
    if (start.kind != LayerStart::Kind::Uniform) return make.constant(name, {outputs}, 0);
    return make.uniform(name, {outputs}, 1 / std::sqrt(static_cast<double>(inputs)));
}

}  // namespace

std::int64_t bytesOf(const std::vector<NetParameter>& parameters) {
    std::int64_t bytes = 0;
    for (const NetParameter& parameter : parameters)
        bytes += static_cast<std::int64_t>(parameter.tensor.nbytes());
    return bytes;
}

template <typename Fill>
at::Tensor ParameterMaker::make(const std::string& name, at::IntArrayRef sizes, Fill fill) {
    at::Tensor tensor = at::empty(sizes, at::kFloat);
    if (m_seed) {
        Rng rng(*m_seed, streamOf(name));
        fill(rng,
             std::span(tensor.mutable_data_ptr<float>(), static_cast<std::size_t>(tensor.numel())));
        tensor.requires_grad_();
    }
    m_parameters.push_back({name, tensor});
    return tensor;
}

at::Tensor ParameterMaker::uniform(const std::string& name, at::IntArrayRef sizes, double bound) {
    return make(name, sizes, [bound](Rng& rng, std::span<float> numbers) {
        for (float& number : numbers) number = static_cast<float>(bound * (2 * rng.uniform() - 1));
    });
}

at::Tensor ParameterMaker::normal(const std::string& name, at::IntArrayRef sizes,
                                  double deviation) {
    return make(name, sizes, [deviation](Rng& rng, std::span<float> numbers) {
        for (float& number : numbers) number = static_cast<float>(deviation * rng.normal());
    });
}

at::Tensor ParameterMaker::kaiming(const std::string& name, at::IntArrayRef sizes, double gain) {
    return normal(name, sizes, gain / std::sqrt(static_cast<double>(inputsOf(sizes))));
}

at::Tensor ParameterMaker::orthogonal(const std::string& name, at::IntArrayRef sizes, double gain) {
    const std::int64_t outputs = sizes[0], inputs = inputsOf(sizes);
    return make(name, sizes, [=](Rng& rng, std::span<float> numbers) {
        std::vector<double> rows(numbers.size());
        for (double& value : rows) value = rng.normal();
        const bool isWide = outputs <= inputs;
        const std::int64_t numRows = isWide ? outputs : inputs, length = isWide ? inputs : outputs;
        orthonormalise(rows, numRows, length);
        for (std::int64_t r = 0; r < numRows; ++r)
            for (std::int64_t i = 0; i < length; ++i)
                numbers[static_cast<std::size_t>(isWide ? r * inputs + i : i * inputs + r)] =
                    static_cast<float>(gain * rows[static_cast<std::size_t>(r * length + i)]);
    });
}

at::Tensor ParameterMaker::constant(const std::string& name, at::IntArrayRef sizes, double value) {
    return make(name, sizes, [value](Rng&, std::span<float> numbers) {
        std::ranges::fill(numbers, static_cast<float>(value));
    });
}

LinearLayer::LinearLayer(ParameterMaker& make, const std::string& name, std::int64_t inputs,
                         std::int64_t outputs, LayerStart start)
    : weight(startWeight(make, name + ".weight", {outputs, inputs}, start)),
      bias(startBias(make, name + ".bias", outputs, inputs, start)) {}

at::Tensor LinearLayer::operator()(const at::Tensor& x) const {
    return at::linear(x, weight, bias);
}

at::Tensor rectified(const at::Tensor& x) {
    return x.relu_();
}

ConvolutionLayer::ConvolutionLayer(ParameterMaker& make, const std::string& name,
                                   std::int64_t inputs, std::int64_t outputs, LayerStart start)
    : weight(startWeight(make, name + ".weight", {outputs, inputs, 3, 3}, start)),
      bias(startBias(make, name + ".bias", outputs, 9 * inputs, start)) {}

at::Tensor ConvolutionLayer::operator()(const at::Tensor& x) const {
    return at::conv2d(x, weight, bias, /*stride=*/1, /*padding=*/1);
}

}  // namespace orrery
