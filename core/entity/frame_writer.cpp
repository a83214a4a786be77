#include "core/entity/frame_writer.h"

#include <cassert>

namespace orrery {

FrameWriter::FrameWriter(const EnvironmentSpaces& spaces, Observation& out)
    : m_spaces(spaces), m_out(out) {
    out.parts.resize(spaces.observations.size());
    out.offers.resize(spaces.actions.size());
    out.metrics.clear();
    for (std::size_t i = 0; i < out.parts.size(); ++i) {
        ObservedPart& part = out.parts[i];
        part.values.clear();
        part.visible.clear();
        if (spaces.observations[i].kind != ObservedSpace::Kind::Entities) continue;
        part.begins.resize(1);
        part.begins[0].assign(2, 0);
    }
    for (ActionOffer& offer : out.offers) {
        offer.actors.clear();
        offer.candidates.clear();
        offer.allowed.clear();
    }
}

std::span<float> FrameWriter::things(std::size_t type, std::int64_t count) {
    assert(m_spaces.observations[type].kind == ObservedSpace::Kind::Entities);
    ObservedPart& part = m_out.parts[type];
    part.begins[0][1] = count;
    part.values.resize(static_cast<std::size_t>(count) *
                       m_spaces.observations[type].features.size());
    return part.values;
}

std::span<float> FrameWriter::array(std::size_t part) {
    assert(m_spaces.observations[part].kind == ObservedSpace::Kind::Array);
    m_out.parts[part].values.resize(
        static_cast<std::size_t>(m_spaces.observations[part].numbersEach()));
    return m_out.parts[part].values;
}

std::span<std::uint8_t> FrameWriter::visible(std::size_t type) {
    m_out.parts[type].visible.resize(static_cast<std::size_t>(count(type)));
    return m_out.parts[type].visible;
}

std::int64_t FrameWriter::count(std::size_t type) const {
    return m_out.parts[type].begins[0][1];
}

std::int64_t FrameWriter::first(std::size_t type) const {
    std::int64_t first = 0;
    for (std::size_t i = 0; i < type; ++i)
        if (m_spaces.observations[i].kind == ObservedSpace::Kind::Entities) first += count(i);
    return first;
}

void FrameWriter::addActors(std::size_t action, std::int64_t firstThing, std::int64_t numThings) {
    std::vector<std::int64_t>& actors = m_out.offers[action].actors;
    for (std::int64_t i = 0; i < numThings; ++i) actors.push_back(firstThing + i);
}

void FrameWriter::addCandidates(std::size_t action, std::int64_t firstThing,
                                std::int64_t numThings) {
    std::vector<std::int64_t>& candidates = m_out.offers[action].candidates;
    for (std::int64_t i = 0; i < numThings; ++i) candidates.push_back(firstThing + i);
}

std::span<std::uint8_t> FrameWriter::allowed(std::size_t action) {
    const ActionSpace& space = m_spaces.actions[action];
    ActionOffer& offer = m_out.offers[action];
    const std::size_t deciders = space.isOfActors ? offer.actors.size() : 1,
                      options = space.kind == ActionSpace::Kind::Select ? offer.candidates.size()
                                                                        : space.choices.size();
    offer.allowed.resize(deciders * options);
    return offer.allowed;
}

}  // namespace orrery
