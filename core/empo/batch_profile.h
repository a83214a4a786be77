#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <type_traits>

namespace orrery {

/// What a learner's thread does. The first six are seed 000's stages of the batched computation.
enum class ProfileStage : std::uint8_t {
    Collect,     ///< flattening the batch into parallel arrays
    Encode,      ///< compact states to planes and numbers
    Forward,     ///< networks and tables over the unique states
    Scatter,     ///< targets of Q_r, U_r, X_h and V_r from successors
    V_h_e,       ///< targets of V_h^e
    Conversion,  ///< arrays to tensors
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

/// A clock that is always in one stage, at one look at the clock a change. One thread; readers take
/// copies of stats() on it.
class BatchProfile {
public:
    /// From now on; the time since the last change belongs to the stage left.
    void enter(ProfileStage stage) {
        const auto now = Clock::now();
        m_stats.ns[static_cast<std::size_t>(m_stage)] += (now - m_since).count();
        ++m_stats.probes;
        m_stage = stage;
        m_since = now;
    }
    /// One training step is done.
    void countCall() { ++m_stats.calls; }

    ProfileStage stage() const { return m_stage; }
    const BatchProfileStats& stats() const { return m_stats; }
    void print() const;  ///< table() and tableBeside() to the standard error
    void reset() { m_stats = {}; }

    /// Measured cost of one enter(), ns.
    static double probeNs();

private:
    using Clock = std::chrono::steady_clock;
    static_assert(std::is_same_v<Clock::duration, std::chrono::nanoseconds>);

    BatchProfileStats m_stats;
    ProfileStage m_stage = ProfileStage::Idle;
    Clock::time_point m_since = Clock::now();
};

}  // namespace orrery
