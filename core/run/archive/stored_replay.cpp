#include "core/run/archive/stored_replay.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/encode/state_encoder.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/best_checkpoint.h"
#include "core/run/jobs/train_job.h"
#include "core/train/empo/empo_training.h"

namespace orrery {

namespace {

constexpr const char* kReplayFile = "replay.records";
constexpr const char* kReplaySchema = "orrery replay buffer 1";

}  // namespace

StoredReplay openStoredReplay(const Workspace& workspace, const std::string& run,
                              const std::string& choice) {
    const std::string id = workspace.reader().findRun(run).id;
    StoredReplay stored{
        .run = id, .spec = storedSpec(workspace, id), .worlds = {}, .shown = {}, .checkpoint = {}};
    const TrainJob& job = requireTrainJob(stored.spec, "Run " + id);
    stored.worlds = requireWorlds(worldRefs(job));
    const Checkpoint checkpoint = chosenCheckpoint(workspace, id, choice);
    stored.checkpoint = checkpoint.folder();
    ReplayBuffer buffer(shapeCovering(stored.worlds, job.empo.encodingRules()),
                        static_cast<std::size_t>(job.empo.bufferCapacity));
    checkpoint.records(kReplayFile, kReplaySchema, [&](RecordReader& records) {
        buffer.load([&](auto& record) { return records.next(record); });
    });
    stored.shown = {buffer.snapshot(), checkpoint.manifest().step};
    stored.spec = storedSpecAt(workspace, id, stored.shown.step);
    return stored;
}

std::vector<VisitedState> visitedStates(const ReplaySnapshot& replay, int layout) {
    std::vector<VisitedState> states;
    std::unordered_map<StateStore::Index, std::size_t> places;
    for (std::size_t i = 0; i < replay.size(); ++i) {
        const StoredTransition& transition = replay.at(i);
        if (transition.layout != layout) continue;
        const StateStore::Index state = replay.modelOf(i).state;
        const auto [place, isNew] = places.try_emplace(state, states.size());
        if (isNew) states.push_back({.state = state, .step = transition.step});
        VisitedState& visited = states[place->second];
        visited.step = std::min<int>(visited.step, transition.step);
        ++visited.visits;
    }
    std::ranges::stable_sort(states, {}, &VisitedState::step);
    return states;
}

ValueAnswer valuesOfStored(const StoredReplay& replay, const ValueQuestion& question) {
    return empoLibrary().values({.spec = replay.spec.job.as<TrainJob>().empo,
                                 .worlds = replay.worlds,
                                 .checkpoint = replay.checkpoint,
                                 .question = question});
}

ValueAnswer valuesOfNewest(const Workspace& workspace, const std::string& run, const EmpoSpec& spec,
                           const std::vector<std::shared_ptr<const World>>& worlds,
                           const ValueQuestion& question) {
    const CheckpointChoice newest = newestCheckpoint(workspace.runFolder(run));
    if (!newest.checkpoint)
        throw Error("Run " + run + " has no checkpoint, so what it learned is not kept.",
                    Error::Kind::BadInput);
    return empoLibrary().values({.spec = spec,
                                 .worlds = worlds,
                                 .checkpoint = newest.checkpoint->folder(),
                                 .question = question});
}

}  // namespace orrery
