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

std::int64_t SpanTimeline::untilNs() const {
    std::int64_t until = 0;
    for (const auto& lane : lanes)
        if (!lane->bins.empty()) until = std::max(until, lane->bins.back().endNs);
    return until;
}

}  // namespace orrery
