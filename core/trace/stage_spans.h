#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace orrery {

inline constexpr int kMostOwnSpans = 16;

/// What a thread of a training does at a moment. The first numbers are a method's own, see
/// ownSpan(): the parts of its steps.
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

/// A stretch of a thread's time that was recorded whole: each span begins where the one before
/// ends.
struct SpanBurst {
    std::int64_t firstStep = 0;   ///< number of the step to which the first span belongs
    bool isFirstPartial = false;  ///< the recording began within that step
    std::vector<StageSpan> spans = {};
    std::vector<std::uint32_t> stepEnds = {};  ///< a step ends after so many spans, ascending

    std::int64_t beginNs() const { return spans.front().beginNs(); }
    std::int64_t endNs() const { return spans.back().endNs(); }
};

/// All that a thread did in a stretch of time, summed up.
struct SpanBin {
    std::int64_t beginNs = 0, endNs = 0;
    std::int64_t firstStep = 0, steps = 0;
    std::array<std::int64_t, kNumSpanKinds> ns = {};
};

/// One thread of a training. Immutable; any thread may keep it.
struct SpanLane {
    std::string name = {};  ///< "learner", "actor 0"
    /// Samples, by time; none is empty.
    std::vector<std::shared_ptr<const SpanBurst>> bursts = {};
    std::vector<SpanBin> bins = {};  ///< everything, by time, without gaps
};

/// What the threads of a training did when. The first lane is the learner's. Immutable.
struct SpanTimeline {
    std::vector<SpanWords> words = {};  ///< of all kinds that there may be, in the order of legends
    std::vector<std::shared_ptr<const SpanLane>> lanes = {};  ///< none is null

    std::int64_t untilNs() const;  ///< the last bin's end
};

}  // namespace orrery
