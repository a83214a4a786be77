#include "widgets/entity/rollout_frames.h"

#include <QObject>
#include <algorithm>
#include <cmath>

#include "core/entity/picture_of_things.h"

namespace orrery {

namespace {

std::optional<double> known(float number) {
    return std::isnan(number) ? std::nullopt : std::optional(static_cast<double>(number));
}

EntityFrame frameAt(const RolloutCopy& rollout, std::int64_t row) {
    const EnvironmentSpaces& spaces = rollout.frames->spaces();
    const auto at = static_cast<std::size_t>(row);
    EntityFrame frame;
    frame.seen = rollout.frames->seen(row);
    frame.things = observedThings(spaces, frame.seen);
    frame.picture = pictureOfThings(spaces, frame.seen, {});
    frame.taken = rollout.frames->taken(row);
    frame.value = known(rollout.value[at]);
    frame.advantage = known(rollout.advantage[at]);
    // The reward that led here was given for the frame before, unless the episode begins.
    if (row >= rollout.environments && rollout.isFirst[at] == 0)
        frame.reward = static_cast<double>(
            rollout.reward[static_cast<std::size_t>(row - rollout.environments)]);
    return frame;
}

}  // namespace

OpenedFrames framesAround(const RolloutCopy& rollout, std::uint32_t row, int mostEpisodes) {
    const std::int64_t width = rollout.environments, all = rollout.rows();
    const std::int64_t own = row % width, step = row / width;
    std::int64_t begin = row, end = row;
    while (begin >= width && rollout.isFirst[static_cast<std::size_t>(begin)] == 0) begin -= width;
    while (end + width < all && rollout.isFirst[static_cast<std::size_t>(end + width)] == 0)
        end += width;
    const std::int64_t first = std::clamp<std::int64_t>(
        own - mostEpisodes / 2, 0, std::max<std::int64_t>(0, width - mostEpisodes));
    OpenedFrames opened;
    for (std::int64_t env = first; env < std::min(width, first + mostEpisodes); ++env) {
        EntityEpisode episode;
        episode.name = QObject::tr("Environment %1").arg(env);
        if (env == own) {
            opened.shown = opened.episodes.size();
            for (std::int64_t at = begin; at <= end; at += width)
                episode.frames.push_back(frameAt(rollout, at));
            episode.shown = static_cast<std::size_t>((row - begin) / width);
            episode.firstStep = begin / width;
        } else {
            episode.frames.push_back(frameAt(rollout, step * width + env));
            episode.firstStep = step;
        }
        opened.episodes.push_back(std::move(episode));
    }
    return opened;
}

}  // namespace orrery
