#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery {

/// A live tensor and what it is called in checkpoints: "q_r.head.0.weight".
struct NetParameter {
    std::string name;
    at::Tensor tensor;
};

/// Of their tensors, on whatever device.
std::int64_t bytesOf(const std::vector<NetParameter>& parameters);

/// Makes the parameters of layers and lists them. Each draws its numbers from a stream of its own,
/// which its name chooses.
class ParameterMaker {
public:
    /// @param seed  nullopt: memory without numbers, for copies, that records no gradients
    explicit ParameterMaker(std::optional<std::uint64_t> seed) : m_seed(seed) {}

    /// Uniform in [-bound, bound].
    at::Tensor uniform(const std::string& name, at::IntArrayRef sizes, double bound);
    /// Normal with mean 0.
    at::Tensor normal(const std::string& name, at::IntArrayRef sizes, double deviation = 1);
    /// Normal, so that numbers keep their size through layers of rectified ones: with the deviation
    /// gain / sqrt(inputs of a row). Source: He et al. 2015.
    at::Tensor kaiming(const std::string& name, at::IntArrayRef sizes, double gain);
    /// Rows (or columns, where there are fewer) of length gain that are orthogonal to each other.
    /// @param sizes  [outputs, inputs...], all behind the first taken together
    at::Tensor orthogonal(const std::string& name, at::IntArrayRef sizes, double gain);
    /// The same number everywhere.
    at::Tensor constant(const std::string& name, at::IntArrayRef sizes, double value);

    std::vector<NetParameter> take() { return std::move(m_parameters); }

private:
    template <typename Fill>
    at::Tensor make(const std::string& name, at::IntArrayRef sizes, Fill fill);

    std::optional<std::uint64_t> m_seed;
    std::vector<NetParameter> m_parameters;
};

/// How a layer's numbers begin.
struct LayerStart {
    enum class Kind : std::uint8_t {
        Uniform,     ///< weight and bias within 1 / sqrt(inputs), as PyTorch's layers
        Kaiming,     ///< bias 0
        Orthogonal,  ///< bias 0
        Normal,      ///< with the deviation `gain`; bias 0
    };
    Kind kind = Kind::Uniform;
    double gain = 1;
};

/// y = weight x + bias.
struct LinearLayer {
    at::Tensor weight;  ///< [outputs, inputs]
    at::Tensor bias;    ///< [outputs]

    LinearLayer() = default;
    LinearLayer(ParameterMaker& make, const std::string& name, std::int64_t inputs,
                std::int64_t outputs, LayerStart start = {});
    at::Tensor operator()(const at::Tensor& x) const;  ///< [..., inputs] -> [..., outputs]
};

/// max(x, 0), in the memory of x.
at::Tensor rectified(const at::Tensor& x);

/// 3 x 3 convolution with padding 1.
struct ConvolutionLayer {
    at::Tensor weight;  ///< [outputs, inputs, 3, 3]
    at::Tensor bias;    ///< [outputs]

    ConvolutionLayer() = default;
    ConvolutionLayer(ParameterMaker& make, const std::string& name, std::int64_t inputs,
                     std::int64_t outputs, LayerStart start = {});
    at::Tensor operator()(const at::Tensor& x) const;  ///< [N, inputs, H, W] -> [N, outputs, H, W]
};

}  // namespace orrery
