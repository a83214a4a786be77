#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/spec/spec_table.h"
#include "core/train/steering.h"
#include "core/train/stop_conditions.h"
#include "core/train/train.h"

namespace orrery {

/// What the settings of a run have, whatever method it trains by.
struct TrainSettings {
    TrainCadence cadence = {};
    int keptCheckpoints = 3;   ///< >= 1: the newest, beside the best
    StopConditions stop = {};  ///< beside the method's number of steps
    /// Made while the run trains, ascending by step: how a steered run is repeated.
    std::vector<TrainChange> changes = {};
    std::string fromRun = {};  ///< id of the run whose checkpoint this one begins with; empty: none
    std::int64_t fromStep = 0;    ///< of that checkpoint
    std::string bestMetric = {};  ///< the curve that says which checkpoint is the best; empty: the
                                  ///< method's own measure
    MetricGoal goal = MetricGoal::Least;  ///< of that curve, and of the one of stop_plateau
    std::int64_t memoryBudget = 0;        ///< bytes that it may take; 0: 70 % of what is free
    std::string tensorBoardFolder = {};   ///< curves are mirrored below it; empty: they are not

    bool operator==(const TrainSettings&) const = default;
};

/// Their fields.
const SpecTable<TrainSettings>& trainSettingsFields();

/// "2000 lr_q_r=0.0005", as a spec's `changes` lists it; and back, with the source "spec".
std::string changeText(const TrainChange& change);
std::optional<TrainChange> changeOf(std::string_view text);

}  // namespace orrery
