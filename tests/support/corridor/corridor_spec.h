#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/spec/problem.h"
#include "core/spec/schedule.h"
#include "core/spec/spec_table.h"
#include "core/train/train_settings.h"

// A method that is no part of the program: tabular Q-learning in a corridor. It is added by the
// lists alone, as core/README.md says, and shows that they are enough.

namespace orrery::test {

/// Moves each target by a number within it, evenly drawn.
struct CorridorNoise {
    double size = 0.1;  ///< size: > 0
    bool operator==(const CorridorNoise&) const = default;
};

struct CorridorSpec {
    std::int64_t trainingSteps = 20'000;     ///< num_training_steps: >= 1, steps of the environment
    int length = 10;                         ///< length: [2, 1000] cells
    double learningRate = 0.1;               ///< learning_rate: (0, 1]
    Schedule epsilon = 0.2;                  ///< epsilon: [0, 1], exploration
    double gamma = 0.9;                      ///< gamma: (0, 1]
    std::vector<std::int64_t> starts = {0};  ///< starts: cells where episodes begin, in turn
    std::optional<CorridorNoise> noise = {};  ///< noise: of what is learned; none: none
    FieldValue labels = {};                   ///< labels: whatever a person keeps with the run
    std::uint64_t seed = 0;
    bool operator==(const CorridorSpec&) const = default;
};

const SpecTable<CorridorSpec>& corridorFields();

/// What is wrong beyond the ranges of single fields.
std::vector<SpecProblem> corridorProblems(const CorridorSpec& spec);

/// The settings of a run.
struct CorridorJob : TrainSettings {
    CorridorSpec spec = {};
    bool operator==(const CorridorJob&) const = default;
};

const SpecTable<CorridorJob>& corridorJobFields();

}  // namespace orrery::test
