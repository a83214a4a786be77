#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/empo/learner_desk.h"
#include "core/history/workspace.h"
#include "core/run/run_spec.h"
#include "core/world/world.h"

namespace orrery {

/// The replay buffer of a stored training, from one of its checkpoints.
struct StoredReplay {
    std::string run;  ///< its id
    RunSpec spec;     ///< as the checkpoint was learned by
    std::vector<std::shared_ptr<const World>> worlds;
    ShownBuffer shown;
    std::filesystem::path checkpoint;  ///< its folder
};

/// Some seconds for 10^6 transitions. Any thread.
/// @param choice  of the checkpoint, as chosenCheckpoint takes it; empty: the newest good one
/// @throws Error (BadInput) if there is no such run, it is no training or has no such checkpoint,
///         (Damaged) a file
StoredReplay openStoredReplay(const Workspace& workspace, const std::string& run,
                              const std::string& choice = {});

/// A state that transitions of a buffer start from.
struct VisitedState {
    StateStore::Index state = 0;
    int step = 0;              ///< of its episode, the least
    std::uint32_t visits = 0;  ///< transitions of the buffer that start there
};

/// Those of one world, each once, by step, then the ones that the buffer has longest first.
/// @param layout  of the world in its run
std::vector<VisitedState> visitedStates(const ReplaySnapshot& replay, int layout);

/// What the checkpoint's learner says of states. Loads the library of the learners.
/// @throws Error (Damaged), (Resource) without the library
ValueAnswer valuesOfStored(const StoredReplay& replay, const ValueQuestion& question);

/// The same of a training whose buffer is at hand: its newest good checkpoint says it.
/// @throws Error as both above
ValueAnswer valuesOfNewest(const Workspace& workspace, const std::string& run, const EmpoSpec& spec,
                           const std::vector<std::shared_ptr<const World>>& worlds,
                           const ValueQuestion& question);

}  // namespace orrery
