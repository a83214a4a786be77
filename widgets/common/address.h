#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// What a text address names: "orrery:run/r00012/t6/s1204/goal/0.1". Members that it leaves out are
/// empty. Parts are separated by "/" and may stand in any order:
///
/// | part | names |
/// |---|---|
/// | run/ID | a run |
/// | t6 | a step |
/// | s1204, or k1f-a0 | the state of that step by its number in the graph, or by its words in hex |
/// | level/6 | a level, where it is not that of the step |
/// | action/12 | a joint action, as an action profile index |
/// | agent/0, human/0, goal/0.1, cell/3.2 | an agent, a human, a human's goal, a cell x.y |
/// | env/2, entity/0.7 | one of several environments, a thing of one: environment.index |
/// | runs/ID,ID; states/t6.s1,t6.k1f; steps/1,2; levels/..; actions/..; agents/..; humans/..; |
/// | goals/0.1,1.0; cells/3.2,4.2; envs/0,2; entities/0.7,0.8 | sets of the same |
/// | where/TEXT | the set of states for which a predicate holds, percent-encoded |
struct Address {
    using Pair = std::array<int, 2>;

    /// A state of a set.
    struct State {
        int step = 0;
        std::int64_t index = -1;           ///< in the graph; -1: `words` names it
        std::vector<std::uint64_t> words;  ///< its configuration
        bool operator==(const State&) const = default;
    };

    std::string run;
    int step = -1;
    std::int64_t stateIndex = -1;  ///< -1: `words` names the state, if it is not empty
    std::vector<std::uint64_t> words;
    std::optional<int> level, agent, human, env;
    std::optional<std::uint32_t> action;
    std::optional<Pair> goal;    ///< human, goal
    std::optional<Pair> cell;    ///< x, y
    std::optional<Pair> entity;  ///< environment, index

    std::vector<std::string> runs;
    std::vector<State> states;
    std::string where;  ///< the predicate that stands for a set of states
    std::vector<int> steps, levels, agents, humans, envs;
    std::vector<std::uint32_t> actions;
    std::vector<Pair> goals, cells, entities;

    bool hasState() const { return stateIndex >= 0 || !words.empty(); }
    bool operator==(const Address&) const = default;
};

/// The address as text; "orrery:" if it names nothing.
std::string addressText(const Address& address);

/// Reads an address; nothing if the text is none or names nothing.
std::optional<Address> parseAddress(std::string_view text);

}  // namespace orrery
