#include "tests/support/corridor/corridor_spec.h"

#include "core/spec/field_parts.h"

namespace orrery::test {

using enum NumberLimit;

namespace {

const SpecTable<CorridorNoise>& noiseFields() {
    static const SpecTable<CorridorNoise> kTable = [] {
        SpecTable<CorridorNoise> table;
        table.add(expert(numberField("size", "Size of the noise", AboveZero,
                                     "Targets are moved by less than it.")),
                  &CorridorNoise::size);
        return table;
    }();
    return kTable;
}

}  // namespace

const SpecTable<CorridorSpec>& corridorFields() {
    static const SpecTable<CorridorSpec> kTable = [] {
        SpecTable<CorridorSpec> table;
        table.add(plain(countField("num_training_steps", "Training steps", "steps", 1, kMostSteps,
                                   "Steps of the environment, each learned from at once.")),
                  &CorridorSpec::trainingSteps);
        table.add(structural(plain(countField("length", "Length", "cells", 2, 1000,
                                              "Cells of the corridor; the last one is the goal."))),
                  &CorridorSpec::length);
        table.add(live(numberField("learning_rate", "Learning rate", UnitOpenAtZero,
                                   "How far a value moves towards its target."),
                       "rate", {.low = 1e-3, .high = 1, .isLog = true}),
                  &CorridorSpec::learningRate);
        table.add(live(scheduleField("epsilon", "Exploration", Unit,
                                     "Share of steps in a random direction."),
                       "epsilon", {.low = 0, .high = 1}),
                  &CorridorSpec::epsilon);
        table.add(symbol(numberField("gamma", "Discount", UnitOpenAtZero,
                                     "What a reward is worth a step later.")),
                  &CorridorSpec::gamma);
        table.add(listField(countField("starts", "Starts", "", 0, 998,
                                       "Cells where episodes begin, in turn."),
                            1, 0),
                  &CorridorSpec::starts);
        table.includeOptional({.name = "noise",
                               .label = "Noise",
                               .isExpert = true,
                               .meaning = "Moves what is learned at random."},
                              noiseFields(), &CorridorSpec::noise);
        table.add(quiet(jsonField("labels", "Labels", "Whatever is kept with the run.")),
                  &CorridorSpec::labels);
        return table;
    }();
    return kTable;
}

std::vector<SpecProblem> corridorProblems(const CorridorSpec& spec) {
    std::vector<SpecProblem> problems;
    for (const std::int64_t start : spec.starts)
        if (start >= spec.length - 1) problems.push_back({"starts", "must lie before the goal"});
    if (spec.epsilon == Schedule(0) && spec.trainingSteps < spec.length)
        problems.push_back({"epsilon", "must be above 0 where there are so few steps"});
    return problems;
}

const SpecTable<CorridorJob>& corridorJobFields() {
    static const SpecTable<CorridorJob> kTable = [] {
        SpecTable<CorridorJob> table;
        table.include(corridorFields(), &CorridorJob::spec);
        table.include(
            trainSettingsFields(), [](auto& job) -> auto& { return job; });
        return table;
    }();
    return kTable;
}

}  // namespace orrery::test
