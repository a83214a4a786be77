#include "core/trace/stage_clock.h"

#include <numeric>

namespace orrery {

double StageSums::milliseconds(SpanKind stage) const {
    if (calls == 0) return 0;
    return static_cast<double>(ns[static_cast<std::size_t>(stage)]) * 1e-6 /
           static_cast<double>(calls);
}

std::int64_t StageSums::totalNs() const {
    return std::accumulate(ns.begin(), ns.end(), std::int64_t{0});
}

double StageClock::probeNs() {
    constexpr int kSteps = 10'000;
    constexpr int kProbes = 12;  // a step, as a learner in tables makes them
    StageClock clock;
    const auto begin = SpanRecorder::Clock::now();
    for (int i = 0; i < kSteps; ++i) {
        for (int k = 0; k + 1 < kProbes; ++k) clock.enter(ownSpan(k % kMostOwnSpans));
        clock.countCall();
        clock.enter(SpanKind::Idle);
    }
    return static_cast<double>((SpanRecorder::Clock::now() - begin).count()) / (kSteps * kProbes);
}

}  // namespace orrery
