#include "widgets/dag/edge_rule.h"

#include "core/solve/solution.h"

namespace orrery {

EdgesOf edgesOf(const std::shared_ptr<const Solution>& solution, EdgeRule rule,
                ActionProfileIndex profile) {
    const StateGraph& graph = solution->graph();
    if (rule == EdgeRule::JointAction)
        return [solution, edges = edgesUnder(graph, profile)](State s) { return edges(s); };
    if (rule == EdgeRule::AnyAction || solution->spec().phase1Only)
        return [solution, edges = edgesUnderAny(graph)](State s) { return edges(s); };
    return [solution](State state) {
        std::vector<WeightedState> edges;
        for (const Successor& next : solution->inducedChain(state))
            if (next.probability > 0) edges.push_back({next.state, next.probability});
        return edges;
    };
}

}  // namespace orrery
