#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/train/metric_value.h"

namespace orrery {

/// What is asked about a checkpoint.
struct EvaluationWish {
    std::int64_t episodes = 100;  ///< sampled from what was learned
    bool isGreedy = false;        ///< by the likeliest choices; else choices are drawn
    std::optional<std::int64_t> exactStates =
        {};  ///< solve exactly up to so many; none: the spec's
};

/// What a checkpoint is worth, as its kind of trainings measures it.
struct RunEvaluation {
    using Cell = std::variant<std::string, std::int64_t, double>;
    struct Column {
        std::string title;
        bool isNumber = false;
    };
    /// For people: a sentence and a table below it, either may be empty.
    struct Part {
        std::string line = {};
        std::vector<Column> columns = {};
        std::vector<std::vector<Cell>> rows = {};
    };
    std::vector<Part> parts = {};
    std::string json = "{}";                ///< an object, for programs
    std::vector<MetricValue> metrics = {};  ///< points of the run's curves at that step
};

}  // namespace orrery
