#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/empo/span_recorder.h"

namespace orrery {

/// What a learner's thread does. The first six are seed 000's stages of the batched computation.
enum class ProfileStage : std::uint8_t {
    Collect,     ///< flattening the batch into parallel arrays
    Encode,      ///< states to what networks and tables read
    Forward,     ///< networks and tables over the unique states
    Scatter,     ///< targets of Q_r, U_r, X_h and V_r from successors
    V_h_e,       ///< targets of V_h^e
    Conversion,  ///< numbers of states, and indices, to tensors on the learner's device
    Backward,    ///< losses and gradients
    Optimiser,   ///< parameter updates and target copies
    Actor,       ///< acting, of a synchronous learner; taking in what collectors made
    Idle,        ///< waiting
};
inline constexpr int kNumProfileStages = 10;
inline constexpr int kNumBatchingStages = 6;  ///< of seed 000's table

/// "stage1_collect", "stage2_encode", "stage3_forward", "stage4_scatter", "stage5_v_h_e",
/// "tensor_conversion"; then "backward", "optimiser", "actor", "idle".
const char* nameOf(ProfileStage stage);

/// Sums since the last reset.
struct BatchProfileStats {
    std::int64_t calls = 0;   ///< training steps
    std::int64_t probes = 0;  ///< looks at the clock
    std::array<std::int64_t, kNumProfileStages> ns = {};

    /// Average milliseconds a call, 0 without calls.
    double milliseconds(ProfileStage stage) const;
    /// All ten stages together, ns.
    std::int64_t totalNs() const;
    /// Seed 000's table: the six stages, the longest first, their shares and their total.
    std::string table() const;
    /// The same for the other four, with their shares of all ten.
    std::string tableBeside() const;
};

/// A clock that is always in one stage, at one look at the clock a change; it also records what it
/// did when (see SpanRecorder). One thread; readers take copies of stats() on it.
///
/// What seed 000 prints, gets and resets: stats().table(), which a run tells as a message every
/// profile_batching_interval steps, stats() and reset(). Telling resets nothing: a table is of all
/// steps since the run began.
class BatchProfile {
public:
    /// From now on; the time since the last change belongs to the stage left.
    void enter(ProfileStage stage) { enter(stage, static_cast<SpanKind>(stage)); }
    /// The same with more to say about the span.
    void enter(ProfileStage stage, SpanKind kind) {
        m_stats.ns[static_cast<std::size_t>(m_stage)] += m_spans.enter(kind);
        ++m_stats.probes;
        m_stage = stage;
    }
    /// One training step is done; it ends with the next enter().
    /// @param stepsDone  of the training, which spans are numbered by; -1: one more
    void countCall(std::int64_t stepsDone = -1) {
        ++m_stats.calls;
        m_spans.endStep(1 + (stepsDone < 0 ? m_stats.calls : stepsDone));
    }

    ProfileStage stage() const { return m_stage; }
    const BatchProfileStats& stats() const { return m_stats; }
    SpanRecorder& spans() { return m_spans; }
    const SpanRecorder& spans() const { return m_spans; }
    /// Sets the sums to 0; spans stay.
    void reset() { m_stats = {}; }

    /// Measured cost of one enter(), ns: with the recording of spans as it is in training, 16 steps
    /// of every 50 ms.
    static double probeNs();

private:
    SpanRecorder m_spans{"learner"};
    BatchProfileStats m_stats;
    ProfileStage m_stage = ProfileStage::Idle;
};

/// In another stage as long as this lives, then again in the one before, whose time stands still
/// meanwhile.
class InStage {
public:
    /// @param profile  null: nobody measures
    InStage(BatchProfile* profile, ProfileStage stage) : m_profile(profile) {
        if (m_profile == nullptr) return;
        m_before = m_profile->stage();
        m_profile->enter(stage);
    }
    ~InStage() {
        if (m_profile != nullptr) m_profile->enter(m_before);
    }
    InStage(const InStage&) = delete;
    InStage& operator=(const InStage&) = delete;

private:
    BatchProfile* m_profile;
    ProfileStage m_before = ProfileStage::Idle;
};

}  // namespace orrery
