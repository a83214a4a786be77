#include "core/run/train_job.h"

#include <limits>

#include "core/empo/spec_fields.h"
#include "core/run/steering.h"
#include "core/spec/field_parts.h"

namespace orrery {

namespace {

using enum NumberLimit;

/// "2000 lr_q_r=0.0005" for each.
SpecRow<TrainJob> changes() {
    return {expert(textsField("changes", "Changes", false,
                              "Changes while the run trains, each as \"STEP KEY=VALUE\": "
                              "how a steered run is repeated.")),
            [](const TrainJob& job) {
                std::vector<std::string> texts;
                for (const TrainChange& change : job.changes) texts.push_back(changeText(change));
                return valueOfTexts(texts);
            },
            [](TrainJob& job, const FieldValue& value) {
                job.changes.clear();
                // A text that is no change gets the key "", which validate() refuses.
                for (const std::string& text : textsOf(value))
                    job.changes.push_back(changeOf(text).value_or(
                        TrainChange{.step = -1, .value = text, .source = "spec"}));
            }};
}

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
    table.add(
        countField("stop_step", "Stop at step", "", 1, kMostSteps,
                   "Ends the run after so many training steps; schedules go by "
                   "num_training_steps all the same."),
        [](auto& j) -> auto& { return j.stop.step; });
    table.add(
        expert(numberField("stop_after", "Stop after seconds", AboveZero,
                           "Ends the run after so many seconds of training.")),
        [](auto& j) -> auto& { return j.stop.seconds; });
    table.add(
        expert(textField("stop_metric", "Stop by metric", true,
                         "The metric that stop_at_most, stop_at_least and stop_plateau look at.")),
        [](auto& j) -> auto& { return j.stop.metric; });
    SpecField most = expert(numberField("stop_at_most", "Stop at most", ZeroOrMore,
                                        "Ends the run when the metric is this or less."));
    most.low = -std::numeric_limits<double>::max();
    most.range = "a number";
    SpecField least = most;
    least.name = "stop_at_least";
    least.label = "Stop at least";
    least.meaning = "Ends the run when the metric is this or more.";
    table.add(
        std::move(most), [](auto& j) -> auto& { return j.stop.atMost; });
    table.add(
        std::move(least), [](auto& j) -> auto& { return j.stop.atLeast; });
    table.add(
        countField("stop_plateau", "Stop on a plateau", "steps", 1, kMostSteps,
                   "Ends the run when the metric has had no new minimum for so many steps."),
        [](auto& j) -> auto& { return j.stop.plateauSteps; });
    table.add(changes());
    table.add(expert(textField("from_run", "Begins with a run", false,
                               "Id of the run whose checkpoint this one begins with.")),
              &TrainJob::fromRun);
    table.add(countField("from_step", "Begins at step", "", 0, kMostSteps,
                         "Step of the checkpoint that this run begins with."),
              &TrainJob::fromStep);
    table.add(expert(quiet(textField(
                  "best_metric", "Best by metric", false,
                  "The curve whose least value makes a checkpoint the best, which is kept; "
                  "empty: the error to exact, else the sum of the losses."))),
              &TrainJob::bestMetric);
    table.add(expert(quiet(
                  textField("tensorboard_dir", "TensorBoard folder", false,
                            "Folder below which the curves are mirrored while the run trains, as "
                            "event files in a folder of the run; empty: nowhere."))),
              &TrainJob::tensorBoardFolder);
}

}  // namespace

const SpecTable<TrainJob>& trainJobFields() {
    static const SpecTable<TrainJob> kTable = [] {
        SpecTable<TrainJob> table;
        addWorld(table);
        table.include(empoFields(), &TrainJob::empo);
        addJob(table);
        return table;
    }();
    return kTable;
}

std::span<const RunField> trainFields() {
    static const SpecTable<RunSpec> kTable = fieldsOfJob(trainJobFields());
    return kTable.rows();
}

}  // namespace orrery
