#include "core/empo/nets/encoders.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace orrery {

namespace {

/// Tells a layer's output on its way.
const at::Tensor& told(LayerSink* sink, const std::string& name, const char* layer,
                       const at::Tensor& output) {
    if (sink != nullptr) sink->take(name + layer, output);
    return output;
}

}  // namespace

GridInput gridInput(const NetSpec& spec, const at::Tensor& cells) {
    if (spec.usesEncoders && spec.usesCellConvolution && cells.device().is_cpu())
        return {std::make_shared<const CodedCells>(cells, spec.planes), {}};
    return {nullptr, decompressCells(cells, spec.planes)};
}

StateEncoderNet::StateEncoderNet(const NetSpec& spec, ParameterMaker& make, const std::string& name)
    : m_name(name), m_isIdentity(!spec.usesEncoders) {
    const std::int64_t planes = numPlanes(spec.planes);
    const std::int64_t agentNumbers = static_cast<std::int64_t>(spec.shape.agentNumbers());
    const auto others = static_cast<std::int64_t>(spec.shape.interactiveNumbers());
    if (m_isIdentity) {
        m_size = planes * static_cast<std::int64_t>(spec.shape.cells()) + EncodingShape::kGlobals +
                 agentNumbers + others;
        return;
    }
    const std::int64_t f = spec.hiddenSize;
    const std::int64_t c = std::max<std::int64_t>(8, f / 4);
    const std::int64_t g = std::max<std::int64_t>(16, f / 2);
    const std::int64_t m = std::max<std::int64_t>(8, f / 4);
    const std::int64_t i = std::max<std::int64_t>(4, f / 8);
    const std::int64_t blocks = std::int64_t{spec.shape.height / 2} * (spec.shape.width / 2);
    m_size = f;
    m_convolution1 = ConvolutionLayer(make, name + ".conv1", planes, c);
    m_convolution2 = ConvolutionLayer(make, name + ".conv2", c, c);
    m_grid = LinearLayer(make, name + ".grid", c * blocks + EncodingShape::kGlobals, g);
    m_agents1 = LinearLayer(make, name + ".agents.0", agentNumbers, 2 * m);
    m_agents2 = LinearLayer(make, name + ".agents.1", 2 * m, m);
    m_interactive = LinearLayer(make, name + ".interactive", others, i);
    m_joined = LinearLayer(make, name + ".joined", g + m + i, f);
}

at::Tensor StateEncoderNet::pooled(const GridInput& grid) const {
    if (grid.coded) return convolveCells(grid.coded, m_convolution1.weight, m_convolution1.bias);
    return at::max_pool2d(rectified(m_convolution1(grid.planes)), 2);
}

at::Tensor StateEncoderNet::operator()(const GridInput& grid, const StateTensors& states,
                                       LayerSink* sink) const {
    if (m_isIdentity)
        return at::cat({grid.planes.flatten(1), states.globals, states.agents, states.interactive},
                       1);
    const auto tell = [&](const char* layer, const at::Tensor& output) -> const at::Tensor& {
        return told(sink, m_name, layer, output);
    };
    const at::Tensor maps = pooled(grid);
    const at::Tensor cells = rectified(m_convolution2(tell(".conv1", maps)));
    const at::Tensor flat = tell(".conv2", cells).flatten(1);
    const at::Tensor world = rectified(m_grid(at::cat({flat, states.globals}, 1)));
    tell(".grid", world);
    const at::Tensor agents1 = rectified(m_agents1(states.agents));
    const at::Tensor agents2 = rectified(m_agents2(tell(".agents.0", agents1)));
    tell(".agents.1", agents2);
    const at::Tensor things = rectified(m_interactive(states.interactive));
    tell(".interactive", things);
    const at::Tensor joined = rectified(m_joined(at::cat({world, agents2, things}, 1)));
    return tell(".joined", joined);
}

GoalEncoderNet::GoalEncoderNet(const NetSpec& spec, ParameterMaker& make, const std::string& name)
    : m_name(name), m_isIdentity(!spec.usesEncoders) {
    if (!m_isIdentity) m_linear = LinearLayer(make, name + ".linear", 4, kFeatures);
}

at::Tensor GoalEncoderNet::operator()(const at::Tensor& goals, LayerSink* sink) const {
    return m_isIdentity ? goals : told(sink, m_name, ".linear", rectified(m_linear(goals)));
}

