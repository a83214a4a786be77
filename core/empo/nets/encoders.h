#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>

#include "core/empo/nets/cell_convolution.h"
#include "core/empo/nets/quantity_nets.h"
#include "core/empo/nets/state_tensors.h"
#include "core/nn/parameters.h"

namespace orrery {

/// The cells of one batch in the form that a state encoder reads.
struct GridInput {
    std::shared_ptr<const CodedCells> coded;  ///< on the CPU, or
    at::Tensor planes;                        ///< float [N, P, H, W]
};
/// The form for these networks: codes if they convolve cells and these lie on the CPU.
GridInput gridInput(const NetSpec& spec, const at::Tensor& cells);

/// Grid, global numbers, agents and interactive things of a state as F features; without encoders
/// all these numbers flattened. With c = max(8, F / 4), g = max(16, F / 2), m = max(8, F / 4), i =
/// max(4, F / 8): convolution P -> c, rectified, maximum over 2 x 2, convolution c -> c, rectified,
/// flattened beside the globals -> g; agents -> 2 m -> m; interactive -> i; all together -> F; each
/// rectified. Source: spec empo 6.2.
class StateEncoderNet {
public:
    StateEncoderNet(const NetSpec& spec, ParameterMaker& make, const std::string& name);

    /// @param sink  null, or told of each layer; the first convolution after its maximum
    /// @return [N, size]
    at::Tensor operator()(const GridInput& grid, const StateTensors& states,
                          LayerSink* sink = nullptr) const;
    std::int64_t size() const { return m_size; }

private:
    at::Tensor pooled(const GridInput& grid) const;

    std::string m_name;
    bool m_isIdentity;
    std::int64_t m_size;
    ConvolutionLayer m_convolution1, m_convolution2;
    LinearLayer m_grid, m_agents1, m_agents2, m_interactive, m_joined;
};

/// A goal's rectangle x1, y1, x2, y2 as 64 features; without encoders the four numbers.
class GoalEncoderNet {
public:
    GoalEncoderNet(const NetSpec& spec, ParameterMaker& make, const std::string& name);

    /// [K, 4] -> [K, size]
    at::Tensor operator()(const at::Tensor& goals, LayerSink* sink = nullptr) const;
    std::int64_t size() const { return m_isIdentity ? 4 : kFeatures; }

private:
    static constexpr std::int64_t kFeatures = 64;
    std::string m_name;
    bool m_isIdentity;
    LinearLayer m_linear;
};

/// Who a human is and where: an embedding of the agent index (16), its position on the grid (32)
/// and its 13 numbers (32). Without encoders one-hot index and position, and the numbers.
///
/// What the position gives depends on the cell alone, so it is computed for each cell once where a
/// batch has more humans than the grid has cells.
class AgentEncoderNet {
public:
    AgentEncoderNet(const NetSpec& spec, ParameterMaker& make, const std::string& name);

    /// @param agents  float [N, 13 n]
    /// @param sink    null, or told of each layer with [N x H] rows
    /// @return [N, H, size]
    at::Tensor operator()(const at::Tensor& agents, const HumanPlaces& humans,
                          LayerSink* sink = nullptr) const;
    std::int64_t size() const;

private:
    at::Tensor position(const at::Tensor& numbers, LayerSink* sink) const;

    std::string m_name;
    bool m_isIdentity;
    int m_width, m_height, m_numAgents;
    std::int64_t m_numIndices;  ///< agent indices from here on share the last one
    at::Tensor m_embedding;     ///< [indices, 16]
    ConvolutionLayer m_convolution1, m_convolution2;
    LinearLayer m_position, m_numbers;
};

}  // namespace orrery
