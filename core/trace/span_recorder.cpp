#include "core/trace/span_recorder.h"

#include <algorithm>
#include <utility>

namespace orrery {

namespace {

constexpr std::int64_t kShowPause = 200'000'000;
constexpr std::int64_t kOverdue = 5;  ///< pauses between samples

/// The first of two neighbours takes in the second.
void join(SpanBin& first, const SpanBin& second) {
    first.endNs = second.endNs;
    first.steps += second.steps;
    for (std::size_t k = 0; k < first.ns.size(); ++k) first.ns[k] += second.ns[k];
}

}  // namespace

SpanRecorder::SpanRecorder(std::string name, Clock::time_point origin, std::size_t capacity,
                           Clock::time_point begin)
    : m_name(std::move(name)), m_origin(origin), m_capacity(capacity) {
    m_since = (begin - m_origin).count();
    m_bin.beginNs = m_since;
}

std::size_t SpanRecorder::mostBytes(std::size_t capacity) {
    constexpr std::size_t kBursts = kNewestBursts + kOlderBursts + 1;
    const std::size_t burst =
        sizeof(SpanBurst) + capacity * sizeof(StageSpan) + kBurstSteps * sizeof(std::uint32_t);
    // The bins twice: the recorder's, and those that are shown.
    return kBursts * (burst + 2 * sizeof(Kept)) + 2 * kMostBins * sizeof(SpanBin);
}

void SpanRecorder::border(std::int64_t at) {
    const bool isStepEnd = std::exchange(m_endsStep, false);
    if (isStepEnd) {
        m_step = m_nextStep;
        ++m_bin.steps;
        if (m_isRecording) {
            m_stepBegin = m_burst.spans.size();
            m_burst.stepEnds.push_back(static_cast<std::uint32_t>(m_stepBegin));
            if (m_burst.stepEnds.size() >= kBurstSteps) seal();
        }
    }
    if (!m_isRecording && at >= m_nextBurst) {
        m_burst.isFirstPartial = !isStepEnd;
        beginBurst(at);
    }
    if (at >= m_nextLook) look(at);
}

void SpanRecorder::beginBurst(std::int64_t at) {
    m_isRecording = true;
    m_burst.firstStep = m_step;
    m_burst.spans.reserve(m_capacity);
    m_burst.stepEnds.reserve(kBurstSteps);
    m_stepBegin = 0;
    m_nextBurst = at + kBurstPause;
    m_overdue = kNever;
}

void SpanRecorder::seal() {
    m_isRecording = false;
    m_overdue = std::max(m_nextBurst, m_burst.spans.back().endNs()) + kOverdue * kBurstPause;
    m_newest.push_back({m_numBursts++, std::make_shared<const SpanBurst>(std::move(m_burst))});
    m_burst = {};
    if (m_newest.size() <= kNewestBursts) return;
    if (m_newest.front().number % m_stride == 0) m_older.push_back(std::move(m_newest.front()));
    m_newest.erase(m_newest.begin());
    if (m_older.size() <= kOlderBursts) return;
    m_stride *= 2;
    std::erase_if(m_older, [this](const Kept& kept) { return kept.number % m_stride != 0; });
}

void SpanRecorder::closeBin(std::int64_t at) {
    m_bin.endNs = at;
    for (std::size_t k = 0; k < m_totals.size(); ++k) m_bin.ns[k] = m_totals[k] - m_totalsBefore[k];
    m_totalsBefore = m_totals;
    m_bins.push_back(m_bin);
    m_bin = {.beginNs = at, .endNs = at, .firstStep = m_step};
    if (m_bins.size() < kMostBins) return;
    for (std::size_t i = 0; i < kMostBins / 2; ++i) {
        m_bins[i] = m_bins[2 * i];
        join(m_bins[i], m_bins[2 * i + 1]);
    }
    m_bins.resize(kMostBins / 2);
    m_binWidth *= 2;
}

void SpanRecorder::look(std::int64_t at) {
    if (at >= m_bin.beginNs + m_binWidth) closeBin(at);
    if (at >= m_nextShow) {
        m_nextShow = at + kShowPause;
        publish();
    }
    m_nextLook = std::min(m_bin.beginNs + m_binWidth, m_nextShow);
}

void SpanRecorder::publish() {
    auto lane = std::make_shared<SpanLane>();
    lane->name = m_name;
    lane->bursts.reserve(m_older.size() + m_newest.size());
    for (const auto* kept : {&m_older, &m_newest})
        for (const Kept& one : *kept) lane->bursts.push_back(one.burst);
    lane->bins.reserve(m_bins.size() + 1);
    lane->bins = m_bins;
    if (m_since > m_bin.beginNs) {
        SpanBin open = m_bin;
        open.endNs = m_since;
        for (std::size_t k = 0; k < m_totals.size(); ++k)
            open.ns[k] = m_totals[k] - m_totalsBefore[k];
        lane->bins.push_back(open);
    }
    m_lane.store(std::move(lane));
}

void SpanRecorder::flush(Clock::time_point now) {
    enter(m_kind, now);
    if (m_isRecording && !m_burst.spans.empty()) seal();
    publish();
}

}  // namespace orrery
