#include "core/run/jobs/solve_job.h"
#include "core/solve/spec_fields.h"
#include "core/spec/field_parts.h"

namespace orrery {

namespace {

SpecTable<SolveJob> solveJobFields() {
    SpecTable<SolveJob> table;
    table.add(
        textField("world", "World", true, "World file, or builtin:NAME for one of the examples."),
        [](auto& j) -> auto& { return j.world.name; });
    table.add(
        expert(textField("world_text", "World text", false,
                         "Text of the world file, where it is not to be read from `world`.")),
        [](auto& j) -> auto& { return j.world.text; });
    table.add(
        quiet(flagField("lenient", "Accept unknown keys", true,
                        "Unknown keys of the world file are warnings, not errors.")),
        [](auto& j) -> auto& { return j.world.lenient; });
    table.add(quiet(flagField("unrolled", "Unrolled graph", true,
                              "Explore (step, configuration) pairs even if folding is possible.")),
              &SolveJob::unrolled);
    table.include(solveSpecFields(), &SolveJob::solve);
    table.add(
        quiet(countField("episodes", "Sampled episodes", "episodes", 0, 1e6,
                         "Episodes sampled from the solved policies with the run's seed; each "
                         "leaves the share of humans that attained their goal and when.")),
        &SolveJob::episodes);
    table.add(quiet(flagField("save_values", "Keep the values", true,
                              "Write solution.bin, so that the run can be reopened.")),
              &SolveJob::saveValues);
    table.add(
        quiet(flagField("save_graph", "Keep the graph", true,
                        "Keep the state graph in the workspace, for other solves of this world.")),
        &SolveJob::saveGraph);
    return table;
}

}  // namespace

std::span<const RunField> solveFields() {
    static const SpecTable<RunSpec> kTable = fieldsOfJob(solveJobFields());
    return kTable.rows();
}

}  // namespace orrery