namespace {

constexpr std::int64_t kMinIndices = 10;
constexpr std::int64_t kEmbedded = 16;
constexpr std::int64_t kPositionChannels = 8;
constexpr std::int64_t kPosition = 32;
constexpr std::int64_t kNumbers = 32;

}  // namespace

AgentEncoderNet::AgentEncoderNet(const NetSpec& spec, ParameterMaker& make, const std::string& name)
    : m_name(name),
      m_isIdentity(!spec.usesEncoders),
      m_width(spec.shape.width),
      m_height(spec.shape.height),
      m_numAgents(spec.shape.numAgents),
      m_numIndices(std::max<std::int64_t>(kMinIndices, spec.shape.numAgents)) {
    if (m_isIdentity) return;
    const auto cells = static_cast<std::int64_t>(spec.shape.cells());
    m_embedding = make.normal(name + ".embedding.weight", {m_numIndices, kEmbedded});
    m_convolution1 = ConvolutionLayer(make, name + ".conv1", 1, kPositionChannels);
    m_convolution2 = ConvolutionLayer(make, name + ".conv2", kPositionChannels, kPositionChannels);
    m_position = LinearLayer(make, name + ".position", kPositionChannels * cells, kPosition);
    m_numbers = LinearLayer(make, name + ".numbers", EncodingShape::kAgentNumbers, kNumbers);
}

std::int64_t AgentEncoderNet::size() const {
    if (!m_isIdentity) return kEmbedded + kPosition + kNumbers;
    return m_numIndices + std::int64_t{m_width} * m_height + EncodingShape::kAgentNumbers;
}

at::Tensor AgentEncoderNet::position(const at::Tensor& numbers, LayerSink* sink) const {
    const std::int64_t cells = std::int64_t{m_width} * m_height;
    const at::Tensor x = numbers.select(1, 0);
    const at::Tensor y = numbers.select(1, 1);
    const at::Tensor isThere =
        x.ge(0).logical_and_(y.ge(0)).logical_and_(x.lt(m_width)).logical_and_(y.lt(m_height));
    // Who is nowhere stands at the cell behind the last, whose plane is empty.
    const at::Tensor cell =
        (y * m_width + x).to(at::kLong).masked_fill_(isThere.logical_not(), cells);
    const at::Tensor planes = at::eye(cells + 1, cells, numbers.options());
    if (m_isIdentity) return planes.index_select(0, cell);
    const bool isByCell = numbers.size(0) > cells;
    const at::Tensor shown = isByCell ? planes : planes.index_select(0, cell);
    const at::Tensor grid = shown.view({shown.size(0), 1, m_height, m_width});
    const auto ofRows = [&](const at::Tensor& all) {
        return isByCell ? all.index_select(0, cell) : all;
    };
    const at::Tensor first = rectified(m_convolution1(grid));
    const at::Tensor second = rectified(m_convolution2(first));
    at::Tensor features = ofRows(rectified(m_position(second.flatten(1))));
    if (sink != nullptr) {
        sink->take(m_name + ".conv1", ofRows(first));
        sink->take(m_name + ".conv2", ofRows(second));
        sink->take(m_name + ".position", features);
    }
    return features;
}

at::Tensor AgentEncoderNet::operator()(const at::Tensor& agents, const HumanPlaces& humans,
                                       LayerSink* sink) const {
    const std::int64_t numStates = agents.size(0);
    const std::int64_t numHumans = humans.slots.size(-1);
    const at::Tensor all = agents.view({numStates, m_numAgents, EncodingShape::kAgentNumbers});
    const at::Tensor slots = humans.slots.expand({numStates, numHumans});
    const at::Tensor numbers =
        all.gather(1, slots.unsqueeze(-1).expand({-1, -1, EncodingShape::kAgentNumbers}))
            .view({numStates * numHumans, EncodingShape::kAgentNumbers});
    const at::Tensor index = humans.agents.clamp_max(m_numIndices - 1)
                                 .expand({numStates, numHumans})
                                 .reshape({numStates * numHumans});
    const at::Tensor who = m_isIdentity
                               ? at::eye(m_numIndices, numbers.options()).index_select(0, index)
                               : m_embedding.index_select(0, index);
    const at::Tensor has = m_isIdentity ? numbers : rectified(m_numbers(numbers));
    const at::Tensor where = position(numbers, sink);
    if (!m_isIdentity) {
        told(sink, m_name, ".embedding", who);
        told(sink, m_name, ".numbers", has);
    }
    return at::cat({who, where, has}, 1).view({numStates, numHumans, size()});
}

}  // namespace orrery
