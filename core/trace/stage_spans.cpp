#include "core/trace/stage_spans.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace orrery {

const std::vector<SpanWords>& commonSpans() {
    using enum SpanKind;
    static const std::vector<SpanWords> kCommon{
        {Idle, "idle", "idle", -1},
        {Checkpoint, "checkpoint", "checkpoint", 9},
        {Answers, "answers", "answers", 11},
        {Act, "act", "act", 6},
        {HandOver, "hand_over", "hand over", 0},
        {Weights, "weights", "new weights", 3},
        {Throttled, "throttled", "throttled", -1},
        {Paused, "paused", "paused", -1},
        {Waiting, "waiting", "waiting", -1},
    };
    return kCommon;
}

std::vector<SpanWords> withCommonSpans(std::vector<SpanWords> own) {
    std::ranges::copy(commonSpans(), std::back_inserter(own));
    return own;
}

const SpanWords& wordsOf(const std::vector<SpanWords>& words, SpanKind kind) {
    static const SpanWords kUnknown{.name = "unknown", .title = "unknown"};
    const auto found = std::ranges::find(words, kind, &SpanWords::kind);
    return found == words.end() ? kUnknown : *found;
}

bool SpanTimeline::isEmpty() const {
    return std::ranges::all_of(
        lanes, [](const auto& lane) { return lane->bursts.empty() && lane->bins.empty(); });
}

SpanTimeline::StepOfSpan SpanTimeline::stepOf(const SpanPlace& place) const {
    const SpanBurst& burst = burstAt(place);
    const auto end =
        std::ranges::upper_bound(burst.stepEnds, static_cast<std::uint32_t>(place.span));
    const auto number = end - burst.stepEnds.begin();
    StepOfSpan found{.step = burst.firstStep + number};
    if (end == burst.stepEnds.end() || (number == 0 && burst.isFirstPartial)) return found;
    const std::size_t first =
        number == 0 ? 0 : burst.stepEnds[static_cast<std::size_t>(number - 1)];
    found.lengthNs = burst.spans[*end - 1].endNs() - burst.spans[first].beginNs();
    return found;
}

std::vector<SpanPlace> SpanTimeline::places(const std::optional<SpanRange>& range) const {
    std::vector<SpanPlace> places;
    SpanPlace at;
    for (at.lane = 0; at.lane < std::ssize(lanes); ++at.lane)
        for (at.burst = 0; at.burst < std::ssize(laneAt(at.lane).bursts); ++at.burst) {
            const std::vector<StageSpan>& spans = burstAt(at).spans;
            for (at.span = 0; at.span < std::ssize(spans); ++at.span) {
                const StageSpan& span = spans[static_cast<std::size_t>(at.span)];
                if (!range || (span.endNs() > range->beginNs && span.beginNs() < range->endNs))
                    places.push_back(at);
            }
        }
    return places;
}

}  // namespace orrery
