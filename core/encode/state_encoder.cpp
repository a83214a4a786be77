#include "core/encode/state_encoder.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/encode/agent_order.h"

namespace orrery {

EncodingShape shapeOf(const World& world, EncodingRules rules) {
    EncodingShape shape{
        .width = world.width(), .height = world.height(), .numAgents = world.numAgents()};
    const WorldEncoding* const encoding = world.encoding();
    if (rules == EncodingRules::Whole && encoding != nullptr && encoding->addNeeds != nullptr)
        encoding->addNeeds(world, shape);
    return shape;
}

EncodingShape shapeCovering(std::span<const std::shared_ptr<const World>> worlds,
                            EncodingRules rules) {
    EncodingShape shape;
    for (const auto& world : worlds) {
        const EncodingShape own = shapeOf(*world, rules);
        for (int EncodingShape::*size :
             {&EncodingShape::width, &EncodingShape::height, &EncodingShape::numAgents,
              &EncodingShape::coloredThings, &EncodingShape::morePauseSwitches,
              &EncodingShape::moreControlButtons})
            shape.*size = std::max(shape.*size, own.*size);
    }
    return shape;
}

std::vector<int> encodedAgentOrder(const World& world) {
    std::vector<int> order(static_cast<std::size_t>(world.numAgents()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::ranges::stable_sort(order, {}, [&](int agent) {
        return std::string(colorName(world.agents()[static_cast<std::size_t>(agent)].color));
    });
    return order;
}

std::vector<std::string> notEncoded(const World& world) {
    const WorldEncoding* const encoding = world.encoding();
    if (encoding == nullptr || encoding->notEncoded == nullptr) return {};
    return encoding->notEncoded(world);
}

StateEncoder::StateEncoder(const World& world, const EncoderOptions& options)
    : m_shape(options.shape),
      m_includesStepCount(options.includesStepCount),
      m_maxSteps(world.maxSteps()) {
    if (m_shape == EncodingShape{})
        m_shape =
            shapeOf(world, options.hidesWhatIsUnder ? EncodingRules::Former : EncodingRules::Whole);
    if (m_shape.width < world.width() || m_shape.height < world.height() ||
        m_shape.numAgents < world.numAgents())
        throw Error("'" + world.name() + "' does not fit into an encoding of " +
                        std::to_string(m_shape.width) + " x " + std::to_string(m_shape.height) +
                        " cells and " + std::to_string(m_shape.numAgents) + " agents: it has " +
                        std::to_string(world.width()) + " x " + std::to_string(world.height()) +
                        " and " + std::to_string(world.numAgents()) + ".",
                    Error::Kind::BadInput);
    if (world.encoding() == nullptr)
        throw Error("'" + world.name() + "' is of a family that has no encoding.",
                    Error::Kind::BadInput);
    m_family = world.encoding()->make(world, options.hidesWhatIsUnder);
    m_empty.resize(m_shape.bytes());
    const CompactParts<std::byte> empty = partsOf(m_shape, std::span(m_empty));
    std::ranges::fill(empty.cells, CellBits{.type = kWallPlane}.packed());
    for (std::size_t i = 0; i < empty.agents.size(); i += EncodingShape::kAgentNumbers)
        for (const std::size_t absent : {0, 1, 8, 9, 12}) empty.agents[i + absent] = -1;
}

StateEncoder::~StateEncoder() = default;

void StateEncoder::encode(std::span<const std::uint64_t> configuration, int step,
                          std::span<std::byte> out) {
    std::ranges::copy(m_empty, out.begin());
    const CompactParts<std::byte> parts = partsOf(m_shape, out);
    m_family->encode(configuration, m_shape, parts);
    parts.globals[0] = m_includesStepCount ? static_cast<float>(m_maxSteps - step) : 0.0F;
}

}  // namespace orrery
