#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/trace/stage_spans.h"

namespace orrery {

/// How long one kind of span takes in a step, ns.
struct SpanKindStats {
    double mean = 0;
    double median = 0, percentile95 = 0, longest = 0;  ///< of the recorded steps
};

/// Where the time of a thread's steps went within a range.
struct SpanStats {
    std::int64_t steps = 0;     ///< of which the means are
    bool isOfAll = true;        ///< of all steps in the range; false: of the recorded ones
    std::int64_t recorded = 0;  ///< whole steps recorded within the range
    SpanKindStats whole = {};   ///< a step from end to end
    std::array<SpanKindStats, kNumSpanKinds> kinds = {};

    const SpanKindStats& of(SpanKind kind) const { return kinds[static_cast<std::size_t>(kind)]; }
    SpanKindStats& of(SpanKind kind) { return kinds[static_cast<std::size_t>(kind)]; }
};

/// Means are of all steps where the range is long beside the bins (8 of them or more, those at its
/// ends by their part inside), or all of the recording; else of the steps recorded in it.
SpanStats statsOf(const SpanLane& lane, const SpanRange& range);

/// How long each whole step recorded within a range took, ns: one kind of span in it, or all of it.
std::vector<double> recordedTimes(const SpanLane& lane, const SpanRange& range,
                                  std::optional<SpanKind> kind);

/// The share of a range in which a thread did anything, in [0, 1]: by its spans where at least half
/// of the range was recorded, else by its bins; by the spans' work where all of it is known.
double busyShare(const SpanLane& lane, const SpanRange& range);

/// What of a recording there is.
SpanRange wholeOf(const SpanLane& lane);

}  // namespace orrery
