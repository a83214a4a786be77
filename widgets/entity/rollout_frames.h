#pragma once

#include "core/train/rollout_desk.h"
#include "widgets/entity/entity_episode.h"

namespace orrery {

/// The frame of a row among the others of its episode, as far as the rollout has them; and beside
/// it the frames that other environments showed in the same step, some of them.
struct OpenedFrames {
    std::vector<EntityEpisode> episodes;
    std::size_t shown = 0;  ///< the episode of the row
};
OpenedFrames framesAround(const RolloutCopy& rollout, std::uint32_t row, int mostEpisodes);

}  // namespace orrery
