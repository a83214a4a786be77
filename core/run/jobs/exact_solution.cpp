#include "core/run/jobs/exact_solution.h"

#include "core/base/error.h"
#include "core/base/thread_team.h"
#include "core/dag/state_graph.h"

namespace orrery {

namespace {

/// Of a human without a reachable goal: far below every X_h that matters.
constexpr double kLeastX = 1e-10;

}  // namespace

SolveSpec exactSpecOf(const EmpoSpec& spec) {
    SolveSpec solve;
    static_cast<Theory&>(solve) = static_cast<const Theory&>(spec);
    solve.gamma_h = spec.gamma_h;
    solve.gamma_r = spec.gamma_r;
    solve.x_h_floor = kLeastX;
    solve.seed = spec.seed;
    return solve;
}

ExactSolution exactSolutionOf(std::shared_ptr<const World> world, const EmpoSpec& spec,
                              std::int64_t maxStates, const std::stop_token& stop,
                              const ProgressSink& progress) {
    if (maxStates <= 0) return {nullptr, "exact_states is 0"};
    const std::string tooLarge = "it has more than " + std::to_string(maxStates) + " states";
    try {
        // Each configuration is at least one state.
        const auto graph =
            explore(std::move(world), {.threads = processorCount(), .maxConfigs = maxStates}, stop,
                    progress);
        if (stop.stop_requested()) return {};
        if (!graph || graph->counts().states > maxStates) return {nullptr, tooLarge};
        SolveHooks hooks;
        hooks.progress = progress;
        return {solve(graph, exactSpecOf(spec), hooks, stop), {}};
    } catch (const Error& e) {
        return {nullptr, e.what()};
    }
}

ExactSolution solvedAgain(const Solution& former, const EmpoSpec& spec, const std::stop_token& stop,
                          const ProgressSink& progress) {
    try {
        SolveHooks hooks;
        hooks.progress = progress;
        return {solve(former.graphPointer(), exactSpecOf(spec), hooks, stop), {}};
    } catch (const Error& e) {
        return {nullptr, e.what()};
    }
}

}  // namespace orrery
