#include "tests/support/corridor/corridor_spec.h"

#include "core/spec/field_parts.h"

namespace orrery::test {

using enum NumberLimit;

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
        table.add(live(numberField("epsilon", "Exploration", Unit,
                                   "Share of steps in a random direction."),
                       "epsilon", {.low = 0, .high = 1}),
                  &CorridorSpec::epsilon);
        table.add(symbol(numberField("gamma", "Discount", UnitOpenAtZero,
                                     "What a reward is worth a step later.")),
                  &CorridorSpec::gamma);
        return table;
    }();
    return kTable;
}

std::vector<SpecProblem> corridorProblems(const CorridorSpec& spec) {
    std::vector<SpecProblem> problems;
    if (spec.epsilon == 0 && spec.trainingSteps < spec.length)
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
