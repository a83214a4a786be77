#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dag/state_graph.h"
#include "core/grid/grid_world.h"

namespace orrery {

/// A configuration in the oracles' text form without its step: "AGENTS,MOBILE,MUTABLE,GROUND]", the
/// compact JSON array [t,agents,mobile,mutable,ground] after "[t,".
std::string canonicalConfiguration(const GridWorld& world,
                                   std::span<const std::uint64_t> configuration);

/// The states of a graph by their canonical texts. About 200 bytes a configuration.
/// Immutable; any thread may read it.
class CanonicalStates {
public:
    CanonicalStates(const GridWorld& world, const StateGraph& graph);

    std::string text(State state) const;
    /// The state with this canonical text, if it is in the graph at its step.
    std::optional<State> find(std::string_view text) const;
    /// SHA-256 (hex) of all states' texts, sorted and joined by newlines.
    std::string setHash() const;

private:
    const StateGraph& m_graph;
    std::vector<std::string> m_texts;   // [C] by configuration
    std::vector<ConfigIndex> m_byText;  // [C] sorted by text
};

}  // namespace orrery
