#include "core/trace/span_stats.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace orrery {

namespace {

constexpr double kFewBins = 8;
using Times = std::array<double, kNumSpanKinds>;

double partInside(std::int64_t beginNs, std::int64_t endNs, const SpanRange& range) {
    const std::int64_t inside = std::min(endNs, range.endNs) - std::max(beginNs, range.beginNs);
    return inside <= 0 || endNs <= beginNs
               ? 0
               : static_cast<double>(inside) / static_cast<double>(endNs - beginNs);
}

/// The times of every whole step that was recorded within the range.
std::vector<Times> recordedSteps(const SpanLane& lane, const SpanRange& range) {
    std::vector<Times> steps;
    for (const auto& burst : lane.bursts) {
        if (burst->endNs() <= range.beginNs || burst->beginNs() >= range.endNs) continue;
        std::size_t at = 0;
        for (std::size_t k = 0; k < burst->stepEnds.size(); ++k) {
            const std::size_t end = burst->stepEnds[k], begin = std::exchange(at, end);
            if (end == begin || (k == 0 && burst->isFirstPartial)) continue;
            if (burst->spans[begin].beginNs() < range.beginNs ||
                burst->spans[end - 1].endNs() > range.endNs)
                continue;
            Times times = {};
            for (std::size_t i = begin; i < end; ++i)
                times[static_cast<std::size_t>(burst->spans[i].kind())] +=
                    static_cast<double>(burst->spans[i].lengthNs());
            steps.push_back(times);
        }
    }
    return steps;
}

/// Of a solve's thread, whose spans have breaks between them and inside.
double workShare(const SpanLane& lane, const SpanRange& range) {
    double busy = 0;
    for (const auto& burst : lane.bursts)
        for (std::size_t i = 0; i < burst->work.size(); ++i)
            busy += partInside(burst->spans[i].beginNs(), burst->spans[i].endNs(), range) *
                    static_cast<double>(burst->work[i].busyNs);
    return std::clamp(busy / static_cast<double>(range.lengthNs()), 0.0, 1.0);
}

double sumOf(const Times& times) {
    return std::accumulate(times.begin(), times.end(), 0.0);
}

/// @param values  at least one; gets sorted
SpanKindStats statsOf(std::vector<double>& values) {
    std::ranges::sort(values);
    SpanKindStats stats;
    for (const double value : values) stats.mean += value;
    stats.mean /= static_cast<double>(values.size());
    const std::size_t half = values.size() / 2;
    stats.median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    const auto place =
        static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(values.size())));
    stats.percentile95 = values[std::max<std::size_t>(1, place) - 1];
    stats.longest = values.back();
    return stats;
}

void addRecorded(const std::vector<Times>& steps, SpanStats& stats) {
    if (steps.empty()) return;
    std::vector<double> values(steps.size());
    for (std::size_t kind = 0; kind < stats.kinds.size(); ++kind) {
        for (std::size_t i = 0; i < steps.size(); ++i) values[i] = steps[i][kind];
        stats.kinds[kind] = statsOf(values);
    }
    for (std::size_t i = 0; i < steps.size(); ++i) values[i] = sumOf(steps[i]);
    stats.whole = statsOf(values);
}

}  // namespace

SpanRange wholeOf(const SpanLane& lane) {
    if (lane.bins.empty() && lane.bursts.empty()) return {};
    if (lane.bins.empty()) return {lane.bursts.front()->beginNs(), lane.bursts.back()->endNs()};
    return {lane.bins.front().beginNs, lane.bins.back().endNs};
}

SpanStats statsOf(const SpanLane& lane, const SpanRange& range) {
    SpanStats stats;
    const std::vector<Times> recorded = recordedSteps(lane, range);
    stats.recorded = std::ssize(recorded);
    addRecorded(recorded, stats);
    double bins = 0, steps = 0;
    Times sums = {};
    for (const SpanBin& bin : lane.bins) {
        const double part = partInside(bin.beginNs, bin.endNs, range);
        bins += part;
        steps += part * static_cast<double>(bin.steps);
        for (std::size_t kind = 0; kind < sums.size(); ++kind)
            sums[kind] += part * static_cast<double>(bin.ns[kind]);
    }
    const SpanRange whole = wholeOf(lane);
    const bool isWhole = range.beginNs <= whole.beginNs && range.endNs >= whole.endNs;
    stats.isOfAll = isWhole || bins >= kFewBins || recorded.empty();
    stats.steps = stats.isOfAll ? std::llround(steps) : stats.recorded;
    if (!stats.isOfAll) return stats;
    stats.whole.mean = 0;
    for (std::size_t kind = 0; kind < sums.size(); ++kind) {
        stats.kinds[kind].mean = steps > 0 ? sums[kind] / steps : 0;
        stats.whole.mean += stats.kinds[kind].mean;
    }
    return stats;
}

std::vector<double> recordedTimes(const SpanLane& lane, const SpanRange& range,
                                  std::optional<SpanKind> kind) {
    std::vector<double> ns;
    for (const Times& times : recordedSteps(lane, range))
        ns.push_back(kind ? times[static_cast<std::size_t>(*kind)] : sumOf(times));
    return ns;
}

double busyShare(const SpanLane& lane, const SpanRange& range) {
    if (range.lengthNs() <= 0) return 0;
    if (lane.bins.empty()) return workShare(lane, range);
    double busy = 0, known = 0;
    for (const auto& burst : lane.bursts) {
        if (burst->endNs() <= range.beginNs || burst->beginNs() >= range.endNs) continue;
        for (const StageSpan& span : burst->spans) {
            const double inside = partInside(span.beginNs(), span.endNs(), range) *
                                  static_cast<double>(span.lengthNs());
            known += inside;
            if (!isIdle(span.kind())) busy += inside;
        }
    }
    if (known * 2 < static_cast<double>(range.lengthNs())) {
        busy = known = 0;
        for (const SpanBin& bin : lane.bins) {
            const double part = partInside(bin.beginNs, bin.endNs, range);
            for (int kind = 0; kind < kNumSpanKinds; ++kind) {
                const double ns =
                    part * static_cast<double>(bin.ns[static_cast<std::size_t>(kind)]);
                known += ns;
                if (!isIdle(static_cast<SpanKind>(kind))) busy += ns;
            }
        }
    }
    return known > 0 ? busy / known : 0;
}

}  // namespace orrery
