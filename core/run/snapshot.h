#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/progress.h"
#include "core/base/run_state.h"
#include "core/dag/state_graph.h"
#include "core/solve/solution.h"
#include "core/trace/stage_spans.h"
#include "core/train/steering.h"
#include "core/train/train_trouble.h"
#include "core/train/training_snapshot.h"
#include "core/world/world.h"

namespace orrery {

/// How far a solve is. Pointers are null as long as the thing does not exist.
struct SolveSnapshot {
    std::shared_ptr<const World> world;
    std::shared_ptr<const StateGraph> graph;
    std::shared_ptr<const Solution> solution;    ///< null until both phases are done
    std::vector<std::string> warnings;           ///< of the world file and the world
    std::vector<std::int64_t> levelStates;       ///< [L] states of each step, once explored
    std::vector<SolveStatistics::Level> levels;  ///< solved so far, last step first
    GraphCounts counts;
    std::shared_ptr<const SpanTimeline> timeline;  ///< what the threads did so far
    bool graphWasKept = false;  ///< the graph was opened or taken over, not explored
};

/// A checkpoint that a run can be resumed from.
struct KeptCheckpoint {
    std::int64_t step = 0;
    std::uint64_t bytes = 0;  ///< of all its files
};

/// How far a training is.
struct TrainSnapshot {
    std::vector<std::shared_ptr<const World>> worlds;
    std::vector<std::string> warnings;  ///< of the world files and the worlds
    /// [worlds] null where a world was not solved exactly
    std::vector<std::shared_ptr<const Solution>> exact;
    std::shared_ptr<const TrainingSnapshot> training;  ///< null until the learner has begun
    std::vector<AppliedChange> changes;                ///< oldest first, refused ones too
    std::vector<KeptCheckpoint> checkpoints;  ///< oldest first, once their rows are durable
    std::optional<TrainTrouble> trouble;      ///< of the newest step that was skipped
    std::string profile;                      ///< the newest printed profile; empty: none
};

/// A solve, a training by any method, or a run that shows nothing beside its progress.
using JobSnapshot = std::variant<SolveSnapshot, TrainSnapshot, std::monostate>;

/// A run at one moment. Immutable; anyone may keep it.
struct RunSnapshot {
    std::string id;  ///< empty: no workspace, or not stored yet
    RunState state = RunState::Queued;
    Progress progress;
    double seconds = 0;   ///< since the start, pauses included
    std::string trouble;  ///< what, where, what to do, if Failed, Blocked, or Stopped with a loss
    JobSnapshot job;
};

}  // namespace orrery
