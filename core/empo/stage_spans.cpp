#include "core/empo/stage_spans.h"

#include <algorithm>

#include "core/empo/batch_profile.h"

namespace orrery {

namespace {

static_assert(static_cast<int>(SpanKind::Idle) == static_cast<int>(ProfileStage::Idle));
static_assert(static_cast<int>(SpanKind::Checkpoint) == kNumProfileStages);

constexpr std::array<const char*, kNumSpanKinds - kNumProfileStages> kOtherNames = {
    "checkpoint", "errors",    "answers", "act",    "hand_over",
    "weights",    "throttled", "paused",  "waiting"};

}  // namespace

const char* nameOf(SpanKind kind) {
    const int number = static_cast<int>(kind);
    return number < kNumProfileStages
               ? nameOf(static_cast<ProfileStage>(number))
               : kOtherNames[static_cast<std::size_t>(number - kNumProfileStages)];
}

bool isIdle(SpanKind kind) {
    return kind == SpanKind::Idle || kind >= SpanKind::Throttled;
}

std::int64_t SpanTimeline::untilNs() const {
    std::int64_t until = 0;
    for (const auto& lane : lanes)
        if (!lane->bins.empty()) until = std::max(until, lane->bins.back().endNs);
    return until;
}

}  // namespace orrery
