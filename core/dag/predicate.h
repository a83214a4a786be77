#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/dag/state_graph.h"
#include "core/filter/filter_fields.h"
#include "core/filter/filter_tree.h"

namespace orrery {

/// What a filter of states (core/filter/read_filter.h) may ask: the variables of a world by their
/// names in World::variables(), `step`, agent.at(x,y) and agent.in(x1,y1,x2,y2). Any subject with
/// variables .x and .y will do for the latter.
FilterFields stateFields(const World& world);

/// A condition on states, such as "human0.at(3,2) and door0.open and step < 4".
class Predicate {
public:
    /// @throws FilterError "column 12: ..." with the nearest name where one is misspelt
    Predicate(const World& world, std::string_view text);

    /// A predicate that may also ask what is known of states elsewhere. Those fields are Real; each
    /// comparison with one is a truth that holds() is given.
    /// @param fields     stateFields(world) and those
    /// @param compared   receives these comparisons; at most 64
    Predicate(const World& world, std::string_view text, const FilterFields& fields,
              std::vector<FilterNode>& compared);

    /// @param values as World::valuate writes them
    /// @param truths  bit k: whether the k-th of `compared` holds
    bool holds(int step, std::span<const int> values, std::uint64_t truths = 0) const;

    const std::string& text() const { return m_text; }
    bool namesStep() const;  ///< the step may matter

    struct Program;

private:
    std::string m_text;
    std::shared_ptr<const Program> m_program;
};

/// All states of the graph for which the predicate holds, by step then index; at most `limit`.
/// The total is counted beyond the limit. Evaluated by `threads` threads; empty and total -1 if
/// stopped.
struct StateSet {
    std::vector<State> states;
    std::int64_t total = 0;
};
StateSet findStates(const StateGraph& graph, const Predicate& predicate, std::int64_t limit,
                    int threads, std::stop_token stop = {});

}  // namespace orrery
