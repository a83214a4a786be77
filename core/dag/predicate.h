#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/dag/state_graph.h"

namespace orrery {

/// A condition on states, such as "human0.at(3,2) and door0.open and step < 4".
///
/// Grammar: or / and / not (also || && !), comparisons = == != < <= > >= between a variable, `step`
/// or an integer; a truth-valued variable alone; agent.at(x,y), agent.in(x1,y1,x2,y2); parentheses;
/// true, false. Names are those of World::variables().
class Predicate {
public:
    /// @throws Error (BadInput) "column 12: ..." with the nearest name where one is misspelt
    Predicate(const World& world, std::string_view text);

    /// @param values as World::valuate writes them
    bool holds(int step, std::span<const int> values) const;

    const std::string& text() const { return m_text; }

    struct Program;  ///< predicate_program.h

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
