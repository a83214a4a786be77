#include "core/run/jobs/train_job.h"

#include "core/empo/spec_fields.h"
#include "core/spec/field_parts.h"

namespace orrery {

namespace {

void addWorld(SpecTable<TrainJob>& table) {
    table.add(
        structural(textsField("world", "World", true,
                              "World file, or builtin:NAME for one of the examples; a list to "
                              "learn in several worlds at once.")),
        &TrainJob::worlds);
    table.add(structural(expert(textsField(
                  "world_text", "World text", false,
                  "Texts of the world files, where they are not to be read from `world`."))),
              &TrainJob::worldTexts);
    table.add(quiet(flagField("lenient", "Accept unknown keys", true,
                              "Unknown keys of the world file are warnings, not errors.")),
              &TrainJob::lenient);
}

void addJob(SpecTable<TrainJob>& table) {
    table.add(
        countField("exact_states", "Solved exactly up to", "states", 0, 1e9,
                   "Worlds with at most so many states are solved exactly first, for the humans' "
                   "policies and to measure errors; 0: none."),
        &TrainJob::exactStates);
}

}  // namespace

const SpecTable<TrainJob>& trainJobFields() {
    static const SpecTable<TrainJob> kTable = [] {
        SpecTable<TrainJob> table;
        addWorld(table);
        table.include(empoFields(), &TrainJob::empo);
        addJob(table);
        table.include(
            trainSettingsFields(), [](auto& job) -> auto& { return job; });
        return table;
    }();
    return kTable;
}

std::span<const RunField> trainFields() {
    static const SpecTable<RunSpec> kTable = fieldsOfJob(trainJobFields());
    return kTable.rows();
}

}  // namespace orrery
