#pragma once

#include <cstdint>
#include <span>

#include "core/env/environment.h"

namespace orrery {

/// Writes an observation of things by the indices of its spaces; a warm one allocates nothing.
/// Types are written in the order of the spaces, then what can be done. What is not written is
/// empty.
class FrameWriter {
public:
    /// @param out  of the spaces; what it holds goes
    FrameWriter(const EnvironmentSpaces& spaces, Observation& out);

    /// Things of a type. @return [count x features] to be written
    std::span<float> things(std::size_t type, std::int64_t count);
    /// An array, such as global features. @return to be written
    std::span<float> array(std::size_t part);
    /// Which of the things just written are seen. @return [count] to be written
    std::span<std::uint8_t> visible(std::size_t type);

    /// The index of the first thing of a type among all, once those before it are written.
    std::int64_t first(std::size_t type) const;
    std::int64_t count(std::size_t type) const { return m_out.parts[type].begins[0][1]; }

    /// Lets things that follow each other act.
    void addActors(std::size_t action, std::int64_t firstThing, std::int64_t numThings);
    /// Lets them be selected.
    void addCandidates(std::size_t action, std::int64_t firstThing, std::int64_t numThings);
    void addCandidate(std::size_t action, std::int64_t thing) { addCandidates(action, thing, 1); }
    /// What the environment tells next, in the order of the spaces' metrics.
    void tell(double metric) { m_out.metrics.push_back(metric); }
    /// What each of the actors may do, all actors and candidates being written.
    /// @return [actors, or 1 x choices or candidates] to be written
    std::span<std::uint8_t> allowed(std::size_t action);

private:
    const EnvironmentSpaces& m_spaces;
    Observation& m_out;
};

}  // namespace orrery
