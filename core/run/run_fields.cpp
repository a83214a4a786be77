#include "core/run/run_fields.h"

#include "core/run/train_fields.h"
#include "core/solve/spec_fields.h"
#include "core/spec/field_parts.h"

namespace orrery {

namespace {

/// The spec's job, or a fresh one where the spec has another: fields then show their defaults.
template <typename Part>
const Part& partOf(const RunSpec& spec) {
    static const Part kFresh;
    const Part* part = std::get_if<Part>(&spec.job);
    return part == nullptr ? kFresh : *part;
}

template <typename Part>
Part& partOf(RunSpec& spec) {
    return std::get<Part>(spec.job);
}

template <typename Part>
SpecTable<RunSpec> fieldsOf(const SpecTable<Part>& table) {
    SpecTable<RunSpec> fields;
    fields.include(
        table, [](auto& spec) -> auto& { return partOf<Part>(spec); });
    return fields;
}

SpecTable<SolveJob> solveJobFields() {
    SpecTable<SolveJob> table;
    table.add(
        textField("world", "World", true, "World file, or builtin:NAME for one of the examples."),
        &SolveJob::world);
    table.add(expert(textField("world_text", "World text", false,
                               "Text of the world file, where it is not to be read from `world`.")),
              &SolveJob::worldText);
    table.add(quiet(flagField("lenient", "Accept unknown keys", true,
                              "Unknown keys of the world file are warnings, not errors.")),
              &SolveJob::lenient);
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

std::span<const RunField> runFields() {
    static const SpecTable<RunSpec> kTable = [] {
        SpecTable<RunSpec> table;
        table.add(textField("name", "Name", false, "A name for people; need not be unique."),
                  &RunSpec::name);
        table.add(textField("note", "Note", false, "Free text kept with the run."), &RunSpec::note);
        table.add(quiet(plain(countField("seed", "Seed", "", 0, 0x1p63 - 1024,
                                         "Seed of random numbers: those of rollouts of the run."))),
                  &RunSpec::seed);
        return table;
    }();
    return kTable.rows();
}

std::span<const RunField> solveFields() {
    static const SpecTable<RunSpec> kTable = fieldsOf(solveJobFields());
    return kTable.rows();
}

std::span<const RunField> trainFields() {
    static const SpecTable<RunSpec> kTable = fieldsOf(trainJobFields());
    return kTable.rows();
}

std::span<const RunField> jobFields(std::string_view kind) {
    if (kind == jobKinds()[0]) return solveFields();
    if (kind == jobKinds()[1]) return trainFields();
    return {};
}

const RunField* findField(std::string_view kind, std::string_view name) {
    for (const auto& fields : {runFields(), jobFields(kind)})
        for (const RunField& field : fields)
            if (field.name == name) return &field;
    return nullptr;
}

FieldValue fieldDefault(const RunField& field) {
    return field.get(RunSpec{});
}

}  // namespace orrery
