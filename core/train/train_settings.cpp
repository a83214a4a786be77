#include "core/train/train_settings.h"

#include <limits>

#include "core/base/text.h"
#include "core/spec/field_parts.h"

namespace orrery {

namespace {

using enum NumberLimit;

using SettingsTable = SpecTable<TrainSettings>;

/// "2000 lr_q_r=0.0005" for each.
SpecRow<TrainSettings> changes() {
    return {expert(textsField("changes", "Changes", false,
                              "Changes while the run trains, each as \"STEP KEY=VALUE\": "
                              "how a steered run is repeated.")),
            [](const TrainSettings& settings) {
                std::vector<std::string> texts;
                for (const TrainChange& change : settings.changes)
                    texts.push_back(changeText(change));
                return valueOfTexts(texts);
            },
            [](TrainSettings& settings, const FieldValue& value) {
                settings.changes.clear();
                // A text that is no change gets the key "", which validate() refuses.
                for (const std::string& text : textsOf(value))
                    settings.changes.push_back(changeOf(text).value_or(
                        TrainChange{.step = -1, .value = text, .source = "spec"}));
            }};
}

void addCadence(SettingsTable& table) {
    table.add(
        quiet(countField("metric_interval", "Steps a point", "steps", 1, kMostSteps,
                         "Training steps between two points of the curves.")),
        [](auto& s) -> auto& { return s.cadence.metricInterval; });
    table.add(
        expert(quiet(
            numberField("checkpoint_seconds", "Seconds a checkpoint", ZeroOrMore,
                        "Seconds between two checkpoints; the first is made within 10 s, and one "
                        "at the end of each stage. Where writing one takes over 1 s, the time "
                        "between two grows until they take 2 % of it. 0: by steps alone."))),
        [](auto& s) -> auto& { return s.cadence.checkpointSeconds; });
    table.add(
        alsoNamed({"checkpoint_interval"},
                  quiet(countField("checkpoint_steps", "Steps a checkpoint", "steps", 0, kMostSteps,
                                   "Training steps between two checkpoints; 0: by time "
                                   "alone."))),
        [](auto& s) -> auto& { return s.cadence.checkpointSteps; });
    table.add(quiet(countField("kept_checkpoints", "Kept checkpoints", "", 1, 1e6,
                               "Checkpoints that are kept, the newest first.")),
              &TrainSettings::keptCheckpoints);
}

void addStops(SettingsTable& table) {
    table.add(
        countField("stop_step", "Stop at step", "", 1, kMostSteps,
                   "Ends the run after so many training steps; schedules go by the method's "
                   "number of steps all the same."),
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
                   "Ends the run when the metric has had no new minimum (where best_goal is most: "
                   "no new maximum) for so many steps."),
        [](auto& j) -> auto& { return j.stop.plateauSteps; });
}

void addOrigin(SettingsTable& table) {
    table.add(changes());
    table.add(expert(textField("from_run", "Begins with a run", false,
                               "Id of the run whose checkpoint this one begins with.")),
              &TrainSettings::fromRun);
    table.add(countField("from_step", "Begins at step", "", 0, kMostSteps,
                         "Step of the checkpoint that this run begins with."),
              &TrainSettings::fromStep);
    table.add(expert(quiet(textField(
                  "best_metric", "Best by metric", false,
                  "The curve whose best value makes a checkpoint the best, which is kept; empty: "
                  "the method's own measure, for learned planning the error to exact, else the "
                  "sum of the losses."))),
              &TrainSettings::bestMetric);
    table.add(expert(quiet(choiceField("best_goal", "Best is", {"least", "most"},
                                       "What is better of best_metric, and of the metric that "
                                       "stop_plateau looks at."))),
              &TrainSettings::goal);
    table.add(quiet(countField("memory", "Memory", "bytes", 0, 0x1p60,
                               "Memory that the training may take: one that may come to hold more "
                               "is refused with the numbers, one that does ends. 0: 70 % of what "
                               "is free.")),
              &TrainSettings::memoryBudget);
    table.add(expert(quiet(
                  textField("tensorboard_dir", "TensorBoard folder", false,
                            "Folder below which the curves are mirrored while the run trains, as "
                            "event files in a folder of the run; empty: nowhere."))),
              &TrainSettings::tensorBoardFolder);
}

}  // namespace

const SpecTable<TrainSettings>& trainSettingsFields() {
    static const SettingsTable kTable = [] {
        SettingsTable table;
        addCadence(table);
        addStops(table);
        addOrigin(table);
        return table;
    }();
    return kTable;
}

std::string changeText(const TrainChange& change) {
    return std::to_string(change.step) + " " + change.key + "=" + change.value;
}

std::optional<TrainChange> changeOf(std::string_view text) {
    const std::size_t space = text.find(' ');
    const std::size_t equals = text.find('=');
    if (space == std::string_view::npos || equals == std::string_view::npos || equals < space + 2)
        return std::nullopt;
    const auto step = parseInt(text.substr(0, space));
    if (!step || *step < 0) return std::nullopt;
    return TrainChange{.step = *step,
                       .key = std::string(text.substr(space + 1, equals - space - 1)),
                       .value = std::string(text.substr(equals + 1)),
                       .source = "spec"};
}

}  // namespace orrery
