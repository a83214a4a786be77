#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/empo/learner_desk.h"
#include "core/empo/schedule.h"
#include "core/empo/spec.h"
#include "core/replay/replay_snapshot.h"
#include "core/replay/world_facts.h"
#include "core/world/world.h"

namespace orrery {

class Solution;

/// A frozen replay buffer and all that is needed to say in words what lies in it. Immutable once
/// made; any thread.
struct ReplaySource {
    std::shared_ptr<const ReplaySnapshot> replay;
    std::int64_t step = 0;  ///< training step at which it stood so
    EmpoSpec spec;
    EmpoSchedule schedule{EmpoSpec()};  ///< of the spec
    std::vector<std::shared_ptr<const World>> worlds;
    std::vector<WorldFacts> facts;
    std::vector<std::uint32_t> alike;  ///< [models] transitions that start with it
    /// [worlds] of the training itself; empty, or null where a world was not solved exactly
    std::vector<std::shared_ptr<const Solution>> exact;
    std::int64_t exactStates = 0;  ///< states of all worlds, once each step; 0: not known
    std::int64_t startStates = 0;  ///< different states where transitions start

    std::size_t size() const { return replay->size(); }
    const StoredTransition& at(std::size_t i) const { return replay->at(i); }
    const World& worldOf(std::size_t i) const { return *worlds[at(i).layout]; }
    const WorldFacts& factsOf(std::size_t i) const { return facts[at(i).layout]; }
    std::int64_t ageOf(std::size_t i) const { return step - at(i).insertedAt; }
    /// The stage of the training when it was stored.
    int stageIndexOf(std::size_t i) const { return schedule.stageIndex(at(i).insertedAt); }
    const std::string& stageOf(std::size_t i) const {
        return schedule.stageAt(at(i).insertedAt).name;
    }
    std::uint32_t alikeOf(std::size_t i) const { return alike[at(i).model]; }
};

/// Counts what a source keeps beside the buffer: O(transitions + exact states).
/// @throws Error (BadInput) if the worlds cannot be learned on
std::shared_ptr<const ReplaySource> makeReplaySource(
    const ShownBuffer& shown, const EmpoSpec& spec,
    const std::vector<std::shared_ptr<const World>>& worlds,
    const std::vector<std::shared_ptr<const Solution>>& exact);

/// "R forward" or "R forward · S left": the joint robot action.
QString robotActionText(const World& world, const WorldFacts& facts, int robotAction);
/// The name of a joint robot action without letters: "forward" or "forward+left".
QString robotActionName(const World& world, const WorldFacts& facts, int robotAction);
/// "A left · B still".
QString humanActionsText(const ReplaySource& source, std::size_t i);
/// "A 11,1 · B 11,7".
QString goalsText(const ReplaySource& source, std::size_t i);
/// "A: 11,1" of one human's goal.
QString goalOfHuman(const World& world, int human, int goal);
/// "end of the world", "end of the episode" or empty.
QString endText(const ReplaySource& source, std::size_t i);

}  // namespace orrery
