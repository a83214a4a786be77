#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/latest.h"
#include "core/trace/stage_spans.h"

namespace orrery {

/// Writes down what one thread does when, always, in bounded memory. All time is summed into bins;
/// besides, the first kBurstSteps steps of every kBurstPause are recorded whole, span by span.
/// Steps that take longer than that follow each other without a gap.
///
/// The newest kNewestBursts of these samples are kept, of older ones as many, spread evenly over
/// the run: whenever there are more, every second one goes. Bins are joined two by two when there
/// are kMostBins. So a recorder takes most bytes() at most, some 650 kB with the learner's
/// capacity.
///
/// One thread calls all members but lane(), which any may call. What is recorded becomes visible
/// there at most five times a second.
class SpanRecorder {
public:
    using Clock = std::chrono::steady_clock;
    static_assert(std::is_same_v<Clock::duration, std::chrono::nanoseconds>);

    static constexpr std::size_t kBurstSteps = 16;
    static constexpr std::int64_t kBurstPause = 50'000'000;  ///< ns
    static constexpr std::size_t kNewestBursts = 64, kOlderBursts = 64, kMostBins = 256;

    /// @param origin    the moment 0, the same for all threads of a run
    /// @param capacity  most spans of one sample
    explicit SpanRecorder(std::string name, Clock::time_point origin = Clock::now(),
                          std::size_t capacity = 256)
        : SpanRecorder(std::move(name), origin, capacity, Clock::now()) {}
    /// @param begin  when the thread begins, with Idle
    SpanRecorder(std::string name, Clock::time_point origin, std::size_t capacity,
                 Clock::time_point begin);

    Clock::time_point origin() const { return m_origin; }

    /// From now on the thread does this. @return ns that it did the former
    std::int64_t enter(SpanKind kind, Clock::time_point now = Clock::now()) {
        const std::int64_t at = (now - m_origin).count(), length = at - m_since;
        m_totals[static_cast<std::size_t>(m_kind)] += length;
        if (m_isRecording) record(length);
        m_kind = kind;
        m_since = at;
        if (m_endsStep || at >= m_overdue) border(at);
        return length;
    }
    /// With the next enter() a step ends. @param step  number of the step that follows
    void endStep(std::int64_t step) {
        m_nextStep = step;
        m_endsStep = true;
    }
    void endStep() { endStep(m_step + 1); }
    /// The number of the step at work, which is 1 at first.
    void beginAt(std::int64_t step) { m_step = m_bin.firstStep = step; }
    SpanKind kind() const { return m_kind; }
    /// Shows all that happened until now.
    void flush(Clock::time_point now = Clock::now());

    /// The newest that is to be seen; null before the first.
    std::shared_ptr<const SpanLane> lane() const { return m_lane.load(); }
    /// Memory of a lane at most.
    static std::size_t mostBytes(std::size_t capacity = 256);

private:
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
    struct Kept {
        std::int64_t number;
        std::shared_ptr<const SpanBurst> burst;
    };

    void record(std::int64_t length) {
        std::vector<StageSpan>& spans = m_burst.spans;
        if (spans.size() > m_stepBegin && spans.back().kind() == m_kind)
            spans.back().extend(length);
        else
            spans.emplace_back(m_kind, m_since, length);
        if (spans.size() >= m_capacity) seal();
    }
    void border(std::int64_t at);
    void look(std::int64_t at);
    void beginBurst(std::int64_t at);
    void seal();
    void closeBin(std::int64_t at);
    void publish();

    std::string m_name;
    Clock::time_point m_origin;
    std::size_t m_capacity;
    SpanKind m_kind = SpanKind::Idle;
    std::int64_t m_since = 0;  ///< when m_kind was entered
    std::array<std::int64_t, kNumSpanKinds> m_totals = {};
    bool m_isRecording = false, m_endsStep = false;
    std::int64_t m_step = 1, m_nextStep = 1;

    SpanBurst m_burst;             ///< being recorded
    std::size_t m_stepBegin = 0;   ///< its spans of former steps
    std::int64_t m_nextBurst = 0;  ///< not before
    std::int64_t m_overdue = 0;    ///< then a sample begins within a step, too
    std::int64_t m_nextLook = 0, m_nextShow = 0;
    std::int64_t m_numBursts = 0, m_stride = 1;  ///< of older samples every m_stride'th is kept
    std::vector<Kept> m_older, m_newest;

    std::int64_t m_binWidth = 20'000'000;
    SpanBin m_bin = {.firstStep = 1};  ///< the one that is open
    std::array<std::int64_t, kNumSpanKinds> m_totalsBefore = {};
    std::vector<SpanBin> m_bins;
    Latest<SpanLane> m_lane;
};

}  // namespace orrery
