#include "core/entity/frame_writer.h"

#include <cassert>
#include <numeric>

namespace orrery {

namespace {

void appendRange(std::vector<std::int64_t>& out, std::int64_t first, std::int64_t count) {
    const auto size = std::ssize(out);
    out.resize(static_cast<std::size_t>(size + count));
    std::iota(out.begin() + size, out.end(), first);
}

}  // namespace

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
        if (part.begins.size() != 1) part.begins.resize(1);
        if (part.begins[0].size() != 2) part.begins[0].resize(2);
        part.begins[0][0] = part.begins[0][1] = 0;
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

std::int64_t FrameWriter::first(std::size_t type) const {
    std::int64_t first = 0;
    for (std::size_t i = 0; i < type; ++i)
        if (m_spaces.observations[i].kind == ObservedSpace::Kind::Entities) first += count(i);
    return first;
}

void FrameWriter::addActors(std::size_t action, std::int64_t firstThing, std::int64_t numThings) {
    appendRange(m_out.offers[action].actors, firstThing, numThings);
}

void FrameWriter::addCandidates(std::size_t action, std::int64_t firstThing,
                                std::int64_t numThings) {
    appendRange(m_out.offers[action].candidates, firstThing, numThings);
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
