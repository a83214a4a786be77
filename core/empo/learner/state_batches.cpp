#include "core/empo/learner/state_batches.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace orrery {

StateBatcher::StateBatcher(std::shared_ptr<const ValueFacts> facts, StageClock* profile)
    : m_facts(std::move(facts)), m_profile(profile), m_gatherer(m_facts->worlds.front().shape) {
    if (m_facts->isUniform())
        m_batch.places = {m_facts->places.slots.select(0, 0), m_facts->places.agents.select(0, 0)};
}

const StateBatch& StateBatcher::make(std::span<const std::byte* const> states,
                                     std::span<const std::uint16_t> layouts,
                                     std::span<const StateRows::Row> rows,
                                     const QuantityNets* nets) {
    m_batch.size = std::ssize(states);
    m_batch.rows = rows;
    const at::Device device = m_facts->rectangles.device();
    if (nets || m_facts->spec.hasRnd()) {
        const InStage conversion(m_profile, ProfileStage::kConversion);
        m_batch.tensors = m_gatherer.gather(states).to(device);
    }
    if (nets) nets->prepare(m_batch.tensors);
    if (!m_facts->isUniform()) {
        m_layouts.assign(layouts.begin(), layouts.end());
        const at::Tensor index = asTensor(m_layouts, device, m_profile);
        m_batch.places = {m_facts->places.slots.index_select(0, index),
                          m_facts->places.agents.index_select(0, index)};
        m_batch.hasHuman = m_facts->hasHuman.index_select(0, index);
    }
    return m_batch;
}

NetSpec netSpecOf(const ValueFacts& facts) {
    const EmpoSpec& spec = facts.spec;
    NetSpec net;
    net.shape = facts.worlds.front().shape;
    net.planes = spec.has39Planes ? PlaneLayout::Seed : PlaneLayout::Whole;
    net.numRobotActions = facts.numRobotActions;
    for (const Quantity quantity : kQuantities)
        net.has[static_cast<std::size_t>(quantity)] =
            spec.of(quantity).kind == Approximator::Network;
    net.hiddenSize = spec.hiddenSize;
    net.dropout = spec.dropout;
    net.usesEncoders = spec.usesEncoders;
    switch (spec.ownEncoders) {
        case OwnEncoders::Own:
            net.encoders = NetSpec::Encoders::SharedAndOwn;
            break;
        case OwnEncoders::None:
            net.encoders = NetSpec::Encoders::Shared;
            break;
        case OwnEncoders::Attached:
            net.encoders = NetSpec::Encoders::SharedTrained;
            break;
    }
    net.usesZSpace = spec.usesZSpace;
    net.eta = spec.eta;
    net.xi = spec.xi;
    net.x_hHigh = facts.x_hHigh;
    return net;
}

}  // namespace orrery
