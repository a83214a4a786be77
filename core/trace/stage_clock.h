#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/trace/span_recorder.h"

namespace orrery {

/// What the learner's thread spent its time on, since the last reset.
struct StageSums {
    std::int64_t calls = 0;   ///< training steps
    std::int64_t probes = 0;  ///< looks at the clock
    std::array<std::int64_t, kNumSpanKinds> ns = {};

    /// Average milliseconds a call, 0 without calls.
    double milliseconds(SpanKind stage) const;
    /// All stages together, ns.
    std::int64_t totalNs() const;
};

/// A clock that is always in one stage, at one look at the clock a change; it also records what it
/// did when (see SpanRecorder). One thread; readers take copies of sums() on it.
class StageClock {
public:
    /// From now on; the time since the last change belongs to the stage left.
    void enter(SpanKind stage) { enter(stage, stage); }
    /// The same with more to say about the span: the sums have it under the stage.
    void enter(SpanKind stage, SpanKind span) {
        m_sums.ns[static_cast<std::size_t>(m_stage)] += m_spans.enter(span);
        ++m_sums.probes;
        m_stage = stage;
    }
    /// One training step is done; it ends with the next enter().
    /// @param stepsDone  of the training, which spans are numbered by; -1: one more
    void countCall(std::int64_t stepsDone = -1) {
        ++m_sums.calls;
        m_spans.endStep(1 + (stepsDone < 0 ? m_sums.calls : stepsDone));
    }

    SpanKind stage() const { return m_stage; }
    const StageSums& sums() const { return m_sums; }
    SpanRecorder& spans() { return m_spans; }
    const SpanRecorder& spans() const { return m_spans; }
    /// Sets the sums to 0; spans stay.
    void reset() { m_sums = {}; }

    /// Measured cost of one enter(), ns: with the recording of spans as it is in training, 16 steps
    /// of every 50 ms.
    static double probeNs();

private:
    SpanRecorder m_spans{"learner"};
    StageSums m_sums;
    SpanKind m_stage = SpanKind::Idle;
};

/// In another stage as long as this lives, then again in the one before, whose time stands still
/// meanwhile.
class InStage {
public:
    /// @param clock  null: nobody measures
    InStage(StageClock* clock, SpanKind stage) : m_clock(clock) {
        if (m_clock == nullptr) return;
        m_before = m_clock->stage();
        m_clock->enter(stage);
    }
    ~InStage() {
        if (m_clock != nullptr) m_clock->enter(m_before);
    }
    InStage(const InStage&) = delete;
    InStage& operator=(const InStage&) = delete;

private:
    StageClock* m_clock;
    SpanKind m_before = SpanKind::Idle;
};

}  // namespace orrery
