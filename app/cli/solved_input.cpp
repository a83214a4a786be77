#include "app/cli/solved_input.h"

#include <algorithm>
#include <filesystem>

#include "app/cli/workspace_option.h"
#include "app/cli/world_input.h"
#include "core/base/error.h"
#include "core/base/thread_team.h"
#include "core/run/archive/reopen.h"
#include "core/run/builtin_worlds.h"
#include "core/run/jobs/solve_job.h"

namespace orrery {
namespace {

void refuseProblems(const RunSpec& spec, const World& world) {
    std::string text;
    const auto add = [&text](const std::string& field, const std::string& problem) {
        text += (text.empty() ? "" : "; ") + field + " " + problem;
    };
    for (const SpecProblem& problem : validate(spec)) add(problem.field, problem.text);
    if (text.empty())
        for (const SpecProblem& problem : validate(spec.job.as<SolveJob>().solve, world))
            add(problem.field, problem.text);
    if (!text.empty()) throw Error(text + ".", Error::Kind::BadInput);
}

std::optional<Solved> solveWorld(const SolvedChoice& choice, VerbContext& context, int& status) {
    RunSpec spec;
    SolveJob& job = spec.job.as<SolveJob>();
    job.world = worldRefOf(choice.target);
    applyAll({&choice.fields}, spec);
    const auto world = loadWorld(job.world, context.console);
    if (!world) {
        status = 2;
        return std::nullopt;
    }
    refuseProblems(spec, *world);
    spec.seed = world->episodeSeed();
    const SolveSpec solveSpec = effectiveSolveSpec(spec);
    const ProgressSink progress = context.console.progressSink();
    const auto graph = explore(world,
                               {.threads = solveSpec.threads,
                                .memoryBudget = solveSpec.memoryBudget,
                                .unrolled = job.unrolled},
                               context.stop, progress);
    SolveHooks hooks;
    hooks.progress = progress;
    auto solution = graph ? solve(graph, solveSpec, hooks, context.stop) : nullptr;
    context.console.endProgress();
    if (!solution) {
        status = kStopped;
        return std::nullopt;
    }
    return Solved{.name = world->name(), .solution = std::move(solution)};
}

}  // namespace

void addSolvedOptions(Verb& verb, SolvedChoice& choice) {
    verb.option("RUN", &choice.target,
                "Id, number or name of a run, or a world, which is then solved first",
                {.isRequired = true});
    addWorkspaceOption(verb, choice.workspace);
    choice.fields.declare(verb, solveFields(),
                          {"lenient", "unrolled", "beta_h", "gamma_h", "rho_h", "optimistic", "nu",
                           "beta_r", "gamma_r", "rho_r", "zeta", "xi", "eta", "terminal_v_r",
                           "x_h_floor", "storage", "threads", "memory"});
}

SolveSpec effectiveSolveSpec(const RunSpec& spec) {
    SolveSpec solveSpec = spec.job.as<SolveJob>().solve;
    solveSpec.seed = spec.seed;
    if (solveSpec.threads == 0) solveSpec.threads = processorCount();
    return solveSpec;
}

std::optional<Solved> obtainSolution(const SolvedChoice& choice, VerbContext& context,
                                     int& status) {
    if (isWorld(choice.target)) return solveWorld(choice, context, status);
    const auto workspace = openForReading(choice.workspace, context.console);
    auto reopened =
        reopenSolution(*workspace, choice.target, context.stop, context.console.progressSink());
    context.console.endProgress();
    if (!reopened) {
        status = kStopped;
        return std::nullopt;
    }
    return Solved{.name = reopened->record.id, .solution = reopened->solution};
}

}  // namespace orrery
