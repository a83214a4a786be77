#include <algorithm>
#include <limits>
#include <span>

#include "widgets/entity/batch_view.h"
#include "widgets/entity/entity_session.h"

namespace orrery {

namespace {

constexpr std::size_t kMostFrames = 64;  ///< in a picture

/// Adds a frame and who acts in it.
void addFrameTo(PackedBatch& batch, const EnvironmentSpaces& spaces, const EntityFrame& frame,
                bool hasGame, const std::string& name) {
    const std::int64_t number = batch.numFrames(), offset = batch.rowBegin.back();
    for (std::size_t i = 0; i < frame.things.size(); ++i)
        batch.items.push_back({.frame = number,
                               .thing = static_cast<std::int64_t>(i),
                               .type = static_cast<std::int64_t>(frame.things[i].space),
                               .name = thingName(spaces, frame.things, i).toStdString()});
    if (hasGame)
        batch.items.push_back(
            {.frame = number, .thing = std::ssize(frame.things), .type = -1, .name = "Game"});
    batch.rowBegin.push_back(std::ssize(batch.items));
    batch.frames.push_back(name);
    for (std::size_t action = 0, own = 0; action < spaces.actions.size(); ++action) {
        if (!spaces.actions[action].isOfActors) continue;
        PackedBatch::Actors& actors = batch.actors[own++];
        for (const std::int64_t actor : frame.seen.offers[action].actors) {
            actors.frame.push_back(number);
            actors.actor.push_back(actor);
            actors.offset.push_back(offset);
        }
    }
}

/// Each frame in a row of its own, without padding: as where all are equally long.
PackedRows plainRows(std::span<const std::int64_t> rowBegin) {
    PackedRows rows;
    rows.rows = std::ssize(rowBegin) - 1;
    rows.width = rowBegin.size() > 1 ? rowBegin[1] : 0;
    for (std::int64_t item = 0; item < rowBegin.back(); ++item) {
        rows.index.push_back(item);
        rows.batch.push_back(static_cast<float>(rows.width > 0 ? item / rows.width : 0));
        rows.inverse.push_back(item);
    }
    return rows;
}

}  // namespace

std::int64_t PackedBatch::longest() const {
    std::int64_t most = 0;
    for (std::size_t i = 1; i < rowBegin.size(); ++i)
        most = std::max(most, rowBegin[i] - rowBegin[i - 1]);
    return most;
}

std::int64_t PackedBatch::emptyPadded() const {
    return longest() * numFrames() - std::ssize(items);
}

std::int64_t PackedBatch::emptyPacked() const {
    return packed.rows * packed.width - std::ssize(items);
}

PackedBatch packedBatchOf(const EntitySession& session, bool isOfEpisode) {
    PackedBatch batch;
    const EnvironmentSpaces& spaces = session.spaces();
    if (session.episode() == nullptr) return batch;
    bool hasGame = false;
    for (const ActionSpace& action : spaces.actions) {
        if (action.isOfActors)
            batch.actors.push_back({.action = action.name, .frame = {}, .actor = {}, .offset = {}});
        else
            hasGame = true;
    }
    if (isOfEpisode) {
        const auto& frames = session.episode()->frames;
        const std::size_t begin = frames.size() > kMostFrames ? frames.size() - kMostFrames : 0;
        for (std::size_t i = begin; i < frames.size(); ++i)
            addFrameTo(batch, spaces, frames[i], hasGame,
                       "step " + std::to_string(session.episode()->firstStep +
                                                static_cast<std::int64_t>(i)));
    } else {
        for (const EntityEpisode& episode : session.episodes())
            if (batch.frames.size() < kMostFrames)
                addFrameTo(batch, spaces, episode.frame(), hasGame, episode.name.toStdString());
    }
    auto packed = packRows(batch.rowBegin);
    batch.packed = packed ? std::move(*packed) : plainRows(batch.rowBegin);
    return batch;
}

}  // namespace orrery
