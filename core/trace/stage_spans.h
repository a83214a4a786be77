#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

inline constexpr int kMostOwnSpans = 16;

/// What a thread of a run does at a moment. The first numbers are a method's own, see ownSpan():
/// the parts of its steps, or of a solve (WorkKind).
enum class SpanKind : std::uint8_t {
    Idle = kMostOwnSpans,
    Checkpoint,  ///< writing one
    Answers,     ///< snapshots and answers for observers
    Act,         ///< policies and steps of the world
    HandOver,    ///< to the queue, waiting for room there included
    Weights,     ///< taking over newer weights
    Throttled,   ///< ahead of the learner
    Paused,      ///< by a person
    Waiting,     ///< for a learner that is halted
};
inline constexpr int kNumSpanKinds = kMostOwnSpans + 9;

/// @param number  [0, kMostOwnSpans)
constexpr SpanKind ownSpan(int number) {
    return static_cast<SpanKind>(number);
}

/// Idle, Throttled, Paused or Waiting.
constexpr bool isIdle(SpanKind kind) {
    return kind == SpanKind::Idle || kind >= SpanKind::Throttled;
}

/// What a kind of span is called.
struct SpanWords {
    SpanKind kind = SpanKind::Idle;
    std::string name = {};   ///< in files and curves: "stage3_forward"
    std::string title = {};  ///< for people: "forward"; symbols as "V_h^e"
    int color = -1;          ///< index of a window's colours of spans; -1: it is idle
};

/// Those of every method, in the order of their numbers.
const std::vector<SpanWords>& commonSpans();

/// A method's own, then commonSpans().
std::vector<SpanWords> withCommonSpans(std::vector<SpanWords> own);

/// "unknown" where the words do not have the kind.
const SpanWords& wordsOf(const std::vector<SpanWords>& words, SpanKind kind);

/// A piece of a thread's time, ns since the recording began.
class StageSpan {
public:
    StageSpan(SpanKind kind, std::int64_t beginNs, std::int64_t lengthNs)
        : m_beginNs(beginNs),
          m_packed(static_cast<std::uint64_t>(lengthNs) << 8 | static_cast<std::uint64_t>(kind)) {}

    SpanKind kind() const { return static_cast<SpanKind>(m_packed & 0xFF); }
    std::int64_t beginNs() const { return m_beginNs; }
    std::int64_t lengthNs() const { return static_cast<std::int64_t>(m_packed >> 8); }
    std::int64_t endNs() const { return m_beginNs + lengthNs(); }
    void extend(std::int64_t ns) { m_packed += static_cast<std::uint64_t>(ns) << 8; }

private:
    std::int64_t m_beginNs;
    std::uint64_t m_packed;  ///< length and, in the last byte, kind
};
static_assert(sizeof(StageSpan) == 16);

/// A stretch of a recording, ns.
struct SpanRange {
    std::int64_t beginNs = 0, endNs = 0;

    std::int64_t lengthNs() const { return endNs - beginNs; }
    bool operator==(const SpanRange&) const = default;
};

/// What a solve's thread did in a span.
struct SpanWork {
    int level = -1, lastLevel = -1;  ///< steps; the same unless neighbours had to be merged
    std::int64_t busyNs = 0;         ///< <= the span's length: without short breaks inside
    std::int64_t phase1Ns = 0;       ///< <= busyNs: of phase 1, estimated; WorkKind::kSolve only
    std::int64_t states = 0, entries = 0;  ///< done: states (or configurations), graph entries

    bool holds(int step) const { return step >= 0 && level <= step && step <= lastLevel; }
    bool operator==(const SpanWork&) const = default;
};

/// A stretch of a thread's time that was recorded whole. Of a training each span begins where the
/// one before ends; a solve's spans have breaks between them.
struct SpanBurst {
    std::int64_t firstStep = 0;   ///< number of the step to which the first span belongs
    bool isFirstPartial = false;  ///< the recording began within that step
    std::vector<StageSpan> spans = {};
    std::vector<std::uint32_t> stepEnds = {};  ///< a step ends after so many spans, ascending
    std::vector<SpanWork> work = {};           ///< [spans], of a solve; else empty

    std::int64_t beginNs() const { return spans.front().beginNs(); }
    std::int64_t endNs() const { return spans.back().endNs(); }
};

/// All that a thread did in a stretch of time, summed up.
struct SpanBin {
    std::int64_t beginNs = 0, endNs = 0;
    std::int64_t firstStep = 0, steps = 0;
    std::array<std::int64_t, kNumSpanKinds> ns = {};
};

/// One thread of a run. Immutable; any thread may keep it.
struct SpanLane {
    std::string name = {};  ///< "learner", "actor 0", "thread 0"
    /// Samples, by time; none is empty.
    std::vector<std::shared_ptr<const SpanBurst>> bursts = {};
    /// Everything, by time, without gaps; none of a solve, whose spans are everything.
    std::vector<SpanBin> bins = {};
};

/// Which span of a timeline.
struct SpanPlace {
    int lane = 0, burst = 0, span = 0;
    bool operator==(const SpanPlace&) const = default;
};

/// What the threads of a run did when. The first lane of a training is the learner's. Immutable.
struct SpanTimeline {
    std::vector<SpanWords> words = {};  ///< of all kinds that there may be, in the order of legends
    std::vector<std::shared_ptr<const SpanLane>> lanes = {};  ///< none is null
    std::int64_t untilNs = 0;                                 ///< when it was taken, of a solve

    bool isEmpty() const;  ///< nothing was done yet
    const SpanLane& laneAt(int lane) const { return *lanes[static_cast<std::size_t>(lane)]; }
    const SpanBurst& burstAt(const SpanPlace& place) const {
        return *laneAt(place.lane).bursts[static_cast<std::size_t>(place.burst)];
    }
    const StageSpan& spanAt(const SpanPlace& place) const {
        return burstAt(place).spans[static_cast<std::size_t>(place.span)];
    }
    /// Of a solve.
    const SpanWork& workAt(const SpanPlace& place) const {
        return burstAt(place).work[static_cast<std::size_t>(place.span)];
    }
    /// Without breaks inside, where they are known.
    std::int64_t busyNs(const SpanPlace& place) const {
        return burstAt(place).work.empty() ? spanAt(place).lengthNs() : workAt(place).busyNs;
    }
    /// Number of the step that a span belongs to, and how long that took; 0 where it was not
    /// recorded whole.
    struct StepOfSpan {
        std::int64_t step = 0, lengthNs = 0;
    };
    StepOfSpan stepOf(const SpanPlace& place) const;
    /// Every span, by lane and time: of all, or of a range.
    std::vector<SpanPlace> places(const std::optional<SpanRange>& range = {}) const;
};

}  // namespace orrery
