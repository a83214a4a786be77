#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/history/workspace.h"
#include "core/run/run_spec.h"
#include "core/solve/solution.h"

namespace orrery {

/// A field in which two specs differ, as fieldText writes values.
struct FieldDifference {
    std::string field;
    std::string a, b;
};

/// How far two tables of values are apart over all states.
struct ValueDifference {
    std::int64_t compared = 0;  ///< values
    std::int64_t unequal = 0;   ///< values that are not the same bit for bit
    double largest = 0;         ///< |a - b|
    double mean = 0;            ///< of |a - b|
    State where;                ///< of the largest
    int human = -1, goal = -1;  ///< of the largest; -1 for V_r
    double a = 0, b = 0;        ///< the two values there
};

/// What two trainings learned, by the tensors of their newest checkpoints.
struct LearnedDifference {
    std::int64_t stepA = 0, stepB = 0;
    std::vector<std::string> unequal = {};  ///< files whose bytes differ: "model.safetensors"

    bool same() const { return stepA == stepB && unequal.empty(); }
};

struct RunComparison {
    std::string a, b;  ///< ids
    /// Of their specs; the changes of two trainings are one field, "steering", listed or made live.
    std::vector<FieldDifference> fields;
    bool sameWorld = false;                    ///< the content hashes are equal, so the graphs are
    std::string whyNoValues;                   ///< why values were not compared; empty if they were
    std::optional<ValueDifference> v_r;        ///< none where a run solved phase 1 alone
    std::optional<ValueDifference> v_h_e;      ///< the same
    std::optional<ValueDifference> v_h;        ///< phase 1
    std::optional<LearnedDifference> learned;  ///< set if both are trainings with a checkpoint

    bool same() const;  ///< no field, no value and nothing learned differs
};

/// Fields of two specs that differ; `world_text` and `name`, `note` are not compared.
std::vector<FieldDifference> compareSpecs(const RunSpec& a, const RunSpec& b);

/// Values of two solutions on equal graphs.
/// @return nothing if stopped
std::optional<RunComparison> compareSolutions(const Solution& a, const Solution& b,
                                              std::stop_token stop = {},
                                              const ProgressSink& progress = {});

/// Compares two stored runs, each named as for HistoryReader::findRun.
/// @return nothing if stopped
/// @throws Error as reopenSolution; a run without values is no error (whyNoValues)
std::optional<RunComparison> compareRuns(const Workspace& workspace, const std::string& a,
                                         const std::string& b, std::stop_token stop = {},
                                         const ProgressSink& progress = {});

}  // namespace orrery
